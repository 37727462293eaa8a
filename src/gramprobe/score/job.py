"""What an order means: the mode, the engine and the items; and how one shard of them is scored."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import UNSET

from gramprobe.baselines.constituents import NAME as CONSTITUENT
from gramprobe.baselines.ngrams import NGrams
from gramprobe.formats.tabular import missing
from gramprobe.records import sha256_of
from gramprobe.score.engines.constituent import ConstituentEngine
from gramprobe.score.engines.ngram import PREFIX as NGRAM
from gramprobe.score.engines.ngram import NGramEngine
from gramprobe.score.engines.options import option_reader, option_rule
from gramprobe.score.engines.reader import READER, VECTORS, ReaderEngine, Sees, check_scipy, reader_of
from gramprobe.score.engines.rule import PREFIX as RULE
from gramprobe.score.engines.rule import rule_engine
from gramprobe.score.mode import Mode, Options
from gramprobe.score.modes import MODES, chosen
from gramprobe.score.order import Order
from gramprobe.score.planning import prepared
from gramprobe.score.request import Answer, Engine, Refusal
from gramprobe.score.results import Settings, write_shard
from gramprobe.score.shuffled import ShuffledSource
from gramprobe.score.source import DatasetSource, Selection, Shard, Source, Table
from gramprobe.source import messages
from gramprobe.source.diagnostic import AuthoringError, UsageError
from gramprobe.source.span import Span


@dataclass(frozen=True)
class Job:
    """What an order means: the mode, the engine (its weights not read yet) and the items."""

    order: Order
    mode: Mode
    engine: Engine
    selection: Selection
    model: Any

    @property
    def values(self) -> tuple[str, ...]:
        """The columns of values."""
        return self.engine.labels or ("value",)


def open_source(order: Order) -> Source:
    """The dataset folder or plain file of an order, its words shuffled if it says so.

    Raises UsageError and AuthoringError.
    """
    source = _opened(order)
    return ShuffledSource(source, order.seed) if order.shuffle_words else source


def _opened(order: Order) -> Source:
    from gramprobe.score.plain import SUFFIXES, PlainSource

    place = Path(order.source)
    if place.suffix in SUFFIXES and place.is_file():
        if order.task is None:
            raise UsageError(f"`{place}` is a plain file: say its task", "for example --task minimal_pair")
        return PlainSource(place, order.task)
    if order.task is not None:
        raise UsageError("--task is for plain files: a dataset knows its tasks", "leave it out")
    return DatasetSource(place)


def job_of(order: Order, source: Source) -> Job:
    """Find the mode, the model and the items of an order. Raises UsageError; reads no weights."""
    mode, tables = chosen(order.mode, dict(source.tables))
    _check_engine(order)
    _check_prompts(order, mode, [source.tables[name] for name in tables])
    _check_named(order)
    if order.model.startswith(RULE):
        return _rule_job(order, source, mode, tables)
    if order.model.startswith((READER, VECTORS)):
        return _reader_job(order, source, mode, tables)
    if order.model.startswith(NGRAM):
        return _ngram_job(order, source, mode, tables)
    if order.endpoint:
        return _endpoint_job(order, source, mode, tables)
    try:
        import torch  # noqa: F401
        import transformers  # noqa: F401
    except ImportError as error:
        raise messages.score.not_installed(error.name or "torch") from None
    from gramprobe.score.engines.folder import model_folder
    from gramprobe.score.engines.open import engine_of

    model = model_folder(order.model, order.revision)
    _check_kind(model.name, model.kind, mode, source.tables[tables[0]])
    if order.bow_correction and (mode.name, model.kind) != ("surprisal", "causal"):
        raise UsageError("--bow-correction is for surprisal by a causal model", "leave it out")
    engine, chat = engine_of(model, order)
    mode, held_out = configured(order, source, mode, tables, chat)
    selection = selection_of(order, source, mode, tables, held_out)
    return Job(order, mode, engine, selection, model)


def _check_kind(model: str, kind: str, mode: Mode, table: Table) -> None:
    """Raise UsageError (E91) for a mode that needs a model of another kind; its help names modes that fit both."""
    if kind not in mode.kinds:
        others = [each.name for each in MODES.values() if kind in each.kinds and each.fits(table)]
        raise messages.score.wrong_kind(model, kind, mode.name, mode.kinds, others)


def _check_engine(order: Order) -> None:
    """Raise UsageError (E29, E62) for a cluster that cannot be used, before any model is looked at."""
    if order.engine != "ray":
        if order.address:
            raise UsageError("--address is for a cluster", "add --engine ray")
        return
    if order.endpoint:
        raise UsageError("--engine ray is for models that are read from files", "an endpoint is asked by one process")
    from gramprobe.work.cluster import check_address

    check_address(order.address)


def _check_named(order: Order) -> None:
    """Raise UsageError (E91) if `--model` names nothing, alone or behind a word with a colon."""
    kind = next((each for each in (RULE, READER, VECTORS, NGRAM) if order.model.startswith(each)), "")
    if not order.model.removeprefix(kind).strip():
        raise messages.score.unnamed_model(kind)


def _check_prompts(order: Order, mode: Mode, tables: Sequence[Table]) -> None:
    """Raise UsageError (E48) for prompts that cannot be asked, before any model is looked at."""
    from gramprobe.score.prompts import check_fit, load

    if (order.prompts or order.shots) and mode.name != "prompted":
        raise UsageError("--prompts and --shots are for --mode prompted", "leave them out")
    if mode.name == "prompted":
        path = Path(order.prompts) if order.prompts else None
        check_fit(load(path), tables, path)


@dataclass(frozen=True)
class Fileless:
    """A model that is no folder with weights: behind an endpoint, a rule, a reader. ``files``: those that it is made
    of, with their hashes."""

    name: str
    kind: str
    revision: str = ""
    files: Mapping[str, dict[str, str]] = field(default_factory=dict)

    def hashes(self) -> dict[str, dict[str, str]]:
        """The SHA-256 of files by kind and name."""
        return {kind: self.files.get(kind, {}) for kind in ("weights", "tokenizer", "config")}


def _rule_job(order: Order, source: Source, mode: Mode, tables: Sequence[str]) -> Job:
    """The job of an order for a rule that does not reason. Raises UsageError (E91)."""
    _check_kind(order.model, "rule", mode, source.tables[tables[0]])
    mode, _ = configured(order, source, mode, tables, chat=False)
    name = order.model.removeprefix(RULE)
    language = source.tables[tables[0]].language
    engine: Engine
    if mode.name == CHOICE:
        engine = option_rule(name)
    else:
        engine = ConstituentEngine(source, tables) if name == CONSTITUENT else rule_engine(name, language)
    selection = selection_of(order, source, mode, tables)
    return Job(order, mode, engine, selection, Fileless(order.model, "rule"))


def _reader_job(order: Order, source: Source, mode: Mode, tables: Sequence[str]) -> Job:
    """The job of an order for a reader that learns from the rows' own labels. Raises UsageError (E91)."""
    _check_kind(order.model, "reader", mode, source.tables[tables[0]])
    mode, _ = configured(order, source, mode, tables, chat=False)
    selection = selection_of(order, source, mode, tables)
    name = order.model
    if mode.name == CHOICE:
        engine = _options_reader(order, source, selection)
        return Job(order, mode, engine, selection, Fileless(name, "reader"))
    files: dict[str, dict[str, str]] = {}
    if order.model.startswith(READER):
        about, sees = reader_of(order.model.removeprefix(READER), source)
    else:
        check_scipy()
        about, sees, name, files = _averages(order, source, selection)
    made = ReaderEngine(name, about, sees, source, mode, selection.columns)
    return Job(order, mode, made, selection, Fileless(name, "reader", files=files))


