"""What can be known of the labels without reasoning: readers of one sentence or of words without their order, rules,
tokens that go with a label, words that do; where a model is no better, and whose wrong answers it gives.

Readers: Poliak et al. (2018), with the tables of `gramprobe.baselines`; tokens and words: `analysis.associations`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pyarrow.compute as pc
from msgspec import UNSET
from numpy.typing import NDArray

from gramprobe.analysis import associations, shallow
from gramprobe.analysis.answers import Answers, answers, joined
from gramprobe.analysis.findings import Figure, Findings, bars_of
from gramprobe.analysis.inference import student
from gramprobe.analysis.means import clustered, difference_method, enough, mean, share_method
from gramprobe.analysis.output.table import Column, Table, Value, percent
from gramprobe.analysis.pairs import SILENT, Items, about_rules, items_of, tells_two
from gramprobe.analysis.runs import Run, by_model
from gramprobe.analysis.study import Given
from gramprobe.baselines.readers import TABLES
from gramprobe.baselines.table import FOLDS
from gramprobe.certify.rule import LABELS
from gramprobe.dataset.manifest import Baselines
from gramprobe.dataset.read import Dataset
from gramprobe.formats.nli import TWO_WAY

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]
NOT_REASONING = ("rule", "reader", "ngram")
"""Kinds of models that do not reason."""
READER_NAMES = {"hypothesis": "hypothesis alone", "premise": "premise alone", "verbs": "words of both"}
"""Reader -> what tables call it."""


class Artefacts:
    name = "artefacts"
    about = "what readers that do not reason reach, tokens that go with labels, and whose errors a model makes"
    source = ""
    needs = "give labels (--mode nli, or a file `item,label`) of a dataset with premises and hypotheses"

    def fits(self, run: Run) -> bool:
        return bool(run.labels and _paradigms(run.dataset, run.paradigms))

    def findings(self, runs: Sequence[Run], given: Given) -> Findings:
        warnings = [warning for run in runs for warning in run.warnings()]
        tables: list[Table] = []
        details: list[Table] = []
        figures: list[Figure] = []
        headlines: list[str] = []
        datasets: dict[str, list[Run]] = {}
        for run in runs:
            datasets.setdefault(str(run.dataset.folder), []).append(run)
        for number, (_, own) in enumerate(datasets.items(), 1):
            end = f"_{number}" if len(datasets) > 1 else ""
            names = _paradigms(own[0].dataset, [name for run in own for name in run.paradigms])
            every = [
                joined([answers(run, (), [n for n in names if n in run.paradigms], given.cluster) for run in of])
                for of in by_model(own).values()
            ]
            items = items_of(own[0].dataset, names, given.cluster)
            if items.unlabelled:
                warnings.append(f"{items.unlabelled:,} items of {own[0].dataset.folder.name} have no label")
            if not items.ids:
                continue
            warnings += [warning for each in every for warning in each.outside()]
            found = [each.headline() for each in every]
            built = {name: own[0].dataset.manifest.paradigms[name].baselines for name in names}
            measured = {n: b for n, b in built.items() if b is not UNSET and b.readers}
            readers = _readers(items, found, measured, given, end)
            beside = _beside(items, found)
            of = f" Set: {own[0].dataset.folder.name}." if len(datasets) > 1 else ""
            made = [shallow.table(beside, given.cluster, end)] if beside else []
            headlines += shallow.warnings(beside, {run.model for run in own if run.people})
            made += [readers, _rules(items, found, end), _errors(items, found, READER_NAMES, "reader", given, end)]
            made += [associations.tokens(items, end), associations.slots(items, end)]
            tables += [replace(each, caption=each.caption + of) for each in made]
            by_rules = _errors(items, found, {rule: rule for rule in tells_two()}, "rule", given, end)
            details.append(replace(by_rules, caption=by_rules.caption + of))
            columns = [READER_NAMES[reader] for reader in TABLES] + [each.run.model for each in found]
            figures.append(
                Figure(
                    f"artefact_readers{end}",
                    f"Share of right answers of readers, which cannot reason, and of models, by paradigm.{of}",
                    "A group of bars for each paradigm, a bar for each reader and model; the numbers are in the table.",
                    bars_of(readers, {name: i for i, name in enumerate(columns, 3)}, n=1),
                )
            )
        return Findings(
            self.name,
            "Artefacts and baselines",
            tuple(tables),
            tuple(figures),
            tuple(warnings),
            details=tuple(details),
            headlines=tuple(headlines),
        )


STUDY = Artefacts()


def _paradigms(dataset: Dataset, names: Sequence[str]) -> list[str]:
    wanted = {"premise", "hypothesis", "label"}
    return [n for n in dataset.paradigms if n in names and wanted <= set(dataset.columns(n))]


# -- readers and models


def _readers(items: Items, found: Sequence[Answers], built: Mapping[str, Baselines], given: Given, end: str) -> Table:
    """Accuracy of the commonest label, of each reader and of each model, by paradigm. ``built``: what the build of the
    dataset measured with readers that know which words are drawn, and where."""
    rights = {reader: (guess == items.labels).astype(float) for reader, guess in items.guesses.items()}
    models = []
    for each in found:
        right = each.right()
        kept = ~np.isnan(right)
        own = {"cluster": each.clusters[kept], "right": right[kept]}
        models.append((np.array(each.column("paradigm"), dtype=object)[kept], own))
    rows: list[tuple[Value, ...]] = []
    for name, where in items.groups():
        majority = float(np.bincount(items.labels[where]).max() / where.sum())
        row: list[Value] = [name, int(where.sum()), majority]
        row += [mean(rights[reader][where], items.clusters[where]) for reader in TABLES]
        for of, own in models:
            scored = of == name if name != "all" else np.ones(len(of), np.bool_)
            row.append(mean(own["right"][scored], own["cluster"][scored]) if scored.any() else None)
        if built:
            row += [built[name].readers.get(reader) if name in built else None for reader in TABLES]
        rows.append(tuple(row))
    columns = [Column("paradigm", "paradigm"), Column("n", "items"), percent("majority", "majority")]
    columns += [percent(reader, READER_NAMES[reader], "reader") for reader in TABLES]
    columns += [percent(f"model_{i}", each.run.model, "model") for i, each in enumerate(found, 1)]
    if built:
        columns += [percent(f"built_{r}", READER_NAMES[r], "reader, at the build") for r in TABLES]
    two = [each.run.model for each in found if len(each.labels) == 2]
    return Table(
        f"artefact_readers{end}",
        "Share of right answers of readers, which cannot reason, of models on the items that they scored, and of the "
        "commonest label.",
        tuple(columns),
        tuple(rows),
        notes=(
            f"A reader sees a part of an item, as the hypothesis alone, and answers the label that is commonest where "
            f"it saw the same before: in the instances of the other {FOLDS - 1} of {FOLDS} folds. Where it never saw "
            "the same words it goes by their classes, then by their categories, then by their places alone.",
            "At the build readers knew the structure of sentences too, and saw 500 instances at most.",
            *(f"{model} has two labels: entailment against the others." for model in two),
        ),
        methods=(share_method(given.cluster),),
    )


def _rules(items: Items, found: Sequence[Answers], end: str) -> Table:
    """Accuracy of rules that need no training, of three labels or two, beside the models' of both."""
    gold = items.labels
    rights = [rights_of(rule, shares_of(items.said[rule]), gold, two) for rule, two in tells_two().items()]
    order = [(own, own.two if own.three is None else own.three) for own in sorted(rights, key=_tells_two)]
    models = [aligned(each, items) for each in found]
    rows: list[tuple[Value, ...]] = []
    for name, where in items.groups():
        most = np.bincount(gold[where]).max() / where.sum()
        entailed = float((gold[where] == 0).mean())
        row: list[Value] = [name, int(where.sum()), float(most)]
        for two in (False, True):
            row += [float(right[where].mean()) for own, right in order if _tells_two(own) == two]
            row += [_mean(each.two if two else each.three, where) for each in models]
            row += [] if two else [max(entailed, 1 - entailed)]
        rows.append(tuple(row))
    columns = [Column("paradigm", "paradigm"), Column("n", "items")]
    for two, of in ((False, "of three labels"), (True, "entailment or not")):
        end_ = "_two" if two else ""
        columns.append(percent(f"majority{end_}", "majority", of))
        columns += [percent(own.name, own.name, of) for own, _ in order if _tells_two(own) == two]
        columns += [percent(f"model_{n}{end_}", m.name, of) for n, m in enumerate(models, 1)]
    return Table(
        f"artefact_rules{end}",
        "Accuracy of rules that need no training, and of models on the items that they scored.",
        tuple(columns),
        tuple(rows),
        notes=(
            *(f"{rule}: {about}" for rule, about in about_rules().items()),
            "Where a rule says nothing of an item, it is counted as a guess among its labels.",
        ),
    )


