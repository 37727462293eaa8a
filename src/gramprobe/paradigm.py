"""A paradigm of a loaded project: count its instances, sample them, read their labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

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


def at_least_one(n: int) -> None:
    """Raise UsageError for a number of instances below 1."""
    if n < 1:
        raise UsageError(f"{n} is not a number of instances", "ask for 1 or more")


@dataclass(frozen=True)
class Decided:
    """Instances of a paradigm with their answers: ``stream.answers(chunk, row)`` gives those of one instance."""

    stream: Stream
    chunk: Chunk


@dataclass(frozen=True)
class LoadedParadigm:
    """A paradigm of a project: count its instances, sample them, read their labels."""

    declarations: Declarations
    declared: Paradigm

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
