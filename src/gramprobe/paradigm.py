"""A paradigm of a loaded project: count its instances, sample them, read their labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from gramprobe import shown
from gramprobe.resolve.grammar.data import Grammar
from gramprobe.resolve.paradigm.data import Paradigm
from gramprobe.resolve.project import Declarations
from gramprobe.source.diagnostic import AuthoringError, Findings, UsageError

if TYPE_CHECKING:
    import pyarrow as pa

    from gramprobe.items.plan import Plan
    from gramprobe.items.rows import Chunk
    from gramprobe.items.stream import Stream
    from gramprobe.space.space import Space


MOST_LOOKED_AT = 100
"""In so many instances rows of each condition and label are looked for."""


def at_least_one(n: int) -> None:
    """Raise UsageError for a number of instances below 1."""
    if n < 1:
        raise UsageError(f"{n} is not a number of instances", "ask for 1 or more")


@dataclass(frozen=True)
class Decided:
    """Instances of a paradigm with their answers: ``stream.answers(chunk, row)`` gives those of one instance."""

    stream: Stream
    chunk: Chunk


class Line(NamedTuple):
    """A sentence of an instance: its condition, and what was derived of it, a text each."""

    condition: str
    sentence: str
    derived: tuple[str, ...]


@dataclass(frozen=True, repr=False)
class Sample:
    """Instances of a paradigm with their sentences and answers, as `gramprobe sample` prints them.

    Attributes:
        paradigm: the full name.
        instances: the sentences of each.
    """

    paradigm: str
    instances: tuple[tuple[Line, ...], ...]

    def __repr__(self) -> str:
        width = max([16, *(len(line.condition) for lines in self.instances for line in lines)])
        printed = []
        for number, lines in enumerate(self.instances, 1):
            printed.append(f"{self.paradigm} {number}")
            for line in lines:
                printed.append(f"  {line.condition:<{width}} {line.sentence}")
                printed += [f"  {'':<{width}}   {each}" for each in line.derived]
            printed.append("")
        return "\n".join(printed)

    def _repr_html_(self) -> str:
        return shown.together(
            shown.table(
                ("condition", "sentence", "derived"),
                [(line.condition, line.sentence, "; ".join(line.derived)) for line in lines],
                f"{self.paradigm} {number}",
            )
            for number, lines in enumerate(self.instances, 1)
        )


@dataclass(frozen=True, repr=False)
class LoadedParadigm:
    """A paradigm of a project: count its instances, sample them, read their labels. A notebook shows what it is about
    and one instance."""

    declarations: Declarations
    declared: Paradigm

    def __repr__(self) -> str:
        return f"<paradigm {self.declared.full_name}: {self.declared.about}>"

    def _repr_html_(self) -> str:
        declared = self.declared
        known = {
            "about": declared.about,
            "source": declared.citation,
            "task": declared.task,
            "theory": declared.theory,
            "instances": self.space().size,
        }
        return shown.together([shown.facts(declared.full_name, known), self.instances(1)._repr_html_()])

    @property
    def grammar(self) -> Grammar:
        """The grammar of its trees."""
        grammar = self.declarations.grammar_of_paradigm(self.declared.full_name)
        assert grammar is not None
        return grammar

    def space(self) -> Space:
        """All its instances, counted exactly. Raises AuthoringError where there are no instances."""
        from gramprobe.space.space import space_of

        findings = Findings()
        space = space_of(self.declared, self.grammar, findings)
        if space is None:
            raise AuthoringError(findings.items, self.declarations.library)
        return space

    def plan(self, theory: str | None = None) -> Plan:
        """The plan under its own theory or another. Raises UsageError for an unknown theory, and AuthoringError."""
        from gramprobe.items.plan import plan

        self.declarations.known_theory(theory)
        findings = Findings()
        made = plan(self.declared, self.declarations, findings, theory)
        if made is None:
            raise AuthoringError(findings.items, self.declarations.library)
        return made

    def stream(
        self,
        n: int,
        seed: int = 0,
        theory: str | None = None,
        allow_bounded: bool = True,
        with_rejected: bool = False,
        labels_only: bool = False,
    ) -> Stream:
        """The first ``n`` instances of the seeded walk (or all, if there are fewer), decided chunk by chunk when read.

        ``allow_bounded``: accept labels on trust; ``with_rejected``: also give rejected instances, and check no claims;
        ``labels_only``: do not derive which principles a label rests on. Errors about instances are added to the
        stream's ``findings`` as it is read. Raises UsageError, AuthoringError.
        """
        from gramprobe.decide.label import Decider
        from gramprobe.items.prepare import prepare

        at_least_one(n)
        self.declarations.known_theory(theory)
        findings = Findings()
        stream = prepare(
            self.declared,
            self.declarations,
            findings,
            n,
            seed=seed,
            theory=theory,
            decider=Decider(dependence=not labels_only),
            at_most=True,
            allow_bounded=allow_bounded,
            with_rejected=with_rejected,
        )
        if stream is None or findings.failed:
            raise AuthoringError(findings.items, self.declarations.library)
        return stream

    def decided(
        self,
        n: int,
        seed: int = 0,
        theory: str | None = None,
        allow_bounded: bool = True,
        labels_only: bool = False,
    ) -> Decided:
        """The first ``n`` instances of the seeded walk (or all, if there are fewer) with their answers.

        ``labels_only``: do not derive which principles a label rests on, and accept sealed verdicts of earlier runs
        without checking them again; this is faster. Raises UsageError, and AuthoringError, also for labels on trust
        unless ``allow_bounded``.
        """
        from gramprobe.decide.cache import kept_verdicts

        stream = self.stream(n, seed, theory, allow_bounded, labels_only=labels_only)
        with kept_verdicts(sealed=labels_only) as kept:
            stream.plan.decider.kept = kept
            chunk = stream.whole()
        if stream.findings.failed:
            raise AuthoringError(stream.findings.items, self.declarations.library)
        return Decided(stream, chunk)

    def sample(self, n: int = 5, seed: int = 0, theory: str | None = None, allow_bounded: bool = False) -> pa.Table:
        """The rows of ``n`` instances (of `nli` ``n`` times as many as the paradigm has pairs).

        Raises AuthoringError, also for labels on trust, unless ``allow_bounded``.
        """
        from gramprobe.dataset.write import table_of

        decided = self.decided(n, seed, theory, allow_bounded)
        return table_of(decided.stream, decided.chunk)

    def one_of_each(
        self, seed: int = 0, theory: str | None = None, allow_bounded: bool = False
    ) -> dict[tuple[str, ...], dict[str, Any]]:
        """Condition, drawn levels of factors, label where there is one -> the first row that has them, in the order of
        conditions.

        Looked for among the instances that a build makes, a hundred of them at most. Raises AuthoringError, also for
        labels on trust, unless ``allow_bounded``.
        """
        declared = self.declared
        drawn = [factor.draw for factor in declared.factors if factor.of == "draw"]
        found: dict[tuple[str, ...], dict[str, Any]] = {}
        for row in self.sample(min(declared.sample_size, MOST_LOOKED_AT), seed, theory, allow_bounded).to_pylist():
            label = row.get("label_name")
            levels = (row["draws"][draw] for draw in drawn)
            found.setdefault((row["condition"], *levels, *([label] if label else [])), row)
        order = list(dict.fromkeys(key[0] for key in found))
        return {key: found[key] for key in sorted(found, key=lambda key: order.index(key[0]))}

    def instances(self, n: int = 5, seed: int = 0, theory: str | None = None, allow_bounded: bool = False) -> Sample:
        """The sentences of ``n`` instances (or all, if there are fewer) with their answers, to be read.

        Raises AuthoringError, also for labels on trust, unless ``allow_bounded``.
        """
        from gramprobe.items.tasks import task_of

        decided = self.decided(n, seed, theory, allow_bounded, labels_only=True)
        stream, chunk, task = decided.stream, decided.chunk, task_of(self.declared)
        found = []
        for number in range(len(chunk)):
            answers = stream.answers(chunk, number)
            found.append(
                tuple(
                    Line(
                        condition.name,
                        stream.plan.realiser.sentence(condition, chunk.draws, number),
                        tuple(task.derived(answers, condition.name)),
                    )
                    for condition in self.declared.conditions.values()
                )
            )
        return Sample(self.declared.full_name, tuple(found))
