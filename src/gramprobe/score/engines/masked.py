"""Masked language models: log-probabilities of tokens that are masked.

A candidate in a slot is masked as a whole, and its score is the mean over its tokens, all predicted at once (the span
score of Liu et al. 2019 for the Winograd Schema Challenge, used by Kamath & Bradford 2023). A text has a
pseudo-log-likelihood: each token is masked in turn (Salazar et al. 2020), by default together with the later tokens of
its word, since a model otherwise reads off the rest of a word (Kauf & Ivanova 2023).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gramprobe.score.engines.folder import ModelFolder
from gramprobe.score.engines.forward import LOGITS, only_at
from gramprobe.score.engines.padding import Text, inputs
from gramprobe.score.engines.probe import known_tokens, probed
from gramprobe.score.engines.rows import batches, cut, within
from gramprobe.score.engines.tokens import Encoded, Tokens
from gramprobe.score.engines.weights import AGREEMENT, Precision, config_of, load, longest_text
from gramprobe.score.request import Fill, NoChat, Refusal, Regions, Reply, Request, Whole
from gramprobe.source import messages


@dataclass(frozen=True, slots=True)
class Masked:
    """A text with masks: its tokens, and the places that are scored with the tokens that stand there."""

    text: Text
    places: tuple[int, ...]
    targets: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A request as masked texts, and for each part the numbers of its texts."""

    texts: tuple[Masked, ...]
    parts: tuple[tuple[int, ...], ...]


