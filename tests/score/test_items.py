"""The items of a run: shards of whole instances, samples in proportion, plain files."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.datasets import FEW, SharedDatasets

from gramprobe.score.forms import FORMS, form_of
from gramprobe.score.plain import PlainSource
from gramprobe.score.source import DatasetSource, Item, Selection, Table, shares
from gramprobe.source.diagnostic import AuthoringError, UsageError


@dataclass(frozen=True)
class Made:
    """A source of made-up rows: table -> the number of rows of each of its instances."""

    sizes: dict[str, list[int]]
    name: str = "made"
    sha256: str = "0" * 64

    @property
    def tables(self) -> dict[str, Table]:
        return {name: Table(name, "nli", form_of("nli"), ("id",)) for name in self.sizes}

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[Item]:
        for instance, size in enumerate(self.sizes[table]):
            for row in range(size):
                yield Item(f"{table}/{instance}/{row}", f"{table}/{instance}", (table, 1), {})


def selection(sizes: dict[str, list[int]], **options: int) -> Selection:
    return Selection(source=Made(sizes), tables=tuple(sizes), columns=dict.fromkeys(sizes, ()), **options)  # type: ignore[arg-type]


tables = st.dictionaries(st.sampled_from("abc"), st.lists(st.integers(1, 5), min_size=1, max_size=8), min_size=1)


@given(tables, st.integers(1, 9))
def test_shards_are_whole_instances_in_order(sizes: dict[str, list[int]], size: int) -> None:
    shards = list(selection(sizes, size=size).shards())
    every = [item.id for shard in shards for item in shard.items]
    assert every == [item.id for name in sizes for item in Made(sizes).rows(name, ())]
    owners = Counter(instance for shard in shards for instance in {item.instance for item in shard.items})
    assert set(owners.values()) == {1}
    for shard in shards:
        assert len(shard.items) <= size or len({item.instance for item in shard.items}) == 1
    assert len({shard.name for shard in shards}) == len(shards)


@given(tables, st.integers(1, 30), st.integers(0, 3))
def test_a_sample_has_whole_instances_in_proportion(sizes: dict[str, list[int]], total: int, seed: int) -> None:
    shards = list(selection(sizes, total=total, seed=seed).shards())
    taken = Counter(item.instance for shard in shards for item in shard.items)
    counts = Counter(instance.partition("/")[0] for instance in taken)
    assert counts == Counter(shares({name: len(rows) for name, rows in sizes.items()}, total))
    for instance, rows in taken.items():
        table, _, number = instance.partition("/")
        assert rows == sizes[table][int(number)]


def test_a_smaller_sample_is_part_of_a_larger_one_and_another_seed_gives_another() -> None:
    def taken(total: int, seed: int) -> set[str]:
        made = selection({"a": [1] * 40}, total=total, seed=seed)
        return {item.id for shard in made.shards() for item in shard.items}

    assert taken(5, 0) < taken(10, 0) < taken(20, 0)
    assert taken(10, 0) != taken(10, 1)
    assert taken(10, 0) == taken(10, 0)


@given(st.dictionaries(st.text(max_size=2), st.integers(0, 1000), min_size=1), st.integers(0, 3000))
def test_shares_add_up_and_are_in_proportion(sizes: dict[str, int], total: int) -> None:
    whole = sum(sizes.values())
    given_ = shares(sizes, total)
    assert sum(given_.values()) == min(total, whole)
    for name, size in sizes.items():
        assert 0 <= given_[name] <= size
        assert abs(given_[name] - min(total, whole) * size / (whole or 1)) < 1


@pytest.mark.slow
def test_rows_to_be_trained_on_are_not_scored(datasets: SharedDatasets) -> None:
    folder = datasets("theory_of_mind/training_1", n=3010)
    source = DatasetSource(folder)
    splits = source.dataset.splits("training_1")
    assert splits["train"] > 0
    items = list(source.rows("training_1", ("split",)))
    assert len(items) == sum(splits.values()) - splits["train"] > 0
    assert {item.row["split"] for item in items} == {"validation"}
    assert_right_lines(folder, items)


def test_an_item_knows_its_line(datasets: SharedDatasets) -> None:
    folder = datasets("presupposition/both", n=FEW)
    assert_right_lines(folder, list(DatasetSource(folder).rows("both", ())))


def assert_right_lines(folder: Path, items: Sequence[Item]) -> None:
    lines = (folder / items[0].place[0]).read_text("utf-8").splitlines()
    assert [json.loads(lines[item.place[1] - 1])["id"] for item in items] == [item.id for item in items]


def test_a_dataset_says_what_is_scored(datasets: SharedDatasets) -> None:
    table = DatasetSource(datasets("presupposition/both", n=FEW)).tables["both"]
    assert table.labels == ("entailment", "neutral", "contradiction")
    assert (table.scored.context, table.scored.continuations) == (("premise",), ("hypothesis",))
    assert table.scored == FORMS["nli"]


# ---- plain files


def plain(folder: Path, text: str, task: str = "minimal_pair", name: str = "pairs.csv") -> PlainSource:
    file = folder / name
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return PlainSource(file, task)


def test_the_forms_of_plain_files(tmp_path: Path) -> None:
    rows = [("1", "A dog.", "A dogs."), ("2", 'He said "no", twice.', "No.")]
    texts = {
        "pairs.csv": 'id,sentence_good,sentence_bad\n1,A dog.,A dogs.\n2,"He said ""no"", twice.",No.\n',
        "pairs.tsv": '\ufeffid\tsentence_good\tsentence_bad\n1\tA dog.\tA dogs.\n\n2\t"He said ""no"", twice."\tNo.\n',
        "pairs.jsonl": '{"id": "1", "sentence_good": "A dog.", "sentence_bad": "A dogs."}\n\n'
        '{"id": 2, "sentence_good": "He said \\"no\\", twice.", "sentence_bad": "No.", "note": null}\n',
    }
    for name, text in texts.items():
        items = list(plain(tmp_path, text, name=name).rows("pairs", ["sentence_good", "sentence_bad"]))
        assert [(i.id, i.row["sentence_good"], i.row["sentence_bad"]) for i in items] == rows
        assert items[0].place == (str(tmp_path / name), 2 if name != "pairs.jsonl" else 1)


def test_rows_without_ids_are_numbered(tmp_path: Path) -> None:
    made = plain(tmp_path, "sentence_good,sentence_bad\na,b\nc,d\n")
    assert [(item.id, item.instance) for item in made.rows("pairs", [])] == [("pairs/1",) * 2, ("pairs/2",) * 2]


def test_labels_are_names_or_numbers(tmp_path: Path) -> None:
    made = plain(tmp_path, "premise,hypothesis,label\na,b,neutral\nc,d,2\n", "nli")
    assert [item.row["label"] for item in made.rows("pairs", ["label"])] == [1, 2]


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("sentence_good,sentence_bad\n", "p.csv", "it has no rows"),
        ("", "p.csv", "it has no rows"),
        ("sentence_good,sentence_bad\na\n", "p.csv", "this row has 1 cells, and the heading 2"),
        ("id,id\na,b\n", "p.csv", "a column stands twice"),
        ('sentence_good,sentence_bad\na,b\n"a,b\nc,d\n', "p.csv", "p.csv:3:1.*opens in this row and is never closed"),
        ("sentence_good;sentence_bad\na;b\n", "p.csv", "semicolons stand between the names"),
        ("sentence_good\na\n", "p.csv", "needs the column `sentence_bad`"),
        ("id,sentence_good,sentence_bad\n1,a,b\n1,c,d\n", "p.csv", "the id `1` stands in line 2 already"),
        ("instance,sentence_good,sentence_bad\n1,a,b\n2,c,d\n1,e,f\n", "p.csv", "stand apart"),
        ("[1]\n", "p.jsonl", "no JSON object"),
        ('{"sentence_good": {"a": 1}}\n', "p.jsonl", "no JSON object"),
        ("{\n", "p.jsonl", "no JSON object"),
    ],
)
def test_a_plain_file_that_cannot_be_read(text: str, name: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(AuthoringError, match=message) as error:
        plain(tmp_path, text, name=name)
    assert [d.code for d in error.value.diagnostics] == ["E95"]


def test_a_plain_file_in_utf_16_is_called_so(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_bytes("sentence_good,sentence_bad\na,b\n".encode("utf-16"))
    with pytest.raises(AuthoringError, match="it is UTF-16"):
        PlainSource(tmp_path / "p.csv", "minimal_pair")


def test_a_wrong_label_has_its_line(tmp_path: Path) -> None:
    made = plain(tmp_path, "premise,hypothesis,label\na,b,neutral\nc,d,nutral\n", "nli")
    with pytest.raises(AuthoringError, match="`nutral` is not a label; did you mean `neutral`") as error:
        list(made.rows("pairs", ["label"]))
    assert error.value.diagnostics[0].span.line == 3


def test_a_file_that_is_not_utf8_has_its_line(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_bytes(b"sentence_good,sentence_bad\na,b\xff\n")
    with pytest.raises(AuthoringError, match="it is not UTF-8") as error:
        PlainSource(tmp_path / "p.csv", "minimal_pair")
    assert error.value.diagnostics[0].span.line == 2


def test_a_task_that_there_is_not(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no task named `minimal_pairs`; did you mean `minimal_pair`"):
        plain(tmp_path, "a,b\n1,2\n", "minimal_pairs")


def test_a_selection_reads_its_source_anew(tmp_path: Path) -> None:
    made = selection({"a": [1, 2, 3]}, size=3)
    assert list(made.shards()) == list(made.shards())
    assert list(replace(made, size=3).shards()) == list(made.shards())
