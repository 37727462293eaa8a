"""The record of a run, `run.json`, and the rows of its files of scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from msgspec import UNSET, UnsetType

from gramprobe.records import Count, Record, Sha256

if TYPE_CHECKING:
    import pyarrow as pa

FORMAT: Literal[1] = 1
TIES = {"float64": 1e-9, "float32": 1e-4, "float16": 0.1, "bfloat16": 0.5, "int8": 0.5}
"""Precision -> differences in nats up to here are ties: within the noise of the precision (of sums over a sentence)."""
FLAGS = {
    "empty": "a text is empty, or has no tokens",
    "space": "a text begins or ends with a space",
    "slot": "the slot does not stand in the text once",
    "regions": "the regions do not make up the text",
    "join": "a token goes across the border of what is scored",
    "long": "the model does not take so many tokens",
    "vocabulary": "a token is not in the model's vocabulary",
    "nan": "the model's probability is no number",
    "trees": "the trees of the sentences are not known",
    "abstained": "the model gave none of the answers, or several",
    "unscored_first": "the first token has no probability, as nothing stands before it",
    "unlisted": "the answer is not among the likeliest tokens: the value is just below the least likely of these",
    "unknown_word": "a word is not the model's: an n-gram model has one word for all of these, others leave it out",
    "parsed": "the endpoint gave no probabilities: 0 for the answer that it wrote, and -100 for the others",
}
"""What can stand in the column `flags`."""
FLAGS_WITH_VALUES = ("unscored_first", "unlisted", "unknown_word", "parsed")
"""The flags that a row with values may have; with all others its values are null."""
FOUND_LATER = ("nan", "abstained")
"""The flags without values that show when the model is asked: a run does not count them as refused."""
OTHERS = -100.0
"""What a rule gives to labels and options that are not those of its choice, which has 0; where it chooses none, all are
equally probable."""

WEIGHTS = "*.safetensors"
TOKENIZER_FILES = (
    "added_tokens.json", "chat_template.jinja", "merges.txt", "sentencepiece.bpe.model", "special_tokens_map.json",
    "spiece.model", "tokenizer.json", "tokenizer.model", "tokenizer_config.json", "vocab.json", "vocab.txt",
)  # fmt: skip
"""Files that decide how texts become tokens."""
READ_FILES = (WEIGHTS, "config.json", "*.safetensors.index.json", *TOKENIZER_FILES)
"""The files that are read of a model, as patterns of names."""


class ModelEntry(Record, frozen=True, kw_only=True):
    """The model: the folder's name, the id on the hub, the name at the endpoint or of the rule; the commit on the hub
    (empty elsewhere); and its kind: `causal`, `masked`, `classifier`, `encoder`, `endpoint`, `rule`, `reader`, `ngram`,
    or one of a package. `parameters`: the numbers in its weights, of a model that is files."""

    name: str
    revision: str
    kind: str
    parameters: Count | UnsetType = UNSET


class SourceEntry(Record, frozen=True, kw_only=True):
    """What was scored: the name of the dataset's folder or of the file; the hash of its manifest or of itself."""

    name: str
    sha256: Sha256


class Settings(Record, frozen=True, kw_only=True):
    """What decides the scores: a run goes on only with equal ones.

    `weights`, `tokenizer`, `config`: the hashes of the model's files by name. `tables`: the paradigms, in order.
    `engine`: first tokens, join, padding, labels. `prompt`: what the mode puts around the texts. `reduction`: what a
    value is made of. `total`: instances over all tables, null for all. `shuffle_words`: whether the
    words of every text were put into another order. `shard`: the largest number of items of a shard. `packages`: kind
    (`mode`, `engine`, `rule` ...) -> name -> the package and its version, of what is not of gramprobe itself.
    """

    mode: str
    source: Sha256
    tables: list[str]
    total: Count | None
    seed: Count
    shuffle_words: bool | UnsetType = UNSET
    shard: Count
    weights: dict[str, Sha256]
    tokenizer: dict[str, Sha256]
    config: dict[str, Sha256]
    dtype: str
    device: str
    batch_tokens: Count
    reduction: str
    engine: dict[str, Any]
    prompt: dict[str, Any]
    packages: dict[str, dict[str, str]] | UnsetType = UNSET


class Session(Record, frozen=True, kw_only=True):
    """One start of the run: how long it took in seconds, how many shards it made, with what.

    `engine`: `ray` if its processes were those of a cluster. `found`: what the probe at load found of the model
    (`rows`: how texts are put together). `refused`: whether items that cannot be scored were marked instead of
    reported.
    """

    gramprobe: str
    versions: dict[str, str]
    workers: Count
    engine: Literal["ray"] | UnsetType = UNSET
    threads: Count
    shards: Count
    seconds: float
    skip_refused: bool
    found: dict[str, Any]


class ShardEntry(Record, frozen=True, kw_only=True):
    """A finished file of scores."""

    rows: Count
    sha256: Sha256


class Run(Record, frozen=True, kw_only=True):
    """The file run.json.

    `values`: the columns of values. `tie`: differences in nats up to here are ties. `items`: how many are scored.
    `shards`: the names of all shards with their numbers of items. `files`: the finished files; of a run that is not
    complete, none.
    """

    format: Literal[1]
    model: ModelEntry
    source: SourceEntry
    settings: Settings
    values: list[str]
    tie: float
    items: Count
    refused: Count
    shards: dict[str, Count]
    complete: bool
    files: dict[str, ShardEntry] | UnsetType = UNSET
    sessions: list[Session]


class _Row(Record, frozen=True, kw_only=True):
    """What every row of a file of scores has beside its values, in nats: these are null where `flags` says why."""

    item: str
    part: str
    tokens: Count
    words: Count
    characters: Count
    flags: str


class ScoreRow(_Row, frozen=True, kw_only=True):
    """A row of a file of scores with one value."""

    value: float | None


class LabelsRow(_Row, frozen=True, kw_only=True):
    """A row of a file of scores with the log-probability of each of three labels."""

    entailment: float | None
    neutral: float | None
    contradiction: float | None


class TwoLabelsRow(_Row, frozen=True, kw_only=True):
    """A row of a file of scores with the log-probability of each of two labels."""

    entailment: float | None
    not_entailment: float | None


VALUES = tuple(
    tuple(name for name in row.__struct_fields__ if name not in _Row.__struct_fields__)
    for row in (ScoreRow, LabelsRow, TwoLabelsRow)
)
"""The columns of values that a file of scores may have."""


def arrow_schema(values: Sequence[str]) -> pa.Schema:
    """The columns of a file of scores with these columns of values."""
    import pyarrow as pa

    texts, counts = pa.string(), pa.int32()
    fields = [("item", texts), ("part", texts), *((name, pa.float64()) for name in values)]
    fields += [(name, counts) for name in ("tokens", "words", "characters")]
    return pa.schema([*fields, ("flags", texts)])