def _tells_two(own: shallow.Rights) -> bool:
    return own.three is None


def _mean(right: Floats | None, where: NDArray[np.bool_]) -> float | None:
    own = np.array([]) if right is None else right[where & ~np.isnan(right)]
    return float(own.mean()) if len(own) else None


def shares_of(guess: Numbers) -> Floats:
    """(items, labels) 1 for the label that is guessed; an equal share for all where it is `SILENT`."""
    shares = np.eye(len(LABELS))[np.minimum(guess, SILENT - 1)]
    shares[guess == SILENT] = 1 / len(LABELS)
    return shares


def rights_of(name: str, shares: Floats, gold: Numbers, two: bool = False) -> shallow.Rights:
    """How far answers are right. ``shares``: (items, labels) how much each label of three is given; ``gold``: (items,);
    ``two``: whether they only distinguish entailment from its absence."""
    entailed = shares[:, 0]
    right = np.where(gold == 0, entailed, 1.0 - entailed)
    return shallow.Rights(name, None if two else shares[np.arange(len(gold)), gold], right)


def _matched(each: Answers, items: Items) -> tuple[Numbers, Numbers]:
    """(both,) the rows of the items that a model scored, among its answers and among the items."""
    within = pc.fill_null(pc.index_in(each.items.column("id"), value_set=items.known), -1).to_numpy()
    at = np.flatnonzero(within >= 0)
    return at, within[at]


