"""`gramprobe lists`: from datasets to folders of experiments, for every kind and platform, and what is refused."""

from __future__ import annotations

import base64
import csv
import hashlib
import json
import re
from collections import Counter
from pathlib import Path

import pytest
from support.datasets import FEW, SOME_TRIGGERS, SharedDatasets
from support.minimal_pairs import CROSSED, built
from support.relatives import CLAUSES, rows_of

from gramprobe.cli.main import main
from gramprobe.experiment.trials import Experiment, read

SPR = "@jspsych-contrib/plugin-self-paced-reading"
PACKAGES = {"jspsych": "8.3.1", "@jspsych/plugin-html-button-response": "2.1.0", SPR: "2.0.0"}


@pytest.fixture(scope="module")
def pairs(datasets: SharedDatasets) -> Path:
    return datasets("presupposition", among=SOME_TRIGGERS, n=FEW)


@pytest.fixture(scope="module")
def choices(datasets: SharedDatasets) -> Path:
    return datasets("scope/choice_universal_indefinite", n=FEW)


@pytest.fixture(scope="module")
def read_aloud(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve instances of two sentences that are cut into regions."""
    place = tmp_path_factory.mktemp("reading")
    rows_of(place, CLAUSES)
    return place / "data" / "reading"


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder like node_modules, of programs that do nothing."""
    place = tmp_path_factory.mktemp("node") / "node_modules"
    for name, version in PACKAGES.items():
        (place / name / "dist").mkdir(parents=True)
        (place / name / "package.json").write_text(
            json.dumps({"version": version, "license": "MIT", "author": "A. N. --> Other"})
        )
        (place / name / "dist/index.browser.min.js").write_text(f'"{name}";\n//# sourceMappingURL=index.js.map\n')
    (place / "jspsych/css").mkdir()
    (place / "jspsych/css/jspsych.css").write_text(".jspsych {}")
    return place


def made(dataset: Path, out: Path, *options: str) -> Experiment:
    assert main(["lists", str(dataset), "--out", str(out), *options]) == 0
    return read(out)


def check(experiment: Experiment) -> None:
    """What every experiment promises."""
    plan = experiment.plan
    own = [trial for trial in experiment.trials if trial.role == "experimental"]
    seen = Counter((t.paradigm, t.instance, t.id, t.part, t.options if plan.kind == "choice" else ()) for t in own)
    assert set(seen.values()) == {plan.repeats} and len(seen) == plan.instances * plan.cells
    for number in range(1, plan.lists + 1):
        trials = experiment.of_list(number)
        mine = [trial for trial in trials if trial.role == "experimental"]
        assert Counter(trial.role for trial in trials) == Counter(
            experimental=plan.per_person, filler=plan.fillers, catch=plan.catch
        )
        assert len({(t.paradigm, t.instance) for t in mine}) == plan.per_person
        for factor in plan.factors:
            levels = [trial.levels.get(factor.name) for trial in trials]
            if factor.of == "list":
                assert len(set(levels)) == 1
                continue
            assert set(levels) <= {*factor.levels, None}
            assert not any(a and a == b == c for a, b, c in zip(levels, levels[1:], levels[2:], strict=False))


@pytest.mark.slow
def test_choices_stand_in_both_orders(choices: Path, tmp_path: Path) -> None:
    experiment = made(choices, tmp_path / "out", "--kind", "choice")
    check(experiment)
    assert (experiment.plan.lists, experiment.plan.cells) == (2, 2)
    first, second = (
        {trial.instance: trial.texts[trial.options[0]] for trial in experiment.of_list(number)} for number in (1, 2)
    )
    assert first.keys() == second.keys() and all(first[name] != second[name] for name in first)
    assert [factor.name for factor in experiment.plan.factors] == ["order"]


@pytest.mark.slow
def test_labels_of_pairs_turn_sides_and_a_seed_fixes_all(pairs: Path, tmp_path: Path) -> None:
    options = ("--kind", "nli", "--condition", "trigger-presupposed", "--condition", "negated-presupposed")
    experiment = made(pairs, tmp_path / "a", *options, "--orders", "2")
    check(experiment)
    plan = experiment.plan
    assert plan.lists == 2 * 2 * 2 and plan.repeats == 4 and plan.instances == 3 * FEW
    orders = {trial.options for trial in experiment.trials}
    assert orders == {("entailment", "neutral", "contradiction"), ("contradiction", "neutral", "entailment")}
    again = made(pairs, tmp_path / "b", *options, "--orders", "2")
    other = made(pairs, tmp_path / "c", *options, "--orders", "2", "--seed", "1")
    assert again.trials == experiment.trials != other.trials
    fixed = made(pairs, tmp_path / "d", *options, "--one-side")
    assert fixed.plan.lists == 2 and len({trial.options for trial in fixed.trials}) == 1


@pytest.mark.slow
@pytest.mark.parametrize("per_person", [5, 6, 10])
def test_fewer_trials_than_instances(pairs: Path, tmp_path: Path, per_person: int) -> None:
    options = ("--condition", "trigger-presupposed", "--condition", "negated-presupposed", "--near-shares")
    experiment = made(pairs, tmp_path / "out", "--kind", "rating", "--per-person", str(per_person), *options)
    check(experiment)
    paradigms = [Counter(trial.paradigm for trial in experiment.of_list(n)) for n in (1, 2)]
    assert all(max(each.values()) <= per_person / 3 + 1 for each in paradigms)
    assert [option.name for option in experiment.plan.scale] == list("1234567")
    assert set(experiment.trials[0].texts) == {"context", "sentence"}


@pytest.mark.slow
def test_regions_and_fillers_of_a_built_phenomenon(read_aloud: Path, tmp_path: Path) -> None:
    project = read_aloud.parents[1]
    options = ("--kind", "self_paced", "--fillers", "reading", "--filler-count", "3", "--path", str(project))
    experiment = made(read_aloud, tmp_path / "out", *options)
    check(experiment)
    trial = next(t for t in experiment.trials if t.role == "experimental")
    assert [region.name for region in trial.regions] == ["subject", "relative", "verb", "rest"]
    assert " ".join(region.text for region in trial.regions) == trial.texts["sentence"]
    assert trial.options == ()
    model = "log(measure_time_verb) ~ condition + (1 + condition | source) + (1 + condition | instance)"
    assert experiment.plan.model == model
    fillers = {t.id for t in experiment.trials if t.role == "filler"}
    assert len(fillers) == 3


def test_declared_factors_are_crossed_in_the_planned_model(tmp_path: Path) -> None:
    """Of minimal pairs those of each sentence; one may be called `side`."""
    dataset = built(tmp_path, CROSSED.replace("factor subject", "factor side"))
    experiment = made(dataset, tmp_path / "out", "--kind", "acceptability", "--near-shares")
    assert experiment.plan.model == ("score ~ side * verb + (1 + side * verb | source) + (1 + side * verb | instance)")
    factors = {factor.name: factor.levels for factor in experiment.plan.factors}
    assert (factors["side"], factors["side_of_keys"]) == (("singular", "plural"), ("as listed", "reversed"))
    assert {t.levels["side"] for t in experiment.trials if t.condition == "many-many_s"} == {"plural"}


def test_a_sentence_of_crossed_pairs_stands_once_with_the_levels_of_its_own(
    datasets: SharedDatasets, tmp_path: Path
) -> None:
    """*Unlicensed* stands in three pairs, and `licensor` is a column of the rows, so that the factor has another."""
    source = datasets("acceptability/any_by_determiner", n=FEW)
    experiment = made(source, tmp_path / "out", "--kind", "acceptability", "--near-shares")
    check(experiment)
    assert experiment.plan.cells == 4 and "score ~ item * factor_licensor + (" in experiment.plan.model
    levels = {
        (t.levels["condition"], t.levels["item"], t.levels["licensor"], t.levels["label"]) for t in experiment.trials
    }
    assert levels == {
        ("licensed", "any", "yes", "sentence_good"), ("licensed_plain", "the", "yes", "sentence_good"),
        ("plain", "the", "no", "sentence_good"), ("unlicensed", "any", "no", "sentence_bad"),
    }  # fmt: skip
    shown = Counter((t.instance, t.texts["sentence"]) for t in experiment.trials)
    assert set(shown.values()) == {experiment.plan.repeats}
    chosen = made(source, tmp_path / "choice", "--kind", "choice", "--near-shares")
    assert {t.condition for t in chosen.trials} == {"licensed-unlicensed", "plain-unlicensed"}  # no cells of the design
    assert "order" not in chosen.plan.model  # of which rows of pairs have no column


ASKED = """sentence
  src = Tell(Subject(p, q, v), w, o, a)
  orc = Tell(Object(p, q, v), w, o, a)
question
  asked = Plain(Subject(p, q, v), w, a)
answer
  said = {}
"""


def test_a_question_is_asked_in_self_paced_reading_and_has_an_answer_that_people_can_give(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    says = 'fun Yes : S\n  lin "yes"\n'
    rows_of(tmp_path, ASKED.format("Yes"), says)
    dataset = tmp_path / "data/reading"
    read_on = made(dataset, tmp_path / "spr", "--kind", "self_paced")
    assert {(t.expected, "question" in t.texts) for t in read_on.trials} == {("yes", True)}  # the row says `Yes.`
    rated = made(dataset, tmp_path / "rated", "--kind", "rating")
    assert {(t.expected, "question" in t.texts) for t in rated.trials} == {("", False)}
    rows_of(tmp_path / "other", ASKED.format("Plain(Object(p, q, v), w, a)"))
    options = ["--kind", "self_paced", "--out", str(tmp_path / "no")]
    assert main(["lists", str(tmp_path / "other/data/reading"), *options]) == 2
    assert "and people can answer yes, no" in capsys.readouterr().err
    assert not (tmp_path / "no").exists()


def test_a_kind_that_does_not_fit_names_those_that_do(
    read_aloud: Path, choices: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for dataset, kind, fitting in (
        (read_aloud, "choice", "rating, acceptability, self_paced"),
        (choices, "nli", "choice, rating, acceptability, self_paced"),
    ):
        assert main(["lists", str(dataset), "--kind", kind, "--out", str(tmp_path / "out")]) == 2
        assert f"kinds that fit: {fitting};" in capsys.readouterr().err


def test_fillers_and_catch_trials_of_files(read_aloud: Path, tmp_path: Path) -> None:
    (tmp_path / "f.csv").write_text("sentence,expected\nThe cat sat.,1\nCat the sat.,\n")
    (tmp_path / "c.csv").write_text("id,sentence,expected\neasy,Sat sat sat.,0\n")
    (tmp_path / "agree.txt").write_text("I take part.\n\nOf my free will.\n")
    (tmp_path / "w.toml").write_text('question = "Est-ce du fran\\u00e7ais ?"\n[options]\n1 = "oui"\n0 = "non"\n')
    files = [f"--{n}={tmp_path / f}" for n, f in (("fillers", "f.csv"), ("catch", "c.csv"), ("consent", "agree.txt"))]
    rules = ("--exclude", "catch=1", "--exclude", "seconds=.3..20", "--exclude", "same=12")
    options = ("--kind", "acceptability", *files, *rules, "--wording", str(tmp_path / "w.toml"))
    experiment = made(read_aloud, tmp_path / "out", *options)
    check(experiment)
    plan = experiment.plan
    assert (plan.fillers, plan.catch, plan.exclusions.catch, plan.exclusions.straight_lining) == (2, 1, 1, 12)
    catch = next(trial for trial in experiment.trials if trial.role == "catch")
    assert (catch.id, catch.right("0"), catch.right("1")) == ("easy", True, False)
    page = (tmp_path / "out/design.md").read_text("utf-8")
    for said in (
        "under 0.3 s or over 20 s", "fewer than 1 of 1 catch", "12 equal answers", "`1`: oui", "> Of my free will.",
        plan.model, "Est-ce du français ?", "gramprobe power --frame",
    ):  # fmt: skip
        assert said in page
    assert '"scale": [\n' in (tmp_path / "out/experiment.json").read_text("utf-8")


def test_tables(choices: Path, tmp_path: Path) -> None:
    (tmp_path / "f.csv").write_text("id,sentence,option_a,option_b\nf,=1+1,-3.2,no\n")
    experiment = made(choices, tmp_path / "out", "--kind", "choice", "--fillers", str(tmp_path / "f.csv"))
    with (tmp_path / "out/lists/2.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["id"] for row in rows] == [trial.id for trial in experiment.of_list(2)]
    assert [name for name, _ in json.loads(rows[0]["options"])] == list(experiment.of_list(2)[0].options)
    assert len((tmp_path / "out/trials.csv").read_text().splitlines()) == 1 + len(experiment.trials)
    (filler,) = (row for row in rows if row["id"] == "f")
    assert (filler["sentence"], filler["option_a"]) == ("'=1+1", "-3.2"), "no spreadsheet runs it"


def test_pcibex_has_a_row_a_trial_by_group(read_aloud: Path, tmp_path: Path) -> None:
    experiment = made(read_aloud, tmp_path / "out", "--kind", "acceptability", "--platform", "pcibex")
    with (tmp_path / "out/pcibex/chunk_includes/trials.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [(int(row["group"]), row["id"]) for row in rows] == [(t.list, t.id) for t in experiment.trials]
    assert [(rows[0][f"name_{n}"], rows[0][f"key_{n}"]) for n in (1, 2)] == [("1", "F"), ("0", "J")]
    script = (tmp_path / "out/pcibex/data_includes/main.js").read_text("utf-8")
    assert "{{about}}" not in script and experiment.plan.trials[:16] in script


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "kind", "cells", "texts"),
    [
        ("scope/continuation_universal_indefinite", "rating", 6, {"context", "sentence"}),
        ("scope/choice_universal_indefinite", "acceptability", 2, {"context", "sentence"}),
        ("de_re_de_dicto/belief", "choice", 2, {"sentence", "candidate_subject", "candidate_embedded"}),
        ("de_re_de_dicto/belief", "rating", 2, {"sentence"}),
    ],
)
def test_rows_of_several_texts(
    datasets: SharedDatasets, tmp_path: Path, name: str, kind: str, cells: int, texts: set[str]
) -> None:
    experiment = made(datasets(name, n=FEW), tmp_path / "out", "--kind", kind)
    check(experiment)
    assert experiment.plan.cells == cells
    assert {tuple(sorted(trial.texts)) for trial in experiment.trials} == {tuple(sorted(texts))}
    shown = {(trial.instance, trial.condition): set[str]() for trial in experiment.trials}
    for trial in experiment.trials:
        shown[trial.instance, trial.condition].add(f"{trial.texts.get('context')} {trial.texts['sentence']}")
    assert {len(each) for each in shown.values()} == {1 if kind == "choice" else cells}
    assert all("[pronoun]" not in trial.texts["sentence"] for trial in experiment.trials) or kind == "choice"


# -- jsPsych


def test_a_bundle_runs_its_own_scripts_alone(choices: Path, modules: Path, tmp_path: Path) -> None:
    (tmp_path / "f.csv").write_text(
        'id,sentence,option_a,option_b\n"<img src=x onerror=alert(1)>","</script><b>",<!--,"=1+1"\n'
    )
    options = ("--bundle", str(modules), "--fillers", str(tmp_path / "f.csv"), "--save-url", "https://a.org:81/x?y")
    made(choices, tmp_path / "out", "--kind", "choice", "--platform", "jspsych", *options)
    page = (tmp_path / "out/experiment.html").read_text("utf-8")
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)
    assert policy
    rules = dict(rule.strip().split(" ", 1) for rule in policy[1].split(";"))
    assert rules["default-src"] == rules["form-action"] == rules["base-uri"] == "'none'"
    assert rules["connect-src"] == "https://a.org:81"
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert len(scripts) == 3
    hashes = [base64.b64encode(hashlib.sha256(each.encode()).digest()).decode() for each in scripts]
    assert rules["script-src"].split() == [f"'sha256-{each}'" for each in hashes]
    assert "sourceMappingURL" not in page and "<img" not in page
    packages = ("jspsych 8.3.1", "@jspsych/plugin-html-button-response 2.1.0")
    credits_ = "; ".join(f"{each}, A. N.  Other, licence MIT" for each in packages)
    assert re.findall("<!--.*", page) == [f"<!-- This file has in it: {credits_} -->"]
    assert not re.search(r'(?:src|href)="', page)
    data = re.search(r'type="application/json">(.*?)</script>', page)
    assert data
    about = json.loads(data[1])
    shown = [trial for trial in about["trials"][0] if trial["role"] == "filler"]
    assert shown[0]["texts"]["sentence"] == "</script><b>"
    assert all({"expected", "condition", "levels"}.isdisjoint(trial) for own in about["trials"] for trial in own)


def test_a_served_folder_names_its_packages_and_keeps_the_design_out(read_aloud: Path, tmp_path: Path) -> None:
    made(read_aloud, tmp_path / "out", "--kind", "self_paced", "--platform", "jspsych")
    page = tmp_path / "out/page"
    assert sorted(each.name for each in page.iterdir()) == [
        "index.html", "lists", "package.json", "page.css", "page.js",
    ]  # fmt: skip
    wanted = json.loads((page / "package.json").read_text())["dependencies"]
    assert wanted == {"jspsych": "8.3.0", "@jspsych/plugin-html-button-response": "2.1.0", SPR: "2.0.0"}
    text = (page / "index.html").read_text("utf-8")
    assert "script-src 'self';" in text and "connect-src 'self';" in text and "is to be served" in text
    assert all(f"node_modules/{name}/dist" in text for name in wanted)
    trial = json.loads((page / "lists/2.json").read_text("utf-8"))[0]
    assert len(trial["regions"]) == len(trial["texts"]["sentence"].split())


# -- what is refused


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--kind", "guess"], "'guess' is not one of"),
        (["--kind", "choice"], "its rows have no options to choose from"),
        (["--kind", "rating", "--paradigm", "bth"], "--paradigm `bth`: there is none in"),
        (["--kind", "rating", "--condition", "triger-presupposed"], "did you mean `trigger-presupposed`?"),
        (["--kind", "rating", "--condition", "nowhere"], "help: there are: trigger-presupposed"),
        (["--kind", "rating", "--instances", "99"], "99 instances were asked for, and there are 15"),
        (["--kind", "rating", "--per-person", "99"], "a person sees each at most once"),
        (["--kind", "nli", "--lists", "7"], "nearest that do, one of them changed at a time: --lists 76"),
        (["--kind", "rating", "--condition", "trigger-presupposed", "--orders", "1000", "--paradigm", "both",
          "--fillers", "many.csv"], "100,000 is the most"),
        (["--kind", "rating", "--fillers", "nowhere"], "nowhere"),
        (["--kind", "rating", "--filler-count", "3"], "nothing says of what"),
        (["--kind", "rating", "--fillers", "none.csv"], "error[E44]: none.csv cannot be read"),
        (["--kind", "rating", "--fillers", "typo.csv"], "error[E46]: typo.csv, line 1: no column `sentence`"),
        (["--kind", "rating", "--fillers", "more.csv"], "the column `colour` would not be shown"),
        (["--kind", "rating", "--fillers", "twice.csv"], "a second `a` (first in line 2)"),
        (["--kind", "rating", "--fillers", "few.csv", "--filler-count", "2"], "2 fillers were asked for"),
        (["--kind", "rating", "--catch", "catch.csv"], "catch.csv, line 2: `8` is no answer"),
        (["--kind", "rating", "--catch", "few.csv"], "no column `expected`"),
        (["--kind", "rating", "--exclude", "catch=1"], "1 right catch trials were asked for, and there are 0"),
        (["--kind", "rating", "--exclude", "slow"], "`--exclude slow` is no rule"),
        (["--kind", "rating", "--exclude", "seconds=9..3"], "is no rule"),
        (["--kind", "rating", "--platform", "qualtrics"], "no platform named `qualtrics`"),
        (["--kind", "rating", "--bundle", "node_modules"], "the platform `csv` takes no --bundle"),
        (["--kind", "rating", "--platform", "jspsych", "--bundle", "node"], "error[E44]: `node/jspsych"),
        (["--kind", "rating", "--platform", "jspsych", "--save-url", "ftp://x"], "--save-url `ftp://x` is no address"),
        (["--kind", "rating", "--platform", "jspsych", "--save-url", "https://x';y"], "is no address"),
        (["--kind", "rating", "--consent", "none.txt"], "none.txt cannot be read"),
        (["--kind", "rating", "--consent", "empty.txt"], "error[E46]: empty.txt, line 1: the file is empty"),
        (["--kind", "rating", "--wording", "words.toml"], "nothing is called `quesion`; did you mean `question`?"),
        (["--kind", "rating", "--out", "few.csv"], "an experiment is never written over another one"),
    ],
)  # fmt: skip
def test_wrong_use(
    pairs: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "typo.csv": "sentense\nA\n", "more.csv": "sentence,colour\nA,red\n", "few.csv": "sentence\nA.\n",
        "twice.csv": "id,sentence\na,A.\na,B.\n", "catch.csv": "sentence,expected\nA.,8\n", "empty.txt": "\n",
        "words.toml": 'quesion = "?"\n', "many.csv": "sentence\n" + "A.\n" * 200,
    }.items():  # fmt: skip
        (tmp_path / name).write_text(text)
    before = sorted(tmp_path.iterdir())
    assert main(["lists", str(pairs), "--out", "out", *options]) == 2
    printed = capsys.readouterr().err
    assert printed.startswith("error[E") and message in printed
    assert sorted(tmp_path.iterdir()) == before


def test_a_program_of_another_version_is_refused(
    choices: Path, modules: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = modules / "jspsych/package.json"
    before = file.read_text()
    file.write_text('{"version": "7.3.4"}')
    options = ["--kind", "choice", "--platform", "jspsych", "--bundle", str(modules)]
    assert main(["lists", str(choices), "--out", str(tmp_path / "out"), *options]) == 2
    file.write_text(before)
    printed = capsys.readouterr().err
    assert "`jspsych` is of the version 7.3.4, and the page is written for 8.3.0" in printed
    assert not (tmp_path / "out").exists()
