"""What `analyze` answers."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from gramprobe.analysis.mixed.effects import Effect, LevelEffect, Means, RandomTerm, Singularity, TermTest, Threshold
from gramprobe.cli.answers.answer import Answer
from gramprobe.records import Record


class CodingEntry(Record, frozen=True, kw_only=True):
    """The contrasts of a factor: `matrix` has a row for each level, and a column for each of `names`."""

    column: str
    kind: str
    levels: list[str]
    names: list[str]
    matrix: list[list[float]]


class ResidualEntry(Record, frozen=True, kw_only=True):
    """What is left."""

    variance: float
    sd: float


class ExplainedVariance(Record, frozen=True, kw_only=True):
    """Nakagawa's R2: of the fixed effects, of all effects."""

    marginal: float
    conditional: float


class PlanEntry(Record, frozen=True, kw_only=True):
    """A fixed effect in a planned design: `effect` is the estimate, or what is supposed. Of scores there are `error`,
    `df`, and `detectable`, what is found with a chance of 0.8; of answers the interval of the power, and how many
    studies were simulated, and of these could not be fitted."""

    name: str
    effect: float
    power: float
    error: float | UnsetType = UNSET
    df: float | UnsetType = UNSET
    detectable: float | UnsetType = UNSET
    low: float | UnsetType = UNSET
    high: float | UnsetType = UNSET
    studies: int | UnsetType = UNSET
    failed: int | UnsetType = UNSET


class Planned(Answer, frozen=True, kw_only=True):
    """`gramprobe power --json`; `levels`: of each grouping factor, in the planned study."""

    formula: str
    levels: dict[str, int]
    effects: list[PlanEntry]
    warnings: list[str]


class Analyzed(Answer, frozen=True, kw_only=True):
    """`gramprobe analyze --frame --json`."""

    formula: str
    method: str
    family: str | UnsetType = UNSET
    prior: float | UnsetType | None = UNSET
    rows: int
    levels: dict[str, int]
    codings: list[CodingEntry]
    fixed: list[Effect]
    thresholds: list[Threshold] | UnsetType = UNSET
    random: list[RandomTerm]
    residual: ResidualEntry | UnsetType = UNSET
    r2: ExplainedVariance
    deviance: float
    aic: float
    bic: float
    converged: bool
    singular: list[Singularity]
    warnings: list[str]
    terms: list[TermTest] | UnsetType = UNSET
    means: list[Means] | UnsetType = UNSET
    effects: list[LevelEffect] | UnsetType = UNSET


class TableEntry(Record, frozen=True, kw_only=True):
    """A table, unrounded. A row has the keys of the columns; an interval has `KEY`, `KEY_low` and `KEY_high`."""

    name: str
    caption: str
    notes: list[str]
    rows: list[dict[str, str | int | float | None]]


class FigureEntry(Record, frozen=True, kw_only=True):
    """A figure that `--out` writes; `text` says what it shows."""

    name: str
    caption: str
    text: str


class FindingsEntry(Record, frozen=True, kw_only=True):
    """What one analysis found; `omitted`: what is not shown, and why."""

    study: str
    title: str
    tables: list[TableEntry]
    figures: list[FigureEntry]
    warnings: list[str]
    omitted: list[str]


class Studied(Answer, frozen=True, kw_only=True):
    """`gramprobe analyze SCORES --json`."""

    studies: list[FindingsEntry]


class Judgments(Answer, frozen=True, kw_only=True):
    """`gramprobe judgments --json`: the folder, the columns of the files that were not read, and the tables, whose
    warnings are the deviations from the experiment."""

    folder: str
    not_read: list[str]
    studies: list[FindingsEntry]


class Framed(Answer, frozen=True, kw_only=True):
    """`gramprobe frame --json`: the file, its columns with their types, what the codes stand for, and how many people
    answered."""

    file: str
    rows: int
    columns: dict[str, str]
    codes: dict[str, str]
    models: list[str]
    people: int
    warnings: list[str]
