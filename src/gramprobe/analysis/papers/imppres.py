"""Jeretic et al. (2020), "Are natural language inference models IMPPRESsive?": what they compute of models' answers.

Both halves are read as `Pairs` from scores of our datasets (`implicatures_of`, `presuppositions_of`), joined by id.

Implicatures (their Table 2): W is a sentence with the weak word of a scale, S with the strong one (*some*, *all*). The
twelve pairs of W, S, not W and not S have a literal and a pragmatic label. Presuppositions (Table 3): a trigger that is
plain or below one of four operators, beside its presupposition, the denial of it and an altered, neutral one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gramprobe.analysis.answers import Answers, answers
from gramprobe.analysis.clusters import INSTANCE
from gramprobe.analysis.means import mean
from gramprobe.analysis.output.table import Value
from gramprobe.analysis.runs import Run, first_values
from gramprobe.certify.rule import LABELS

if TYPE_CHECKING:
    from gramprobe.dataset.read import Dataset

Floats = NDArray[np.float64]
Texts = NDArray[np.object_]
Rows = NDArray[np.bool_]


@dataclass(frozen=True)
class Relation:
    """A pair of Table 2.

    Attributes:
        condition: our name of the pair, PREMISE-HYPOTHESIS.
        name: the paper's name of the relation; + and - are the poles of the scale (*some*, *not all*).
        trigger: where the word with the implicature stands: `premise`, `hypothesis`, `both`, or "" in controls.
    """

    condition: str
    name: str
    trigger: str

    @property
    def negation(self) -> str:
        """Which sentences are negated: `premise`, `hypothesis`, `both` or `neither`."""
        premise, hypothesis = (side.startswith("not_") for side in self.condition.split("-"))
        return "both" if premise and hypothesis else "premise" if premise else "hypothesis" if hypothesis else "neither"


RELATIONS = (
    Relation("weak-not_strong", "implicature (+ to −)", "both"),
    Relation("not_strong-weak", "implicature (− to +)", "both"),
    Relation("weak-strong", "negated implicature (+)", "premise"),
    Relation("strong-weak", "reverse negated implicature (+)", "hypothesis"),
    Relation("not_strong-not_weak", "negated implicature (−)", "premise"),
    Relation("not_weak-not_strong", "reverse negated implicature (−)", "hypothesis"),
    Relation("strong-not_weak", "opposite", ""),
    Relation("not_weak-strong", "opposite", ""),
    Relation("weak-not_weak", "negation", ""),
    Relation("not_weak-weak", "negation", ""),
    Relation("strong-not_strong", "negation", ""),
    Relation("not_strong-strong", "negation", ""),
)
"""Table 2, in the order of the rows of a released paradigm."""
BY_CONDITION = {relation.condition: relation for relation in RELATIONS}
TARGETS = tuple(relation.condition for relation in RELATIONS if relation.trigger)


@dataclass(frozen=True)
class Contrast:
    """Two groups of conditions whose rates of pragmatic answers are compared within an instance (section 6.2)."""

    name: str
    first: tuple[str, ...]
    second: tuple[str, ...]


CONTRASTS = (
    Contrast("order, +: trigger in the premise, less in the hypothesis", ("weak-strong",), ("strong-weak",)),
    Contrast(
        "order, −: trigger in the premise, less in the hypothesis", ("not_strong-not_weak",), ("not_weak-not_strong",)
    ),
    Contrast(
        "negation in both sentences, less in neither",
        ("not_strong-not_weak", "not_weak-not_strong"),
        ("weak-strong", "strong-weak"),
    ),
    Contrast("negation in the premise, less in the hypothesis", ("not_strong-weak",), ("weak-not_strong",)),
    Contrast("negation in the hypothesis, less in neither", ("weak-not_strong",), ("weak-strong",)),
)

TYPES = (
    ("quantifiers", "determiners"),
    ("connectives", "connectives"),
    ("modals", "modals"),
    ("numerals", "numerals"),
    ("gradable_adjective", "scalar adjectives"),
    ("gradable_verb", "scalar verbs"),
)
"""How the name of a paradigm, or of a released file, begins, and the type of scale that it is of."""
EXACTLY = "numerals-exact"
"""The theory in which a numeral means exactly so many."""
WIDE = "numerals above negation"
"""The paradigms in which negation stands below the numeral, so that other labels hold."""
BARE = "bare modals"
"""*Could* of ability beside *needed* of purpose: nothing follows from one for the other, so that other labels hold."""

NAME, SOURCE = "imppres", "Jeretic et al. 2020"
ALL = "all triggers"
PAPER = "paper"
"""What the column `design` says of the pairs that the paper has."""

EMBEDDINGS = ("plain", "negated", "interrogative", "modal", "conditional")
VERSIONS = ("presupposed", "denied", "neutral")
CONTROL = "control"
_OF_PREMISE = {"trigger": "plain", "unembedded": "plain", **{name: name for name in EMBEDDINGS[1:]}}
_OF_HYPOTHESIS = {"presupposed": "presupposed", "denied": "denied", "neutral": "neutral", "trigger": CONTROL}


@dataclass(frozen=True)
class Pairs:
    """The answers of one model to pairs of one half, one row a pair.

    Attributes:
        model: what tables call it.
        triggers: (pairs,) the paradigm, or the name of the released file.
        instances: (pairs,) what the pairs of one paradigm of the paper share: the same words; unique over triggers.
        conditions: (pairs,) of implicatures a condition of `RELATIONS`; of presuppositions EMBEDDING-VERSION, of
            `EMBEDDINGS`, and `VERSIONS` or `control`.
        literal: (pairs,) the literal label. Presuppositions have one label.
        pragmatic: (pairs,) the label that the paper calls pragmatic, of premise and hypothesis strengthened (our column
            `label_imppres`); the literal one where nothing is strengthened.
        exactly: (pairs,) the label where numerals mean exactly so many, or "".
        labels: the labels among which the model chose.
        shares: (pairs, labels) 1 for the label given, an equal share for each of those that tie.
        missing: how many pairs have no answer.
        others: conditions of the dataset that the paper does not have; their pairs are left out.
        together: (pairs,) what is drawn independently, if not the instances.
    """

    model: str
    triggers: Texts
    instances: Texts
    conditions: Texts
    literal: Texts
    pragmatic: Texts
    exactly: Texts
    labels: tuple[str, ...]
    shares: Floats
    missing: int = 0
    others: tuple[str, ...] = ()
    together: NDArray[Any] | None = None

    @property
    def clusters(self) -> NDArray[Any]:
        """(pairs,) what is drawn independently."""
        return self.instances if self.together is None else self.together

    def given(self, labels: Texts) -> Floats:
        """(pairs,) how much each pair is given the label that stands beside it; NaN beside "". With a model of two
        labels, neutral and contradiction are one."""
        found = np.full(len(labels), np.nan)
        for label in set(labels.tolist()) - {""}:
            where = labels == label
            own = label if len(self.labels) == 3 or label == "entailment" else "not_entailment"
            found[where] = self.shares[where, self.labels.index(own)]
        return found

    def share_of(self, label: str) -> Floats | None:
        """(pairs,) how much each pair is given a label; None for one that the model does not have."""
        return self.shares[:, self.labels.index(label)] if label in self.labels else None

    def where(self, rows: Rows) -> Pairs:
        """Some of the pairs."""
        names = ("triggers", "instances", "conditions", "literal", "pragmatic", "exactly", "shares")
        together = None if self.together is None else self.together[rows]
        return replace(self, together=together, **{name: getattr(self, name)[rows] for name in names})

    def of(self, *conditions: str) -> Rows:
        """(pairs,) whether a pair is of one of the conditions."""
        found = np.zeros(len(self.conditions), np.bool_)
        for condition in conditions:
            found |= self.conditions == condition
        return found

    def of_trigger(self, trigger: str) -> Rows:
        """(pairs,) whether a pair is of a trigger; all are of `ALL`."""
        rows: Rows = self.triggers == trigger
        return rows if trigger != ALL else np.ones(len(rows), np.bool_)

    def mean(self, values: Floats, rows: Rows) -> Value:
        """The mean over some rows, with its interval; None for no rows."""
        rows = rows & ~np.isnan(values)
        return mean(values[rows], self.clusters[rows]) if rows.any() else None

    @property
    def types(self) -> Texts:
        """(pairs,) the type of scale of each pair."""
        names = {trigger: type_of(trigger) for trigger in set(self.triggers.tolist())}
        return _column([names[trigger] for trigger in self.triggers])

    def same(self, labels: Texts, others: Texts) -> Rows:
        """(pairs,) whether two labels of a pair are one to this model."""
        if len(self.labels) == 3:
            return np.asarray(labels == others, dtype=np.bool_)
        return np.asarray((labels == "entailment") == (others == "entailment"), dtype=np.bool_)


def together(found: Sequence[Pairs]) -> Pairs:
    """The pairs of several runs of a model, of one half, as one."""
    first, *others = found
    if not others:
        return first
    names = ("triggers", "instances", "conditions", "literal", "pragmatic", "exactly", "shares")
    columns: dict[str, Any] = {name: np.concatenate([getattr(each, name) for each in found]) for name in names}
    clusters = [_column([f"{n} {each}" for each in own.clusters.tolist()]) for n, own in enumerate(found)]
    return replace(
        first,
        missing=sum(each.missing for each in found),
        others=tuple(dict.fromkeys(name for each in found for name in each.others)),
        together=None if first.together is None else np.concatenate(clusters),
        **columns,
    )


def in_order(groups: Sequence[Texts]) -> list[str]:
    """The values of a column of several models, each once."""
    return list(dict.fromkeys(value for group in groups for value in group.tolist()))


def listed_labels(labels: Texts) -> str:
    """The labels that some pairs have."""
    return " or ".join(label for label in LABELS if label in labels.tolist()) or "–"


def type_of(trigger: str) -> str:
    """The type of scale of a paradigm or released file; its own name where the paper has no such type."""
    if trigger.startswith("numerals") and trigger.endswith(("_subject", "_object")):
        return WIDE
    if trigger == "modals_bare":
        return BARE
    return next((name for start, name in TYPES if trigger.startswith(start)), trigger)


def parts(condition: str) -> tuple[str, str]:
    """The embedding and the version of a condition of presuppositions."""
    embedding, _, version = condition.partition("-")
    return embedding, version


# -- from scores


def paradigms_of(run: Run, *, implicature: bool) -> tuple[str, ...]:
    """The paradigms of a run whose conditions are those of one half of the paper."""
    wanted = set(BY_CONDITION) if implicature else set(_our_presuppositions())
    found = []
    for name in run.paradigms:
        if run.dataset.tasks[name] == "nli" and len(first_values(run.dataset, name, "condition") & wanted) > 1:
            found.append(name)
    return tuple(found)


def implicatures_of(run: Run, exactly: Mapping[str, str] | None = None, cluster: str = INSTANCE) -> Pairs | None:
    """The pairs of implicatures of a run; None where it has none.

    ``exactly``: id -> label where numerals mean exactly so many. Raises UsageError for scores that are no labels.
    """
    names = paradigms_of(run, implicature=True)
    if not names:
        return None
    columns = ["premise_condition", "hypothesis_condition", "label_literal", "label_imppres"]
    found = _of_the_paper(run, columns, names, cluster)
    exact = _column([(exactly or {}).get(item or "", "") for item in found.column("id")])
    pairs = _pairs(found, _texts(found, "condition"), exact, names)
    return _only(pairs, pairs.of(*BY_CONDITION), pairs.conditions)


def presuppositions_of(run: Run, cluster: str = INSTANCE) -> Pairs | None:
    """The pairs of presuppositions of a run; None where it has none. Raises UsageError for scores that are no
    labels."""
    names = paradigms_of(run, implicature=False)
    if not names:
        return None
    found = _of_the_paper(run, ["label_literal", "label_imppres"], names, cluster)
    known = _our_presuppositions()
    ours = _texts(found, "condition")
    conditions = _column([known.get(name, "") for name in ours])
    pairs = _pairs(found, conditions, _column([""] * len(conditions)), names)
    return _only(pairs, pairs.conditions != "", ours)


def exactly_labels(datasets: Sequence[Dataset], names: Sequence[str]) -> dict[str, str]:
    """Id -> label of the paradigms of these names, in those of the datasets that were built under `EXACTLY`."""
    found: dict[str, str] = {}
    for dataset in datasets:
        for name in dataset.paradigms:
            if name in names and dataset.manifest.paradigms[name].theory == EXACTLY:
                for batch in dataset.rows(name, ["id", "label_name"]):
                    found.update(zip(*(column.to_pylist() for column in batch.columns), strict=True))
    return found


def numerals_of(run: Run) -> tuple[str, ...]:
    """The paradigms of implicatures whose theory is about numerals."""
    parts = run.dataset.manifest.paradigms
    return tuple(
        name for name in paradigms_of(run, implicature=True) if (parts[name].theory or "").startswith("numerals")
    )


def _our_presuppositions() -> dict[str, str]:
    """Our name of a condition -> EMBEDDING-VERSION."""
    return {
        f"{premise}-{hypothesis}": f"{_OF_PREMISE[premise]}-{version}"
        for premise in ("trigger", *EMBEDDINGS[1:])
        for hypothesis, version in _OF_HYPOTHESIS.items()
        if premise != "trigger" or version != CONTROL
    }


def _of_the_paper(run: Run, columns: Sequence[str], names: Sequence[str], cluster: str) -> Answers:
    """The answers to the pairs of the paper's design, without those that `balance` adds."""
    found = answers(run, ["design", *columns], names, cluster)
    return found.where(np.array([each == PAPER for each in found.column("design")], np.bool_))


