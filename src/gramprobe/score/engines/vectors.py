"""Word vectors of others, and a reader that averages them: `--model vectors:PLACE`.

A place is a folder with a model, whose input embeddings are vectors of its tokens, or a text file with a word and its
numbers in each line (GloVe, Pennington et al. 2014; the first line of word2vec's form, two counts, is passed over).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gramprobe.baselines.logistic import probabilities
from gramprobe.baselines.views import tokens_of
from gramprobe.certify.rule import LABELS
from gramprobe.language import Language
from gramprobe.records import sha256_of
from gramprobe.score.engines.reader import Floats, Reader, ReaderEngine, Rows, check_package
from gramprobe.score.model import Fileless, ModelKind, Opened, Wanted
from gramprobe.source import messages

Matrix = NDArray[np.float32]


class Vectors(Protocol):
    """Vectors of words or of a tokenizer's tokens.

    Attributes:
        name: the file's or the folder's name.
        matrix: (words, dimensions).
    """

    @property
    def name(self) -> str: ...

    @property
    def matrix(self) -> Matrix: ...

    def numbers(self, text: str, language: Language | None = None) -> Sequence[int]:
        """The rows of the matrix that a text is made of; what has no vector is left out. ``language``: English by
        default."""

    def hashes(self) -> dict[str, dict[str, str]]:
        """The SHA-256 of its files, as in the settings of a run."""


def open_vectors(place: str, words: Iterable[str] | None = None) -> Vectors:
    """The vectors at a place. ``words``: of a text file only these are kept.

    Raises UsageError (E91) for a place that is neither, or cannot be read.
    """
    if Path(place).is_file():
        return WordFile.read(Path(place), None if words is None else set(words))
    if not Path(place).exists() and "/" not in place:
        raise messages.score.unusable_model(
            place, "there is no such file or folder", "give a file of word vectors, or a folder with a model"
        )
    return ModelVectors(place)


@dataclass(frozen=True)
class WordFile:
    """The vectors of a text file. Words are compared in small letters."""

    file: Path
    words: dict[str, int]
    matrix: Matrix

    @classmethod
    def read(cls, file: Path, wanted: set[str] | None) -> WordFile:
        """The vectors of a file, or those of the words that are wanted; of a word that it has twice, the first.

        Raises UsageError (E91).
        """
        words: dict[str, int] = {}
        rows: list[Matrix] = []
        width = 0
        try:
            with file.open("rb") as lines:
                for number, raw in enumerate(lines, 1):
                    try:
                        cells = raw.decode("utf-8").rstrip().split(" ")
                    except UnicodeDecodeError:
                        raise _unreadable(file, number, "it is not UTF-8") from None
                    if number == 1 and len(cells) == 2:
                        continue
                    width = width or len(cells) - 1
                    word, cells = " ".join(cells[:-width]).lower(), cells[-width:]
                    if not word or width < 1:
                        raise _unreadable(file, number, f"it has not a word and {max(width, 1)} numbers")
                    if word in words or (wanted is not None and word not in wanted):
                        continue
                    words[word] = len(rows)
                    rows.append(_vector(file, number, word, cells))
        except OSError as error:
            raise messages.score.unusable_model(
                file.name, f"it cannot be read ({error.strerror})", "give another file of vectors, or a model"
            ) from None
        if not width:
            raise _unreadable(file, 1, "it has no vectors")
        return cls(file, words, np.array(rows, np.float32).reshape(-1, width))

    @property
    def name(self) -> str:
        return self.file.name

    def numbers(self, text: str, language: Language | None = None) -> Sequence[int]:
        return [self.words[word] for word in tokens_of(text, language) if word in self.words]

    def hashes(self) -> dict[str, dict[str, str]]:
        return {"weights": {self.file.name: sha256_of(self.file)}, "tokenizer": {}, "config": {}}


class ModelVectors:
    """The input embeddings of a model: a vector for each token of its vocabulary, whatever stands around it.

    Raises UsageError (E91) for a folder that is no model.
    """

    def __init__(self, place: str) -> None:
        from gramprobe.score.engines.folder import model_folder
        from gramprobe.score.engines.tokens import Tokens

        self.folder = model_folder(place, headless=True)
        self.name = self.folder.name
        self._tokens = Tokens(self.folder)
        self._matrix: Matrix | None = None

    @property
    def matrix(self) -> Matrix:
        if self._matrix is None:
            self._matrix = _embeddings(self.folder)
        return self._matrix

    @property
    def tokenizer(self) -> str:
        """The tokenizer, as JSON of the package tokenizers."""
        return self._tokens.as_json()

    def numbers(self, text: str, language: Language | None = None) -> Sequence[int]:
        return self._tokens.ids(text)

    def hashes(self) -> dict[str, dict[str, str]]:
        return self.folder.hashes()


def _opened(place: str, wanted: Wanted) -> Opened:
    """The reader of averaged word vectors at a place. Raises UsageError (E91)."""
    wanted.check_kind("reader")
    wanted.check_languages()
    if wanted.picks:
        raise messages.score.wrong_kind(wanted.order.model, "vectors", wanted.mode.name, wanted.mode.kinds, [])
    check_package("scipy")
    vectors = open_vectors(place, _words(wanted))
    name = f"vectors:{vectors.name}"
    about = "the means of the word vectors of each sentence, by logistic regression"
    reader = Reader(name, about, lambda rows, words: averaged(rows, vectors))
    return Opened(ReaderEngine(reader, name, wanted), Fileless(name, "reader", files=vectors.hashes()))


def _words(wanted: Wanted) -> Iterator[str]:
    """The words of all texts that are scored."""
    for table, columns in wanted.columns.items():
        for item in wanted.source.rows(table, columns):
            for text in item.row.values():
                if isinstance(text, str):
                    yield from tokens_of(text, wanted.source.tables[table].language)


KIND = ModelKind(_opened, "name a file of word vectors, or a folder with a model", place="folder")


def _embeddings(folder: Any) -> Matrix:
    from transformers import AutoModel

    from gramprobe.score.engines.weights import first_line, quiet

    quiet()
    try:
        model = AutoModel.from_pretrained(
            folder.folder, local_files_only=True, trust_remote_code=False, use_safetensors=True
        )
        found: Matrix = model.get_input_embeddings().weight.detach().float().numpy()
    except Exception as error:
        raise messages.score.unusable_model(
            folder.name, f"its input embeddings cannot be read: {first_line(error)}", "give another model"
        ) from None
    return found


def averaged(rows: Rows, vectors: Vectors) -> Floats:
    """(rows, labels) probabilities by the means u and v of the vectors of premise and hypothesis.

    The features are u, v, |u - v| and u * v, as behind the sentence encoders of Conneau et al. (2017), each brought to
    mean 0 and variance 1.
    """
    texts = {text: n for n, text in enumerate(dict.fromkeys(text for _, *both in rows.keys for text in both))}
    means = np.zeros((len(texts), vectors.matrix.shape[1]), np.float32)
    for text, n in texts.items():
        numbers = vectors.numbers(text, rows.language)
        if len(numbers):
            means[n] = vectors.matrix[list(numbers)].mean(axis=0)
    u, v = (means[[texts[key[at]] for key in rows.keys]] for at in (1, 2))
    features = np.hstack([u, v, np.abs(u - v), u * v])
    spread = features.std(axis=0)
    features = (features - features.mean(axis=0)) / np.where(spread > 0, spread, 1)
    return probabilities(features, rows.labels, rows.instances, len(LABELS))


def _vector(file: Path, line: int, word: str, cells: Sequence[str]) -> Matrix:
    """(dimensions,) the numbers behind a word. Raises UsageError (E91)."""
    try:
        found = np.array(cells, np.float32)
    except ValueError:
        raise _unreadable(file, line, "what stands behind the word is no number") from None
    if not np.isfinite(found).all():
        raise _unreadable(file, line, f"a number of `{word}` is not finite")
    return found


def _unreadable(file: Path, line: int, what: str) -> Exception:
    return messages.score.unusable_model(
        file.name, f"line {line}: {what}", "a file of vectors has a word and its numbers in each line, as GloVe's"
    )
