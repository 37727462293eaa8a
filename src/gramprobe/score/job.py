"""What an order means: the mode, the engine and the items; and how one shard of them is scored."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec import UNSET

from gramprobe.score.engines.open import named, opened
from gramprobe.score.mode import Mode, Options
from gramprobe.score.model import Model, Opened, Wanted
from gramprobe.score.modes import MODES, chosen
from gramprobe.score.order import RunOrder
from gramprobe.score.planning import prepared
from gramprobe.score.record import Settings
from gramprobe.score.request import Engine, Refusal, Reply
from gramprobe.score.results import write_shard
from gramprobe.score.source import DatasetSource, Selection, Shard, Source, Table
from gramprobe.score.word_order import ShuffledSource
from gramprobe.source import messages
from gramprobe.source.diagnostic import AuthoringError, Span, UsageError


@dataclass(frozen=True)
class Job:
    """What an order means: the mode, the items, and the model (its weights not read yet)."""

    order: RunOrder
    mode: Mode
    selection: Selection
    opened: Opened

    @property
    def engine(self) -> Engine:
        """The model's engine."""
        return self.opened.engine

    @property
    def model(self) -> Model:
        """What the record of the run says of the model."""
        return self.opened.model

    @property
    def values(self) -> tuple[str, ...]:
        """The columns of values."""
        return self.engine.labels or ("value",)


def open_source(order: RunOrder) -> Source:
    """The dataset folder or plain file of an order, its words shuffled if it says so.

    Raises UsageError and AuthoringError.
    """
    source = _opened(order)
    return ShuffledSource(source, order.seed) if order.shuffle_words else source


def _opened(order: RunOrder) -> Source:
    from gramprobe.score.plain import SUFFIXES, PlainSource

    place = Path(order.source)
    if place.suffix.lower() in SUFFIXES and not place.exists():
        raise UsageError(f"there is no file `{place}`", "give a plain file, or a folder that `build` wrote", "E44")
    if place.suffix.lower() in SUFFIXES and place.is_file():
        if order.task is None:
            raise UsageError(f"`{place}` is a plain file: say its task", "for example --task minimal_pair")
        return PlainSource(place, order.task)
    if place.is_file():
        raise UsageError(f"`{place}` is no file of items", f"its name is to end in {', '.join(SUFFIXES)}", "E44")
    if order.task is not None:
        raise UsageError("--task is for plain files: a dataset knows its tasks", "leave it out")
    return DatasetSource(place)


def job_of(order: RunOrder, source: Source) -> Job:
    """Find the mode, the model and the items of an order. Raises UsageError; reads no weights."""
    mode, tables = chosen(order.mode, dict(source.tables))
    _check_engine(order)
    _check_prompts(order, mode, [source.tables[name] for name in tables])
    _check_order(order, source, mode, tables)
    found = opened(Wanted(order, source, mode, tables))
    mode, held_out = configured(order, source, mode, tables, found.chat)
    selection = selection_of(order, source, mode, tables, held_out)
    return Job(order, mode, selection, found)


def _check_engine(order: RunOrder) -> None:
    """Raise UsageError (E29, E62) for a cluster that cannot be used, or what an endpoint alone has, before any model
    is looked at."""
    if not order.endpoint and any(map(order.names, ("in_flight", "rate", "retries", "timeout"))):
        raise UsageError("--in-flight, --rate, --retries and --timeout are for --endpoint", "leave them out")
    if order.engine != "ray":
        if order.address:
            raise UsageError("--address is for a cluster", "add --engine ray")
        return
    if order.endpoint:
        raise UsageError("--engine ray is for models that are read from files", "an endpoint is asked by one process")
    from gramprobe.work.cluster import check_address

    check_address(order.address)


def _check_order(order: RunOrder, source: Source, mode: Mode, tables: Sequence[str]) -> None:
    """Raise UsageError for words that cannot stand in another order: regions are pieces of a text as it is."""
    for name in tables if order.shuffle_words else ():
        columns = [column for column in mode.columns(source.tables[name]) if column == "regions"]
        if columns and any(item.row[column] for item in source.rows(name, columns) for column in columns):
            what = f"items of `{name}` have regions, which do not make up a text whose words were shuffled"
            raise UsageError(what, "leave --shuffle-words out")