def _options_reader(order: Order, source: Source, selection: Selection) -> Engine:
    """The engine of a reader of options. Raises UsageError (E91)."""
    if order.model.startswith(VECTORS):
        raise messages.score.wrong_kind(order.model, "vectors", CHOICE, MODES[CHOICE].kinds, [])
    return option_reader(order.model.removeprefix(READER), source, selection.columns)


def _ngram_job(order: Order, source: Source, mode: Mode, tables: Sequence[str]) -> Job:
    """The job of an order for an n-gram model of a corpus. Raises UsageError (E44, E46, E91)."""
    _check_kind(order.model, "ngram", mode, source.tables[tables[0]])
    file = Path(order.model.removeprefix(NGRAM))
    try:
        files = {"weights": {file.name: sha256_of(file)}}
    except OSError as error:
        raise missing(file, error) from None
    mode, _ = configured(order, source, mode, tables, chat=False)
    selection = selection_of(order, source, mode, tables)
    model = Fileless(f"{NGRAM}{file.name}", "ngram", files=files)
    return Job(order, mode, NGramEngine(NGrams.read(file, order.ngram)), selection, model)


def _averages(order: Order, source: Source, selection: Selection) -> tuple[str, Sees, str, dict[str, dict[str, str]]]:
    """The reader of averaged word vectors: what it sees, its function, its name, the hashes of its files."""
    from gramprobe.score.engines.vectors import averaged, open_vectors

    tables = selection.columns.items()
    rows = (item.row for table, columns in tables for item in source.rows(table, columns))
    vectors = open_vectors(
        order.model.removeprefix(VECTORS), (text for row in rows for text in row.values() if isinstance(text, str))
    )
    about = "the means of the word vectors of each sentence, by logistic regression"
    return about, partial(averaged, vectors=vectors), f"{VECTORS}{vectors.name}", vectors.hashes()


