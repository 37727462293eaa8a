"""Falsified items of a task about readings are found, though all hashes, ids and counts fit: with the source files
at hand every one, without them what the accounts and certificates tell."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from forgery import compact
from support.reading_tasks import CHOICE, made

from gramprobe.dataset.describe import columns_of
from gramprobe.dataset.schema import schema
from gramprobe.dataset.verify.verify import verify
from gramprobe.dataset.write import WRITING
from gramprobe.items.tasks import TASKS
from gramprobe.project import Project, load
from gramprobe.resolve.project import Declarations

Row = dict[str, Any]


@dataclass
class Forger:
    """A dataset of one paradigm of task `choice` in a forger's hands."""

    folder: Path

    def read(self, name: str) -> list[Row]:
        return [json.loads(line) for line in (self.folder / name).read_text("utf-8").splitlines()]

    def put(self, rows: list[Row], accounts: list[Row], certificates: list[Row] | None = None) -> None:
        """Write all of it with new ids and hashes, and with the certificates that the accounts still name."""
        ids = {}
        for account in accounts:
            ids[account["shape"]] = hashlib.sha256(compact(account["steps"]).encode()).hexdigest()[:16]
            account["shape"] = ids[account["shape"]]
        for row in rows:
            row["shape"] = ids[row["shape"]]
        named = {step["shape"] for account in accounts for step in account["steps"]}
        kept = self.read("certificates.jsonl") if certificates is None else certificates
        files = {
            "items/one.jsonl": rows,
            "accounts.jsonl": sorted(accounts, key=lambda account: str(account["shape"])),
            "certificates.jsonl": [line for line in kept if line["shape"] in named],
        }
        for name, lines in files.items():
            (self.folder / name).write_text("".join(compact(line) + "\n" for line in lines), "utf-8")
        table = pa.Table.from_pylist(rows, schema=schema(columns_of(TASKS["choice"]), list(rows[0]["draws"])))
        pq.write_table(table, self.folder / "parquet/one/test-00000-of-00001.parquet", **WRITING)
        manifest = json.loads((self.folder / "manifest.json").read_text("utf-8"))
        part = manifest["paradigms"]["one"]
        part |= {"rows": len(rows), "splits": {"test": len(rows)}, "instances": len({row["instance"] for row in rows})}
        part["certificates"] = dict(sorted(Counter(row["certificate"] for row in rows).items()))
        self.rehash(manifest)

    def rewrite(self, name: str, text: str) -> None:
        """Another text of a file, with its hash."""
        (self.folder / name).write_text(text, "utf-8")
        self.rehash(json.loads((self.folder / "manifest.json").read_text("utf-8")))

    def rehash(self, manifest: Row) -> None:
        for kind in ("files", "parquet"):
            for name in manifest[kind]:
                manifest[kind][name] = hashlib.sha256((self.folder / name).read_bytes()).hexdigest()
        (self.folder / "manifest.json").write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", "utf-8")


def swap_fits(rows: list[Row], accounts: list[Row]) -> None:
    for row in rows:
        row["fits_a"], row["fits_b"] = row["fits_b"], row["fits_a"]
        row["picks_a"], row["picks_b"] = row["picks_b"], row["picks_a"]


def swap_formulas(rows: list[Row], accounts: list[Row]) -> None:
    for row in rows:
        (one, first), (other, second) = json.loads(row["readings"]).items()
        row["readings"] = compact({one: second, other: first})


def leave_out_sameness(rows: list[Row], accounts: list[Row]) -> None:
    for account in accounts:
        account["steps"] = [step for step in account["steps"] if step["kind"] != "same"]


def leave_out_a_fit(rows: list[Row], accounts: list[Row]) -> None:
    for account in accounts:
        account["steps"] = [s for s in account["steps"] if (s["kind"], s["reading"], s["other"]) != INVERSE]
    only_surface(rows)


def deny_the_antecedent(rows: list[Row], accounts: list[Row]) -> None:
    for step in (s for account in accounts for s in account["steps"]):
        if (step["kind"], step["reading"], step["other"]) == INVERSE:
            step |= {"label": "no antecedent", "shape": ""}
    only_surface(rows)


def exchange_readings(rows: list[Row], accounts: list[Row]) -> None:
    other = {"every > a": "a > every", "a > every": "every > a"}
    for step in (s for account in accounts for s in account["steps"] if s["kind"] == "fits"):
        step["reading"] = other[step["reading"]]
    for row in rows:
        row |= {
            side: "a > every" if row[side] == "every > a" else "a > every, every > a" for side in ("fits_a", "fits_b")
        }
        row["readings"] = compact(dict(reversed(json.loads(row["readings"]).items())))


def merge_readings(rows: list[Row], accounts: list[Row]) -> None:
    """One reading is said to be the other, so that the row has only one."""
    for account in accounts:
        account["steps"] = [s for s in account["steps"] if s["kind"] == "same" or s["reading"] == "every > a"]
    for row in rows:
        row["readings"] = compact({k: v for k, v in json.loads(row["readings"]).items() if k == "every > a"})
    only_surface(rows)


def cut_the_last_row(rows: list[Row], accounts: list[Row]) -> None:
    del rows[-1]


def other_words(rows: list[Row], accounts: list[Row]) -> None:
    for row in rows:
        row["sentence"] = "Every newt sold an owl."


