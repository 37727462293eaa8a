"""What each mode asks of a row, and what its measures say: on the shipped tasks and on plain files."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import gramprobe
from gramprobe.cli.main import main
from gramprobe.items.tasks import TASKS
from gramprobe.records import Scored
from gramprobe.score.forms import FORMS, form_of
from gramprobe.score.job import open_source, selection_of
from gramprobe.score.mode import Options, share, share_of
from gramprobe.score.modes import MODES, chosen
from gramprobe.score.modes.choice import FRAME, Choice
from gramprobe.score.modes.surprisal import regions_of
from gramprobe.score.order import RunOrder
from gramprobe.score.planning import unreadable
from gramprobe.score.request import Classify, Continue, Fill, Refusal, Regions, Reply, Whole
from gramprobe.score.results import read_scores
from gramprobe.score.run import score
from gramprobe.score.source import Table
from gramprobe.score.summary import Line, as_text, summary
from gramprobe.source.diagnostic import UsageError
from score.conftest import Model, order, written

LABELS = ("entailment", "neutral", "contradiction")


def table(task: str) -> Table:
    form = form_of(task)
    columns = ("id", *form.context, *form.options, *form.continuations, *form.label)
    return Table(task, task, form, columns, LABELS if task == "nli" else ())


def lines(what: RunOrder) -> list[Line]:
    """The summary of a run that this makes."""
    record = score(what)
    source = open_source(what)
    mode, tables = chosen(what.mode, dict(source.tables))
    assert record.complete
    return summary(read_scores(what.out), selection_of(what, source, mode, tables), mode)


@pytest.mark.parametrize("task", FORMS)
def test_every_task_has_a_mode_of_its_own(task: str) -> None:
    fitting = [name for name in MODES if MODES[name].fits(table(task))]
    assert fitting[0] == ("surprisal" if task == "sentences" else task)
    assert fitting[1:] == (["continuation", "prompted"] if task == "nli" else [])


def test_the_columns_of_a_plain_file_are_those_of_our_tasks() -> None:
    assert {name: FORMS.get(name) for name in TASKS} == {task.name: task.scored for task in TASKS.values()}


def test_the_modes_keep_their_protocol() -> None:
    for name in MODES:
        mode = MODES[name]
        assert mode.name == name
        assert set(mode.kinds) <= {"causal", "masked", "classifier", "endpoint", "rule", "reader", "ngram"}
        assert mode.about and all(mode.reduction(kind) for kind in mode.kinds)
        json.dumps(mode.settings(str))


def test_a_mode_that_does_not_fit_is_named_with_those_that_do() -> None:
    with pytest.raises(UsageError, match="does not fit items of the task nli") as error:
        chosen("coref", {"a": table("nli")})
    assert error.value.help == (
        "take --mode nli (for a classifier of sequences, a rule that does not reason or a reader that does not "
        "reason); "
        "or --mode continuation (for a causal language model or an n-gram model); "
        "or --mode prompted (for a causal language model or a model behind an endpoint)"
    )
    alone = replace(table("nli"), task="odd", scored=Scored.of(), columns=("id",), labels=())
    for package, code, help in (
        ("", "E29", "none does: a package may add one"),
        ("odds 1.2", "E64", "pip install odds==1.2"),
    ):
        with pytest.raises(UsageError) as error:
            chosen(None, {"a": replace(alone, package=package)})
        assert error.value.code == code and error.value.help.startswith(help)
    with pytest.raises(UsageError, match="no mode named `corefs`; did you mean `coref`"):
        chosen("corefs", {"a": table("nli")})
    with pytest.raises(UsageError, match="scored in 2 modes") as error:
        chosen(None, {"a": table("choice"), "b": table("continuation")})
    assert error.value.help == "name one: --mode choice or --mode continuation"
    assert chosen("choice", {"a": table("choice"), "b": table("continuation")})[1] == ("a",)


@pytest.mark.parametrize(
    ("value", "other", "expected"), [(1.0, 0.0, 1.0), (0.0, 1.0, 0.0), (1.0, 1.0, 0.5), (1.0, 1.00005, 0.5)]
)
def test_a_tie_is_half(value: float, other: float, expected: float) -> None:
    assert share(value, other, 1e-4) == expected


def test_labels_that_tie_share_the_prediction() -> None:
    assert [share_of((-1.0, -1.0, -2.0), n, 1e-4) for n in range(3)] == [0.5, 0.5, 0.0]
    third = pytest.approx(1 / 3)
    assert [share_of((-1.0, -1.0, -1.0), n, 1e-4) for n in range(3)] == [third] * 3
    assert [share_of((-3.0, -1.0, -2.0), n, 1e-4) for n in range(3)] == [0.0, 1.0, 0.0]


# ---- nli


def nli(scores: tuple[float, ...], label: int) -> dict[str, float | None]:
    row = {"premise": "a", "hypothesis": "b", "label": label}
    return MODES["nli"].measures(table("nli"), row, {"hypothesis": scores}, 1e-4)


def test_the_binary_label_is_the_three_way_one_collapsed() -> None:
    # entailment is likeliest, and less likely than the others together
    scores = (math.log(0.4), math.log(0.3), math.log(0.3))
    assert nli(scores, 0) == {"accuracy": 1.0, "binary_accuracy": 1.0}
    assert nli(scores, 1) == {"accuracy": 0.0, "binary_accuracy": 0.0}
    assert nli((-2.0, -1.0, -3.0), 2) == {"accuracy": 0.0, "binary_accuracy": 1.0}
    assert nli((-1.0, -1.0, -3.0), 2) == {"accuracy": 0.0, "binary_accuracy": 0.5}


def test_two_classes_have_no_three_way_accuracy() -> None:
    assert nli((-0.1, -3.0), 0) == {"binary_accuracy": 1.0}
    assert nli((-0.1, -3.0), 2) == {"binary_accuracy": 0.0}


def test_pairs_are_scored_by_condition(model: Model, pairs: Path, tmp_path: Path) -> None:
    found = lines(order(pairs, model("nli"), tmp_path / "scores"))
    rows = [row for batch in gramprobe.read(pairs).rows("both") for row in batch.to_pylist()]
    assert [line.condition for line in found] == list(dict.fromkeys(row["condition"] for row in rows))
    scores = {row["item"]: row for row in read_scores(tmp_path / "scores").table().to_pylist()}
    by_hand = [
        max(LABELS, key=lambda label: scores[row["id"]][label]) == row["label_name"]
        for row in rows
        if row["condition"] == found[0].condition
    ]
    assert found[0].measures["accuracy"].mean == sum(by_hand) / len(by_hand)
    assert sum(line.items for line in found) == len(rows)


def test_pairs_can_be_scored_as_continuations_too(model: Model, pairs: Path, tmp_path: Path) -> None:
    (first, *_) = lines(order(pairs, model("gpt2"), tmp_path / "scores", mode="continuation"))
    assert list(first.measures) == ["hypothesis"]


# ---- continuation


def test_alpha_is_that_of_the_paper() -> None:
    row = {"ambiguous": "S", "control": "C", "control_2": "D", "followup_inverse": "f", "followup_surface": "g"}
    values = {
        "ambiguous/followup_inverse": -10.0, "ambiguous/followup_surface": -12.0,
        "control/followup_inverse": -9.0, "control/followup_surface": -14.0,
        "control_2/followup_inverse": -9.0, "control_2/followup_surface": -11.0,
    }  # fmt: skip
    scores = {part: (value,) for part, value in values.items()}
    found = MODES["continuation"].measures(table("continuation"), row, scores, 1e-4)
    assert found == {"alpha": 3.0, "alpha_positive": 1.0, "alpha_2": 0.0, "alpha_2_positive": 0.5}
    scores["control/followup_surface"] = (None,)  # type: ignore[assignment]
    found = MODES["continuation"].measures(table("continuation"), {**row, "control_2": ""}, scores, 1e-4)
    assert found == {"alpha": None, "alpha_positive": None}


def test_a_row_without_a_second_control_has_four_parts() -> None:
    row = {"ambiguous": "S", "control": "C", "control_2": "", "followup_inverse": "f", "followup_surface": "g"}
    asked = MODES["continuation"].asked(table("continuation"), row)
    assert [part for each in asked for part, _ in each.parts] == [
        f"{context}/followup_{name}" for context in ("ambiguous", "control") for name in ("inverse", "surface")
    ]
    assert asked[0].request == Continue("S", ((" f",), (" g",)))


def test_continuations_are_scored_by_condition(model: Model, scope: Path, tmp_path: Path) -> None:
    (line,) = lines(order(scope, model("gpt2"), tmp_path / "scores"))
    rows = read_scores(tmp_path / "scores").table().to_pylist()
    items = {row["item"]: dict[str, float]() for row in rows}
    for row in rows:
        items[row["item"]][row["part"]] = row["value"]
    alphas = []
    for values in items.values():
        one, other = (
            values[f"{context}/followup_inverse"] - values[f"{context}/followup_surface"]
            for context in ("ambiguous", "control")
        )
        alphas.append(-(one - other))
    assert line.measures["alpha"].mean == pytest.approx(sum(alphas) / len(alphas))
    assert line.measures["alpha_positive"].mean == sum(alpha > 0 for alpha in alphas) / len(alphas)
    assert set(line.measures) == {"alpha", "alpha_positive", "alpha_2", "alpha_2_positive"}


# ---- choice


CHOICE = {
    "sentence": "Every singer recorded one album.",
    "option_a": "Each of the singers recorded a different album.",
    "option_b": "All of the singers recorded the same album",
    "picks_a": "every > one",
    "picks_b": "one > every",
    "surface": "every > one",
    "preferred": "one > every",
}


def test_the_prompt_is_that_of_the_released_code() -> None:
    with_sentence, without = MODES["choice"].asked(table("choice"), CHOICE)
    rest = (
        "On the basis of this phrase/statement alone, and with no further context, there are only two options:\n"
        "Option A: Each of the singers recorded a different album.\n"
        "Option B: All of the singers recorded the same album.\n"
        "The most likely option is option"
    )
    answers = ((" A", "A"), (" B", "B"))
    assert with_sentence.request == Continue(f"Every singer recorded one album.\n{rest}", answers)
    assert without.request == Continue(rest, answers)
    assert [part for part, _ in (*with_sentence.parts, *without.parts)] == [
        "option_a", "option_b", "without_context/option_a", "without_context/option_b"
    ]  # fmt: skip


def test_chat_models_get_a_question() -> None:
    mode = MODES["choice"].configured(Options(chat=True))
    request = mode.asked(table("choice"), CHOICE)[0].request
    assert isinstance(request, Continue) and not isinstance(request.context, str)
    (system, _), (user, text) = request.context
    assert (system, user) == ("system", "user")
    assert text.startswith("Every singer recorded one album.\nOn the basis")
    assert text.endswith("Answer with either 'Option A' (for Option A) or 'Option B' (for option B).")
    assert request.texts == (("Option A", "A"), ("Option B", "B"))
    assert MODES["choice"].configured(Options(prompt="completion", chat=True)) == Choice("completion")


def test_a_choice_counts_for_the_reading_that_the_option_picks() -> None:
    scores = {
        "option_a": (math.log(0.3),), "option_b": (math.log(0.1),),
        "without_context/option_a": (math.log(0.2),), "without_context/option_b": (math.log(0.2),),
    }  # fmt: skip
    found = MODES["choice"].measures(table("choice"), CHOICE, scores, 1e-4)
    assert (found["surface"], found["preferred"], found["first_option"]) == (1.0, 0.0, 1.0)
    assert found["surface_without_context"] == 0.5
    assert found["answer_mass"] == pytest.approx(0.4)
    turned = {**CHOICE, "picks_a": "one > every", "picks_b": "every > one"}
    assert MODES["choice"].measures(table("choice"), turned, scores, 1e-4)["surface"] == 0.0


def test_both_orders_and_the_control_are_scored(model: Model, choices: Path, tmp_path: Path) -> None:
    (line,) = lines(order(choices, model("gpt2"), tmp_path / "scores"))
    rows = read_scores(tmp_path / "scores").table().to_pylist()
    assert len(rows) == line.items * 4
    assert {row["item"].rpartition("/")[2] for row in rows} == {"1", "2"}
    assert {row["tokens"] for row in rows} == {1}
    mass = [math.exp(one["value"]) + math.exp(other["value"]) for one, other in zip(rows[::4], rows[1::4], strict=True)]
    assert line.measures["answer_mass"].mean == pytest.approx(sum(mass) / len(mass))
    assert "surface_without_context" in line.measures


@pytest.mark.slow
def test_the_prompt_is_recorded(model: Model, choices: Path, tmp_path: Path) -> None:
    for name, form, start in (("gpt2", "completion", "{sentence}\n"), ("chat", "chat", "<system>You are")):
        prompt = score(order(choices, model(name), tmp_path / name, total=1)).settings.prompt
        assert prompt["form"] == form
        assert prompt["prompt"].startswith(start)
        assert FRAME in prompt["prompt"]
        assert "{sentence}" in prompt["prompt"]


# ---- coref


def test_the_score_of_a_candidate_is_a_mean_for_masked_models_and_a_sum_for_causal_ones() -> None:
    coref, answer = MODES["coref"], Reply((-6.0,), 3)
    assert coref.values(answer, "masked") == (-2.0,)
    assert coref.values(answer, "causal") == (-6.0,)


@pytest.mark.parametrize("name", ["bert", "gpt2"])
def test_candidates_are_scored(name: str, model: Model, corefs: Path, tmp_path: Path) -> None:
    (line,) = lines(order(corefs, model(name), tmp_path / "scores"))
    rows = read_scores(tmp_path / "scores").table().to_pylist()
    assert [row["part"] for row in rows[:2]] == ["candidate_subject", "candidate_embedded"]
    bias = [one["value"] - other["value"] for one, other in zip(rows[::2], rows[1::2], strict=True)]
    assert line.measures["subject_bias"].mean == pytest.approx(sum(bias) / len(bias))
    assert line.measures["subject_preferred"].mean == sum(each > 0 for each in bias) / len(bias)


# ---- minimal pairs and regions, from plain files


PAIRS = [
    {"violated": "agreement", "sentence_good": "The keys are here.", "sentence_bad": "The keys is here."},
    {"violated": "agreement", "sentence_good": "A dog is here.", "sentence_bad": "A dog is here."},
    {"violated": "article", "sentence_good": "A dog is sleeping.", "sentence_bad": "An dog is sleeping."},
]


@pytest.mark.parametrize("name", ["gpt2", "llama", "bert"])
def test_minimal_pairs_of_a_plain_file(name: str, model: Model, tmp_path: Path) -> None:
    file = written(tmp_path / "pairs.csv", PAIRS)
    found = lines(order(file, model(name), tmp_path / "scores", task="minimal_pair"))
    rows = read_scores(tmp_path / "scores").table().to_pylist()
    assert [row["item"] for row in rows] == [f"pairs/{n}" for n in (1, 1, 2, 2, 3, 3)]
    right = [float(good["value"] > bad["value"]) for good, bad in zip(rows[::2], rows[1::2], strict=True)]
    assert [line.condition for line in found] == ["agreement", "article"]
    assert found[0].measures["accuracy"].mean == (right[0] + 0.5) / 2  # equal sentences tie
    assert found[1].measures["accuracy"].mean == right[2]


def test_the_pseudo_log_likelihood_is_a_setting(model: Model, tmp_path: Path) -> None:
    file = written(tmp_path / "pairs.csv", PAIRS)
    one, other = (
        score(order(file, model("bert"), tmp_path / pll, task="minimal_pair", pll=pll))
        for pll in ("word_l2r", "original")
    )
    assert (one.settings.engine["pll"], other.settings.engine["pll"]) == ("word_l2r", "original")
    first, second = (
        read_scores(tmp_path / pll).table().column("value").to_pylist() for pll in ("word_l2r", "original")
    )
    assert first != second


@pytest.mark.parametrize("name", ["gpt2", "bert"])
def test_the_surprisal_of_regions(name: str, model: Model, tmp_path: Path) -> None:
    rows = [
        {
            "condition": "plural",
            "text": "The keys to the cabinet are here.",
            "regions": '["The keys", "to the cabinet are", "here."]',
        },
        {"condition": "words", "text": "Nobody is in", "regions": ""},
    ]
    found = lines(order(written(tmp_path / "t.csv", rows), model(name), tmp_path / "scores", task="surprisal"))
    scores = read_scores(tmp_path / "scores").table().to_pylist()
    assert [(row["part"], row["words"]) for row in scores] == [
        ("1", 2),
        ("2", 4),
        ("3", 1),
        ("1", 1),
        ("2", 1),
        ("3", 1),
    ]
    assert all(row["value"] > 0 for row in scores)
    assert found[0].measures["region_2"].mean == scores[1]["value"]
    assert found[1].measures["mean_surprisal"].mean == pytest.approx(sum(row["value"] for row in scores[3:]) / 3)


@pytest.mark.parametrize("regions", ["", '["Nobody", "is in."]'])
def test_the_context_counts_in_no_measure_of_the_text(regions: str, model: Model, tmp_path: Path) -> None:
    text = {"condition": "c", "text": "Nobody is in.", "regions": regions, "context": "Amy called twice."}
    (found,) = lines(order(written(tmp_path / "t.csv", [text]), model("gpt2"), tmp_path / "scores", task="surprisal"))
    context, *own = [row["value"] for row in read_scores(tmp_path / "scores").table().to_pylist()]
    assert context > 0
    assert found.measures["surprisal"].mean == pytest.approx(sum(own))
    others = [value.mean for name, value in found.measures.items() if name != "surprisal"]
    assert others == pytest.approx(own if regions else [sum(own) / len(own)])


def test_a_region_may_not_have_the_name_of_the_context() -> None:
    row = {"text": "A b", "regions": '[{"name":"context","text":"A b"}]', "context": "Before."}
    scored = Scored.of(continuations=("text",))
    table = Table("t", "surprisal", scored, ("text", "regions", "context"), ())
    (asked,) = MODES["surprisal"].asked(table, row)
    assert unreadable(asked.request) is not None
    (alone,) = MODES["surprisal"].asked(table, {**row, "context": ""})
    assert unreadable(alone.request) is None


TWICE = '[{"name":"x","text":"A"},{"name":"x","text":"c"}]'


@pytest.mark.parametrize("regions", ["[", '"a"', "[1]", '["A", "b"]', '[{"text":"A c"}]', TWICE])
def test_regions_that_do_not_make_up_the_text(regions: str) -> None:
    assert regions_of("A c", regions) == {}
    assert unreadable(Regions(())) == Refusal("regions", "its regions are no JSON list of texts that make up the text")


def test_the_regions_of_a_text() -> None:
    assert regions_of("A b c", "") == {"1": "A", "2": "b", "3": "c"}
    assert regions_of("A b c", '["A b", "c"]') == {"1": "A b", "2": "c"}
    assert regions_of("A b c", '[{"name":"x","text":"A b"},{"name":"y","text":"c"}]') == {"x": "A b", "y": "c"}


@pytest.mark.parametrize(
    ("request_", "flag"),
    [
        (Whole(("A.", "")), "empty"),
        (Whole(("A.", " ")), "empty"),
        (Whole(("A.\n",)), "space"),
        (Continue("A ", ((" b",),)), "space"),
        (Continue("A", (("  b",),)), "space"),
        (Continue("", ((" b",),)), "empty"),
        (Continue("A", ((" ",),)), "empty"),
        (Classify("A.", "B. "), "space"),
        (Fill("I met him.", "[pronoun]", ("Mary",)), "slot"),
        (Fill("[pronoun] met [pronoun].", "[pronoun]", ("Mary",)), "slot"),
        (Fill("I met [pronoun].", "[pronoun]", ("",)), "empty"),
    ],
)
def test_texts_that_no_model_can_be_given(request_: Any, flag: str) -> None:
    found = unreadable(request_)
    assert found is not None and found.flag == flag


def test_a_summary_is_a_table() -> None:
    from gramprobe.score.summary import Measure

    made = [
        Line(paradigm="a", condition="x", items=1200, measures={"accuracy": Measure(mean=0.5, items=1200)}),
        Line(paradigm="longer", condition="", items=3, measures={"mass": Measure(mean=0.25, items=3)}),
    ]
    assert as_text(made).splitlines() == [
        "paradigm  condition  items  accuracy   mass",
        "a         x          1,200     0.500      -",
        "longer    -              3         -  0.250",
    ]


def test_a_file_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "missing.csv", "--task", "nli", "--model", "rule:overlap", "--out", "never"]) == 2
    assert "error[E44]: there is no file `missing.csv`" in capsys.readouterr().err
