"""Files of other projects, written here in their formats: what is read, and what is refused with its line."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from support import imppres_files, scope_files

from gramprobe.formats import de_re, labels, lm_eval, nli, scope, values
from gramprobe.formats.tabular import header
from gramprobe.source.diagnostic import UsageError

OPERATORS = {"OP1": "NEG", "OP1_type": "negation", "OP2": "a", "OP2_type": "indefinite"}


def write_csv(path: Path, rows: list[dict[str, Any]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.DictWriter(lines, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def write_json(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def implicatures(count: int = 12) -> list[dict[str, Any]]:
    return [
        {
            "sentence1": f"Some clocks stopped {i}.",
            "sentence2": "Not all clocks stopped.",
            "gold_label_log": "neutral",
            "gold_label_prag": "entailment",
            "spec_relation": "implicature_PtoN",
            "item_type": "target",
            "trigger": "some",
            "lexemes": "some - all",
        }
        for i in range(count)
    ]


def presuppositions() -> list[dict[str, Any]]:
    common = {"sentence1": "Only Kim left.", "sentence2": "Kim left.", "gold_label": "entailment", "UID": "only"}
    return [
        {**common, "pairID": "0e", "paradigmID": 0, "trigger": "negated", "presupposition": "positive"},
        {
            **common,
            "pairID": "1c",
            "paradigmID": 0,
            "trigger1": "modal",
            "trigger2": "unembedded",
            "control_item": True,
        },
    ]


def quadruple(item: int = 7) -> list[dict[str, Any]]:
    rows = [
        {
            "idx": item,
            "sentence": f"{sentence} sentence",
            "followup": f" {followup} ",
            "stype": sentence,
            "ftype": followup,
        }
        for sentence in ("S", "Sc")
        for followup in ("F1", "F2")
    ]
    nothing = dict.fromkeys(OPERATORS, "NA_CONTROL")
    return [{**row, **(OPERATORS if row["stype"] == "S" else nothing)} for row in rows]


def choices() -> list[dict[str, Any]]:
    first = {"idx": 3, "sentence": "A guard watched two doors.", "Option A": "one", "Option B": "two"}
    key = {"gold_ans": "A", "gold_scope_label": "surface", **OPERATORS}
    return [{**first, **key}, {**first, "Option A": "two", "Option B": "one", **key, "gold_ans": "B"}]


def biased() -> list[dict[str, Any]]:
    common = {
        "matrix_NP": "Kim",
        "matrix_verb": "hopes that",
        "matrix_verb_type": "intensional",
        "followup_verb": "met",
        "embedded_noun": "pilot",
        "embedded_verb": "resting",
        "determiner_type": "indefinite",
    }
    return [
        {"sentence": s, "query_type": q, "score": v, **common}
        for s, q, v in (
            ("Kim hopes that _a pilot_ is resting. I met [pronoun].", "embedded_NP", -3.5),
            ("_Kim_ hopes that a pilot is resting. I met [pronoun].", "matrix_NP", -1.25),
        )
    ]


def test_implicatures_stand_in_groups_of_twelve(tmp_path: Path) -> None:
    table = imppres_files.implicature(write_json(tmp_path / "some.jsonl", implicatures(24)))
    assert table.schema == imppres_files.IMPLICATURE
    assert table.column("paradigm").to_pylist() == ["some/0"] * 12 + ["some/1"] * 12
    assert len(set(table.column("item").to_pylist())) == 24
    assert set(table.column("label_imppres").to_pylist()) == {"entailment"}


def test_presuppositions_have_two_kinds_of_rows(tmp_path: Path) -> None:
    rows = imppres_files.presupposition(write_json(tmp_path / "only.jsonl", presuppositions())).to_pylist()
    assert [(row["trigger"], row["presupposition"], row["item_type"]) for row in rows] == [
        ("negated", "positive", "target"),
        ("modal", "", "control"),
    ]


def test_predictions_belong_to_the_rows_of_their_file(tmp_path: Path) -> None:
    items = imppres_files.presupposition(write_json(tmp_path / "only.jsonl", presuppositions()))
    np.save(tmp_path / "bert.npy", np.array([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1]]))
    table = imppres_files.predictions(tmp_path / "bert.npy", items)
    assert table.column("item").to_pylist() == ["only/0e", "only/1c"]
    assert table.column("neutral").to_pylist() == [0.2, 0.8]
    np.save(tmp_path / "three.npy", np.zeros((3, 3)))
    with pytest.raises(UsageError, match=r"three.npy.*\(3, 3\) for 2 rows"):
        imppres_files.predictions(tmp_path / "three.npy", items)


def test_an_array_that_needs_pickle_is_not_opened(tmp_path: Path) -> None:
    np.save(tmp_path / "bad.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(UsageError, match="no array of numbers"):
        imppres_files.predictions(tmp_path / "bad.npy", pa.table({"item": ["x"]}))


def test_orders_of_a_choice_are_numbered(tmp_path: Path) -> None:
    table = scope_files.choice(write_csv(tmp_path / "c.csv", choices()))
    assert table.select(["order", "key", "option_a", "op1_kind"]).to_pylist() == [
        {"order": 1, "key": "A", "option_a": "one", "op1_kind": "negation"},
        {"order": 2, "key": "B", "option_a": "two", "op1_kind": "negation"},
    ]


def test_a_control_has_the_operators_of_its_sentence(tmp_path: Path) -> None:
    table = scope.continuation(write_csv(tmp_path / "q.csv", quadruple()))
    assert table.column("part").to_pylist() == ["s_f1", "s_f2", "control_f1", "control_f2"]
    assert set(table.column("op1").to_pylist()) == {"NEG"}
    assert table.column("followup").to_pylist()[0] == "F1"


def test_every_other_column_is_a_model(tmp_path: Path) -> None:
    rows = [{"": i, **row, "GPT-2": -20.5 - i, "Llama 2": -10.25} for i, row in enumerate(quadruple())]
    table = scope_files.scores(write_csv(tmp_path / "m.csv", rows))
    assert [row["value"] for row in table.to_pylist() if row["model"] == "GPT-2"] == [-20.5, -21.5, -22.5, -23.5]
    assert table.num_rows == 8


def test_ratings_and_answers_are_by_person(tmp_path: Path) -> None:
    rated = [{**row, "workerid": 41, "response": 7 - i} for i, row in enumerate(quadruple())]
    assert scope.ratings(write_csv(tmp_path / "r.csv", rated)).column("rating").to_pylist() == [7, 6, 5, 4]
    answered = [{**row, "workerid": 5 + i, "response": "B"} for i, row in enumerate(choices())]
    items = scope_files.choice(write_csv(tmp_path / "c.csv", choices()))
    assert scope_files.answers(write_csv(tmp_path / "a.csv", answered), items).to_pylist() == [
        {"item": "3", "order": 1, "person": "5", "answer": "B"},
        {"item": "3", "order": 2, "person": "6", "answer": "B"},
    ]
    # who saw the second order alone did not see the first
    assert scope_files.answers(write_csv(tmp_path / "b.csv", answered[1:]), items).column("order").to_pylist() == [2]
    with pytest.raises(UsageError, match="no item 3 has these options"):
        scope_files.answers(write_csv(tmp_path / "d.csv", [{**answered[0], "Option A": "none"}]), items)


def test_answers_of_models_are_letters_with_and_without_the_sentence(tmp_path: Path) -> None:
    said = {"m": " B", "m Control": "Option A: all of them", "chat": "Both are likely."}
    table = scope_files.chosen(write_csv(tmp_path / "a.csv", [{**choices()[0], **said}]))
    assert [(r["model"], r["control"], r["answer"]) for r in table.to_pylist()] == [
        ("m", False, "B"),
        ("m", True, "A"),
        ("chat", False, ""),
    ]
    assert set(table.column("order").to_pylist()) == {1}


def test_a_bias_is_the_matrix_score_less_the_embedded_one(tmp_path: Path) -> None:
    (row,) = de_re.biases([write_csv(tmp_path / "f.csv", biased())]).to_pylist()
    assert row["bias"] == 2.25
    assert (row["subject"], row["determiner"], row["verb_class"]) == ("Kim", "indefinite", "intensional")


def test_the_two_scores_of_a_sentence_may_stand_in_two_files(tmp_path: Path) -> None:
    files = [write_csv(tmp_path / f"{i}.csv", [row]) for i, row in enumerate(biased())]
    assert de_re.biases(files).column("bias").to_pylist() == [2.25]
    with pytest.raises(UsageError, match="no score of matrix_NP"):
        de_re.biases(files[:1])


def test_plain_scores_and_labels(tmp_path: Path) -> None:
    scored = write_csv(tmp_path / "v.csv", [{"item": "a/b", "part": "s_f1", "value": "-3.5", "model": "x"}])
    assert values.read(scored).to_pylist() == [{"item": "a/b", "part": "s_f1", "value": -3.5, "line": 2}]
    labelled = write_csv(tmp_path / "l.csv", [{"item": "a/b", "label": "neutral"}])
    assert labels.read(labelled).to_pylist() == [{"item": "a/b", "label": "neutral", "line": 2}]


def test_two_people_may_label_one_item_and_nobody_twice(tmp_path: Path) -> None:
    rows = [{"item": "a/b", "label": "neutral", "person": who} for who in ("p", "q", "p")]
    table = labels.read(write_csv(tmp_path / "l.csv", rows[:2]))
    assert table.column("person").to_pylist() == ["p", "q"]
    with pytest.raises(UsageError, match="line 4: `a/b` a second time by `p`"):
        labels.read(write_csv(tmp_path / "m.csv", rows))


def test_spreadsheets_write_a_mark_of_order_line_ends_of_two_letters_quotes_and_empty_lines(tmp_path: Path) -> None:
    file = tmp_path / "l.csv"
    file.write_bytes(b'\xef\xbb\xbf"item","label"\r\n\r\n"a/b","neutral"\r\na/c,entailment\r\n\r\n')
    assert header(file) == ("item", "label")
    assert [(row["item"], row["line"]) for row in labels.read(file).to_pylist()] == [("a/b", 3), ("a/c", 4)]


def test_samples_of_lm_eval_are_likelihoods_by_choice(tmp_path: Path) -> None:
    sample = {"doc_id": 0, "doc": {"id": "a/b"}, "filtered_resps": [["-3.5", "False"], [-1.5, True]]}
    table = lm_eval.read(write_json(tmp_path / "s.jsonl", [sample]))
    assert table.column("value").to_pylist() == [-3.5, -1.5]
    assert table.column("choice").to_pylist() == ["0", "1"]


@pytest.mark.parametrize(
    ("choices", "doc", "target", "acc", "right"),
    [
        ("123", {"target": "2"}, "2", None, None),  # the second by its text, or the third by its number
        ("123", {"target": "2"}, "2", 1.0, 1),
        ("123", {"target": "2"}, "2", 0.0, 2),
        ("123", {"target": 2}, "2", 0.0, 2),
        ("123", {"target": "3"}, "3", 0.0, 2),
        ("ABC", {}, "B", 1.0, 1),
        ("ABC", {}, "no", None, None),
    ],
)
def test_a_right_choice_is_said_by_its_text_or_by_its_number(
    choices: str, doc: dict[str, Any], target: str, acc: float | None, right: int | None, tmp_path: Path
) -> None:
    asked = {f"gen_args_{n}": {"arg_0": "So?", "arg_1": f" {text}"} for n, text in enumerate(choices)}
    values = [["-3", "False"], ["-1", "False"], ["-2", "False"]]
    sample = {"doc": {"id": "a", **doc}, "target": target, "arguments": asked, "filtered_resps": values}
    table = lm_eval.read(write_json(tmp_path / "s.jsonl", [sample | ({} if acc is None else {"acc": acc})]))
    assert table.column("right").to_pylist() == [None if right is None else n == right for n in range(3)]


@pytest.mark.parametrize("acc", [1.0, 0.5])
def test_a_tie_of_lm_eval_may_be_shared_or_given_to_the_first(acc: float, tmp_path: Path) -> None:
    sample = {"doc": {"id": "a/b", "target": 0}, "target": 0, "filtered_resps": [["-1.5", ""]] * 2, "acc": acc}
    table = lm_eval.read(write_json(tmp_path / "s.jsonl", [sample]))
    assert table.column("right").to_pylist() == [True, False]


@pytest.mark.parametrize(
    ("column", "cell", "label"),
    [
        ("label_name", "Entailment", "entailment"),
        ("label_name", "contradictory", "contradiction"),
        ("label_name", "not_entailment", "neutral"),
        ("label_name", "neutral", "not_entailment"),
        ("label_name", "hidden", "-"),
        ("label_binary", "1.0", "entailment"),
        ("label_binary", "no entailment", "neutral"),
    ],
)
def test_other_words_for_a_label_are_no_second_one(column: str, cell: str, label: str, tmp_path: Path) -> None:
    """Corpora of others have columns of these names, too, and other programs write `1.0` where a cell is empty."""
    (tmp_path / "x.csv").write_text(f"premise,hypothesis,label,{column}\na,b,{label},{cell}\n", "utf-8")
    assert [pair.label for pair in nli.read(tmp_path / "x.csv")] == [None if label == "-" else label]


Reader = Callable[[Path], object]


@pytest.mark.parametrize(
    ("reader", "rows", "said"),
    [
        (scope.continuation, quadruple()[:3], "line 4: the item 7 lacks control_f2"),
        (scope.continuation, [*quadruple(), quadruple()[0]], "line 6: the item 7 has S with F1 twice"),
        (scope.continuation, [{**row, "stype": "s"} for row in quadruple()], "line 2: `s` with `F1`"),
        (scope_files.choice, [*choices(), choices()[0]], "line 4: a third row of the item 3"),
        (scope_files.choice, [{**choices()[0], "gold_ans": "C"}], "line 2: `C` in the column `gold_ans`"),
        (scope.ratings, [{**quadruple()[0], "workerid": 1, "response": 8}], "line 2: `8` in the column `response`"),
        (scope_files.scores, [{**row, "m": "nan"} for row in quadruple()], "line 2: `nan` in the column `m`"),
        (values.read, [{"item": "a", "part": "p", "value": "inf"}], "line 2: `inf` in the column `value`"),
        (values.read, [{"item": "a", "part": "p", "value": -1}] * 2, "line 3: `p` of `a` a second time"),
        (
            values.read,
            [{"item": "a", "part": "p", "value": 0.5}],
            "line 2: `0.5` in the column `value`: the log",
        ),
        (labels.read, [{"item": "a", "label": "x"}] * 2, "line 3: `a` a second time"),
        (labels.read, [{"items": "a", "label": "x"}], "line 1: no column `item`"),
        (lambda path: de_re.biases([path]), biased()[:1] * 2, "line 3: a second score of embedded_NP"),
    ],
)
def test_a_bad_file_is_refused_with_its_line(
    reader: Reader, rows: list[dict[str, Any]], said: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError) as refused:
        reader(write_csv(tmp_path / "file.csv", rows))
    assert refused.value.code == "E46"
    assert said in refused.value.message
    assert refused.value.help


@pytest.mark.parametrize(
    ("reader", "text", "said"),
    [
        (imppres_files.implicature, json.dumps(implicatures()[0]) + "\n", "1 rows into a paradigm of 12"),
        (imppres_files.implicature, '{"sentence1": "cut o', "line 1: no JSON"),
        (imppres_files.implicature, "[1]\n", "line 1: no JSON object"),
        (imppres_files.presupposition, json.dumps({**presuppositions()[0], "gold_label": "yes"}), "`yes` in the field"),
        (lm_eval.read, json.dumps({"doc": {}, "filtered_resps": []}), "no field `id`"),
        (
            lm_eval.read,
            json.dumps({"doc": {"id": "a"}, "filtered_resps": ["yes"]}),
            "`yes` is no log likelihood",
        ),
        (
            lm_eval.read,
            json.dumps({"doc": {"id": "a"}, "filtered_resps": [["0.5", "False"]]}),
            "is no log likelihood",
        ),
        (values.read, "item,part,value\na,b\n", "line 2: 2 cells below 3 columns"),
        (values.read, 'item,part,value\na,"b"c,1\n', "no CSV"),
        (values.read, 'item,part,value\na,b,-1\nc,"d,-1\ne,f,-1\n', "line 3: a quotation mark opens in this row"),
        (values.read, "", "line 1: no heading"),
        (values.read, "item,part,value\n\n", "line 1: no row below the heading"),
        (labels.read, "item;label\na;neutral\n", "line 1: there are semicolons between the names"),
        (labels.read, "item;label, said\na;neutral\n", "line 1: there are semicolons between the names"),
        (labels.read, "item\tlabel\na\tneutral\n", "line 1: there are tabs between the names"),
        (lm_eval.read, "\n", "line 1: the file has no rows"),
        (
            lm_eval.read,
            (json.dumps({"doc": {"id": "a"}, "filtered_resps": [["-1", "False"]]}) + "\n") * 2,
            "line 2: `a` a second time",
        ),
        (
            lm_eval.read,
            json.dumps({"doc": {"id": "a", "target": 1}, "target": 0, "filtered_resps": [["-1", "False"]] * 2}),
            "line 1: `target` is 0, and 1 in the document",
        ),
        (
            lm_eval.read,
            json.dumps({"doc": {"id": "a"}, "target": "2", "filtered_resps": [["-1", ""], ["-2", ""]]}),
            "line 1: `target` is 2, and there are 2 choices",
        ),
        (
            lm_eval.read,
            json.dumps({"doc": {"id": "a"}, "target": 0, "filtered_resps": [["-1", ""], ["-2", ""]], "acc": 0.0}),
            "line 1: `acc` is 0.0, where the log likelihoods and the target 0 give 1",
        ),
        (
            lm_eval.read,
            json.dumps({"doc": {"id": "a"}, "filtered_resps": 3}),
            "no list of log likelihoods",
        ),
    ],
)
def test_a_damaged_file_is_refused(reader: Reader, text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text(text, "utf-8")
    with pytest.raises(UsageError) as refused:
        reader(path)
    assert refused.value.code == "E46"
    assert said in refused.value.message


def test_bytes_that_are_no_text_and_files_that_are_not_there(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b"item,label\na,caf\xe9\n")
    with pytest.raises(UsageError, match="no UTF-8"):
        labels.read(tmp_path / "latin")
    (tmp_path / "latin.jsonl").write_bytes(b'\n{"doc": {"id": "caf\xe9"}}\n')
    with pytest.raises(UsageError, match="line 2: no UTF-8"):
        lm_eval.read(tmp_path / "latin.jsonl")
    with pytest.raises(UsageError, match="cannot be read") as refused:
        labels.read(tmp_path / "nowhere")
    assert refused.value.code == "E44"