class MaskedEngine(NoChat):
    """A masked language model. Raises UsageError (E91) for a tokenizer without a mask."""

    kind = "masked"
    labels: tuple[str, ...] = ()

    def __init__(self, model: ModelFolder, precision: Precision, metric: str = "word_l2r") -> None:
        self.model, self.precision, self.metric = model, precision, metric
        self.config = config_of(model)
        self.tokens = Tokens(model)
        self.longest = longest_text(self.config, self.tokens.longest)
        tokenizer = self.tokens.tokenizer
        if tokenizer.mask_token_id is None:
            raise messages.score.unusable_model(
                model.name, "its tokenizer has no mask", "give the tokenizer that it was trained with"
            )
        self.mask: int = tokenizer.mask_token_id
        pads = (tokenizer.pad_token_id, self.config.pad_token_id, 0)
        self.pad: int = next(each for each in pads if each is not None)
        self.typed = "token_type_ids" in tokenizer.model_input_names
        self.selected, self.single = True, False
        self._model: Any = None

    def settings(self) -> dict[str, Any]:
        return {"pll": self.metric, "pad": self.pad, "mask": self.mask}

    # -- requests to tokens

    def prepare(self, request: Request) -> Prepared | Refusal:
        match request:
            case Fill(text, slot, candidates):
                before, _, after = text.partition(slot)
                made = [self._filled(before, candidate, after) for candidate in candidates]
                if any(each is None for each in made):
                    return Refusal("join", "a token goes across the border of a candidate")
                texts = [each for each in made if each is not None]
                return self._checked(Prepared(tuple(texts), tuple((n,) for n in range(len(texts)))))
            case Whole(texts_):
                copies = [list(self._copies(self.tokens.encode(text))) for text in texts_]
                return self._checked(_in_parts(copies))
            case Regions(regions):
                return self._regions(regions)
        return Refusal("mode", "a masked model does not continue texts")

    def _filled(self, before: str, candidate: str, after: str) -> Masked | None:
        """A text with the candidate's tokens masked, with the space before it where that is a token or part of one.

        None if a token of it has characters of its neighbours.
        """
        text = before + candidate + after
        encoded = self.tokens.encode(text)
        start, end = len(before), len(before) + len(candidate)
        spaced = start - 1 if before.endswith(" ") else start
        places = []
        for number, (first, last) in enumerate(encoded.offsets):
            if spaced <= first < end and last <= end:
                places.append(number)
            elif first < end and last > start:
                return None
        return self._masked(encoded, places, places) if places else None

    def _masked(self, encoded: Encoded, hidden: Sequence[int], scored: Sequence[int]) -> Masked:
        before, after = self.tokens.around
        ids = [*encoded.ids]
        for place in hidden:
            ids[place] = self.mask
        whole = (*before, *ids, *after)
        places = tuple(len(before) + place for place in scored)
        return Masked(Text(whole, (0,) * len(whole)), places, tuple(encoded.ids[place] for place in scored))

    def _copies(self, encoded: Encoded) -> Iterator[Masked]:
        """The text once for each of its tokens, with that token masked."""
        for place, word in enumerate(encoded.words):
            hidden = [place]
            if self.metric == "word_l2r" and word is not None:
                hidden = [n for n in range(place, len(encoded.ids)) if encoded.words[n] == word]
            yield self._masked(encoded, hidden, [place])

    def _regions(self, regions: Sequence[str]) -> Prepared | Refusal:
        encoded, owners = self.tokens.of_regions(regions)
        if owners is None:
            return Refusal("join", "a token goes across the border of two regions")
        copies = list(self._copies(encoded))
        return self._checked(
            _in_parts([[c for c, o in zip(copies, owners, strict=True) if o == n] for n in range(len(regions))])
        )

    def _checked(self, prepared: Prepared) -> Prepared | Refusal:
        if not all(prepared.parts):
            return Refusal("empty", "a part of it has no tokens")
        longest = max(len(each.text.ids) for each in prepared.texts)
        if self.longest is not None and longest > self.longest:
            return Refusal("long", f"it has {longest:,} tokens, and the model takes {self.longest:,}")
        highest = max(max(each.text.ids) for each in prepared.texts)
        if highest >= self.config.vocab_size:
            return Refusal("vocabulary", f"its token {highest} is not in the model's vocabulary")
        return prepared

    # -- forward passes

    def load(self) -> dict[str, Any]:
        self._model = load(self.model, self.precision)
        texts = self._probe_texts()
        self.selected, self.single = False, True
        expected = self._score(texts)
        self.single = False
        ways = {
            f"padded rows, logits {'where scored' if selected else 'everywhere'}": selected
            for selected in (True, False)
            if not selected or self._model.base_model is not self._model
        }

        def scored(selected: bool) -> list[list[float]]:
            self.selected = selected
            return self._score(texts)

        found = probed(ways, scored, expected, AGREEMENT[self.precision.dtype])
        way = ways.get(found["rows"])
        self.selected, self.single = bool(way), way is None
        return found

    def _probe_texts(self) -> list[Masked]:
        """Masked texts of several lengths, with random tokens that are not special: fixed by the vocabulary."""
        import numpy as np

        known = known_tokens(self.config.vocab_size, frozenset(self.tokens.tokenizer.all_special_ids))
        draw = np.random.default_rng(0)
        texts = []
        for count, hidden in ((3, [1]), (9, [2, 3]), (20, [0, 11])):
            if self.longest is None or count + 4 <= self.longest:
                ids = tuple(int(n) for n in draw.choice(known, count))
                encoded = Encoded(ids, ((0, 0),) * count, (None,) * count)
                texts.append(self._masked(encoded, hidden, hidden))
        return texts or [self._masked(Encoded((int(known[0]),), ((0, 0),), (None,)), [0], [0])]

    def answer(self, prepared: Sequence[Prepared]) -> list[tuple[Reply, ...]]:
        scored = self._score([text for each in prepared for text in each.texts])
        answers = []
        for each, mine in zip(prepared, cut(scored, (len(each.texts) for each in prepared)), strict=True):
            values = [[value for n in numbers for value in mine[n]] for numbers in each.parts]
            answers.append(tuple(Reply((math.fsum(every),), len(every)) for every in values))
        return answers

    def _score(self, texts: Sequence[Masked]) -> list[list[float]]:
        """For each masked text the log-probabilities of its scored tokens. Equal texts are run once: two candidates of
        one length leave the same masks."""
        unique: dict[Text, list[int]] = {}
        for number, each in enumerate(texts):
            unique.setdefault(each.text, []).append(number)
        found: list[list[float]] = [[] for _ in texts]
        rows = list(unique)
        for batch in self._batches(rows, texts, unique):
            owners = [(place, number) for place, n in enumerate(batch) for number in unique[rows[n]]]
            chosen = [(place, texts[number]) for place, number in owners]
            values = self._run([rows[n] for n in batch], chosen)
            for (_, number), scored in zip(owners, values, strict=True):
                found[number] = scored
        return found

    def _batches(
        self, rows: Sequence[Text], texts: Sequence[Masked], unique: dict[Text, list[int]]
    ) -> Iterator[list[int]]:
        if self.single:
            yield from ([number] for number in range(len(rows)))
            return
        most = max(1, LOGITS // self.config.vocab_size)
        places = [sum(len(texts[n].places) for n in unique[row]) if self.selected else len(row.ids) for row in rows]
        for batch in batches([len(row.ids) for row in rows], self.precision.batch_tokens, self.precision.device_type):
            yield from within(batch, places, most)

    def _run(self, rows: Sequence[Text], chosen: Sequence[tuple[int, Masked]]) -> list[list[float]]:
        """One forward pass. ``chosen``: for each masked text its row and what is scored there."""
        import numpy as np
        import torch

        width = max(len(row.ids) for row in rows)
        device = self._model.device
        every = [row * width + place for row, each in chosen for place in each.places]
        wanted, back = np.unique(np.array(every, np.int64), return_inverse=True)
        targets = torch.tensor([token for _, each in chosen for token in each.targets], device=device)
        arguments = inputs(rows, self.pad, self.typed, device)
        places = torch.from_numpy(wanted).to(device)
        with torch.inference_mode():
            if self.selected:
                with only_at(self._model, places):
                    logits = self._model(**arguments).logits[0]
            else:
                logits = self._model(**arguments).logits.flatten(0, 1)[places]
            logits = logits if logits.dtype == torch.float64 else logits.float()
            numbers = torch.from_numpy(back).to(device)
            scored = logits[numbers, targets] - torch.logsumexp(logits, -1)[numbers]
        return cut(scored.double().cpu().tolist(), (len(each.places) for _, each in chosen))


def _in_parts(copies: Sequence[Sequence[Masked]]) -> Prepared:
    """Masked texts of several parts, one after the other."""
    texts = tuple(text for each in copies for text in each)
    return Prepared(texts, tuple(map(tuple, cut(list(range(len(texts))), map(len, copies)))))
