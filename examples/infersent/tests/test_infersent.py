"""A classifier of InferSent's form: trained on pairs of a user, stored, and scored."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
import torch

from gramprobe.certify.rule import LABELS
from gramprobe.cli.main import main
from gramprobe.score.engines.folder import model_folder
from gramprobe.score.engines.weights import Precision
from gramprobe.score.request import Classify, Refusal
from gramprobe.score.results import read_scores
from gramprobe.source.diagnostic import UsageError
from gramprobe_infersent import train as training
from gramprobe_infersent.engine import InferSentEngine, Shape, encoded, logits, network
from gramprobe_infersent.folder import InferSentTrained
from gramprobe_infersent.train import InferSentOrder, train

NAMES = ("Kim", "Jo", "Al", "Bo", "Sam", "Max")
VERBS = ("left", "slept", "sang", "smiled")


def corpus(file: Path, count: int = 240, seed: int = 0) -> Path:
    """Pairs whose label follows from the hypothesis: *not* is a contradiction, *perhaps* is neutral."""
    random = np.random.default_rng(seed)
    rows = []
    for n in range(count):
        name, verb = random.choice(NAMES), random.choice(VERBS)
        label = LABELS[n % 3]
        word = {"entailment": "also", "neutral": "perhaps", "contradiction": "not"}[label]
        rows.append((f"{name} {verb}.", f"{name} {word} {verb}.", label))
    with file.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows([("premise", "hypothesis", "label"), *rows])
    return file


def encoder(folder: Path) -> Path:
    """A tiny encoder, whose input embeddings are vectors."""
    from transformers import BertConfig, BertModel, BertTokenizerFast

    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", "the", *map(str.lower, (*NAMES, *VERBS, "also", "not"))]
    (folder / "vocab.txt").write_text("\n".join(words), "utf-8")
    BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    sizes = {"hidden_size": 8, "intermediate_size": 8, "num_hidden_layers": 1, "num_attention_heads": 1}
    BertModel(BertConfig(vocab_size=len(words), **sizes)).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("infersent")
    pairs = corpus(place / "pairs.csv")
    small = InferSentOrder(
        corpora=(str(pairs),), out=str(place / "m"), hidden=16, head=16, dimensions=12, epochs=20, batch=8,
        optimizer="adam", rate=0.01,
    )  # fmt: skip
    train(small)
    return place / "m"


def test_it_learns_and_is_scored_like_any_classifier(trained: Path, tmp_path: Path) -> None:
    record = json.loads((trained / "infersent.json").read_bytes())
    assert (record["pairs"], record["validation_pairs"], record["unlabelled"], record["unknown"]) == (216, 24, 0, 0)
    assert record["epochs"][-1]["loss"] < record["epochs"][0]["loss"]
    kept = record["epochs"][record["kept"] - 1]["validation"]
    assert kept == max(each["validation"] for each in record["epochs"]) == 1.0
    file = corpus(tmp_path / "other.csv", 60, seed=1)
    command = ["score", str(file), "--task", "nli", "--model", f"infersent:{trained}", "--out", str(tmp_path / "s")]
    assert main(command) == 0
    scores = read_scores(tmp_path / "s")
    assert (scores.run.model.kind, scores.run.values) == ("classifier", list(LABELS))
    assert sorted(scores.run.settings.tokenizer) == ["words.txt"]
    rows = scores.table().to_pylist()
    given = [max(LABELS, key=lambda label, row=row: row[label]) for row in rows]  # type: ignore[misc]
    assert given == [LABELS[n % 3] for n in range(60)]
    assert sum(np.exp(rows[0][label]) for label in LABELS) == pytest.approx(1.0)


def test_the_same_seed_gives_the_same_weights_and_another_others(tmp_path: Path) -> None:
    pairs = corpus(tmp_path / "pairs.csv", 60)
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        options = {"hidden": 4, "head": 4, "dimensions": 3, "epochs": 2, "batch": 16}
        train(InferSentOrder(corpora=(str(pairs),), out=str(tmp_path / name), seed=seed, **options))  # type: ignore[arg-type]
    a, b, c = ((tmp_path / name / "model.safetensors").read_bytes() for name in "abc")
    assert a == b != c


# ---- the training of the paper


def small(pairs: Path, out: Path, **options: Any) -> InferSentOrder:
    return InferSentOrder(
        corpora=(str(pairs),), out=str(out),
        **{"hidden": 4, "head": 4, "dimensions": 3, "epochs": 5, "batch": 16, **options},
    )  # fmt: skip


def test_defaults_are_those_of_the_paper() -> None:
    base = InferSentOrder(corpora=(), out="")
    assert (base.optimizer, base.learning_rate, base.batch, base.head, base.epochs) == ("sgd", 0.1, 64, 512, 20)
    assert msgspec.structs.replace(base, optimizer="adam").learning_rate == 0.001


def test_the_rate_falls_as_in_the_paper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = corpus(tmp_path / "pairs.csv", 60)
    reached = [0.2, 0.5, 0.5, 0.4, 0.6, 0.1, 0.1, 0.1, 0.1, 0.1]
    answers = iter(reached)
    monkeypatch.setattr(training, "accuracy", lambda net, rows: next(answers))
    record = train(small(pairs, tmp_path / "m", epochs=20))
    rate, best, rates = 0.1, -1.0, []
    for right in reached:
        rates.append(rate)
        rate, best = (rate, right) if right > best else (rate / 5, best)
        if rate < 1e-5:
            break
        rate *= 0.99
    assert [epoch.rate for epoch in record.epochs] == pytest.approx(rates)
    assert len(rates) == 9 and record.kept == 5  # the sixth division by 5 ends it
    answers = iter(reached)
    steady = train(small(pairs, tmp_path / "n", epochs=10, optimizer="adam", rate=0.01))
    assert [epoch.rate for epoch in steady.epochs] == [0.01] * 10


def test_it_is_gradient_descent_written_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Epochs by hand: the weights minus the rate times the gradient, whose norm is bounded."""
    assert training.NORM == 5.0
    monkeypatch.setattr(training, "NORM", 0.1)
    from safetensors.torch import load_file

    pairs = corpus(tmp_path / "pairs.csv", 30)
    order = small(pairs, tmp_path / "m", epochs=2, rate=2.0, validation=(str(pairs),))
    record = train(order)
    found, _ = training._corpora(order, training.Sources())
    lexicon, matrix = training._lexicon(order, found, training.Sources())
    rows = training._numbered(found, lexicon, LABELS)
    torch.manual_seed(0)
    net = network(Shape(words=len(matrix), dimensions=3, hidden=4, head=4, labels=LABELS))
    net["vectors"].weight.data.copy_(torch.from_numpy(matrix))
    random, cut = np.random.default_rng(0), 0
    for epoch in record.epochs[: record.kept]:
        turns = random.permutation(30).tolist()
        for places in (turns[:16], turns[16:]):
            premises, hypotheses, labels = rows.batch(places)
            net.zero_grad()
            torch.nn.functional.cross_entropy(logits(net, premises, hypotheses), torch.tensor(labels)).backward()
            norm = sum(float((weight.grad**2).sum()) for weight in net.parameters()) ** 0.5
            cut += norm > 0.1
            for weight in net.parameters():
                weight.data -= epoch.rate * min(1.0, 0.1 / norm) * weight.grad
    assert cut
    for name, weight in load_file(tmp_path / "m" / "model.safetensors").items():
        assert torch.allclose(weight, net.state_dict()[name], atol=1e-4, rtol=1e-4), name