def _check_prompts(order: RunOrder, mode: Mode, tables: Sequence[Table]) -> None:
    """Raise UsageError (E48) for prompts that cannot be asked, before any model is looked at."""
    from gramprobe.score.prompts import check_fit, load

    if (order.prompts or order.shots) and mode.name != "prompted":
        raise UsageError("--prompts and --shots are for --mode prompted", "leave them out")
    kind = named(order)[1]
    bare = kind is not None and kind.bare
    asked = [mode.configured(Options(prompt=each, bare=bare)) for each in ("completion", "chat")]
    if order.prompt != "auto" and asked[0] == asked[1]:
        what = (
            "rules, readers and n-grams read texts and no prompt" if bare else f"the mode `{mode.name}` has no prompt"
        )
        raise UsageError(f"--prompt {order.prompt} decides nothing: {what}", "leave it out")
    if order.bow_correction and mode.name != "surprisal":
        raise UsageError("--bow-correction is for surprisal by a causal model", "leave it out, or add --mode surprisal")
    if mode.name == "prompted":
        path = Path(order.prompts) if order.prompts else None
        check_fit(load(path), tables, path)


def configured(
    order: RunOrder, source: Source, mode: Mode, tables: Sequence[str], chat: bool
) -> tuple[Mode, dict[str, frozenset[str]]]:
    """The mode with what a user chose, and the instances that its examples are from. Raises UsageError (E48)."""
    from gramprobe.score.prompts import load
    from gramprobe.score.shots import examples_of

    prompts = load(Path(order.prompts)) if order.prompts else ()
    _, kind, _ = named(order)
    bare = kind is not None and kind.bare
    mode = mode.configured(Options(prompt=order.prompt, chat=chat, bare=bare, prompts=prompts))
    if not order.shots:
        return mode, {}
    columns = {name: mode.columns(source.tables[name]) for name in tables}
    examples, held_out = examples_of(source, tables, columns, order.shots, order.seed)
    return mode.configured(Options(prompt=order.prompt, chat=chat, prompts=prompts, examples=examples)), held_out


def selection_of(
    order: RunOrder,
    source: Source,
    mode: Mode,
    tables: Sequence[str],
    held_out: Mapping[str, frozenset[str]] | None = None,
) -> Selection:
    """The items of an order, with the columns that the mode reads."""
    return Selection(
        source=source,
        tables=tuple(tables),
        columns={name: mode.columns(source.tables[name]) for name in tables},
        total=order.total,
        seed=order.seed,
        size=order.shard,
        held_out=held_out or {},
    )


def settings_of(job: Job) -> Settings:
    """What decides the scores of a job."""
    order, hashes = job.order, job.model.hashes()
    packages = {**MODES.origins([job.mode.name]), **job.opened.packages}
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
        packages={kind: dict(names) for kind, names in packages.items()} or UNSET,
    )


PORTION = 512
"""The largest number of items that are put together, sorted and batched: a part of the shard, so that there is
progress to show."""


def score_shard(job: Job, shard: Shard) -> Iterator[int]:
    """Score a shard and write its file; the number of items that are done so far, after each portion."""
    table = job.selection.source.tables[shard.table]
    rows: list[Sequence[Any]] = []
    mode, engine = job.mode, job.engine
    for start in range(0, len(shard.items), PORTION):
        items = shard.items[start : start + PORTION]
        plans = [list(prepared(mode, engine, table, item)) for item in items]
        asked = [tokens for plan in plans for _, tokens in plan if not isinstance(tokens, Refusal)]
        answers = iter(engine.answer(asked))
        for item, plan in zip(items, plans, strict=True):
            for each, tokens in plan:
                if isinstance(tokens, Refusal):
                    parts = each.parts or (("1", ""),)  # wrong regions have no names; the item has a row all the same
                    rows += (_row(item.id, part, text, None, tokens.flag, job) for part, text in parts)
                    continue
                for (part, text), answer in zip(each.parts, next(answers), strict=True):
                    flag = "" if all(v is None or math.isfinite(v) for v in answer.values) else "nan"
                    if flag and not job.order.skip_refused:
                        file, line = item.place
                        raise AuthoringError([messages.score.not_a_number(Span(file, line, 1), item.id, part)])
                    rows.append(_row(item.id, part, text, answer, flag, job))
        yield start + len(items)
    write_shard(Path(job.order.out), shard.name, rows, job.values)


def _row(item: str, part: str, text: str, answer: Reply | None, flag: str, job: Job) -> Sequence[Any]:
    """A row of scores; without values if there is a flag that says why."""
    values = [None] * len(job.values) if answer is None or flag else job.mode.values(answer, job.engine.kind)
    flags = ",".join(dict.fromkeys([*([flag] if flag else []), *(answer.flags if answer else ())]))
    return (item, part, *values, answer.tokens if answer else 0, len(text.split()), len(text), flags)
