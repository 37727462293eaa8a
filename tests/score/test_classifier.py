"""Classifiers: the order of labels is read and never guessed; padding changes nothing; every weight is the file's."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from gramprobe.score.engines.classifier import ClassifierEngine, label_order
from gramprobe.score.engines.folder import model_folder
from gramprobe.score.engines.weights import Precision, load
from gramprobe.score.request import Classify, Refusal, Whole
from gramprobe.source.diagnostic import UsageError

PAIRS = [
    ("Emma's cat might have yawned.", "Emma has a cat."),
    ("Noah doesn't have a cat.", "Noah has a cat."),
    ("All of the guards opened a suitcase after work, although it was very heavy.", "A suitcase was heavy."),
    ("A dog is sleeping.", "A dog is here."),
]
Engine = Callable[..., ClassifierEngine]
Model = Callable[[str], Path]


def values(engine: ClassifierEngine, pairs: Sequence[tuple[str, str]]) -> list[tuple[float | None, ...]]:
    prepared = [engine.prepare(Classify(*pair)) for pair in pairs]
    assert not [each for each in prepared if isinstance(each, Refusal)]
    return [answer.values for (answer,) in engine.answer(prepared)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("names", "order"),
    [
        (("entailment", "neutral", "contradiction"), ("entailment", "neutral", "contradiction")),
        (("CONTRADICTION", "NEUTRAL", "ENTAILMENT"), ("contradiction", "neutral", "entailment")),
        (("contradict", "entail", "Neutral"), ("contradiction", "entailment", "neutral")),
        (("entailment", "not_entailment"), ("entailment", "not_entailment")),
        (("Non-entailment", "Entailment"), ("not_entailment", "entailment")),
    ],
)
def test_the_order_of_labels_is_read_from_their_names(names: tuple[str, ...], order: tuple[str, ...]) -> None:
    assert label_order("model", dict(enumerate(names)), ()) == order
    assert label_order("model", {str(n): name for n, name in enumerate(names)}, ()) == order


@pytest.mark.parametrize(
    "names", [("LABEL_0", "LABEL_1", "LABEL_2"), ("yes", "maybe", "no"), ("entailment",), ("entailment", "neutral")]
)
def test_names_that_do_not_tell_are_refused(names: tuple[str, ...]) -> None:
    with pytest.raises(UsageError, match="do not say which of them is entailment") as error:
        label_order("model", dict(enumerate(names)), ())
    assert error.value.code == "E93"


def test_a_user_can_say_what_the_labels_are() -> None:
    unnamed = {0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"}
    given = ("neutral", "contradiction", "entailment")
    assert label_order("model", unnamed, given) == given
    for wrong in (("entailment", "not_entailment"), ("entailment", "neutral", "neutral"), ("a", "b", "c")):
        with pytest.raises(UsageError, match="--labels gives"):
            label_order("model", unnamed, wrong)


@pytest.mark.slow
def test_values_have_the_order_of_entailment_neutral_contradiction(engine: Engine) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    made = engine("nli")
    folder = made.model.folder
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSequenceClassification.from_pretrained(folder, dtype=torch.float64).eval()
    for pair, found in zip(PAIRS, values(made, PAIRS), strict=True):
        with torch.no_grad():
            given = tokenizer(*pair, return_tensors="pt", truncation=False, padding=False)
            contradiction, neutral, entailment = torch.log_softmax(model(**given).logits[0], -1).tolist()
        assert found == pytest.approx((entailment, neutral, contradiction), abs=1e-9)


def test_two_classes_are_two_columns(engine: Engine) -> None:
    made = engine("nli_two")
    assert made.labels == ("entailment", "not_entailment")
    assert made.order == ("not_entailment", "entailment")
    assert all(len(each) == 2 for each in values(made, PAIRS))


@pytest.mark.parametrize("name", ["nli", "nli_causal"])
def test_padding_batches_and_order_change_nothing(name: str, engine: Engine) -> None:
    expected = values(engine(name, batch_tokens=1), PAIRS)
    for found in (values(engine(name, batch_tokens=4096), PAIRS), values(engine(name), PAIRS[::-1])[::-1]):
        for one, other in zip(found, expected, strict=True):
            assert one == pytest.approx(other, abs=1e-9)


def test_the_last_layer_goes_on_with_the_token_that_the_head_reads(engine: Engine) -> None:
    made = engine("nli")
    seen: list[int] = []
    handle = made._model.bert.encoder.layer[-1].intermediate.register_forward_hook(
        lambda module, given, output: seen.append(output.shape[1])
    )
    values(made, PAIRS)
    handle.remove()
    assert set(seen) == {1}
    assert not engine("nli_causal").first_alone


def test_a_head_that_reads_every_token_gets_every_token(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    from gramprobe.score.engines import classifier

    def averaging(*arguments: Any) -> Any:
        loaded = load(*arguments)
        loaded.bert.pooler.forward = lambda hidden: hidden.mean(1)  # of the padding, too
        return loaded

    monkeypatch.setattr(classifier, "load", averaging)
    made = ClassifierEngine(model_folder(str(model("nli"))), Precision(dtype="float64"))
    found = made.load()
    assert found["tried"]["padded rows, last layer for the first token"] > 1e-3
    assert not made.first_alone
    alone = [values(made, [pair])[0] for pair in PAIRS]
    assert values(made, PAIRS) == [pytest.approx(each, abs=1e-9) for each in alone]


def test_a_head_on_a_causal_model_is_told_what_fills_rows_up(engine: Engine) -> None:
    made = engine("nli_causal")
    assert made.config.pad_token_id is None
    assert made.settings()["pad"] == {"id": made.tokens.tokenizer.eos_token_id, "from": "eos"}
    assert made._model.config.pad_token_id == made.tokens.tokenizer.eos_token_id


def test_sure_pairs_show_labels_in_a_wrong_order(model: Model) -> None:
    made = ClassifierEngine(
        model_folder(str(model("nli_unnamed"))), Precision(), ("entailment", "neutral", "contradiction")
    )
    found = made.load()
    assert found["sure_pairs"]["of"] == 4
    assert 0 <= found["sure_pairs"]["right"] <= 4
    assert made._is_right((-0.1, -3.0, -4.0), "entailment")
    assert not made._is_right((-3.0, -0.1, -4.0), "entailment")


def test_a_pair_is_not_cut_where_the_tokenizer_says_so(engine: Engine) -> None:
    prepared = engine("nli").prepare(Classify(*PAIRS[2]))
    assert not isinstance(prepared, Refusal)
    assert len(prepared.ids) > 8


def test_what_is_too_long_is_refused(engine: Engine) -> None:
    refused = engine("nli").prepare(Classify(" ".join(text for text, _ in PAIRS * 4), "A dog."))
    assert isinstance(refused, Refusal)
    assert refused.flag == "long"
    assert isinstance(engine("nli").prepare(Whole(("A dog.",))), Refusal)


# ---- the files of a model


def copied(folder: Path, to: Path) -> Path:
    shutil.copytree(folder, to)
    return to


def test_a_head_that_the_files_lack_is_refused(model: Model, tmp_path: Path) -> None:
    place = copied(model("bert"), tmp_path / "model")
    config = json.loads((place / "config.json").read_text())
    config["architectures"] = ["BertForSequenceClassification"]
    config["id2label"] = {"0": "entailment", "1": "neutral", "2": "contradiction"}
    (place / "config.json").write_text(json.dumps(config))
    with pytest.raises(UsageError, match=r"its files lack the weights of .* which would be random") as error:
        load(model_folder(str(place)), Precision())
    assert error.value.code == "E91"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda place: (place / "config.json").unlink(), "no config.json that can be read"),
        (lambda place: (place / "config.json").write_text("{"), "no config.json that can be read"),
        (
            lambda place: (place / "config.json").write_text('{"architectures": ["BertModel"]}'),
            "no head that can be scored",
        ),
        (lambda place: (place / "model.safetensors").unlink(), "it has no weights"),
        (lambda place: (place / "model.safetensors").rename(place / "pytorch_model.bin"), "its weights are pickled"),
    ],
)
def test_a_folder_that_is_no_model_is_refused(
    change: Callable[[Path], object], message: str, model: Model, tmp_path: Path
) -> None:
    place = copied(model("bert"), tmp_path / "model")
    change(place)
    with pytest.raises(UsageError, match=message) as error:
        model_folder(str(place))
    assert error.value.code == "E91"
    assert str(tmp_path) not in error.value.message


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda place: (place / "tokenizer.json").unlink(), "its tokenizer cannot be loaded"),
        (lambda place: (place / "model.safetensors").write_bytes(b"no tensors"), "it cannot be loaded"),
        (
            lambda place: (place / "config.json").write_text('{"architectures": ["XForMaskedLM"], "model_type": "x"}'),
            "cannot",
        ),
        (
            lambda place: (place / "config.json").write_text(
                '{"architectures": ["XForMaskedLM"], "model_type": "x", "auto_map": {"AutoConfig": "mine.XConfig"}}'
            ),
            "without code of its own",
        ),
    ],
)
def test_files_that_cannot_be_loaded_are_refused(
    change: Callable[[Path], object], message: str, model: Model, tmp_path: Path
) -> None:
    from gramprobe.score.engines.masked import MaskedEngine

    place = copied(model("bert"), tmp_path / "model")
    change(place)
    with pytest.raises(UsageError) as error:
        MaskedEngine(model_folder(str(place)), Precision()).load()
    assert error.value.code == "E91"
    assert message in f"{error.value.message} {error.value.help}"


def test_a_name_that_is_no_folder_is_refused() -> None:
    with pytest.raises(UsageError, match="there is no such folder"):
        model_folder("nowhere")


def test_an_id_of_the_hub_is_a_snapshot_with_its_commit(
    model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import huggingface_hub

    asked: list[tuple[str, str | None]] = []

    def snapshot(name: str, revision: str | None = None, allow_patterns: Sequence[str] = ()) -> str:
        assert not any(pattern.endswith((".bin", ".py")) or pattern == "*" for pattern in allow_patterns)
        asked.append((name, revision))
        return str(copied(model("bert"), tmp_path / "0123abc"))

    monkeypatch.setattr(huggingface_hub, "snapshot_download", snapshot)
    found = model_folder("owner/name", "main")
    assert (found.name, found.revision, found.kind) == ("owner/name", "0123abc", "masked")
    assert asked == [("owner/name", "main")]

    def unreachable(*_: object, **__: object) -> str:
        raise OSError("no route")

    monkeypatch.setattr(huggingface_hub, "snapshot_download", unreachable)
    with pytest.raises(UsageError, match="the Hugging Face hub does not give a model of that id"):
        model_folder("owner/name")


def test_code_of_the_models_own_is_never_run(model: Model, tmp_path: Path) -> None:
    place = copied(model("bert"), tmp_path / "model")
    config = json.loads((place / "config.json").read_text())
    config |= {"model_type": "mine", "auto_map": {"AutoConfig": "mine.C", "AutoModelForMaskedLM": "mine.M"}}
    (place / "config.json").write_text(json.dumps(config))
    (place / "mine.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nclass C: pass\nclass M: pass\n")
    with pytest.raises(UsageError):
        load(model_folder(str(place)), Precision())
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("options", "message"), [({"device": "nodevice"}, "no device"), ({"dtype": "int8"}, "need a GPU")]
)
def test_a_device_or_precision_that_is_not_there_is_refused(
    options: dict[str, str], message: str, model: Model
) -> None:
    with pytest.raises(UsageError, match=message) as error:
        load(model_folder(str(model("nli"))), Precision(**options))  # type: ignore[arg-type]
    assert error.value.code == "E91"