def _only(pairs: Pairs, rows: Rows, conditions: Texts) -> Pairs:
    """The pairs of the paper's conditions, which know the names of the others."""
    others = tuple(dict.fromkeys(conditions[~rows].tolist()))
    return replace(pairs.where(rows), others=others)


def _texts(found: Answers, name: str) -> Texts:
    return _column([value or "" for value in found.column(name)])


def _pairs(found: Answers, conditions: Texts, exactly: Texts, names: Sequence[str]) -> Pairs:
    triggers = _texts(found, "paradigm")
    literal, both = _texts(found, "label_literal"), _texts(found, "label_imppres")
    return Pairs(
        model=found.run.model,
        triggers=triggers,
        instances=_column([f"{t}/{i}" for t, i in zip(triggers, found.column("instance"), strict=True)]),
        conditions=conditions,
        literal=literal,
        pragmatic=np.where(both == "", literal, both),
        exactly=exactly,
        labels=found.labels,
        shares=found.shares,
        missing=sum(_asked(found.run.dataset, name) for name in names) - len(triggers) - found.lost,
        together=None if found.cluster == INSTANCE else found.clusters,
    )


def _asked(dataset: Dataset, name: str) -> int:
    """How many pairs of a paradigm are of the paper's design."""
    return sum(batch.column("design").to_pylist().count(PAPER) for batch in dataset.rows(name, ["design"]))


