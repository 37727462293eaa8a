"""What is trained on: rows, subsets, labels, heads, and words that splits share."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.datasets import FEW, SharedDatasets

from finetune.conftest import Folder, order
from gramprobe.certify.rule import LABELS
from gramprobe.finetune.data import _refuse_shared
from gramprobe.finetune.examples import opened, subset
from gramprobe.finetune.labels import mapping
from gramprobe.finetune.record import rule
from gramprobe.finetune.run import finetune
from gramprobe.finetune.shared import LITTLE, shared_words
from gramprobe.formats.nli import TWO_WAY
from gramprobe.source.diagnostic import UsageError


@pytest.mark.slow
def test_rows_of_a_split_become_examples(data: Folder) -> None:
    part = opened(str(data("small")))
    rows = part.split("train")
    assert len(rows) == 28
    assert {row.label for row in rows} == {"entailment", "contradiction"}
    assert {row.part for row in rows} == {"hypothesis"}
    assert rows[0].pair.premise.endswith(".")
    assert [row.item for row in part.to_test()] == [row.item for row in part.split("validation")]


def test_a_paradigm_is_named_behind_the_folder(data: Folder) -> None:
    folder = data("small")
    assert opened(f"{folder}/small").tables == ("small",)
    assert opened(f"{folder}/small").name == f"{folder.name}/small"
    with pytest.raises(UsageError, match=r"no paradigm named `smal`.*did you mean `small`"):
        opened(f"{folder}/smal")
    with pytest.raises(UsageError, match="there is no dataset folder"):
        opened("nowhere/small")


def test_smaller_subsets_are_part_of_larger_ones(data: Folder) -> None:
    rows = opened(str(data("small"))).split("train")
    before: set[str] = set()
    for size in (1, 3, 7, 14):
        chosen = subset(rows, size, 0, "small")
        instances = {row.instance for row in chosen}
        assert len(instances) == size
        assert len(chosen) == 2 * size  # whole instances
        assert before <= instances
        before = instances
    assert {row.instance for row in subset(rows, 7, 1, "small")} != {
        row.instance for row in subset(rows, 7, 0, "small")
    }
    assert subset(rows, None, 0, "small") == rows
    with pytest.raises(UsageError, match="asks for 15 instances, and `small` has 14") as error:
        subset(rows, 15, 0, "small")
    assert error.value.code == "E58"


@pytest.mark.parametrize(
    ("data_", "head", "option", "to", "said"),
    [
        (LABELS, LABELS, None, ["entailment", "neutral", "contradiction"], "labels as they are"),
        (LABELS, LABELS, "neutral", ["entailment"] + ["neutral"] * 2, "every label but entailment counts as neutral"),
        (TWO_WAY, LABELS, None, ["entailment", "neutral"], "every label but entailment counts as neutral"),
        (TWO_WAY, TWO_WAY, None, ["entailment", "not_entailment"], "labels as they are"),
        (
            LABELS, TWO_WAY, "two_class", ["entailment", "not_entailment", "not_entailment"],
            "every label but entailment counts as not_entailment",
        ),
        (
            LABELS, TWO_WAY, "neutral", ["entailment", "not_entailment", "not_entailment"],
            "every label but entailment counts as not_entailment",
        ),
    ],
)  # fmt: skip
def test_labels_are_mapped_in_a_stated_way(
    data_: tuple[str, ...], head: tuple[str, ...], option: str | None, to: list[str], said: str
) -> None:
    mapped = mapping(data_, head, option, "m")
    assert list(mapped.values()) == to
    assert rule(mapped) == said


def test_labels_that_do_not_fit_are_refused() -> None:
    with pytest.raises(UsageError, match="needs a head of two classes") as error:
        mapping(LABELS, LABELS, "two_class", "m")
    assert error.value.code == "E93"
    with pytest.raises(UsageError, match="the labels of the dataset are") as error:
        mapping(("yes", "no"), LABELS, None, "m")
    assert error.value.code == "E58"


def test_shared_words_are_found_and_their_absence_is_proved(data: Folder) -> None:
    small, other, alike = (opened(str(data(name))) for name in ("small", "other", "alike"))
    train = (small, small.split("train"))
    assert shared_words(train, (other, other.to_test()), "other").disjoint
    found = shared_words(train, (alike, alike.to_test()), "alike")
    assert found.shared > 0
    assert not found.disjoint
    assert set(found.examples) <= set(small.source.dataset.words)
    same = shared_words(train, train, "itself")
    assert (same.shared, same.same_pairs) == (same.train, 28)


@pytest.mark.slow
def test_words_that_a_condition_does_not_show_are_not_shared(datasets: SharedDatasets) -> None:
    part = opened(str(datasets("theory_of_mind/training_2", n=60)))
    rows = part.split("train")
    by_condition = {row.condition: row for row in rows}
    row = by_condition["BX-X"]  # a second person is drawn, and stands in other conditions alone
    names = {word for word in row.words if part.source.dataset.words[word].category == "PN"}
    assert len(names) == 1
    assert row.item.split("/")[2].split(".")[0] in names


@pytest.mark.slow
def test_given_sentences_share_the_words_that_they_are_made_of(datasets: SharedDatasets) -> None:
    part = opened(str(datasets("theory_of_mind/given", n=12)))
    rows = part.to_test()
    known = part.source.dataset.words
    one, other = sorted({word for row in rows for word in row.words if known[word].category == "Given"})[:2]
    mine, theirs = ([replace(row, words=(each,)) for row in rows if each in row.words] for each in (one, other))
    texts = [re.findall(r"\w+", " ".join(known[each].forms.values()).casefold()) for each in (one, other)]
    common = set(texts[0]) & set(texts[1]) - LITTLE
    assert shared_words((part, mine), (part, theirs), "other").shared == bool(common)
    assert shared_words((part, mine), (part, [replace(theirs[0], words=(one,))]), "same").shared == 1


@pytest.mark.slow
def test_an_entry_shares_a_word_of_its_forms(datasets: SharedDatasets) -> None:
    part = opened(str(datasets("theory_of_mind/training_1", n=3010)))
    row = part.to_test()[0]
    for one, other, shared in (
        ("drinking_coffee", "drinking_tea", 1),
        ("drinking_coffee", "mopping_floors", 0),
        ("in_the_park", "in_the_library", 0),
    ):
        rows = [[replace(row, words=(each,))] for each in (one, other)]
        assert shared_words((part, rows[0]), (part, rows[1]), "other").shared == shared


def test_draws_that_are_no_words_are_not_claimed_to_differ(data: Folder) -> None:
    small, other = (opened(str(data(name))) for name in ("small", "other"))
    rows = [replace(row, unknown=("phrase",)) for row in other.to_test()]
    found = shared_words((small, small.split("train")), (other, rows), "other")
    assert (found.shared, found.unknown, found.disjoint) == (0, ["other.phrase"], False)
    with pytest.raises(UsageError, match=r"cannot be shown: the words of `?other.phrase`? are not") as error:
        _refuse_shared(found)
    assert error.value.code == "E58"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        ({"source": "other"}, "E58", "has no rows of the split `train`"),
        ({"source": "not_validated"}, "E58", "has no rows of the split `validation`"),
        ({"size": 15}, "E58", "--sizes asks for 15 instances"),
        ({"tests": ("trained_only",)}, "E58", "all of its rows are there to be trained on"),
        ({"tests": ("other", "other")}, "E29", "twice"),
        ({"tests": ("alike",), "disjoint_words": True}, "E58", "the training rows share"),
        ({"disjoint_words": True}, "E58", "the training rows share"),
        ({"model": "masked"}, "E91", "has no head for labels of pairs: it is a masked language model"),
        ({"model": "causal"}, "E91", "it is a causal language model"),
        ({"model": "encoder"}, "E91", "it is an encoder without one"),
        ({"device": "mps"}, "E91", "there is no device `mps` here"),
        ({"new_head": True}, "E91", "has a head for labels already"),
        ({"model": "nli_unnamed"}, "E93", "do not say which of them is entailment"),
        ({"two_labels": "two_class"}, "E93", "needs a head of two classes"),
        ({"model": "short"}, "E92", "no text is ever cut|the model takes 12"),
    ],
)
def test_what_cannot_be_trained_is_told_before_anything_is_written(
    options: dict[str, Any], code: str, message: str, data: Folder, model: Folder, tmp_path: Path
) -> None:
    rest = dict(options)
    source, name = data(rest.pop("source", "small")), model(rest.pop("model", "nli"))
    rest["tests"] = tuple(str(data(each)) for each in rest.get("tests", ()))
    with pytest.raises(UsageError, match=message) as error:
        finetune(order(source, name, tmp_path / "out", **rest))
    assert error.value.code == code
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_rows_without_pairs_are_refused(datasets: SharedDatasets, model: Folder, tmp_path: Path) -> None:
    scope = datasets("scope/continuation_universal_indefinite", n=FEW)
    with pytest.raises(UsageError, match="no pairs of sentences with a label") as error:
        finetune(order(scope, model("nli"), tmp_path / "out"))
    assert error.value.code == "E58"


def test_pickled_weights_are_not_loaded(data: Folder, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "pytorch_model.bin").write_bytes(b"")
    with pytest.raises(UsageError, match="its weights are pickled") as error:
        finetune(order(data("small"), folder, tmp_path / "out"))
    assert error.value.code == "E91"


@pytest.mark.parametrize("name", ["encoder", "masked", "causal"])
def test_a_new_head_is_made_where_that_is_said(name: str, data: Folder, model: Folder, tmp_path: Path) -> None:
    record = finetune(order(data("small"), model(name), tmp_path / "out", new_head=True, epochs=1))
    assert record.settings.rate == 1e-4
    assert record.settings.head == list(LABELS)
    assert record.new_weights
    assert all(word.startswith(("classifier.", "score.", "bert.pooler.")) for word in record.new_weights)


def test_a_new_head_of_two_classes(data: Folder, model: Folder, tmp_path: Path) -> None:
    record = finetune(
        order(data("small"), model("encoder"), tmp_path / "out", new_head=True, epochs=1, two_labels="two_class")
    )
    assert record.settings.head == list(TWO_WAY)
    assert record.mapping == "every label but entailment counts as not_entailment"
    assert record.epochs[0].validation.accuracy == record.epochs[0].validation.binary_accuracy


def test_names_of_labels_may_be_given(data: Folder, model: Folder, tmp_path: Path) -> None:
    given = ("contradiction", "neutral", "entailment")
    record = finetune(order(data("small"), model("nli_unnamed"), tmp_path / "out", labels=given, epochs=1))
    assert record.settings.head == list(given)
    from gramprobe.score.engines.classifier import ClassifierEngine
    from gramprobe.score.engines.folder import model_folder
    from gramprobe.score.engines.weights import Precision

    assert ClassifierEngine(model_folder(str(tmp_path / "out")), Precision()).order == given
