"""Make an experiment: the lists of a dataset's items with fillers and catch trials, each in its order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random

from msgspec.structs import replace

from gramprobe import __version__
from gramprobe.dataset.manifest import MANIFEST
from gramprobe.dataset.read import Dataset
from gramprobe.experiment.extras import Extra
from gramprobe.experiment.items import Cell, Instance, Wanted, instances
from gramprobe.experiment.sequence import lacking, ordered
from gramprobe.experiment.square import Above, Selection, Sizes, coloured, sized
from gramprobe.experiment.trials import Exclusions, Experiment, Factor, Option, Plan, Trial
from gramprobe.experiment.wording import PAGE, Wording
from gramprobe.records import factor_column, sha256_of
from gramprobe.source import messages

SIDE = Factor("side", ("as listed", "reversed"), "list")
"""The side of the keys: in half the lists the answers stand the other way round."""
MOST_TRIALS = 100_000
"""How many trials all lists may have together."""

MOST_SLOPES = 4
"""How many levels a factor has at most whose slopes are in the planned model."""


@dataclass(frozen=True)
class Request:
    """What is asked for.

    ``per_person``, ``lists``: None for the default (`square.sized`). ``sides``: whether the side of the keys is a
    factor. ``near``: take the best division that was found where words cannot all be at their shares.
    """

    wanted: Wanted
    per_person: int | None = None
    lists: int | None = None
    orders: int = 1
    sides: bool = True
    near: bool = False
    seed: int = 0
    points: int = 7
    exclusions: Exclusions = field(default_factory=Exclusions)
    wording: Wording = field(default_factory=Wording)
    platform: str = "csv"


class Maker:
    """The items of a request, and then its lists: fillers may depend on the first."""

    def __init__(self, dataset: Dataset, request: Request) -> None:
        """Raises UsageError for items that are not there, and sizes that do not fit."""
        self.dataset, self.request, self.kind = dataset, request, request.wanted.kind
        self.instances = instances(dataset, request.wanted)
        first = self.instances[0]
        self.scale = request.wording.scale(self.kind, request.points, self._labels(first.paradigm))
        asked = any("question" in cell.texts for each in self.instances for cell in each.cells)
        self.options = first.cells[0].options
        turning = self.kind in ("nli", "acceptability") or (self.kind == "self_paced" and asked)
        self.sides = request.sides and turning and len(self.scale) > 1
        taken = any(SIDE.name in cell.levels for each in self.instances for cell in each.cells)
        self.side = replace(SIDE, name="side_of_keys") if taken else SIDE
        self.each = (2 if self.sides else 1) * request.orders
        self.sizes: Sizes = sized(len(self.instances), len(first.cells), request.per_person, request.lists, self.each)

    @cached_property
    def declared(self) -> dict[str, str]:
        """The factors that authors declare, but numbers -> what their levels are of."""
        designs = (self.dataset.design(name) for name in dict.fromkeys(each.paradigm for each in self.instances))
        return {each.name: each.of for design in designs for each in design.factors or () if each.kind != "number"}

    @property
    def answers(self) -> tuple[str, ...]:
        """The names of all answers."""
        return tuple(sorted(self.options)) or tuple(option.name for option in self.scale)

    def _labels(self, paradigm: str) -> Sequence[str]:
        values = next((c.values for c in self.dataset.design(paradigm).columns if c.name == "label"), ())
        return values if isinstance(values, list) else ()

    def experiment(self, fillers: Sequence[Extra] = (), catch: Sequence[Extra] = ()) -> tuple[Experiment, list[Above]]:
        """The experiment, without the hash of its trials, and the words that are above their shares (only if the
        request has ``near``). Raises UsageError."""
        request, sizes = self.request, self.sizes
        total = sizes.lists * self.each * (sizes.per_person + len(fillers) + len(catch))
        if total > MOST_TRIALS:
            raise messages.experiment.too_many(total, MOST_TRIALS)
        rules = request.exclusions
        if rules.catch is not None and rules.catch > len(catch):
            raise messages.experiment.too_few("right catch trials", rules.catch, len(catch))
        slots = self._slots()
        selection = Selection(sizes, slots, Random(f"lists/{request.seed}"))
        above = selection.search()
        if above and not request.near:
            worst = max(above, key=lambda each: each.count - each.share)
            raise messages.experiment.words_together(
                len(self.instances), worst.slot, worst.word, worst.count, worst.share
            )
        chosen = selection.lists
        paradigms = [instance.paradigm for instance in self.instances]
        cells = coloured(chosen, sizes.cells, Random(f"cells/{request.seed}"), lambda i: paradigms[i])
        factors = self._factors(
            [
                [self.instances[i].cells[c] for i, c in zip(*each, strict=True)]
                for each in zip(chosen, cells, strict=True)
            ],
            len(fillers) + len(catch),
        )
        trials = tuple(
            trial
            for number, (own, of) in enumerate(zip(chosen, cells, strict=True))
            for trial in self._lists(number * self.each, list(zip(own, of, strict=True)), fillers, catch, factors)
        )
        plan = Plan(
            format=1, gramprobe=__version__, dataset=self.dataset.manifest.name,
            sha256=sha256_of(self.dataset.folder / MANIFEST), paradigms=tuple(dict.fromkeys(paradigms)),
            kind=self.kind, question=request.wording.asked(self.kind),
            scale=self.scale if any(trial.options for trial in trials) else (), seed=request.seed,
            platform=request.platform, factors=(*factors, *([self.side] if self.sides else [])),
            lists=sizes.lists * self.each, per_person=sizes.per_person, fillers=len(fillers), catch=len(catch),
            orders=request.orders, instances=sizes.instances, cells=sizes.cells,
            repeats=sizes.repeats * self.each, exclusions=request.exclusions, model=self._model(factors),
            words={**PAGE, **request.wording.page}, trials="0" * 64,
        )  # fmt: skip
        return Experiment(plan, trials), above

    def _slots(self) -> dict[str, list[str]]:
        """Slot -> the word of each instance: what is drawn, its paradigm, and levels that all its cells have."""
        names = dict.fromkeys(name for each in self.instances for name in each.words)
        slots = {name: [each.words.get(name, "") for each in self.instances] for name in names}
        slots["paradigm"] = [each.paradigm for each in self.instances]
        for name in dict.fromkeys(name for each in self.instances for name in each.cells[0].levels):
            if all(_same(each, name) for each in self.instances):
                slots[name] = [each.cells[0].levels.get(name, "") for each in self.instances]
        return {name: words for name, words in slots.items() if len(set(words)) > 1}

    def _factors(self, lists: Sequence[Sequence[Cell]], others: int) -> list[Factor]:
        """The factors that rows have, each of two levels or more. The label is one only where each list can be ordered
        by it too: how often a label is right is not for the author to choose."""
        levels: dict[str, dict[str, None]] = {}
        for each in self.instances:
            for cell in each.cells:
                for name, level in cell.levels.items():
                    levels.setdefault(name, {})[level] = None
        for own in lists:
            counts = Counter(cell.levels.get("label", "") for cell in own)
            if any(lacking(count, len(own) + others) for label, count in counts.items() if label):
                levels.pop("label", None)
        paradigms = tuple(dict.fromkeys(each.paradigm for each in self.instances))
        found = [Factor(name, tuple(own), "row") for name, own in levels.items() if len(own) > 1]
        return [*found, *([Factor("paradigm", paradigms, "row")] if len(paradigms) > 1 else [])]

    def _lists(
        self,
        before: int,
        chosen: Sequence[tuple[int, int]],
        fillers: Sequence[Extra],
        catch: Sequence[Extra],
        factors: Sequence[Factor],
    ) -> Iterator[Trial]:
        """The lists of one selection of items: each side of the keys, each order."""
        names = [factor.name for factor in factors]
        for number in range(before + 1, before + 1 + self.each):
            turned = self.sides and (number - before - 1) // self.request.orders == 1
            side = {self.side.name: SIDE.levels[turned]} if self.sides else {}
            trials = [self._trial(number, self.instances[i], cell, side) for i, cell in chosen]
            trials += [self._extra(number, "filler", n, each, side) for n, each in enumerate(fillers)]
            trials += [self._extra(number, "catch", n, each, side) for n, each in enumerate(catch)]
            levels = [{name: trial.levels[name] for name in names if name in trial.levels} for trial in trials]
            order = ordered(number, levels, names, f"{self.request.seed}/{number}")
            for position, at in enumerate(order, 1):
                yield replace(trials[at], position=position)

    def _trial(self, number: int, instance: Instance, cell: int, side: dict[str, str]) -> Trial:
        own = instance.cells[cell]
        options = own.options or self._answers("question" in own.texts, side)
        several = len({each.paradigm for each in self.instances}) > 1
        return Trial(
            list=number, position=1, role="experimental", id=own.id, paradigm=instance.paradigm,
            instance=instance.name, condition=own.condition, part=own.part,
            levels={**own.levels, **({"paradigm": instance.paradigm} if several else {}), **side},
            texts=dict(own.texts), options=options, keys=keys_of(len(options)), expected=own.expected,
            regions=own.regions if self.kind == "self_paced" else (),
        )  # fmt: skip

    def _extra(self, number: int, role: str, place: int, extra: Extra, side: dict[str, str]) -> Trial:
        options = self._answers("question" in extra.texts, side)
        if self.options:  # the options of half the fillers stand the other way round, in the next list the other half
            options = tuple(sorted(self.options))[:: 1 if (number + place) % 2 else -1]
        return Trial(
            list=number, position=1, role="catch" if role == "catch" else "filler", id=extra.id, levels=dict(side),
            texts=dict(extra.texts), options=options, keys=keys_of(len(options)), expected=extra.expected,
        )  # fmt: skip

    def _answers(self, asked: bool, side: dict[str, str]) -> tuple[str, ...]:
        if self.kind == "self_paced" and not asked:
            return ()
        names = tuple(option.name for option in self.scale)
        return names[::-1] if side.get(self.side.name) == SIDE.levels[1] else names

    @property
    def _critical(self) -> str:
        """The region whose times the planned model is of: the critical one, else the last of a sentence; empty where
        there are no regions."""
        first = self.instances[0]
        compared = self.dataset.design(first.paradigm).compared
        return (compared or [each.name for each in first.cells[0].regions[-1:]] or [""])[0]

    def _model(self, factors: Sequence[Factor]) -> str:
        """The planned model, over the columns of the frame, in which a person is a `source`: what the author
        declares as factors, crossed (else conditions), and the others beside it, with slopes of people and of instances
        for those of few levels that they see all of."""
        measure = {"self_paced": "log(score)", "rating": "score", "acceptability": "score"}.get(self.kind, "right")
        if self.kind == "self_paced" and (region := self._critical):
            measure = f"log(measure_time_{region})"
        columns = {c for each in self.instances[:1] for c in self.dataset.columns(each.paradigm)}
        left = ("label", *(() if "order" in columns else ("order",)))  # what no column of the frame is about
        fixed = [factor.name for factor in factors if factor.name not in left or len(factors) == 1]
        declared = [name for name in fixed if name in self.declared]
        if any(of == "condition" for name, of in self.declared.items() if name in declared):
            fixed.remove("condition")  # its levels are those of the factors
        crossed = [name for name in fixed if name in (*declared, *(() if declared else ("condition",)), "part")]
        beside = [name for name in fixed if name not in crossed]
        seen = [factor.name for factor in factors if factor.name in fixed and len(factor.levels) <= MOST_SLOPES]
        within = [name for name in seen if name != "paradigm" and not all(_same(each, name) for each in self.instances)]
        called = {name: factor_column(name, columns) if name in self.declared else name for name in fixed}
        terms, by_person, by_instance = (
            [" * ".join(called[n] for n in crossed if n in own), *(called[n] for n in beside if n in own)]
            for own in (fixed, seen, within)
        )
        of_people, of_instances = (" + ".join(["1", *filter(None, own)]) for own in (by_person, by_instance))
        whole = " + ".join(filter(None, terms)) or "1"
        return f"{measure} ~ {whole} + ({of_people} | source) + ({of_instances} | instance)"


def keys_of(count: int) -> tuple[str, ...]:
    """The keys of so many answers: f and j of two, digits of up to nine, none of more."""
    if count == 2:
        return "f", "j"
    return tuple(str(n) for n in range(1, count + 1)) if count < 10 else ()


def scale_of(plan: Plan, trial: Trial) -> tuple[Option, ...]:
    """The answers of a trial in the order shown, with what is read of each."""
    texts = {option.name: option.text for option in plan.scale} | trial.texts
    return tuple(Option(name, texts[name]) for name in trial.options)


def _same(instance: Instance, name: str) -> bool:
    return len({cell.levels.get(name) for cell in instance.cells}) == 1
