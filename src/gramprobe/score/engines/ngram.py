"""An n-gram model of a corpus, scored like a causal model: `--model ngram:FILE` (`gramprobe.baselines.ngrams`)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gramprobe.baselines.ngrams import NGrams, words_of
from gramprobe.formats.tabular import missing
from gramprobe.language import english
from gramprobe.records import sha256_of
from gramprobe.score.model import Fileless, ModelKind, Opened, Wanted
from gramprobe.score.request import Continue, Fill, NoChat, Pick, Refusal, Regions, Reply, Request, Whole
from gramprobe.source import messages


@dataclass(frozen=True, slots=True)
class Prepared:
    """Texts as words. ``parts``: for each part its words, and the places of them that are added."""

    parts: tuple[tuple[tuple[str, ...], int, int], ...]


class NGramEngine(NoChat):
    """The engine of an n-gram model."""

    kind = "ngram"
    labels: tuple[str, ...] = ()

    def __init__(self, model: NGrams) -> None:
        self._model = model

    def prepare(self, request: Request) -> Prepared | Refusal:
        match request:
            case Continue(context, texts) if isinstance(context, str):
                # The spellings of a part are one to a model of words: ` A` and `A`.
                return _behind(words_of(context), [words_of(spellings[0]) for spellings in texts])
            case Whole(texts):
                return _behind([], [words_of(text) for text in texts])
            case Fill(text, slot, candidates):
                before, _, after = text.partition(slot)
                return _behind(words_of(before), [words_of(candidate + after) for candidate in candidates])
            case Pick(sentence, options):
                return _behind(words_of(sentence), list(map(words_of, options)))
            case Regions(regions):
                return _regions([words_of(region) for region in regions])
        return Refusal("mode", "an n-gram model does not classify, and has no chat")

    def settings(self) -> dict[str, Any]:
        return {"order": self._model.order, "smoothing": "interpolated Kneser-Ney", "join": "sentences are independent"}

    def load(self) -> dict[str, Any]:
        """How large the corpus is."""
        model = self._model
        return {"sentences": model.sentences, "tokens": model.tokens, "words": len(model.vocabulary)}

    def answer(self, prepared: Sequence[Prepared]) -> list[tuple[Reply, ...]]:
        return [tuple(self._answer(*part) for part in each.parts) for each in prepared]

    def _answer(self, words: tuple[str, ...], start: int, end: int) -> Reply:
        model = self._model
        flags = () if all(map(model.known, words[start:end])) else ("unknown_word",)
        return Reply((math.fsum(model.text(words)[start:end]),), end - start, flags)


def _behind(before: Sequence[str], every: Sequence[Sequence[str]]) -> Prepared | Refusal:
    if not all(every):
        return Refusal("empty", "a text has no word")
    return Prepared(tuple(((*before, *words), len(before), len(before) + len(words)) for words in every))


def _regions(regions: Sequence[Sequence[str]]) -> Prepared | Refusal:
    if not all(regions):
        return Refusal("empty", "a region has no word")
    whole = tuple(word for region in regions for word in region)
    parts, start = [], 0
    for region in regions:
        parts.append((whole, start, start + len(region)))
        start += len(region)
    return Prepared(tuple(parts))


def _opened(place: str, wanted: Wanted) -> Opened:
    """The n-gram model of a corpus. Raises UsageError (E44, E46, E91)."""
    wanted.check_kind("ngram")
    wanted.check_languages()
    languages = {each.code: each for each in (wanted.source.tables[n].language or english() for n in wanted.tables)}
    if len(languages) > 1:
        raise messages.score.two_languages(wanted.order.model, list(languages))
    file = Path(place)
    try:
        files = {"weights": {file.name: sha256_of(file)}}
    except OSError as error:
        raise missing(file, error) from None
    engine = NGramEngine(NGrams.read(file, wanted.order.ngram, next(iter(languages.values()))))
    return Opened(engine, Fileless(f"ngram:{file.name}", "ngram", files=files))


KIND = ModelKind(_opened, "name a file of plain text", place="file")