INVERSE = ("fits", "a > every", "other")


def only_surface(rows: list[Row]) -> None:
    for row in rows:
        row |= {"fits_a": "every > a", "fits_b": "every > a", "kind": "one"}
        row |= {side: "" for side in ("picks_a", "picks_b") if row[side] == "a > every"}


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, Path]:
    paradigm = CHOICE.format(sentence="Say(Did(Every(k), v, A(l)))", one="NoneSame(k, v, l)", other="AllSame(k, v, l)")
    project = made(tmp_path_factory.mktemp("own"), paradigm)
    return project, project.build("small/one", tmp_path_factory.mktemp("data"))[0].folder


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Declarations:
    """What is declared where nobody has the source files of the dataset."""
    return load(tmp_path_factory.mktemp("elsewhere")).declarations


def test_the_forger_s_tools_alone_change_nothing(honest: tuple[Project, Path], tmp_path: Path) -> None:
    project, folder = honest
    forger = Forger(Path(shutil.copytree(folder, tmp_path / folder.name)))
    forger.put(forger.read("items/one.jsonl"), forger.read("accounts.jsonl"))
    assert verify(forger.folder, project.declarations).problems.count == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("forge", "alone"),
    [
        (swap_fits, False),  # which option is which, only the sentences tell
        (swap_formulas, True),
        (leave_out_sameness, True),
        (leave_out_a_fit, True),
        (deny_the_antecedent, False),  # whether there is an anaphor, only the sentence tells
        (exchange_readings, True),
        (merge_readings, True),
        (cut_the_last_row, True),
        (other_words, False),
    ],
)
def test_a_forged_item_is_found(
    honest: tuple[Project, Path],
    elsewhere: Declarations,
    tmp_path: Path,
    forge: Callable[[list[Row], list[Row]], None],
    alone: bool,
) -> None:
    project, folder = honest
    forger = Forger(Path(shutil.copytree(folder, tmp_path / folder.name)))
    rows, accounts = forger.read("items/one.jsonl"), forger.read("accounts.jsonl")
    forge(rows, accounts)
    forger.put(rows, accounts)
    assert verify(forger.folder, project.declarations).problems.count
    without = verify(forger.folder, elsewhere).problems
    assert bool([p for p in without.kept if p.code != "E53"]) == alone


def test_a_row_without_its_turned_one_is_found(
    honest: tuple[Project, Path], elsewhere: Declarations, tmp_path: Path
) -> None:
    """Though no other instance has two rows either."""
    _, folder = honest
    forger = Forger(Path(shutil.copytree(folder, tmp_path / folder.name)))
    row = forger.read("items/one.jsonl")[0]
    forger.put([row], [a for a in forger.read("accounts.jsonl") if a["shape"] == row["shape"]])
    found = verify(forger.folder, elsewhere).problems
    assert any(p.code == "E52" and p.reason == "no row has its options turned" for p in found.kept)


def test_a_missing_certificate_is_reported(honest: tuple[Project, Path], tmp_path: Path) -> None:
    project, folder = honest
    forger = Forger(Path(shutil.copytree(folder, tmp_path / folder.name)))
    lines = forger.read("certificates.jsonl")
    forger.put(forger.read("items/one.jsonl"), forger.read("accounts.jsonl"), lines[1:])
    told = verify(forger.folder, project.declarations).problems.kept
    assert [(p.code, p.file, p.id) for p in told] == [("E51", "certificates.jsonl", lines[0]["shape"])], told


def test_an_account_that_rows_name_and_that_is_not_there_is_reported(
    honest: tuple[Project, Path], tmp_path: Path
) -> None:
    """Though the rows are those that the source files give."""
    project, folder = honest
    forger = Forger(Path(shutil.copytree(folder, tmp_path / folder.name)))
    (account,) = forger.read("accounts.jsonl")
    forger.rewrite("accounts.jsonl", "")
    told = verify(forger.folder, project.declarations).problems.kept
    assert [(p.code, p.id) for p in told if "no line is it" in p.reason] == [("E51", account["shape"])]


def no_steps(rows: list[Row], accounts: list[Row]) -> None:
    accounts[0]["steps"] = []


def other_condition(rows: list[Row], accounts: list[Row]) -> None:
    for step in accounts[0]["steps"]:
        step["condition"] = "elsewhere"


def cut_formula(rows: list[Row], accounts: list[Row]) -> None:
    for row in rows:
        row["readings"] = compact({name: text[:-1] for name, text in json.loads(row["readings"]).items()})


@pytest.mark.slow
@pytest.mark.parametrize(
    "forge", [no_steps, other_condition, cut_formula, lambda rows, accounts: accounts[0]["steps"].pop(0)]
)
def test_accounts_of_another_form_are_problems_and_no_fault(
    honest: tuple[Project, Path],
    elsewhere: Declarations,
    tmp_path: Path,
    forge: Callable[[list[Row], list[Row]], object],
) -> None:
    project, folder = honest
    forger = Forger(Path(shutil.copytree(folder, tmp_path / folder.name)))
    rows, accounts = forger.read("items/one.jsonl"), forger.read("accounts.jsonl")
    forge(rows, accounts)
    forger.put(rows, accounts)
    for at_hand in (project.declarations, elsewhere):
        assert verify(forger.folder, at_hand).problems.count