def aligned(each: Answers, items: Items) -> shallow.Rights:
    """A model's, in the order of the items; NaN for those that it did not score."""
    (at, within), gold = _matched(each, items), items.labels
    scored = rights_of(each.run.model, each.shares_of_three()[at], gold[within], len(each.labels) == 2)

    def spread(right: Floats) -> Floats:
        whole = np.full(len(gold), np.nan)
        whole[within] = right
        return whole

    return shallow.Rights(each.run.model, None if scored.three is None else spread(scored.three), spread(scored.two))


def _beside(items: Items, found: Sequence[Answers]) -> list[shallow.Beside]:
    """Each model beside baselines that do not reason: the commonest label, readers, rules, and runs of these."""
    gold = items.labels
    most = np.zeros((len(gold), len(LABELS)))
    entailed = np.zeros(len(gold))
    for name in dict.fromkeys(items.paradigms.tolist()):
        where = items.paradigms == name
        most[where, np.bincount(gold[where]).argmax()] = 1.0
        entailed[where] = float((gold[where] == 0).mean() > 0.5)
    common = rights_of("the commonest label", most, gold)
    others = [shallow.Rights(common.name, common.three, np.where(gold == 0, entailed, 1 - entailed))]
    others += [rights_of(READER_NAMES[reader], shares_of(guess), gold) for reader, guess in items.guesses.items()]
    two = tells_two()
    others += [rights_of(rule, shares_of(said), gold, two[rule]) for rule, said in items.said.items()]
    models: list[shallow.Rights] = []
    for each in found:
        (others if does_not_reason(each.run) else models).append(aligned(each, items))
    sets = dict(items.groups())
    return [row for model in models for row in shallow.compared(model, others, sets, items.clusters)]


def does_not_reason(run: Run) -> bool:
    """Whether a run is of a rule or a reader, or of a model that read the words in another order."""
    record = run.record
    return record is not None and (record.model.kind in NOT_REASONING or record.settings.shuffle_words is True)


