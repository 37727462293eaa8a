"""The package in CONTRIBUTING ("A package of your own"), installed as a stranger installs it: each thing that it adds
is used, and none of our files is touched. Then a package with what that one has not: an engine, a gate, a reader."""

from __future__ import annotations

import dataclasses
import json
import re
import shutil
import sys
import textwrap
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from packages import install
from projects import write

import gramprobe
from gramprobe import registry
from gramprobe.analysis.open import open_runs
from gramprobe.analysis.studies import chosen
from gramprobe.cli.main import main
from gramprobe.cli.report import _commands
from gramprobe.dataset.gates import OF_SENTENCES
from gramprobe.items.tasks import TASKS
from gramprobe.registry import GROUPS, entries
from gramprobe.source.diagnostic import UsageError

#: a shipped set that is built at once
SET = "presupposition/possessed_definites_existence"
DATA = "data/presupposition--possessed_definites_existence"
PAGE = (Path(__file__).parents[1] / "CONTRIBUTING.md").read_text("utf-8")
SECTION = PAGE[PAGE.index("## A package of your own") : PAGE.index("## Add a task")]
PARADIGM = re.search(r"```text\n(paradigm having.*?)```", SECTION, re.DOTALL)


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", SECTION, re.DOTALL)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of packages that Python looks in."""
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.chdir(tmp_path)
    registry.passed_over.clear()
    yield tmp_path / "site"
    for name in [name for name in sys.modules if name.split(".")[0] in ("likelier", "others", "faulty")]:
        del sys.modules[name]


@pytest.fixture
def likelier(site: Path) -> Path:
    """The package of the page, installed; a project with its paradigm in the working folder."""
    (toml,) = map(tomllib.loads, blocks("toml"))
    modules = {re.match(r"# likelier/(\w+)\.py", text).group(1): text for text in blocks("python")}  # type: ignore[union-attr]
    points = {name.removeprefix("gramprobe."): each for name, each in toml["project"]["entry-points"].items()}
    install(site, toml["project"]["name"], {}, points, version=toml["project"]["version"])
    write(site / "likelier", {"__init__.py": "", **{f"{name}.py": text for name, text in modules.items()}})
    assert PARADIGM is not None
    write(site.parent, {"grammars/pets/having.paradigm": PARADIGM[1]})
    (site.parent / "corpus.txt").write_text("Amy has a cat.\nTom has a dog.\nAmy does not have a cow.\n", "utf-8")
    return site.parent


def test_every_group_is_in_the_manual() -> None:
    assert [group for group in GROUPS.values() if f"| `{group}` |" not in SECTION] == []