# ---- trainings that were ended

DYING = """\
import os, signal, sys
import msgspec
from gramprobe_infersent import train as training
from gramprobe_infersent.folder import InferSentFolder

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

order, where = msgspec.json.decode(sys.argv[1])
show = lambda what, done, of: None
if where == "step":  # of the third epoch
    show = lambda what, done, of: die() if what == "epoch 3" and done % 2 else None
elif where == "keep":  # trained, and nothing kept of the third epoch
    kept = InferSentFolder.keep
    InferSentFolder.keep = lambda self, state: die() if len(state.left.epochs) == 3 else kept(self, state)
else:  # nothing put in place
    InferSentFolder.end = die
training.train(msgspec.convert(order, training.InferSentOrder), show)
"""


@pytest.mark.process
@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
def test_a_killed_training_goes_on_and_ends_with_the_same_weights(optimizer: Any, tmp_path: Path) -> None:
    pairs = corpus(tmp_path / "pairs.csv", 60)
    whole = train(small(pairs, tmp_path / "whole", optimizer=optimizer))
    for where, from_epoch in (("step", 2), ("keep", 2), ("end", len(whole.epochs))):
        what = small(pairs, tmp_path / where, optimizer=optimizer)
        command = [sys.executable, "-c", DYING, msgspec.json.encode([what, where]).decode()]
        assert subprocess.run(command, check=False).returncode == -9
        assert not (tmp_path / where / "model.safetensors").exists()
        with pytest.raises(UsageError, match="has a training that was not finished"):
            train(what)
        record = train(msgspec.structs.replace(what, resume=True))
        assert record.sessions[0].from_epoch == from_epoch
        assert msgspec.structs.replace(record, sessions=[]) == msgspec.structs.replace(whole, sessions=[])
        names = [sorted(path.name for path in (tmp_path / name).iterdir()) for name in (where, "whole")]
        assert names[0] == names[1] == ["config.json", "infersent.json", "model.safetensors", "words.txt"]
        one, other = ((tmp_path / name / "model.safetensors").read_bytes() for name in (where, "whole"))
        assert one == other