def _errors(
    items: Items, found: Sequence[Answers], names: Mapping[str, str], kind: str, given: Given, end: str
) -> Table:
    """How many of a model's wrong answers each reader gives as well, and how many it would by chance.

    ``names``: reader or rule -> what the table calls it; ``kind``: which of the two.
    """
    answered = {**items.guesses, **items.said}
    rows: list[tuple[Value, ...]] = []
    sections = {}
    for each in found:
        at, within = _matched(each, items)
        if not len(at):
            continue
        sections[len(rows)] = each.run.model
        labels = LABELS if len(each.labels) == len(LABELS) else TWO_WAY
        shares = np.column_stack([each.share_of(label) for label in labels])[at]
        gold, guesses = items.labels[within], {r: answered[r][within] for r in names if r in answered}
        if len(each.labels) == 2:
            gold = np.minimum(gold, 1)
            guesses = {r: np.where(g == SILENT, 2, np.minimum(g, 1)) for r, g in guesses.items()}
        paradigms = items.paradigms[within]
        for name in [*dict.fromkeys(paradigms.tolist()), "all"]:
            where = paradigms == name if name != "all" else np.ones(len(gold), np.bool_)
            if name == "all" and len(set(paradigms.tolist())) == 1:
                continue
            every, same = errors(shares[where], gold[where], {r: g[where] for r, g in guesses.items()})
            wrong = float(every.sum())
            best = max(same, key=lambda reader: float((same[reader][0] - same[reader][1]).sum()), default="")
            explains = bool(best) and _above(every, same[best][0] - same[best][1], items.clusters[within][where])
            cells = [float(own.sum()) / wrong if wrong else None for reader in guesses for own in same[reader]]
            rows.append((name, int(where.sum()), wrong, *cells, names[best] if explains else None))
    columns = [Column("paradigm", "paradigm"), Column("n", "items"), Column("wrong", "wrong", digits=1)]
    for reader in (each for each in names if each in answered):
        columns.append(percent(reader, "same", names[reader]))
        columns.append(percent(f"{reader}_chance", "chance", names[reader]))
    columns.append(Column("explains", "explains most"))
    return Table(
        f"artefact_errors{'_rules' if kind == 'rule' else ''}{end}",
        f"Which {kind} explains a model's errors: how many of its wrong answers the {kind} gives as well.",
        tuple(columns),
        tuple(rows),
        notes=(
            f"Same: the share of the model's wrong answers that are also the {kind}'s; an answer that ties counts in "
            f"parts. Chance: what it would be if the {kind}'s answers to the items of a label were dealt out anew.",
            f"Explains most: the {kind} that gives a model's wrong answers most often beyond chance, where the "
            "interval of the difference lies above 0.",
        ),
        sections=sections,
        methods=(
            replace(
                difference_method(given.cluster, "explains most"),
                estimator="share of the wrong answers less that by chance (a ratio of clusters' sums)",
            ),
        ),
    )


def _above(wrong: Floats, above: Floats, clusters: NDArray[np.object_]) -> bool:
    """Whether the share of wrong answers above chance has an interval above 0. ``wrong``: (items,) how wrong each is;
    ``above``: (items,) how much of this is the reader's too, less that by chance."""
    sums, sizes = clustered(wrong, clusters)
    own = sums > 0
    weights = (sums * sizes)[own]
    if not enough(len(weights), int(weights.sum())):
        return False
    means = (clustered(above, clusters)[0] * sizes)[own] / weights
    return student(means, weights).low > 0


def errors(
    shares: Floats, gold: Numbers, guesses: dict[str, Numbers]
) -> tuple[Floats, dict[str, tuple[Floats, Floats]]]:
    """((items,) how much of each answer is wrong, reader -> (items,) how much of that it gives too, and by chance).

    ``shares``: (items, labels) how much each label is given; ``gold``: (items,); ``guesses``: reader -> (items,), the
    number of labels where it says nothing. The share by chance takes the reader's answers to all items of an item's
    label as its distribution.
    """
    wrong = np.column_stack([shares, np.zeros(len(shares))])
    wrong[np.arange(len(gold)), gold] = 0.0
    found = {}
    for reader, guess in guesses.items():
        counts = np.zeros((shares.shape[1], wrong.shape[1]))
        np.add.at(counts, (gold, guess), 1.0)
        chance = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1.0)
        found[reader] = wrong[np.arange(len(gold)), guess], (wrong * chance[gold]).sum(axis=1)
    return wrong.sum(axis=1), found