@pytest.mark.slow
def test_the_package_of_the_manual_is_used_from_task_to_study(
    likelier: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gramprobe.project.Project.sizes", lambda project: dict.fromkeys(project.names, 1234))
    assert [f"{entry.kind} {entry.name}" for entry in entries() if entry.package == "likelier"] == [
        "format tabbed", "mode per_token", "rule shorter", "study preferred", "task likelier",
    ]  # fmt: skip
    commands = [line.split("#")[0].split()[1:] for line in blocks("text")[-1].splitlines()[1:]]
    assert [words[0] for words in commands] == ["where", "check", "build", "verify", "export", "score", "analyze"]
    for words in commands:
        assert main(words) == 0, words
    printed = capsys.readouterr()
    assert "warning[" not in printed.err
    assert "having" in printed.out and "first is likelier" in printed.out
    assert "pets--having: 20 rows without labels\n  1 paradigm derived again\n" in printed.out
    data = likelier / "data/pets--having"
    assert "\n20 rows: pairs of sentences of which the first should be likelier.\n" in (data / "README.md").read_text()
    assert main(["list"]) == main(["explain", "pets/having"]) == 0
    listed, explained = capsys.readouterr().out.split("pets/having: ")
    assert re.search(r"having +[\d,]+ instances  \(from ", listed)
    assert re.search(r"\n  good\n    affirmed  .*\.\n  bad\n    denied    .* have .*\.\n", explained)
    assert json.loads((data / "manifest.json").read_bytes())["packages"] == {"task": {"likelier": "likelier 0.1"}}
    settings = gramprobe.read_scores(likelier / "scores/pets").run.settings
    assert (settings.reduction, settings.packages) == ("mean over tokens", {"mode": {"per_token": "likelier 0.1"}})
    runs = open_runs([likelier / "scores/pets"])
    assert runs[0].record is not None
    record = replace(runs[0].record, settings=replace(runs[0].record.settings, shuffle_words=True, seed=3))
    score = "gramprobe score data/pets--having --model ngram:corpus.txt --mode per_token"
    asked = {"study": (), "labels": ["strong"], "cluster": ["noun"]}
    assert list(_commands([dataclasses.replace(runs[0], record=record)], [Path("scores/pets")], (), asked)) == [
        "pip install likelier==0.1",
        "gramprobe build pets/having --n 20 --seed 0",
        f"{score} --shuffle-words --seed 3 --out pets",
        "gramprobe report pets --labels strong --cluster noun",
    ]
    # messages name what the package adds
    assert main(["analyze", "x.rank"]) == main(["analyze", "scores/pets", "--study", "scope"]) == 2
    assert "or files of scores: .csv, .jsonl, .tab" in capsys.readouterr().err
    with pytest.raises(UsageError) as error:
        chosen((), [dataclasses.replace(runs[0], scores=runs[0].scores.slice(0, 0))])
    assert "for the analysis `preferred`, give scores of the sentences `good` and `bad`" in error.value.help
    # the format: what it writes of the dataset, and what it reads as scores
    assert "Draws are not in it." in (likelier / "tabbed/README.md").read_text("utf-8")
    rows = [line.split("\t") for line in (likelier / "tabbed/pairs.tab").read_text("utf-8").splitlines()]
    assert len(rows) == 20 and all(good.endswith(".") and " has a" in good for _, good, _ in rows)
    lines = [f"{item}\t{part}\t{value}\n" for item, *_ in rows for part, value in (("good", -1.5), ("bad", -2))]
    (likelier / "other.tab").write_text("".join(lines), "utf-8")
    assert main(["analyze", "other.tab", "--dataset", str(data), "--study", "preferred", "--json"]) == 0
    (study,) = json.loads(capsys.readouterr().out)["studies"]
    row = study["tables"][0]["rows"][0]
    assert (row["model"], row["paradigm"], row["n"]) == ("other", "having", 20)


@pytest.mark.slow
def test_two_processes_build_and_score_with_the_package(
    likelier: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    two = (likelier / "grammars/pets/having.paradigm").read_text("utf-8").replace("paradigm having", "paradigm owning")
    write(likelier, {"grammars/pets/owning.paradigm": two})
    folders = []
    for jobs in ("1", "3"):
        monkeypatch.setenv("GRAMPROBE_JOBS", jobs)
        assert main(["build", "pets", "--n", "8", "--out", f"by-{jobs}"]) == 0
        score = ["score", f"by-{jobs}/pets", "--model", "ngram:corpus.txt", "--mode", "per_token", "--workers", jobs]
        assert main([*score, "--out", f"scores-{jobs}"]) == 0
        folders.append((likelier / f"by-{jobs}/pets/items/owning.jsonl").read_bytes())
    assert folders[0] == folders[1]
    one, other = (gramprobe.read_scores(f"scores-{jobs}").table() for jobs in ("1", "3"))
    assert one.equals(other)


@pytest.mark.slow
def test_without_its_package_a_dataset_is_read_and_not_verified(
    likelier: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["build", "pets/having", "--n", "4"]) == 0
    score = ["score", "data/pets--having", "--model", "ngram:corpus.txt", "--mode", "per_token"]
    assert main([*score, "--out", "scores/pets"]) == 0
    shutil.rmtree(likelier / "site")
    monkeypatch.setattr(sys, "path", [place for place in sys.path if place != str(likelier / "site")])
    capsys.readouterr()
    assert gramprobe.read("data/pets--having").count() == 4
    assert main(["verify", "data/pets--having"]) == 2
    said = capsys.readouterr().err
    assert "error[E64]: the task `likelier` is of the package likelier 0.1, which is not installed" in said
    assert main(["analyze", "scores/pets", "--dataset", "data/pets--having"]) == 2
    said = capsys.readouterr().err
    assert "error[E64]: the mode `per_token` is of the package likelier 0.1, which is not installed" in said
    assert main(["diff", "data/pets--having", "data/pets--having"]) == 2
    said = capsys.readouterr().err
    assert "error[E64]: the task `likelier` is of the package likelier 0.1, which is not installed" in said
    for command in ("check", "explain"):
        assert main([command, "pets/having"]) == 1
        said = capsys.readouterr().err
        assert said.count("error[") == 1 and "error[E02]: no task named `likelier`" in said
        assert "is `likelier` of a package that is not installed?" in said


OTHERS = """
from gramprobe.baselines.options import OptionRule
from gramprobe.dataset.gates.sentences import Reason
from gramprobe.score.engines.reader import Reader
from gramprobe.score.model import Fileless, ModelKind, Opened
from gramprobe.score.request import NoChat, Reply

class Length(NoChat):
    kind, labels = "causal", ()
    def prepare(self, request): return request
    def settings(self): return {"by": "length"}
    def load(self): return {}
    def answer(self, prepared): return [tuple(Reply((-float(len(t)),), 1) for t in each.texts) for each in prepared]

def opened(behind, wanted):
    wanted.check_kind("causal")
    return Opened(Length(), Fileless(wanted.order.model, "causal"))

KIND = ModelKind(opened, "name anything")

def even(rows, words):
    import numpy as np
    return np.full((len(rows.keys), 3), 1 / 3)

READER = Reader("even", "nothing at all", even)
LAST = OptionRule("last", "The option that stands last.", lambda sentence, options: len(options) - 1)

def no_cats(sentences):
    cats = [word for word in sentences.vocabulary if word.startswith("cat")]
    return [Reason("there are cats", tuple(cats), "draw dogs")] if cats else []
"""


@pytest.mark.slow
def test_an_engine_a_gate_and_other_baselines_are_used(
    likelier: Path, site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    task = "\nfrom dataclasses import replace\nfrom likelier.task import Likelier\n"
    task += 'class Catless(Likelier):\n    name = "catless"\n'
    task += '    form = replace(Likelier.form, name=name, gates=("spelling", "no_cats"))\nTASK = Catless()\n'
    task += "from gramprobe.score.mode import Asked\nfrom gramprobe.score.modes.minimal_pair import MinimalPair\n"
    task += "from gramprobe.score.request import Pick\n"
    task += 'class Picked(MinimalPair):\n    name, kinds = "picked", ("rule",)\n    def asked(self, table, row):\n'
    task += '        both = row["good"], row["bad"]\n'
    task += '        return [Asked(Pick("Which?", both), tuple(zip(("good", "bad"), both)))]\nPICKED = Picked()\n'
    points = {
        "engines": {"length": "others:KIND"},
        "baselines": {"reader.even": "others:READER", "option_rule.last": "others:LAST"},
        "gates": {"no_cats": "others:no_cats"},
        "tasks": {"catless": "others:TASK"},
        "modes": {"picked": "others:PICKED"},
    }
    install(site, "others", {"others": textwrap.dedent(OTHERS) + task}, points)
    assert main(["build", "pets/having", "--n", "4"]) == 0
    assert main(["score", "data/pets--having", "--model", "length:", "--out", "a"]) == 2
    assert "nothing is named behind `length:`" in capsys.readouterr().err
    assert main(["score", "data/pets--having", "--model", "length:x", "--out", "a"]) == 0
    assert gramprobe.read_scores("a").run.settings.packages == {"engine": {"length": "others 1.2"}}
    picked = ["score", "data/pets--having", "--model", "rule:last", "--mode", "picked", "--out", "p"]
    assert main(picked) == 0
    values = {(row["part"], row["value"]) for row in gramprobe.read_scores("p").table().to_pylist()}
    assert values == {("good", -100.0), ("bad", 0.0)}
    text = (likelier / "grammars/pets/having.paradigm").read_text("utf-8").replace("likelier", "catless")
    write(likelier, {"grammars/pets/cats.paradigm": text.replace("paradigm having", "paradigm cats")})
    assert (list(TASKS)[-2:], list(OF_SENTENCES)[-1]) == (["catless", "likelier"], "no_cats")
    capsys.readouterr()
    assert main(["build", "pets/cats", "--n", "200"]) == 1
    assert "there are cats" in capsys.readouterr().err
    assert main(["build", SET, "--n", "3"]) == 0
    assert main(["score", DATA, "--model", "rule:shorter", "--out", "b"]) == 0
    assert gramprobe.read_scores("b").run.settings.packages == {"rule": {"shorter": "likelier 0.1"}}
    assert main(["score", DATA, "--model", "reader:even", "--out", "c"]) == 0
    values = gramprobe.read_scores("c").table().column("neutral").to_pylist()
    assert values == pytest.approx([values[0]] * len(values))


@pytest.mark.slow
def test_broken_packages_of_every_kind_are_warnings_and_the_work_goes_on(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gramprobe.project.Project.sizes", lambda project: dict.fromkeys(project.names, 1))
    names = {"baselines": ["rule.x", "option_rule.x", "reader.x"]}
    points = {
        group: dict.fromkeys(names.get(group, ["x"]), "broken:NOTHING")
        for group in dict.fromkeys(each.removeprefix("gramprobe.") for each in GROUPS.values())
    }
    install(site, "broken", {"broken": "raise ImportError('too old')"}, points)
    assert main(["--help"]) == main(["where"]) == main(["list"]) == 0
    assert main(["build", SET, "--n", "5"]) == main(["verify", DATA]) == 0
    assert main(["schema", "sample"]) == 0
    for model in ("rule:overlap", "reader:verbs"):
        assert main(["score", DATA, "--model", model, "--out", model.partition(":")[2]]) == 0
    assert main(["diff", DATA, DATA]) == 0
    assert main(["analyze", "overlap", "verbs", "--dataset", DATA]) == 0
    warned = capsys.readouterr().err
    assert warned.count("warning[E63]: the study `x` of the package broken 1.2 is passed over") == 1
    assert "too old" in warned
    for asked, said in (("--mode", "no mode named `x`"), ("--model", "no rule named `x`")):
        rest = ["--model", "rule:overlap", "--mode", "x"] if asked == "--mode" else ["--model", "rule:x"]
        assert main(["score", DATA, *rest, "--out", "z"]) == 2
        assert said in capsys.readouterr().err
    assert main(["x"]) == 2
    assert "no command named `x`" in capsys.readouterr().err


@pytest.mark.slow
def test_a_study_that_raises_ends_no_analysis_of_others(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = """
        class Wrong:
            name, about, source, needs = "NAME", "what goes wrong", "", "give anything"
            def fits(self, run): return FITS
            def findings(self, runs, given): return 1 / 0
        NAME = Wrong()
    """
    kinds = {"early": "run.no", "late": "True"}
    texts = [study.replace("NAME", name).replace("FITS", fits) for name, fits in kinds.items()]
    module = "\n".join(map(textwrap.dedent, texts))
    install(site, "wrongs", {"wrongs": module}, {"studies": {name: f"wrongs:{name}" for name in kinds}})
    assert main(["build", SET, "--n", "5"]) == 0
    assert main(["score", DATA, "--model", "rule:overlap", "--out", "scores"]) == 0
    capsys.readouterr()
    assert main(["analyze", "scores"]) == 0
    shown = capsys.readouterr()
    assert "ACCURACY" in shown.out.upper()
    assert "the study `early` of the package wrongs 1.2 is passed over: it ended with AttributeError" in shown.err
    assert "the study `late` of the package wrongs 1.2 is passed over: it ended with ZeroDivisionError" in shown.err
    assert main(["analyze", "scores", "--study", "late"]) == 3  # asked for by its name, it is no longer passed over
    said = capsys.readouterr().err
    assert "error[E36]: a fault of the package wrongs 1.2, in its study `late`: ZeroDivisionError" in said
    sys.modules["wrongs"].Wrong.findings = lambda self, runs, given: None
    assert main(["analyze", "scores", "--study", "late"]) == 3
    assert "in its study `late`: TypeError: `findings` gives None, which is no `Findings`" in capsys.readouterr().err
    assert main(["analyze", "scores", "--study", "early"]) == 3
    assert "in its study `early`: AttributeError" in capsys.readouterr().err


FAULTY = """
import click
from likelier.task import Likelier
from likelier.mode import PerToken
from gramprobe.baselines.rules import Rule
from gramprobe.score.engines.reader import Reader
from gramprobe.score.model import Fileless, ModelKind, Opened
from gramprobe.score.request import NoChat

HOW = ""

class Faulty(Likelier):
    name = "faulty"
    form = replace(Likelier.form, name=name, gates=("spelling", "wrong"))
    def rows(self, cells):
        (row,) = super().rows(cells)
        match HOW:
            case "raises": return 1 / 0
            case "lacks": del row["bad"]
            case "bare": row["bad"] = "no cell"
            case "id": row["id"] = cells.constant("1")
            case "twice": return [row, dict(row)]
            case "none": return []
        return [row]

class Mode(PerToken):
    name, kinds = "wrong", ("causal", "ngram")
    def asked(self, table, row):
        return 1 / 0 if HOW == "asked" else None if HOW == "asks nothing" else super().asked(table, row)
    def measures(self, *given): return 1 / 0 if HOW == "measures" else super().measures(*given)

class Engine(NoChat):
    kind, labels = "causal", ()
    def prepare(self, request): return request
    def settings(self): return {}
    def load(self): return {}
    def answer(self, prepared): return 1 / 0 if HOW == "answers" else [None] * len(prepared)

def opened(behind, wanted): return 1 / 0 if HOW == "opens" else Opened(Engine(), Fileless(wanted.order.model, "causal"))
def wrong(sentences): return 1 / 0 if HOW == "gate" else [1] if HOW == "gate gives" else []
def sees(rows, words): return 1 / 0

TASK, MODE, KIND = Faulty(), Mode(), ModelKind(opened, "name anything")
RULE = Rule("wrong", "", lambda premise, hypothesis, language: 1 / 0, two=True)
READER = Reader("wrong", "nothing", sees)

class FORMAT:
    suffixes, gives = (".wrong",), "scores"
    def reads(self, path): return 1 / 0 if HOW == "reads" else True
    def read(self, path):
        return open("nowhere") if HOW == "opens nothing" else odd() if HOW == "reads odd columns" else None
FORMAT = FORMAT()

def odd():
    import pyarrow as pa
    return pa.table({"items": ["a"]})

@click.command()
def COMMAND(): 1 / 0
"""
SCORE = "score data/pets--faulty --out OUT"
FAULTS = [
    (how, f"{what} pets/faulty", "task `faulty`", why)
    for what in ("check", "build")
    for how, why in {
        "raises": "ZeroDivisionError: division by zero, at faulty",
        "lacks": "ValueError: `rows` gives a row without `bad`, which is among `columns`",
        "bare": "ValueError: `rows` gives `bad` as 'no cell', which is no cell",
        "id": "ValueError: `rows` gives a row whose `id` is not of `cells.leading`",
        "twice": "two rows with the id `pets/faulty/INSTANCE/affirmed`",
        "none": "RuntimeError: the task faulty makes 0 rows",
    }.items()
] + [
    ("gate", "check pets/faulty", "gate `wrong`", "ZeroDivisionError"),
    ("gate gives", "build pets/faulty", "gate `wrong`", "AttributeError"),
    ("asked", f"{SCORE} --model ngram:corpus.txt --mode wrong", "mode `wrong`", "ZeroDivisionError"),
    ("asks nothing", f"{SCORE} --model ngram:corpus.txt --mode wrong", "mode `wrong`", "TypeError"),
    ("measures", f"{SCORE} --model ngram:corpus.txt --mode wrong", "mode `wrong`", "ZeroDivisionError"),
    ("opens", f"{SCORE} --model wrong:x", "engine `wrong`", "ZeroDivisionError"),
    ("answers", f"{SCORE} --model wrong:x", "", "ZeroDivisionError"),
    ("answers nothing", f"{SCORE} --model wrong:x", "", "TypeError"),
    ("", f"score {DATA} --model rule:wrong --out OUT", "rule `wrong`", "ZeroDivisionError"),
    ("", f"score {DATA} --model reader:wrong --out OUT", "reader `wrong`", "ZeroDivisionError"),
    ("reads", "analyze x.wrong --dataset data/pets--faulty", "format `wrong`", "ZeroDivisionError"),
    ("opens nothing", "analyze x.wrong --dataset data/pets--faulty", "format `wrong`", "FileNotFoundError"),
    ("reads nothing", "analyze x.wrong --dataset data/pets--faulty", "format `wrong`", "AttributeError"),
    ("reads odd columns", "analyze x.wrong --dataset data/pets--faulty", "format `wrong`", "ValueError: `read` gives"),
    ("", "wrong", "command `wrong`", "ZeroDivisionError"),
]  # fmt: skip


@pytest.mark.slow
def test_whatever_code_of_a_package_ends_with_is_a_fault_of_that_package(
    likelier: Path, site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    things = {"modes": "MODE", "engines": "KIND", "gates": "wrong", "formats": "FORMAT", "commands": "COMMAND"}
    points = {group: {"wrong": f"faulty:{thing}"} for group, thing in things.items()}
    points |= {"tasks": {"faulty": "faulty:TASK"}}
    points |= {"baselines": {"rule.wrong": "faulty:RULE", "reader.wrong": "faulty:READER"}}
    install(site, "wrongs", {"faulty": "from dataclasses import replace\n" + FAULTY}, points)
    text = (likelier / "grammars/pets/having.paradigm").read_text("utf-8")
    text = text.replace("paradigm having", "paradigm faulty").replace("task   likelier", "task   faulty")
    write(likelier, {"grammars/pets/faulty.paradigm": text, "x.wrong": ""})
    assert main(["build", "pets/faulty", "--n", "4"]) == main(["build", SET, "--n", "3"]) == 0
    capsys.readouterr()
    for number, (how, command, thing, why) in enumerate(FAULTS):
        sys.modules["faulty"].HOW = how  # type: ignore[attr-defined]
        assert main(command.replace("OUT", f"scores-{number}").split()) == 3, (how, command)
        said = capsys.readouterr().err
        where = f", in its {thing}" if thing else ""
        assert f"error[E36]: a fault of the package wrongs 1.2{where}: " in said, (how, command, said)
        assert why in said, (how, command, said)
        assert "GRAMPROBE_DEBUG=1 shows the whole trace" in said and "Traceback" not in said