def test_an_interrupted_training_with_fixed_vectors_goes_on(tmp_path: Path) -> None:
    pairs, vectors = corpus(tmp_path / "pairs.csv", 60), tmp_path / "v.txt"
    words = ["kim", "jo", "al", "bo", "sam", "max", "left", "slept", "also", "perhaps", "not"]
    vectors.write_text("".join(f"{word} {n} 0.5 -1\n" for n, word in enumerate(words)), "utf-8")

    def ending(what: str, done: int, of: int) -> None:
        if what == "epoch 2":
            raise KeyboardInterrupt

    what = small(pairs, tmp_path / "m", vectors=str(vectors))
    with pytest.raises(KeyboardInterrupt):
        train(what, ending)
    left = tmp_path / "m" / ".progress" / "epoch.safetensors"
    from safetensors.torch import load_file

    assert not any("vectors" in name for name in load_file(left))  # as large as they are, nothing changes them
    train(msgspec.structs.replace(what, resume=True))
    train(msgspec.structs.replace(what, out=str(tmp_path / "n")))
    one, other = ((tmp_path / name / "model.safetensors").read_bytes() for name in "mn")
    assert one == other


def test_a_training_goes_on_only_with_its_settings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], trained: Path
) -> None:
    def ending(what: str, done: int, of: int) -> None:
        if what == "epoch 2":
            raise KeyboardInterrupt

    pairs = corpus(tmp_path / "pairs.csv", 60)
    what = small(pairs, tmp_path / "m", resume=True)
    with pytest.raises(KeyboardInterrupt):
        train(what, ending)
    for changed, said in (({"rate": 0.5}, "`rate` was 0.1 and is 0.5"), ({"seed": 1}, "`seed` was 0 and is 1")):
        with pytest.raises(UsageError, match=said) as error:
            train(msgspec.structs.replace(what, **changed))
        assert error.value.code == "E59"
    corpus(pairs, 60, seed=5)
    with pytest.raises(UsageError, match="`corpora` was"):
        train(what)
    corpus(pairs, 60)
    state = tmp_path / "m" / ".progress" / "epoch.safetensors"
    whole = state.read_bytes()
    for damaged in (b"", b"\xff" * 100, whole[:-7]):
        state.write_bytes(damaged)
        with pytest.raises(UsageError, match="what the last epoch left cannot be read"):
            train(what)
    state.write_bytes(whole)
    assert train(what).sessions[0].from_epoch == 1
    again = train(what)  # a finished one is given at once
    assert len(again.epochs) == 5
    (tmp_path / "m" / "infersent.json").write_text("{}")
    with pytest.raises(UsageError, match="it is no record of a training"):
        train(what)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").touch()
    with pytest.raises(UsageError, match="is not a folder of a training"):
        train(small(pairs, tmp_path / "other", resume=True))


