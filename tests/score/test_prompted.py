"""Prompts: how they are declared and asked, what their answers say, and which instances their examples are from."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from support.datasets import FEW, SharedDatasets

import gramprobe
from gramprobe.score.forms import form_of
from gramprobe.score.mode import Options
from gramprobe.score.modes.prompted import Prompted
from gramprobe.score.modes.true_false import CLAIMS, TrueFalse
from gramprobe.score.prompts import load
from gramprobe.score.results import read_scores
from gramprobe.score.run import score
from gramprobe.score.source import Table
from gramprobe.source.diagnostic import UsageError
from score.conftest import Model, order

LABELS = ("entailment", "neutral", "contradiction")
NLI = Table("nli", "nli", form_of("nli"), ("id", "premise", "hypothesis", "label"), LABELS)
ROW = {"id": "1", "premise": "Jo left.", "hypothesis": "Jo was {here}.", "label": 0}
SHORT = """
[yes]
text = "{premise} So {hypothesis}"
answers = { entailment = ["Yes"], neutral = ["Maybe"], contradiction = ["No"] }
"""


@pytest.fixture
def short(tmp_path: Path) -> Path:
    (tmp_path / "short.toml").write_text(SHORT)
    return tmp_path / "short.toml"


@pytest.fixture(scope="session")
def pairs(datasets: SharedDatasets) -> Path:
    return datasets("presupposition/both", n=FEW, design="paper")


def test_every_label_stands_once_at_each_place() -> None:
    orders = [prompt.labels for prompt in load() if prompt.entry.options]
    assert sorted(label for own in zip(*orders, strict=True) for label in own) == sorted(LABELS * 3)
    assert all(sorted(own) == sorted(LABELS) for own in zip(*orders, strict=True))


def test_a_prompt_shows_the_item_and_lists_its_options() -> None:
    prompt = next(prompt for prompt in load() if prompt.name == "options.2")
    text = prompt.shown(ROW)
    assert "Jo left." in text and "Jo was {here}." in text
    assert [line[:2] for line in text.split("\n")[2:5]] == ["A.", "B.", "C."]
    assert prompt.entry.options[prompt.labels[0]] in text.split("\n")[2]
    assert prompt.spellings(chat=False)[0] == (" A", "A") and prompt.spellings(chat=True)[0] == ("A",)


def test_examples_stand_before_the_question_with_their_answers(short: Path) -> None:
    (prompt,) = load(short)
    example = {"id": "2", "premise": "Al sat.", "hypothesis": "Al stood.", "label": "contradiction"}
    assert prompt.context(ROW, [example], chat=False) == "Al sat. So Al stood. No\n\nJo left. So Jo was {here}."
    messages = prompt.context(ROW, [example], chat=True)
    assert not isinstance(messages, str)
    assert [role for role, _ in messages] == ["user", "assistant", "user"]
    assert messages[1] == ("assistant", "No")


def test_measures_share_ties_and_count_what_is_said_elsewhere(short: Path) -> None:
    mode = Prompted(load(short))
    sure = {"yes/entailment": (math.log(0.6),), "yes/neutral": (math.log(0.1),), "yes/contradiction": (math.log(0.2),)}
    found = mode.measures(NLI, ROW, sure, 0.0)
    assert found["accuracy"] == 1.0 and found["elsewhere"] == 0.0
    assert found["answer_mass"] == pytest.approx(0.9)
    tie = {"yes/entailment": (-3.0,), "yes/neutral": (-3.0,), "yes/contradiction": (-4.0,)}
    found = mode.measures(NLI, ROW, tie, 0.0)
    assert found["accuracy"] == 0.5 and found["elsewhere"] == 1.0
    assert mode.measures(NLI, ROW, {**tie, "yes/neutral": (None,)}, 0.0) == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "declares no prompt"),
        ("[a", "is no TOML"),
        ("[a]\ntext = 'x'\nanswers = {e = ['y']}", "shows no column"),
        ("[a]\ntext = '{premise'\nanswers = {e = ['y']}", "cannot be read"),
        ("[a]\ntext = '{premise!r}'\nanswers = {e = ['y']}", "is no name of a column"),
        ("[a]\ntext = '{premise}'", "either `answers` or `options`"),
        ("[a]\ntext = '{premise}'\noptions = {e = 'y'}", "does not show its {options}"),
        ("[a]\ntext = '{premise} {options}'\noptions = {e = 'y'}\norders = 'some'", "`orders` is one of"),
        ("[a]\ntext = '{premise}'\nanswers = {e = ['y'], n = ['y']}", "stands for two labels"),
        ("[a]\ntext = '{premise}'\nanswers = {e = [' y']}", "begin or end with a space"),
        ("[a]\ntext = '{premise}'\nanswer = {e = ['y']}", "unknown field `answer`"),
    ],
)
def test_prompts_that_cannot_be_asked_are_refused(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(text)
    with pytest.raises(UsageError) as refused:
        load(tmp_path / "bad.toml")
    assert refused.value.code == "E48" and message in refused.value.message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[a]\ntext = '{premise} {nothing}'\nanswers = {entailment = ['a'], neutral = ['b'], contradiction = ['c']}",
         "in [a], the text shows {nothing}, and `both` has no such column"),
        ("[a]\ntext = '{premise}'\nanswers = {yes = ['a'], no = ['b']}",
         "in [a], the labels are yes, no, and those of `both` are entailment, neutral, contradiction"),
        ("[a]\ntext = '{premise}'\nanswers = {entailment = ['a'], neutral = ['b'], contradiction = ['c']}\n"
         "[b]\ntext = '{other}'\nanswers = {entailment = ['a'], neutral = ['b'], contradiction = ['c']}",
         "in [b], the text shows {other}"),
    ],
)  # fmt: skip
def test_prompts_that_fit_no_item_are_refused_before_a_model_is_read(
    text: str, message: str, pairs: Path, tmp_path: Path
) -> None:
    (tmp_path / "p.toml").write_text(text)
    with pytest.raises(UsageError) as refused:
        score(order(pairs, "no/model", tmp_path / "s", mode="prompted", prompts=str(tmp_path / "p.toml")))
    assert refused.value.code == "E48" and message in refused.value.message
    assert not (tmp_path / "s").exists()


@pytest.mark.slow
def test_instances_of_examples_are_not_scored(model: Model, pairs: Path, short: Path, tmp_path: Path) -> None:
    what = order(
        pairs, model("chat"), tmp_path / "s", mode="prompted", prompts=str(short), shots=2, prompt="completion"
    )
    run = score(what)
    ids = {
        row["id"]: row["instance"]
        for b in gramprobe.read(pairs).rows("both", ["id", "instance"])
        for row in b.to_pylist()
    }
    (examples,) = run.settings.prompt["examples"].values()
    used = {ids[id_] for id_ in examples}
    scored = set(read_scores(what.out).table().column("item").to_pylist())
    assert len(used) == 2 and len(scored) == (FEW - 2) * 19
    assert not used & {ids[id_] for id_ in scored}


def test_as_many_examples_as_instances_leave_nothing(model: Model, pairs: Path, short: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="leave nothing to score"):
        score(order(pairs, model("chat"), tmp_path / "s", mode="prompted", prompts=str(short), shots=FEW))
    with pytest.raises(UsageError, match="are for --mode prompted"):
        score(order(pairs, model("nli"), tmp_path / "s", shots=1))


@pytest.mark.slow
def test_a_value_is_the_probability_of_the_answer_after_the_prompt(
    model: Model, pairs: Path, short: Path, tmp_path: Path, engine: Any
) -> None:
    """Against a plain forward pass over the text, with one spelling that is one token."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    folder = model("chat")
    options: dict[str, Any] = {"prompts": str(short), "prompt": "completion", "dtype": "float64", "total": 1}
    what = order(pairs, folder, tmp_path / "s", mode="prompted", **options)
    score(what)
    first = read_scores(what.out).table().column("item")[0].as_py()
    (row,) = (row for b in gramprobe.read(pairs).rows("both") for row in b.to_pylist() if row["id"] == first)
    tokenizer, network = AutoTokenizer.from_pretrained(folder), AutoModelForCausalLM.from_pretrained(folder).double()
    found = {
        part: value
        for item, part, value in zip(
            *(read_scores(what.out).table().column(name).to_pylist() for name in ("item", "part", "value")), strict=True
        )
        if item == row["id"]
    }
    context = tokenizer(f"{row['premise']} So {row['hypothesis']}").input_ids
    for label, answer in (("entailment", "Yes"), ("neutral", "Maybe"), ("contradiction", "No")):
        total = 0.0
        for spelling in (f" {answer}", answer):
            whole = tokenizer(f"{row['premise']} So {row['hypothesis']}{spelling}").input_ids
            if whole[: len(context)] != context:
                continue
            with torch.inference_mode():
                logs = network(torch.tensor([whole])).logits[0].log_softmax(-1)
            total += math.exp(sum(float(logs[i - 1, whole[i]]) for i in range(len(context), len(whole))))
        assert found[f"yes/{label}"] == pytest.approx(math.log(total), abs=1e-6)


