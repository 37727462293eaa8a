"""A model's tokenizer: texts to tokens, without padding, truncation or special tokens that nobody asked for."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from gramprobe.score.engines.folder import ModelFolder
from gramprobe.score.engines.weights import first_line
from gramprobe.source import messages

_MARKS = ("\u0120", "\u2581", " ")
"""How names of tokens show the space before a word: in byte-level BPE, in SentencePiece, as it is."""


@dataclass(frozen=True)
class Encoded:
    """A text as tokens: their numbers, and for each the characters (start, end) that it stands for."""

    ids: tuple[int, ...]
    offsets: tuple[tuple[int, int], ...]
    words: tuple[int | None, ...]


KNOWN = "The dog is here, and the man was in the house: are they here?"
"""A text of which every tokenizer of English knows something."""
_AS_SAVED = "give a folder with the files of its tokenizer (tokenizer.json), as `save_pretrained` writes them"


class Tokens:
    """The tokenizer of a model. Raises UsageError (E91) for one that is missing, or has no fast form."""

    def __init__(self, model: ModelFolder) -> None:
        from transformers import AutoTokenizer

        self._name = model.name
        if not model.hashes()["tokenizer"]:  # some libraries then make an empty one, and every word is unknown
            raise messages.score.unusable_model(model.name, "it has no file of a tokenizer", _AS_SAVED)
        try:
            self.tokenizer: Any = AutoTokenizer.from_pretrained(
                model.folder, local_files_only=True, trust_remote_code=False, use_fast=True
            )
            backend = self.tokenizer.backend_tokenizer
        except Exception as error:
            raise messages.score.unusable_model(
                model.name,
                f"its tokenizer cannot be loaded: {first_line(error)}",
                _AS_SAVED,
            ) from None
        # a file of a tokenizer may say that texts are cut or padded: a sentence that is cut has another score
        backend.no_truncation()
        backend.no_padding()
        self._backend = backend
        if set(self.ids(KNOWN)) <= {self.tokenizer.unk_token_id}:
            raise messages.score.unusable_model(model.name, "its tokenizer knows no word of a sentence", _AS_SAVED)

    def encode(self, text: str) -> Encoded:
        """The tokens of a text, without special tokens."""
        found = self._backend.encode(text, add_special_tokens=False)
        return Encoded(tuple(found.ids), tuple(found.offsets), tuple(found.word_ids))

    def of_regions(self, regions: Sequence[str]) -> tuple[Encoded, list[int] | None]:
        """The tokens of regions with a space between, and for each token the number of its region; None in the place of
        the numbers if a token has characters of two."""
        text = " ".join(regions)
        encoded = self.encode(text)
        ends = [0]
        for region in regions:
            ends.append(ends[-1] + len(region) + (len(ends) > 1))
        return encoded, region_of_tokens(text, encoded.offsets, ends)

    def ids(self, text: str) -> tuple[int, ...]:
        """The numbers of a text's tokens, without special tokens."""
        return tuple(self._backend.encode(text, add_special_tokens=False).ids)

    def as_json(self) -> str:
        """The tokenizer as JSON of the package tokenizers."""
        return str(self._backend.to_str())

    def pair(self, first: str, second: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """A pair of texts as the tokenizer joins them, special tokens and all: numbers, and types of segments."""
        found = self._backend.encode(first, second)
        return tuple(found.ids), tuple(found.type_ids)

    @cached_property
    def around(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The special tokens that the tokenizer puts before a text, and behind it."""
        bare, whole = self._backend.encode("a", add_special_tokens=False).ids, self._backend.encode("a").ids
        for start in range(len(whole) - len(bare) + 1):
            if whole[start : start + len(bare)] == bare:
                return tuple(whole[:start]), tuple(whole[start + len(bare) :])
        return (), ()

    def first_tokens(self, policy: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """What stands before a text that is a context, and before one that has none.

        `auto`: what the tokenizer itself puts first; a text without context gets a first token in any case, since its
        own first token has no probability otherwise. `always`: every text gets one. `never`: none does.
        """
        if policy == "never":
            return (), ()
        own = self.around[0]
        known = (self.tokenizer.bos_token_id, self.tokenizer.eos_token_id)
        made = own or next(((each,) for each in known if each is not None), ())
        return (made, made) if policy == "always" else (own, made)

    def begins(self, vocabulary: int) -> tuple[bool, ...]:
        """For each token whether it begins a word, or ends a text."""
        names = self.tokenizer.convert_ids_to_tokens(list(range(min(vocabulary, len(self.tokenizer)))))
        end = self.tokenizer.eos_token_id
        marked = tuple(n == end or str(name).startswith(_MARKS) for n, name in enumerate(names))
        return marked + (False,) * (vocabulary - len(marked))

    @property
    def marks_words(self) -> bool:
        """Whether there are tokens that begin words, as they stand behind a space."""
        return any(name.startswith(_MARKS) for name in self.tokenizer.get_vocab())

    @cached_property
    def longest(self) -> int | None:
        """The number of tokens that the tokenizer takes, if it says so."""
        most = self.tokenizer.model_max_length
        return most if isinstance(most, int) and most < 1 << 30 else None

    @property
    def has_chat_template(self) -> bool:
        return bool(self.tokenizer.chat_template)

    def chat(self, messages_: Sequence[tuple[str, str]]) -> str:
        """Messages by the model's template, up to where its answer begins.

        If the template has no system message, its text stands before that of the first message. Raises UsageError
        (E91) for a template that does not work.
        """
        turns = list(messages_)
        try:
            with contextlib.suppress(Exception):  # templates raise what they like
                return self._templated(turns)
            (_, system), (first, text), *rest = turns
            return self._templated([(first, f"{system}\n\n{text}"), *rest])
        except Exception as error:
            raise messages.score.unusable_model(
                self._name, f"its chat template fails: {first_line(error)}", "--prompt completion does without it"
            ) from None

    def _templated(self, messages_: Sequence[tuple[str, str]]) -> str:
        turns = [{"role": role, "content": text} for role, text in messages_]
        text: str = self.tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True)
        return text


def region_of_tokens(text: str, offsets: Sequence[tuple[int, int]], ends: Sequence[int]) -> list[int] | None:
    """For each token the region that its characters are in, where region n ends at ``ends[n + 1]``.

    The space before a region is the region's. None if a token has characters of two regions.
    """
    owners = []
    for start, end in offsets:
        while start < end and text[start].isspace():
            start += 1
        last = max(end - 1, start)
        owner = next((n for n in range(len(ends) - 1) if last < ends[n + 1]), len(ends) - 2)
        if start < ends[owner]:
            return None
        owners.append(owner)
    return owners