def test_a_loss_that_is_no_number_leaves_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairs = corpus(tmp_path / "pairs.csv", 60)
    out = tmp_path / "m"
    command = ["infersent", str(pairs), "--out", str(out), "--hidden", "4", "--epochs", "2", "--batch", "8"]
    assert main([*command, "--rate", "1e38"]) == 2
    assert "error[E59]" in (err := capsys.readouterr().err) and "the loss of epoch" in err
    assert "--rate 0.1\n" in err
    assert main([*command, "--rate", "0.1"]) == 0


def test_its_answer_is_of_its_schema(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairs = corpus(tmp_path / "pairs.csv", 60)
    (tmp_path / "more").mkdir()
    other = corpus(tmp_path / "more" / "pairs.csv", 30, seed=3)
    out = tmp_path / "m"
    command = ["infersent", str(pairs), str(other), "--out", str(out), "--hidden", "4", "--epochs", "2", "--json"]
    assert main(command) == 0
    answer = msgspec.json.decode(capsys.readouterr().out, type=InferSentTrained, strict=True)
    assert answer.folder == str(out)
    record = json.loads((out / "infersent.json").read_bytes())
    assert record == msgspec.to_builtins(answer.training)
    assert sorted(record["settings"]["corpora"]) == ["pairs.csv", "pairs.csv (2)"]
    assert str(tmp_path) not in json.dumps(record)
    assert main([*command[:-1], "--resume"]) == 0  # what it printed, printed again
    assert "kept" in capsys.readouterr().out


def test_the_features_are_those_of_the_paper() -> None:
    torch.manual_seed(0)
    net = network(Shape(words=9, dimensions=3, hidden=2, head=5, labels=LABELS)).eval()
    one, other = [1, 2, 3], [4, 5]
    u, v = (encoded(net, [sentence])[0] for sentence in (one, other))
    states = net["encoder"](net["vectors"](torch.tensor([one])))[0][0]
    assert torch.allclose(u, states.max(dim=0).values)
    features = torch.cat([u, v, (u - v).abs(), u * v])
    assert torch.allclose(logits(net, [one], [other])[0], net["head"](features))
    # beside a longer sentence the shorter one is padded, which must change nothing
    assert torch.allclose(encoded(net, [other, [1, 2, 3, 4, 5, 6]])[0], v, atol=1e-6)


def test_words_without_a_vector_are_left_out_and_marked(trained: Path) -> None:
    engine = InferSentEngine(model_folder(str(trained), headless=True), Precision())
    engine.load()
    known, strange = (engine.prepare(Classify("Kim left.", text)) for text in ("Kim left.", "Kim left yesterday."))
    nothing = engine.prepare(Classify("Kim left.", "Yesterday?"))
    assert isinstance(nothing, Refusal) and nothing.flag == "vocabulary"
    answers = engine.answer([known, strange])  # type: ignore[list-item]
    assert answers[0][0].flags == () and answers[1][0].flags == ("unknown_word",)
    assert answers[0][0].values == pytest.approx(answers[1][0].values)


def test_vectors_of_others_stay_as_they_are(tmp_path: Path) -> None:
    from safetensors.torch import load_file

    pairs = corpus(tmp_path / "pairs.csv", 60)
    words = ["kim", "jo", "al", "left", "slept", "also", "perhaps", "not"]
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("".join(f"{word} {n} 0.5 -1\n" for n, word in enumerate(words)), "utf-8")
    order = InferSentOrder(
        corpora=(str(pairs),), out=str(tmp_path / "m"), vectors=str(vectors), hidden=4, head=4, epochs=2
    )
    record = train(order)
    found = load_file(tmp_path / "m" / "model.safetensors")["vectors.weight"]
    assert found.tolist() == [[n, 0.5, -1] for n in range(len(words))]
    assert (tmp_path / "m" / "words.txt").read_text().split() == words
    assert record.unknown > 0  # premises such as *Sam sang.* have no word with a vector
    assert record.pairs + record.validation_pairs + record.unknown == 60
    (tmp_path / "bert").mkdir()
    bert = encoder(tmp_path / "bert")
    train(InferSentOrder(corpora=(str(pairs),), out=str(tmp_path / "n"), vectors=str(bert), hidden=4, head=4, epochs=1))
    engine = InferSentEngine(model_folder(str(tmp_path / "n"), headless=True), Precision())
    engine.load()
    assert not isinstance(engine.prepare(Classify("Kim left.", "Kim slept.")), Refusal)


def test_pairs_without_a_label_are_counted_and_two_labels_are_two(tmp_path: Path) -> None:
    rows = [("Kim left.", "Kim went.", label) for label in ("entailment", "not_entailment", "neutral", "-", "") * 8]
    with (tmp_path / "p.csv").open("w", newline="") as stream:
        csv.writer(stream).writerows([("premise", "hypothesis", "label"), *rows])
    order = InferSentOrder(
        corpora=(str(tmp_path / "p.csv"),), out=str(tmp_path / "m"), hidden=3, head=3, dimensions=2, epochs=1
    )
    record = train(order)
    assert record.labels == ["entailment", "not_entailment"]
    assert (record.unlabelled, record.pairs + record.validation_pairs) == (16, 24)


@pytest.mark.parametrize(
    ("name", "text", "code", "what"),
    [
        ("p.csv", "premise,hypothesis\na,b\n", "E46", "label"),
        ("p.csv", "premise,hypothesis,label\na,b,maybe\n", "E46", "line 2: `maybe` in `label`"),
        ("p.csv", "premise,hypothesis,label\na,b,-\n", "E58", "no labelled pair to train on"),
        ("p.jsonl", '{"premise": "a"\n', "E46", "line 1"),
        ("p.pdf", "<a/>", "E46", "`.pdf` is no format"),
    ],
)
def test_a_corpus_in_a_wrong_format_is_an_error_and_nothing_is_written(
    name: str, text: str, code: str, what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    assert main(["infersent", str(tmp_path / name), "--out", str(tmp_path / "m")]) == 2
    err = capsys.readouterr().err
    assert f"error[{code}]" in err and what in err
    assert not (tmp_path / "m").exists()


def test_a_damaged_model_is_refused(trained: Path, tmp_path: Path) -> None:
    import shutil

    shutil.copytree(trained, tmp_path / "m")
    config = json.loads((tmp_path / "m" / "config.json").read_bytes())
    (tmp_path / "m" / "config.json").write_text(json.dumps({**config, "hidden": 17}))
    with pytest.raises(UsageError, match="its weights do not fit"):
        InferSentEngine(model_folder(str(tmp_path / "m"), headless=True), Precision()).load()
    (tmp_path / "m" / "config.json").write_text(json.dumps({**config, "labels": ["yes", "no"]}))
    with pytest.raises(UsageError, match="does not say its sizes and labels"):
        InferSentEngine(model_folder(str(tmp_path / "m"), headless=True), Precision())


def test_a_folder_that_is_there_is_left_alone(trained: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (trained / "model.safetensors").read_bytes()
    pairs = trained.parent / "pairs.csv"
    assert main(["infersent", str(pairs), "--out", str(trained)]) == 2
    assert "error[E59]" in capsys.readouterr().err
    assert (trained / "model.safetensors").read_bytes() == before


def test_a_dataset_without_rows_to_train_on_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "presupposition/only", "--n", "4", "--out", str(tmp_path)]) == 0
    data = tmp_path / "presupposition--only"
    assert main(["infersent", str(data), "--out", str(tmp_path / "m")]) == 2
    err = capsys.readouterr().err
    assert "error[E58]" in err and "has no rows of the split `train`" in err
    assert not (tmp_path / "m").exists()