def _column(values: Sequence[str]) -> Texts:
    return np.array(values, dtype=object)


# -- implicatures

BEHAVIOURS = ("pragmatic", "literal", "both", "neither")


def behaviours(pairs: Pairs) -> dict[str, Floats]:
    """(pairs,) how much each answer is pragmatic alone, literal alone, both where the two labels are one, or neither
    (their Figs 3, 4, 8-13). The four add up to 1."""
    pragmatic, literal = pairs.given(pairs.pragmatic), pairs.given(pairs.literal)
    same = pairs.same(pairs.pragmatic, pairs.literal)
    both = np.where(same, pragmatic, 0.0)
    found = {"pragmatic": np.where(same, 0.0, pragmatic), "literal": np.where(same, 0.0, literal), "both": both}
    return {**found, "neither": 1.0 - found["pragmatic"] - found["literal"] - both}


def differences(pairs: Pairs, contrast: Contrast) -> tuple[Floats, NDArray[Any]]:
    """A contrast of section 6.2 over the instances that have an answer to each of its conditions: ((instances,) the
    rate of pragmatic answers of the first group of conditions, less that of the second; (instances,) which belong
    together). Pairs whose two labels are one are left out: an answer does not show which was meant."""
    wanted = (*contrast.first, *contrast.second)
    own = pairs.where(pairs.of(*wanted))
    own = own.where(~own.same(own.pragmatic, own.literal))
    by_instance: dict[str, dict[str, float]] = {}
    for instance, condition, rate in zip(own.instances, own.conditions, own.given(own.pragmatic).tolist(), strict=True):
        by_instance.setdefault(instance, {})[condition] = rate
    together = dict(zip(own.instances.tolist(), own.clusters.tolist(), strict=True))
    values = {
        instance: float(np.mean([found[c] for c in contrast.first]) - np.mean([found[c] for c in contrast.second]))
        for instance, found in by_instance.items()
        if all(c in found for c in wanted)
    }
    return np.array(list(values.values()), float), _column([together[instance] for instance in values])


