"""The public API: load files, count, sample, build, decide, explain.

>>> import gramprobe
>>> project = gramprobe.load()
>>> table = project.paradigm("presupposition/only").sample(2, seed=0)
>>> table.num_rows
38
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from gramprobe import shown
from gramprobe.items.tasks import task_forms
from gramprobe.meaning.check import check_meanings
from gramprobe.paradigm import LoadedParadigm, at_least_one
from gramprobe.resolve.memory import Memory
from gramprobe.resolve.paradigm.data import WHOLE
from gramprobe.resolve.project import FIRST, TEXTS, Declarations, resolve_all
from gramprobe.source import messages
from gramprobe.source.diagnostic import AuthoringError, Diagnostic, Findings, UsageError, in_order
from gramprobe.source.files import (
    SHIPPED,
    Library,
    Source,
    collect,
    of_file,
    search_path,
    shipped_folder,
    with_sentences,
)

if TYPE_CHECKING:
    from gramprobe.dataset.build import Built
    from gramprobe.dataset.remote import Machines
    from gramprobe.decide.verdict import Decision
    from gramprobe.explain.decision import Explained
    from gramprobe.interpret.pairs import Labelled
    from gramprobe.interpret.read import Interpretation, Reader
    from gramprobe.resolve.uses import Index
    from gramprobe.work.pool import ProjectFiles


OF_PARADIGM = (".paradigm", ".veto.tsv")
"""How the files end that one paradigm alone depends on."""
NO_PARADIGM = ("",)
"""Names for :func:`load` that no paradigm has: theories are read, and nothing is resolved."""


def load(
    path: str | Path | Sequence[str | Path] = (), sentences: str | Path | None = None, names: Sequence[str] = ()
) -> Project:
    """Read the shipped files and those of the folders in ``path`` (by default: ``GRAMPROBE_PATH``, else ``.``).

    ``sentences``: a file of sentences or pairs in the place of ``lexicon/sentences.tsv`` (``syntax.sentences``).
    ``names``: the phenomena or paradigms that will be used, if not all. Other paradigms are then not read, which saves
    time; those that are named, and the errors in the files that they depend on, are the same either way.

    Mistakes in the files do not raise here: they are in ``Project.findings``, and whatever needs a file with a mistake
    raises it. Raises UsageError for a folder that does not exist.
    """
    given = [path] if isinstance(path, str | Path) else list(path)
    own = search_path([Path(p) for p in given])
    return _load(own, None if sentences is None else Path(sentences), [*map(of_file, names)])


def load_own(path: Sequence[str | Path] = ()) -> tuple[Project, list[str]]:
    """The project of an author's own folders, and the full names of the paradigms that depend on a file in them.

    All paradigms, where there are no such files. Shipped paradigms are read only where a file of theirs is replaced.
    Raises UsageError for a folder that does not exist.
    """
    own = [s for s in load(path, names=NO_PARADIGM).library.sources.values() if not s.is_shipped]
    if not own:
        project = load(path)
        return project, project.names
    mine = {file.name.removeprefix("grammars/").partition(".")[0] for file in own if file.name.endswith(OF_PARADIGM)}
    if not any(file.replaces and not file.name.endswith(OF_PARADIGM) for file in own):
        project = load(path, names=sorted(mine) or NO_PARADIGM)
        return project, [name for name in project.names if name in mine]
    project = load(path)
    paths = {file.path for file in own}
    return project, [n for n in project.names if n in mine or not paths.isdisjoint(project.declarations.files_of(n))]


def _load(
    own: list[Path],
    sentences: Path | None,
    names: Sequence[str],
    texts: Mapping[Path, str] | None = None,
    memory: Memory | None = None,
) -> Project:
    roots = [(SHIPPED, shipped_folder()), *((str(p), p) for p in own)]
    library, problems = collect(roots, texts)
    if sentences is not None:
        library = with_sentences(library, sentences, problems)
    findings = Findings()
    findings.extend(problems)
    declarations = resolve_all(library, task_forms(), findings, memory, names)
    for grammar in declarations.whole.values():
        check_meanings(grammar, findings)
    declarations.check_theories()
    return Project(declarations, own, sentences, tuple(names))


@dataclass(repr=False)
class Project:
    """Everything on the search path, resolved. A notebook shows its phenomena.

    Attributes:
        declarations: grammars, words, theories and paradigms.
        own_folders: the folders beside the shipped one.
        sentences: the file of given sentences, if one was named.
        asked: the names that `load` was limited to; empty for all.
    """

    declarations: Declarations
    own_folders: list[Path] = field(default_factory=list)
    sentences: Path | None = None
    asked: tuple[str, ...] = ()

    def __repr__(self) -> str:
        errors = sum(each.is_error for each in self.findings.items)
        wrong = f", {errors} errors: see `findings`" if errors else ""
        return f"<project of {len(self.names)} paradigms in {len(self.phenomena)} phenomena{wrong}>"

    def _repr_html_(self) -> str:
        names = [(each, [n.removeprefix(f"{each}/") for n in self.names if n.startswith(f"{each}/")])
                 for each in self.phenomena]  # fmt: skip
        rows = [(phenomenon, len(own), ", ".join(own)) for phenomenon, own in names]
        return shown.together([shown.paragraph(repr(self)), shown.table(("phenomenon", "paradigms", ""), rows)])

    def reload(self, texts: Mapping[str | Path, str] | None = None) -> Project:
        """The project as its files are now; only what depends on a changed file is resolved again.

        ``texts``: path -> unsaved text of a file, as an editor has it. The result, with its findings, equals that of a
        fresh `load`.
        """
        held = {Path(path).resolve(): text for path, text in (texts or {}).items()}
        return _load(self.own_folders, self.sentences, self.asked, held, self.declarations.memory)

    @property
    def findings(self) -> Findings:
        """The diagnostics about the files."""
        return self.declarations.findings

    @property
    def library(self) -> Library:
        """The source files."""
        return self.declarations.library

    @cached_property
    def uses(self) -> Index:
        """Which name in a file stands for which declaration: to go to a declaration, or to find its uses."""
        from gramprobe.resolve.uses import Index

        return Index(self.declarations.lines)

    def check(
        self, name: str, stop: Callable[[], bool] = lambda: False, allow_bounded: bool = False
    ) -> tuple[Diagnostic, ...]:
        """The diagnostics of one paradigm, all in this process: those of the files that it depends on and, if there are
        no errors among them, those about its labels and claims, as `gramprobe check` gives them.

        ``stop`` is asked again and again while labels are decided, and must be quick; ``allow_bounded``: accept labels
        on trust. Raises Stopped (`gramprobe.stop`) soon after ``stop()`` is true, and UsageError for a name that is not
        declared.
        """
        from gramprobe.dataset.outline import outline
        from gramprobe.decide.cache import kept_verdicts
        from gramprobe.decide.label import Decider
        from gramprobe.stop import stoppable

        (full_name, *others) = self.named(name)
        if others:
            raise UsageError(f"`{name}` is a phenomenon of {len(others) + 1} paradigms", "name PHENOMENON/PARADIGM")
        about = self.warnings_for(full_name)
        errors = self.errors_for(full_name)
        if not errors:
            declared = self.declarations.paradigms[full_name]
            with stoppable(stop), kept_verdicts(sealed=True) as kept:
                decider = Decider(kept=kept, certified=False)
                about += outline(declared, self.declarations, decider, allow_bounded)[1].items
        return in_order(dict.fromkeys([*about, *errors]))

    def clashes(self, names: Sequence[str]) -> list[Diagnostic]:
        """What hinders that the minimal pairs of a phenomenon are built together, where each of them is right."""
        from gramprobe.items.charts import clash

        by_phenomenon: dict[str, list[str]] = {}
        for name in names:
            declared = self.declarations.declared(name)
            if declared is not None and declared.constraint:
                by_phenomenon.setdefault(name.partition("/")[0], []).append(name)
        together = (each for each in by_phenomenon.values() if len(each) > 1)
        return [wrong for each in together if (wrong := clash(self.declarations, each)) is not None]

    @property
    def files(self) -> ProjectFiles:
        """What another process needs to load the same project."""
        from gramprobe.work.pool import ProjectFiles

        return ProjectFiles(
            folders=[str(folder) for folder in self.own_folders],
            sentences=None if self.sentences is None else str(self.sentences),
            names=list(self.asked),
            digest=self.library.digest,
        )

    @property
    def names(self) -> list[str]:
        """Full names of all paradigms, sorted, with those that have errors."""
        return sorted(self.declarations.sources)

    @property
    def phenomena(self) -> list[str]:
        """The folders below ``grammars/`` that have paradigms, sorted."""
        return sorted({n.rpartition("/")[0] for n in self.names})

    def named(self, name: str) -> list[str]:
        """Full names for ``all``, a phenomenon, ``phenomenon/paradigm`` or its file, a paradigm's own name if that is
        unique.

        Raises UsageError for any other name, AuthoringError where a file of that name cannot be read.
        """
        name = of_file(name)
        if name == "all":
            return self.names
        matches = [n for n in self.names if n == name or n.startswith(f"{name}/")]
        matches = matches or [n for n in self.names if n.rpartition("/")[2] == name]
        if not matches or (name not in matches and len(matches) > 1 and name not in self.phenomena):
            unreadable = self.library.unreadable
            if any(f"/{name}." in n or f"/{name}/" in n for n in unreadable.values()):
                raise AuthoringError((d for d in self.findings.items if d.code == "E13"), self.library)
            known = [*self.names, *self.phenomena, *(n.rpartition("/")[2] for n in self.names)]
            help = "`gramprobe list` shows them all"
            raise messages.names.none_called("phenomenon or paradigm", name, known, help)
        return matches

    def warnings_for(self, full_name: str) -> list[Diagnostic]:
        """The warnings about the files that a paradigm depends on."""
        paths = self.declarations.files_of(full_name)
        return [d for d in self.findings.items if not d.is_error and d.span.path in paths]

    def errors_for(self, full_name: str) -> tuple[Diagnostic, ...]:
        """The errors of a paradigm: those in its own file and in the files that it depends on.

        Errors of a file that could not be read count for every paradigm, since it might declare what they use; those of
        a paradigm file, for its phenomenon alone.
        """
        if (
            full_name not in self.declarations.paradigms
            and not self.asked
            and not any(d.is_error for d in self.findings.items)
        ):
            raise AssertionError(f"{full_name} was not resolved, and there is no error about it")
        rests_on = self.declarations.files_of(full_name)
        known, unread = {s.path for s in self.library.sources.values()}, self.library.unreadable
        folder = f"grammars/{full_name.rpartition('/')[0]}"

        def counts(path: str) -> bool:
            place, _, file = unread.get(path, "").rpartition("/")
            elsewhere = file.endswith(".paradigm") and place != folder
            return path in rests_on or (path not in known and not elsewhere)

        return tuple(d for d in self.findings.items if d.is_error and counts(d.span.path))

    def paradigm(self, name: str, design: str = WHOLE) -> LoadedParadigm:
        """A paradigm by name: with ``design="paper"`` without the pairs that `balance` adds.

        Raises UsageError for a name that is not declared, AuthoringError if the paradigm has errors.
        """
        names = self.named(name)
        if len(names) != 1:
            raise UsageError(f"`{name}` is a phenomenon of {len(names)} paradigms", "name one: PHENOMENON/PARADIGM")
        errors = self.errors_for(names[0])
        if errors:
            raise AuthoringError(errors, self.library)
        return LoadedParadigm(self.declarations, self.declarations.paradigms[names[0]].in_design(design))

    def sizes(self) -> dict[str, int]:
        """Full name -> the exact number of instances, for every paradigm without errors; cached between runs."""
        from gramprobe.space.sizes import keep_sizes, kept_sizes

        kept = kept_sizes(self.library)
        sizes = dict(kept)
        for name in self.declarations.paradigms:
            if name not in sizes and not self.errors_for(name):
                with contextlib.suppress(AuthoringError):
                    sizes[name] = self.paradigm(name).space().size
        if sizes != kept:
            keep_sizes(self.library, sizes)
        return {name: size for name, size in sizes.items() if name in self.declarations.paradigms}

    def build(
        self,
        names: str | Sequence[str],
        out: str | Path = "data",
        n: int | None = None,
        seed: int = 0,
        theory: str | None = None,
        everything: bool = False,
        report: Callable[[str], None] = lambda _: None,
        allow_bounded: bool = False,
        oracle: str | None = None,
        design: str = WHOLE,
        machines: Machines | None = None,
    ) -> list[Built]:
        """Build dataset folders below ``out``, one for each name; each replaces the folder that was there in one step.

        Args:
            names: phenomena and paradigms, or ``all``.
            out: the folder of the datasets.
            n: instances of each paradigm (by default the paradigm's own number).
            seed: which instances are drawn.
            theory: a theory in the place of each paradigm's own.
            everything: build all instances of each space.
            report: gets lines of text about the progress.
            allow_bounded: write labels that rest on trust, and mark them, instead of refusing them.
            oracle: the outside prover to ask where the engines find no answer.
            design: ``paper``: without the pairs that `balance` adds; ``whole``: with them.
            machines: a Ray cluster that does the work.

        Raises UsageError, AuthoringError (the errors of the first dataset that is refused; its folder is unchanged, and
        those before it in ``names`` are built) or WriteError.
        """
        from gramprobe.dataset.build import Request, build
        from gramprobe.dataset.paradigm import Options
        from gramprobe.decide.prove.outside import NoSuchProver

        if n is not None:
            at_least_one(n)
        names = [names] if isinstance(names, str) else names
        self._given_wanted(names)
        built: list[Built] = []
        wanted = self.paradigms_of(names)
        lacking = [d for d in self.findings.items if d.code == "E13" and d.span.path.endswith(".paradigm")]
        if lacking and "all" in names:
            raise AuthoringError(lacking, self.library)
        if theory is not None and not any(self.paradigm(full, design).declared.theory for full in wanted):
            self.declarations.known_theory(theory)
            raise messages.build.no_label_by_theory(wanted[0], "leave --theory out")
        for name in self.folders(names):
            paradigms = [self.paradigm(p, design).declared for p in self.named(name)]
            self.declarations.known_theory(theory)
            findings = Findings()
            request = Request(
                name=name.replace("/", "--"),
                paradigms=paradigms,
                options=Options(
                    count=n, everything=everything, seed=seed, theory=theory, allow_bounded=allow_bounded,
                    oracle=oracle, design=design,
                ),
            )  # fmt: skip
            try:
                made = build(request, self.declarations, Path(out), findings, report, self.files, machines)
            except NoSuchProver as error:
                raise UsageError(str(error)) from None
            if made is None:
                raise AuthoringError(findings.items, self.library)
            built.append(made)
        return built

    def _given_wanted(self, names: Sequence[str]) -> None:
        """Raise AuthoringError for mistakes in a file of given sentences, UsageError if no paradigm draws from it."""
        given = self.declarations.given
        if given is None:
            return
        errors = [d for d in self.findings.items if d.is_error and d.span.path == given.path]
        if errors:
            raise AuthoringError(errors, self.library)
        taking = [full for full in self.paradigms_of(names) if self.declarations.takes_given(full)]
        if not taking:
            raise UsageError(*messages.sentences.no_given_wanted(names))
        wanting = [full for full in taking if self.declarations.wants_pairs(full)]
        if wanting and not self.declarations.given_pairs():
            others = [full for full in taking if full not in wanting]
            lacking = messages.sentences.pairs_wanted(given.header, given.has_entails, wanting, others)
            raise AuthoringError([lacking], self.library)

    def paradigms_of(self, names: Sequence[str]) -> list[str]:
        """Full names of all paradigms that names stand for. Raises UsageError."""
        return list(dict.fromkeys(full for name in names for full in self.named(name)))

    def folders(self, names: Sequence[str]) -> list[str]:
        """The datasets that names stand for: phenomena (``all``: every one) and full names of paradigms."""
        folders: dict[str, None] = {}
        for name in names:
            if name == "all":
                folders.update(dict.fromkeys(self.phenomena))
            elif name in self.phenomena:
                folders[name] = None
            else:
                folders.update(dict.fromkeys(self.named(name)))
        return list(folders)

    def decide(self, premise: str, hypothesis: str, theory: str = "classical") -> Decision:
        """The decision on two formulas (notation: docs/formulas.md). Raises UsageError for one that cannot be read."""
        from gramprobe.explain.decision import give_looks
        from gramprobe.judge.typed import decide

        give_looks()
        self.declarations.known_theory(theory)
        return decide(premise, hypothesis, theory, self.declarations)

    def reader(
        self,
        uses: Sequence[str] | None = None,
        theory: str | None = None,
        guess: bool = False,
        lexicon: Path | None = None,
    ) -> Reader:
        """What reads sentences with some modules of grammar, in a theory: by default with `english` in the theory
        `reading`, and what that cannot read with `texts` in the theory of this name. A theory that is named is that of
        both; modules that are named are all that it reads with. `Reader.parsed` asks both, `Reader.read` the first
        alone.

        ``guess``: unknown words are guessed by their inflection; ``lexicon``: a table of further words. Raises
        UsageError, AuthoringError.
        """
        from gramprobe.catalog.pages import checked
        from gramprobe.interpret.read import Reader

        def reader(uses: Sequence[str], theory: str, **options: Any) -> Reader:
            self.declarations.known_theory(theory)
            grammar, findings = checked(self.declarations, *uses), Findings()
            known = self.declarations.theory(theory, grammar, findings)
            if known is None or findings.failed:
                raise AuthoringError(findings.items, self.library)
            return Reader(grammar, known, lexicon=lexicon, **options)

        def last() -> Reader | None:
            return reader(FIRST, "reading", guess=True, spared=of_texts().rules.known) if guess else None

        @cache
        def of_texts() -> Reader:
            return reader((TEXTS,), TEXTS, guess=guess, further=last)

        if uses is not None:
            return reader(uses, theory or (TEXTS if TEXTS in uses else "reading"), guess=guess)
        if theory is not None:
            return reader(FIRST, theory, guess=guess, further=lambda: reader((TEXTS,), theory, guess=guess))
        return reader(FIRST, "reading", further=of_texts)

    def parse(self, sentence: str, uses: Sequence[str] | None = None, theory: str | None = None) -> Interpretation:
        """The readings of a sentence; what could not be read of it, if there are none. For several sentences take
        one `reader`."""
        return self.reader(uses, theory).parsed(sentence)[0]

    def label(
        self,
        premises: str | Sequence[str],
        hypothesis: str,
        uses: Sequence[str] | None = None,
        theory: str | None = None,
    ) -> Labelled:
        """The label of a pair of sentences, if all of their readings agree; else why there is none."""
        from gramprobe.interpret.pairs import labelled

        return labelled([premises] if isinstance(premises, str) else premises, hypothesis, self.reader(uses, theory))

    def explain(self, name: str, theory: str | None = None) -> Explained:
        """The page of an item, by its id, or of a paradigm.

        Raises UsageError for any other name, AuthoringError for mistakes in the files.
        """
        from gramprobe.decide.cache import kept_verdicts
        from gramprobe.decide.label import Decider
        from gramprobe.explain.decision import give_looks
        from gramprobe.items.tasks import task_of

        give_looks()
        parts = name.split("/")
        if len(parts) < 3:
            loaded = self.paradigm(name)
            task = task_of(loaded.declared)
            rejected = task.form.claims == "readings"
            count = loaded.declared.sample_size
            stream = loaded.stream(count, theory=theory, with_rejected=rejected, labels_only=True)
            with kept_verdicts(sealed=True) as kept:
                stream.plan.decider.kept = kept
                shown = task.paradigm_page(stream)
            unsaid = stream.plan.grammar.unsaid
            lines = [f"  {constructor} ({', '.join(names)})" for constructor, names in unsaid.items()]
            text = "\n".join([shown.text, "", "arguments that no words say:", *lines] if lines else [shown.text])
            source = self.source_of(loaded.declared.full_name)
            if source.is_shipped:  # what a paradigm of one's own that is made `from` it can name
                named = ("uses ", "draw ", "let ", "factor ", "cross ")
                own = [f"  {line}" for line in source.lines if line.startswith(named)]
                text = "\n".join([text, "", f"declared in {source.path}:", *own])
            return replace(shown, text=text, data={**shown.data, "unsaid": unsaid})
        loaded = self.paradigm("/".join(parts[:2]))
        plan = loaded.plan(theory)
        with kept_verdicts() as kept:
            plan.decider = Decider(kept=kept, dependence=True)
            return task_of(loaded.declared).item_page(plan, parts[2], parts[3] if len(parts) > 3 else None)

    def source_of(self, full_name: str) -> Source:
        """The file of a paradigm. Raises KeyError for a name that is not one."""
        return self.declarations.sources[full_name]


@contextlib.contextmanager
def at_work(options: dict[str, Any]) -> Iterator[Callable[[Any], Any]]:
    """The work of another process on a project that it loads for itself (`gramprobe.work.pool`).

    Raises UsageError where it finds other files.
    """
    from gramprobe.work.pool import ProjectFiles, made

    os.chdir(options["cwd"])
    files = msgspec.convert(options["files"], ProjectFiles)
    project = load(files.folders, files.sentences, files.names)
    if project.files != files:
        raise UsageError("its grammars, words or theories are not those of the command")
    with made(options["start"], project.declarations, options["options"]) as work:
        yield work
