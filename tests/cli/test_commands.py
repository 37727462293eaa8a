"""Commands as a user runs them: output, JSON, exit codes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from support import shipped
from support.datasets import FEW

from gramprobe.cli.answers.projects import Listed
from gramprobe.cli.main import COMMANDS, main


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_every_command_has_help(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "--help")
    assert code == 0
    for name in COMMANDS:
        assert name in out
        code, help_, _ = run(capsys, name, "--help")
        assert code == 0
        assert "Usage:" in help_


def test_what_a_command_made_is_not_searched_for_circles_when_python_ends(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    last: list[Callable[[], None]] = []
    frozen: list[bool] = []
    monkeypatch.setattr("atexit.register", last.append)
    monkeypatch.setattr("gc.freeze", lambda: frozen.append(True))
    assert run(capsys, "--version")[0] == 0
    (end,) = last
    assert not frozen
    end()
    assert frozen


AT_THE_END = """
import atexit, sys, types
from gramprobe import cache
from gramprobe.cli import main
class Held:
    def __del__(self):
        print("freed")
cache.of_a_test = Held()
package = sys.modules["gramprobe_package"] = types.ModuleType("gramprobe_package")
exec("file = open('kept', 'w'); file.write('text'); f = lambda: file", vars(package))
del package
sys.modules["gramprobe_missing"] = None
atexit.register(print, "exit function")
main(["--version"])
sys.exit(main(["no-such-command"]))
"""


@pytest.mark.process
def test_what_our_modules_hold_goes_back_to_the_system_as_a_whole_and_all_else_ends_as_ever(tmp_path: Path) -> None:
    command = [sys.executable, "-c", AT_THE_END]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 2
    assert "no-such-command" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout.splitlines()[1:] == ["exit function"]
    assert (tmp_path / "kept").read_text() == "text"  # of a file that a module of a package keeps open


@pytest.mark.slow
def test_list_describes_theories(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "logic" / "mine.logic"
    file.parent.mkdir()
    lines = ["theory mine", "include attitudes, implicature", "operator want box frame serial", "event tick"]
    file.write_text("\n".join([*lines, "  action go", ""]), "utf-8")
    code, out, _ = run(capsys, "list", "--theories", "--json", "--path", str(tmp_path))
    assert code == 0
    theories = {t["name"]: t for t in json.loads(out)["theories"]}
    mine = theories["mine"]
    assert {"K", "B", "may", "want"} <= {o["name"] for o in mine["operators"]}
    assert next(o for o in mine["operators"] if o["name"] == "want")["frame"] == ["serial"]
    assert next(d for d in mine["definitions"] if d["name"] == "knows")["formula"] == "F / K[a] F"
    assert ["some", "all"] in mine["scales"]
    assert mine["events"] == [{"name": "tick", "parameters": []}]
    assert mine["verbs"] == ["VS"]
    assert theories["presupposition-strong"]["settings"]["projection"] == "strong"
    code, out, _ = run(capsys, "list", "--theories", "--path", str(tmp_path))
    assert code == 0
    assert f"mine  (from {tmp_path})" in out
    assert "  scales     some < all" in out


@pytest.mark.process
def test_a_command_whose_output_nobody_reads_ends_without_a_word_and_is_not_fine() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    run = subprocess.run(
        [sys.executable, "-m", "gramprobe", "list", "--theories"],
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writer)
    assert (run.returncode, run.stderr) == (128 + signal.SIGPIPE, "")


#: one of each phenomenon, among them a large one
LISTED = (
    "acceptability/passive",
    "de_re_de_dicto/belief",
    "implicature/connectives",
    "presupposition/both",
    "presupposition/possessed_definites_existence",
    "scope/choice_universal_indefinite",
    "scope/continuation_universal_indefinite",
    "theory_of_mind/depth",
)


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    """A process that loads the package and the commands, lists some paradigms, whose spaces it counts, prints instances
    of two, the second of minimal pairs, and samples rows; each time it prints which heavy packages are loaded. The
    sample of rows needs pyarrow, which would import pandas where it is installed."""
    code = f"""
import sys
heavy = {{"cvc5", "datasets", "nltk", "pandas", "pyarrow", "pysat", "scipy", "statsmodels", "torch", "transformers"}}
heavy.add("gramprobe.chart")
loaded = lambda: print(*sorted(heavy & set(sys.modules)), file=sys.stderr)
import gramprobe, gramprobe.cli
loaded()
from gramprobe.cli.main import main
from gramprobe.cli import list as listing
from gramprobe.project import Project, load
from gramprobe.space import sizes
listing._kept, Project.names = lambda key: listing._entries(load(names={LISTED})), {LISTED}
sizes.kept_sizes, sizes.keep_sizes = lambda library: {{}}, lambda library, counted: None
assert main(["list", "--json"]) == 0
loaded()
print()
heavy.remove("pysat")
for name in ("presupposition/possessed_definites_existence", "acceptability/passive"):
    assert main(["sample", name, "--n", "1"]) == 0
    loaded()