def test_claims_about_both_paraphrases_are_asked_with_both_answers(model: Model, choices: Path, tmp_path: Path) -> None:
    what = order(choices, model("chat"), tmp_path / "s", mode="true_false", total=1)
    run = score(what)
    table = read_scores(what.out).table()
    assert len(set(table.column("part").to_pylist())) == 2 * 4 * 2
    assert table.num_rows == run.items * 16
    assert set(run.settings.prompt["prompts"]) == set(CLAIMS)


def test_true_of_may_and_false_of_cannot_is_right() -> None:
    form = form_of("choice")
    table = Table("c", "choice", form, ("id", *form.context, "paraphrase_surface", "paraphrase_inverse"))
    mode = TrueFalse().configured(Options())
    says_true = {
        f"{paraphrase}/{name}/{answer}": (-1.0 if answer == "true" else -2.0,)
        for paraphrase in ("paraphrase_surface", "paraphrase_inverse")
        for name in CLAIMS
        for answer in ("true", "false")
    }
    found = mode.measures(table, {}, says_true, 0.0)
    assert (found["accuracy"], found["accuracy_may"], found["accuracy_only"]) == (0.5, 1.0, 0.0)
    assert found["answer_mass"] == pytest.approx(math.exp(-1) + math.exp(-2))
    json.dumps(mode.settings(str))