def _endpoint_job(order: Order, source: Source, mode: Mode, tables: Sequence[str]) -> Job:
    """The job of an order for an endpoint. Raises UsageError (E49, E91)."""
    from gramprobe.score.engines.endpoint import EndpointEngine, EndpointOptions

    _check_kind(order.model, "endpoint", mode, source.tables[tables[0]])
    if order.workers > 1:
        raise UsageError("--workers is for models on this machine", "--in-flight N asks the endpoint N things at once")
    options = EndpointOptions(
        url=order.endpoint, in_flight=order.in_flight, rate=order.rate, retries=order.retries, timeout=order.timeout
    )
    mode, held_out = configured(order, source, mode, tables, chat=True)
    selection = selection_of(order, source, mode, tables, held_out)
    return Job(order, mode, EndpointEngine(order.model, options), selection, Fileless(order.model, "endpoint"))


def configured(
    order: Order, source: Source, mode: Mode, tables: Sequence[str], chat: bool
) -> tuple[Mode, dict[str, frozenset[str]]]:
    """The mode with what a user chose, and the instances that its examples are from. Raises UsageError (E48)."""
    from gramprobe.score.prompts import load
    from gramprobe.score.shots import examples_of

    prompts = load(Path(order.prompts)) if order.prompts else ()
    bare = order.model.startswith((RULE, READER, VECTORS, NGRAM))
    mode = mode.configured(Options(prompt=order.prompt, chat=chat, bare=bare, prompts=prompts))
    if not order.shots:
        return mode, {}
    columns = {name: _columns(source.tables[name], mode) for name in tables}
    examples, held_out = examples_of(source, tables, columns, order.shots, order.seed)
    return mode.configured(Options(prompt=order.prompt, chat=chat, prompts=prompts, examples=examples)), held_out


def selection_of(
    order: Order,
    source: Source,
    mode: Mode,
    tables: Sequence[str],
    held_out: Mapping[str, frozenset[str]] | None = None,
) -> Selection:
    """The items of an order, with the columns that the mode reads."""
    return Selection(
        source=source,
        tables=tuple(tables),
        columns={name: _columns(source.tables[name], mode) for name in tables},
        total=order.total,
        seed=order.seed,
        size=order.shard,
        held_out=held_out or {},
    )


def _columns(table: Table, mode: Mode) -> tuple[str, ...]:
    """The columns of a table that a mode reads."""
    scored = table.scored
    wanted = [*scored.context, *scored.options, *scored.continuations, *mode.kept]
    return tuple(column for column in dict.fromkeys(wanted) if column in table.columns)


def settings_of(job: Job) -> Settings:
    """What decides the scores of a job."""
    order, hashes = job.order, job.model.hashes()
    return Settings(
        mode=job.mode.name,
        source=job.selection.source.sha256,
        tables=list(job.selection.tables),
        total=order.total,
        seed=order.seed if order.total is not None or order.shots or order.shuffle_words else 0,
        shuffle_words=True if order.shuffle_words else UNSET,
        shard=order.shard,
        weights=hashes["weights"],
        tokenizer=hashes["tokenizer"],
        config=hashes["config"],
        dtype=order.dtype,
        device=order.device.partition(":")[0],
        batch_tokens=order.batch_tokens,
        reduction=job.mode.reduction(job.engine.kind),
        engine=job.engine.settings(),
        prompt=job.mode.settings(job.engine.shown),
    )


CHOICE = "choice"
"""The mode in which rules and readers choose an option."""
PORTION = 512
"""The largest number of items that are put together, sorted and batched: a part of the shard, so that there is
progress to show."""


def score_shard(job: Job, shard: Shard) -> Iterator[int]:
    """Score a shard and write its file; the number of items that are done so far, after each portion."""
    table = job.selection.source.tables[shard.table]
    rows: list[Sequence[Any]] = []
    for start in range(0, len(shard.items), PORTION):
        items = shard.items[start : start + PORTION]
        plans = [list(prepared(job.mode, job.engine, table, item)) for item in items]
        asked = [tokens for plan in plans for _, tokens in plan if not isinstance(tokens, Refusal)]
        answers = iter(job.engine.answer(asked))
        for item, plan in zip(items, plans, strict=True):
            for each, tokens in plan:
                if isinstance(tokens, Refusal):
                    rows += (_row(item.id, part, text, None, tokens.flag, job) for part, text in each.parts)
                    continue
                for (part, text), answer in zip(each.parts, next(answers), strict=True):
                    flag = "" if all(v is None or math.isfinite(v) for v in answer.values) else "nan"
                    if flag and not job.order.skip_refused:
                        file, line = item.place
                        raise AuthoringError([messages.score.not_a_number(Span(file, line, 1), item.id, part)])
                    rows.append(_row(item.id, part, text, answer, flag, job))
        yield start + len(items)
    write_shard(Path(job.order.out), shard.name, rows, job.values)


def _row(item: str, part: str, text: str, answer: Answer | None, flag: str, job: Job) -> Sequence[Any]:
    """A row of scores; without values if there is a flag that says why."""
    values = [None] * len(job.values) if answer is None or flag else job.mode.values(answer, job.engine.kind)
    flags = ",".join(dict.fromkeys([*([flag] if flag else []), *(answer.flags if answer else ())]))
    return (item, part, *values, answer.tokens if answer else 0, len(text.split()), len(text), flags)
