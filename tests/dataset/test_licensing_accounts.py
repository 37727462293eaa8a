"""What the noun phrases of minimal pairs license: accounts, and forged ones; pairs with one chart and two meanings."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from projects import write

from gramprobe.dataset.verify.accounts import Accounts, check_accounts
from gramprobe.dataset.verify.certificates import Certificates, check_certificates
from gramprobe.dataset.verify.charts import Charts
from gramprobe.dataset.verify.problems import Problems
from gramprobe.dataset.verify.verify import verify
from gramprobe.items.chart_groups import wrong_row
from gramprobe.items.licensing import NounPhrase, id_of
from gramprobe.project import Project, load

GRAMMAR = """
feature num = sg | pl
feature sense = some | all
feature strength = weak | strong
cat Noun[num] : e -> t from nouns_there.tsv forms sg, pl
cat Verb : e -> t from verbs_there.tsv word word
cat NP[num, strength] : (e -> t) -> t
cat S : t
sentence S "."
fun Vague (k: sense, head n: Noun) : NP[num=pl, strength=weak]
  lin "such" n[num=pl]
  sem [k=some] \\P. exists x. (n(x), P(x))
  sem [k=all]  \\P. forall x. (n(x), P(x))
fun All (head n: Noun) : NP[num=pl, strength=strong]
  lin "all" n[num=pl]
  sem \\P. forall x. (n(x), P(x))
fun Every (head n: Noun) : NP[num=pl, strength=strong]
  lin "each of the" n[num=pl]
  sem \\P. forall x. (n(x), P(x))
fun There (s: NP, v: Verb) : S
  where existential: s.strength = weak
  lin "there" s v
  sem s(v)
"""
TABLES = {
    "lexicon/nouns_there.tsv": "id\tsg\tpl\nnurse\tnurse\tnurses\nbanker\tbanker\tbankers\nchild\tchild\tchildren\n",
    "lexicon/verbs_there.tsv": "id\tword\nyawn\tyawning\nsing\tsinging\n",
}
PARADIGM = """paradigm there
about "What stands behind there."
source "the tests"
uses theres
task minimal_pair
size 6
draw k : sense
draw n : Noun
draw v : Verb
good
  weak  = There(Vague(k, n), v)
bad
  {bad}