assert main(["sample", "presupposition/possessed_definites_existence", "--n", "1", "--json"]) == 0
loaded()
"""
    folder = tmp_path_factory.mktemp("started")
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=folder)


@pytest.mark.process
def test_a_start_up_loads_nothing_heavy(started: subprocess.CompletedProcess[str]) -> None:
    assert '"premise"' in started.stdout
    assert started.stderr.splitlines() == ["", "", "", "gramprobe.chart", "gramprobe.chart pyarrow"]


@pytest.mark.process
def test_list_prints_exact_sizes(started: subprocess.CompletedProcess[str]) -> None:
    data = msgspec.json.decode(started.stdout.partition("\n\n")[0], type=Listed, strict=True)
    assert data.version == 1 and [p.name for p in data.paradigms] == list(LISTED)
    those = [p for p in data.paradigms if p.name.startswith("presupposition/")]
    assert len(those) == 2
    assert all(p.instances and p.instances > 10**6 and (p.pairs, p.paper) == (38, 19) for p in those)


@pytest.mark.slow
def test_check_prints_labels_draws_and_counts(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "check", "presupposition/both", "--json")
    assert code == 0
    (entry,) = json.loads(out)["paradigms"]
    assert entry["labels"] == {"entailment": 10, "neutral": 22, "contradiction": 6}
    assert entry["met"] and entry["expected"] == 19
    assert entry["draws"]["less"] == 3


@pytest.mark.slow
def test_sample_prints_sentences_with_labels(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "sample", "possessed_definites_existence", "--n", "2", "--seed", "3")
    assert code == 0
    assert out.count("presupposed entailment") == 10
    code, rows, _ = run(capsys, "sample", "possessed_definites_existence", "--n", "2", "--seed", "3", "--json")
    items = [json.loads(line) for line in rows.splitlines()]
    assert len(items) == 2 * 38
    assert all(i["premise"] in out and i["hypothesis"] in out for i in items)


@pytest.mark.slow
def test_build_diff_and_explain(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    name = "presupposition/possessed_definites_existence"
    folder = "presupposition--possessed_definites_existence"
    for out, more in (("a", []), ("b", []), ("c", ["--seed", "1"]), ("d", ["--theory", "presupposition-strong"])):
        code, printed, err = run(capsys, "build", name, "--n", "5", "--out", str(tmp_path / out), *more)
        assert code == 0, err
    assert "modal-presupposed: entailment -> neutral in 5 rows" in printed
    assert "warning[E10]" in err  # under another theory an unmet expectation is a result
    a, b, c, d = (str(tmp_path / x / folder) for x in "abcd")
    assert run(capsys, "diff", a, b)[0] == 0
    code, out_, _ = run(capsys, "diff", a, c, "--json")
    assert code == 1
    assert len(json.loads(out_)["gone"]) == 5 * 38
    code, out_, _ = run(capsys, "diff", a, d, "--json")
    moved = json.loads(out_)["moved"]
    assert len(moved) == 30  # of the swapped pairs those that are entailments
    embedded = {m["id"].rpartition("/")[2].split("-")[0].removesuffix("_swapped") for m in moved}
    assert embedded == {"modal", "conditional"}
    id_ = moved[0]["id"]
    code, out_, _ = run(capsys, "explain", id_)
    assert code == 0
    for part in ("premise ", "hypothesis ", "label ", "premise's formula", "'s tree", "certificate", "declared at"):
        assert part in out_
    code, out_, _ = run(capsys, "explain", id_, "--json")
    assert json.loads(out_)["id"] == id_


@pytest.mark.slow
def test_explain_a_paradigm_is_its_matrix(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "explain", "presupposition/possessed_definites_existence", "--json")
    assert code == 0
    assert len(json.loads(out)["matrix"]) == 38


@pytest.mark.slow
def test_decide(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "decide", "--theory", "presupposition", "poss (p / q)", "p", "--json")
    assert code == 0
    assert json.loads(out)["label"] == "entailment"
    code, out, _ = run(capsys, "decide", "p | q", "p", "--json")
    data = json.loads(out)
    assert (data["label"], data["certificate"]["kind"], data["h_values"]) == ("neutral", "models", "TF")
    assert data["findings"] == []


@pytest.mark.parametrize(
    ("premise", "hypothesis", "label", "code"),
    [
        ("p & ~p", "q", None, "E21"),
        ("p", "q | ~q", "entailment", "E22"),
        ("p", "? q", "neutral", "E23"),
        ("~p & q", "p / q", "presupposition failure", "E24"),
        ("q", "[! p] B[a] q", None, "E41"),
    ],
)
def test_decide_prints_a_label_and_objections_to_it(
    capsys: pytest.CaptureFixture[str], premise: str, hypothesis: str, label: str | None, code: str
) -> None:
    status, out, err = run(capsys, "decide", "--json", "--theory", "attitudes", premise, hypothesis)
    data = json.loads(out)
    assert (status, data["version"], data["label"]) == (1, 1, label)
    assert [each["code"] for each in data["findings"]] == [code]
    assert data["findings"][0]["message"] in err
    assert f"error[{code}]" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["build", "presuposition"], "did you mean `presupposition`"),
        (["bild", "presupposition"], "did you mean `build`"),
        (["build", "presupposition", "--n", "0"], "neither a number"),
        (["build", "presupposition", "--n", "x"], "neither a number"),
        (["build", "presupposition", "--seed", "-1"], "--seed"),
        (["build", "presupposition", "--theory", "presupposition-stong"], "presupposition-strong"),
        (["build"], "NAME"),
        (["sample", "presupposition/onli"], "presupposition/only"),
        (["list", "--path", "no/such/folder"], "no/such/folder"),
        (["explain", "scope/choice_no_universal/no.such/x"], "is not an instance of scope/choice_no_universal"),
        (["decide", "p &", "q"], "premise"),
        (["diff", "no", "where"], "`no` is not a dataset folder"),
        (["new", "paradigm", "Bad Name"], "not a name for a paradigm"),
    ],
)
def test_wrong_usage_is_exit_2_with_a_hint(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = run(capsys, *arguments)
    assert code == 2
    assert message in err
    assert "Traceback" not in err
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_a_new_paradigm_builds(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(capsys, "new", "paradigm", "mine/one")[0] == 0
    code, out, err = run(capsys, "check", "mine")
    assert code == 0, err
    assert "5 expectations met" in out
    paradigm = tmp_path / "grammars/mine/one.paradigm"  # the step of the README: one premise more
    text = paradigm.read_text("utf-8").replace("hypothesis\n", "  asked = Ask(c)\nhypothesis\n", 1)
    paradigm.write_text(text.replace("yields 5 pairs", "yields 7 pairs"), "utf-8")
    code, out, err = run(capsys, "check", "mine")
    assert code == 0 and "7 expectations met" in out, err
    assert run(capsys, "build", "mine", "--n", str(FEW))[0] == 0
    assert (tmp_path / "data/mine/manifest.json").is_file()
    assert run(capsys, "new", "paradigm", "mine/one")[0] == 2
    monkeypatch.setattr("gramprobe.project.Project.sizes", lambda project: dict.fromkeys(project.names, 1))
    assert "mine" in run(capsys, "list")[1]


@pytest.mark.slow
def test_a_file_of_ones_own_replaces_the_shipped_one(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "lexicon"
    own.mkdir()
    (own / "names.tsv").write_text("id\tname\tgen\nzed\tZed\tmasc\nyma\tYma\tfem\nxol\tXol\tmasc\n", "utf-8")
    code, out, _ = run(capsys, "sample", "possessed_definites_existence", "--n", "3", "--path", str(tmp_path))
    assert code == 0
    assert "'s " in out and any(n in out for n in ("Zed", "Yma", "Xol")) and "Emma" not in out
    # two hundred paradigms, which are not the point, take seconds to resolve and to count anew with these names
    monkeypatch.setattr("gramprobe.cli.list._kept", lambda key: [])
    code, out, _ = run(capsys, "list", "--path", str(tmp_path))
    assert "names.tsv replaces " in out


@pytest.mark.slow
def test_the_variable_names_folders_too(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(capsys, "new", "paradigm", "mine/one", "--path", str(tmp_path))[0] == 0
    monkeypatch.setattr("gramprobe.project.Project.sizes", lambda project: dict.fromkeys(project.names, 1))
    listed = {}
    for given in ("", str(tmp_path)):
        monkeypatch.setenv("GRAMPROBE_PATH", given)
        listed[given] = {p["name"] for p in json.loads(run(capsys, "list", "--json")[1])["paradigms"]}
    assert sorted(listed[""]) == shipped.paradigms()
    assert listed[str(tmp_path)] - listed[""] == {"mine/one"}


@pytest.mark.parametrize(
    ("theory", "premise", "message"),
    [
        ("implicature", "must[jo] p", "`must` stands as `must[a] F`, and is to be written `must F`"),
        ("attitudes", "K(jo, p)", "`K` is an operator of theory attitudes, no predicate"),
        ("attitudes", "K[jo] p & K p", "`K` stands as `K F`, and is to be written `K[a] F`"),
        ("classical", "cat(jo) & cat(jo, amy)", "the predicate `cat` is used with 1 and with 2 arguments"),
    ],
)
def test_a_symbol_in_two_ways_is_reported(
    capsys: pytest.CaptureFixture[str], theory: str, premise: str, message: str
) -> None:
    code, _, errors = run(capsys, "decide", "--theory", theory, premise, "p")
    assert code == 2
    assert message in errors