# -- presuppositions


@dataclass(frozen=True)
class Filtered:
    """The control filter of section 7.2, as the released code has it.

    Attributes:
        kept: (pairs,) whether a target pair is kept; controls never are.
        unknown: (pairs,) whether a pair that the filter reads has no answer, so that the target cannot be judged.
    """

    kept: Rows
    unknown: Rows


def filtered(pairs: Pairs) -> Filtered:
    """Which target pairs show projection, and no accident.

    A pair is kept if its instance has the plain trigger taken to entail its presupposition, and, below an operator, the
    control of that operator right (the trigger below it and the plain trigger). All three versions of the
    presupposition are filtered, as in the released code; the paper speaks of the presupposition alone. An answer that
    ties counts as wrong.
    """
    right = pairs.given(pairs.pragmatic) == 1.0
    known: dict[tuple[str, str], bool] = {}
    for instance, condition, is_right in zip(pairs.instances, pairs.conditions, right, strict=True):
        known[instance, condition] = bool(is_right)
    kept, unknown = np.zeros(len(right), np.bool_), np.zeros(len(right), np.bool_)
    for row, (instance, condition) in enumerate(zip(pairs.instances, pairs.conditions, strict=True)):
        embedding, version = parts(condition)
        if version == CONTROL:
            continue
        needed = [known.get((instance, "plain-presupposed"))]
        if embedding != "plain":
            needed.append(known.get((instance, f"{embedding}-{CONTROL}")))
        unknown[row] = None in needed and False not in needed
        kept[row] = all(needed)
    return Filtered(kept, unknown)


def conditions(controls: bool = True) -> Iterator[tuple[str, str]]:
    """(embedding, version) of the 15 target conditions, then of the four controls."""
    yield from ((embedding, version) for embedding in EMBEDDINGS for version in VERSIONS)
    if controls:
        yield from ((embedding, CONTROL) for embedding in EMBEDDINGS[1:])