constraint existential
solvable by unigram 1 because "all"
solvable by bigram 1 because "all"
solvable by length 1 because "all"
"""


def _project(folder: Path) -> Project:
    one, other = ("strong = There(All(n), v)", "strong = There(Every(n), v)")
    files = {
        "grammars/theres.gram": GRAMMAR,
        "grammars/pairs/there.paradigm": PARADIGM.format(bad=one),
        "grammars/pairs/each.paradigm": PARADIGM.format(bad=other).replace("paradigm there", "paradigm each"),
    }
    return load(str(write(folder, {**files, **TABLES})), names=["pairs"])


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return _project(tmp_path_factory.mktemp("theres"))


@pytest.fixture(scope="module")
def built(project: Project, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return project.build("pairs", tmp_path_factory.mktemp("data"))[0].folder


def lines_of(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def put(file: Path, lines: list[dict[str, Any]]) -> None:
    text = "".join(json.dumps(line, separators=(",", ":"), ensure_ascii=False) + "\n" for line in lines)
    file.write_text(text, "utf-8")


class Evidence:
    """What `verify` passes to the task where there are no source files."""

    def __init__(self, folder: Path) -> None:
        self.problems = Problems()
        self.charts = Charts(folder, "charts.jsonl", "grammar.json", self.problems)
        self.certificates: Certificates = check_certificates(
            folder / "certificates.jsonl", "certificates.jsonl", self.problems
        )
        self.accounts: Accounts = check_accounts(
            folder / "accounts.jsonl", "accounts.jsonl", self.certificates, self.problems
        )
        self.accounts.without_certificates("accounts.jsonl", self.certificates, self.problems)

    def line(self, shape: str) -> Any:
        found = self.certificates.by_shape.get(shape)
        return None if found is None else found.data

    def licensing(self, id_: str) -> Any:
        return self.accounts.licensing.get(id_)

    def is_rejected(self, shape: str) -> bool:
        return shape in self.accounts.rejected

    def wrong(self, row: dict[str, Any]) -> list[str]:
        return [*wrong_row(row, self)]


def test_two_meanings_of_one_chart_are_two_groups(built: Path) -> None:
    rows = lines_of(built / "items/there.jsonl")
    assert len({(row["chart_good"], row["chart_bad"]) for row in rows}) < len(rows) / 2
    assert {(row["draws"]["k"], row["equivalent"]) for row in rows} == {("all", "yes"), ("some", "no")}


def test_a_row_names_the_decisions_on_its_noun_phrases(built: Path, project: Project) -> None:
    row = lines_of(built / "items/there.jsonl")[0]
    accounts = {line["shape"]: line for line in lines_of(built / "accounts.jsonl")}
    account = accounts[row["licensing_by"]]["noun_phrases"]
    assert [(each["constructor"], each["stands"]) for each in account] == [("Vague", ["good"]), ("All", ["bad"])]
    assert account[1]["meaning"] == "forall x. (noun(x), P(x))" and not account[1]["properties"]["existential"]["holds"]
    shapes = {line["shape"] for line in lines_of(built / "certificates.jsonl")}
    assert shapes.issuperset(account[0]["properties"]["existential"]["by"].values())
    assert verify(built, project.declarations).problems.count == 0
    evidence = Evidence(built)
    assert evidence.problems.count == 0 and not evidence.wrong(row)


@pytest.mark.parametrize(
    ("by", "says"),
    [
        ("each", "`licensing_by` is about `Every()`, which `sentence_bad` has not"),
        ("0123456789abcdef", "`licensing_by` names an account that is not there"),
    ],
)
def test_an_account_of_another_pair_is_refused(built: Path, by: str, says: str) -> None:
    row, other = (lines_of(built / f"items/{name}.jsonl")[0] for name in ("there", "each"))
    row["licensing_by"] = other["licensing_by"] if by == "each" else by
    assert says in Evidence(built).wrong(row)


def _holds(phrase: dict[str, Any]) -> None:
    phrase["properties"]["existential"]["holds"] ^= True


def _another_certificate(phrase: dict[str, Any]) -> None:
    by = phrase["properties"]["existential"]["by"]
    by["true there"] = by["false there"]


def _another_meaning(phrase: dict[str, Any]) -> None:
    phrase["meaning"] = "exists x. (noun(x), ~P(x))"


def _no_meaning(phrase: dict[str, Any]) -> None:
    phrase["meaning"] = "exists x. (noun(x"


def _nothing_asked(phrase: dict[str, Any]) -> None:
    phrase["properties"] = {"sung": phrase["properties"]["existential"]}


@pytest.mark.parametrize("forge", [_holds, _another_certificate, _another_meaning, _no_meaning, _nothing_asked])
def test_a_forged_account_is_refused(built: Path, tmp_path: Path, forge: Callable[[dict[str, Any]], None]) -> None:
    folder = tmp_path / built.name
    shutil.copytree(built, folder)
    lines = lines_of(folder / "accounts.jsonl")
    for line in lines:
        forge(line["noun_phrases"][1])
        line["shape"] = id_of(msgspec.convert(line["noun_phrases"], tuple[NounPhrase, ...]))
    put(folder / "accounts.jsonl", sorted(lines, key=lambda line: line["shape"]))
    evidence = Evidence(folder)
    assert evidence.problems.by_code["E51"] == len(lines) and len(evidence.accounts.rejected) == len(lines)


def test_a_meaning_of_other_words_is_found_by_the_source_files(built: Path, tmp_path: Path, project: Project) -> None:
    folder = tmp_path / built.name
    shutil.copytree(built, folder)
    lines, moved = lines_of(folder / "accounts.jsonl"), {}
    for line in lines:  # every noun phrase is said to be that of the good sentence
        before, (good, bad) = line["shape"], line["noun_phrases"]
        bad |= {name: good[name] for name in ("meaning", "properties")}
        moved[before] = line["shape"] = id_of(msgspec.convert(line["noun_phrases"], tuple[NounPhrase, ...]))
    put(folder / "accounts.jsonl", sorted(lines, key=lambda line: line["shape"]))
    for name in ("there", "each"):
        rows = lines_of(folder / f"items/{name}.jsonl")
        put(folder / f"items/{name}.jsonl", [{**row, "licensing_by": moved[row["licensing_by"]]} for row in rows])
    problems = [str(each) for each in verify(folder, project.declarations).problems.kept]
    assert any("`licensing_by` is" in each and "its draws give" in each for each in problems)
