"""The terms of a paradigm: `let` lines and the trees of conditions, checked against the constructors' categories; and
those that definitions of a grammar stand for, of which none leads back to itself.

The environment of a paradigm file has the names that its lines may use while it is resolved.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple

from msgspec.structs import replace

from gramprobe.resolve.grammar.constraints import PLAUSIBLE, name_of
from gramprobe.resolve.grammar.data import WORDS, Argument, Constructor, Definition, Grammar
from gramprobe.resolve.grammar.types import is_quantifier
from gramprobe.resolve.names import require_known
from gramprobe.resolve.paradigm.crossed import Crossed
from gramprobe.resolve.paradigm.data import Draw
from gramprobe.resolve.tasks import TaskForm, TaskForms
from gramprobe.resolve.tree import Apply, Composite, Given, Slot, Tree, category_of, origin, show
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings, Span
from gramprobe.syntax import paradigm_tree as syntax
from gramprobe.syntax.grammar_tree import Branch
from gramprobe.syntax.tree import Word


@dataclass(slots=True, kw_only=True)
class Environment:
    """The names that a term, a condition or a pair may mention, and the diagnostics so far.

    Attributes:
        grammar: of the files that the paradigm uses.
        task: the task of the paradigm.
        findings: the diagnostics of this file.
        draws: the draws by name.
        lets: the ``let`` lines by name.
        trees: the resolved ``let`` lines; None for a line that could not be resolved.
        conditions: the trees of the conditions so far, which those below may name.
        open: the ``let`` lines that are being resolved, the outermost first.
        used: the draws and lets that are mentioned.
        crossed: what `cross` lines make of conditions.
        failed: names whose own line has a reported mistake, so that they need no second message.
        inside: the definitions whose terms are being resolved, the outermost first.
        drawn: the draws, also inside of a definition, whose terms cannot name them.
        in_place: whether these keep their noun phrases where they stand.
        scope: the line `scope` of the paradigm, of :data:`SCOPES`; empty without one.
        doubtful: draws among whose values a mistake is reported: how many there are says nothing.
    """

    grammar: Grammar
    task: TaskForm
    findings: Findings
    draws: dict[str, Draw] = field(default_factory=dict)
    lets: dict[str, syntax.Let] = field(default_factory=dict)
    trees: dict[str, Tree | None] = field(default_factory=dict)
    conditions: dict[str, Tree] = field(default_factory=dict)
    open: list[str] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    failed: set[str] = field(default_factory=set)
    doubtful: set[str] = field(default_factory=set)
    crossed: Crossed = field(default_factory=Crossed)
    inside: tuple[str, ...] = ()
    drawn: Mapping[str, Draw] = field(default_factory=dict)
    in_place: bool = False
    scope: str = ""


def environment_of(line: syntax.Paradigm, grammar: Grammar, tasks: TaskForms, findings: Findings) -> Environment:
    """An empty environment for a paradigm file; the names of its unreadable lines count as reported."""
    task, scope = line.settings.get("task", ()), line.settings.get("scope", ())
    return Environment(
        grammar=grammar,
        task=tasks.of(task[0].text if task else ""),
        findings=findings,
        used={name for broken in line.broken for name in broken.mentioned},
        failed={name for broken in line.broken for name in broken.names},
        scope=scope[0].text if scope else "",
    )


class Lacking(NamedTuple):
    """A constructor around a term, and how many parts it lacks (negative: it has too many)."""

    constructor: str
    parts: int


NOTHING = Lacking("", 0)
COUNTING = "counting"
"""The kind of the operators that count."""
FROZEN, FREE = SCOPES = ("frozen", "free")
"""Whether noun phrases stay where they stand, or take scope in definitions, too."""


def resolve_let(name: str, env: Environment) -> Tree | None:
    """The tree of a ``let``; None, with a diagnostic, for a ``let`` that mentions itself."""
    if name in env.trees:
        return env.trees[name]
    line = env.lets[name]
    if name in env.open:
        env.findings.add(messages.names.circle(line.name.span, "let", (*env.open[env.open.index(name) :], name)))
        env.trees[name] = None
        return None
    env.open.append(name)
    tree = resolve_term(line.term, None, env)
    env.open.pop()
    env.trees.setdefault(name, tree)
    return env.trees[name]


def resolve_term(
    term: syntax.Term,
    wanted: str | None,
    env: Environment,
    asker: tuple[str, int, int] | None = None,
    around: Lacking = NOTHING,
) -> Tree | None:
    """The tree of a term, of the wanted category (None: any category); None, with a diagnostic, for a mistake in it.

    ``asker`` is the constructor it is a part of: its name, the number of the part, the number of parts. ``around`` is
    the constructor around it, if that lacks parts or has too many.
    """
    tree = resolve_reference(term, wanted, env) if term.arguments is None else _application(term, env, around)
    if tree is None or wanted is None:
        return tree
    got = category_of(tree)
    if got != wanted:
        made_of = wrapping(env.grammar, got, wanted)
        env.findings.add(messages.paradigm.wrong_category(term.span, wanted, got, made_of, shown(term), asker))
        return None
    return tree


def wrapping(grammar: Grammar, got: str, *wanted: str) -> list[str]:
    """The constructors of one argument that turn the category ``got`` into a wanted category."""
    makers = (c for category in wanted for c in grammar.makers(category))
    return [c.name for c in makers if [a.category for a in c.given] == [got]]


def resolve_reference(term: syntax.Term, wanted: str | None, env: Environment) -> Tree | None:
    """The tree of a name, with or without a column; None, with a diagnostic, for an undeclared name."""
    name, grammar = term.name.text, env.grammar
    if name in env.failed:
        return None
    if name in env.draws:
        env.used.add(name)
        draw = env.draws[name]
        whole: Tree = draw.skeletons[0].tree if not draw.skeletons[0].constructors else Composite(name, draw.category)
        if term.column is None:
            return whole
        return _column(whole, term.column, env)
    if name in env.lets:
        env.used.add(name)
        tree = env.trees[name] if env.inside else resolve_let(name, env)
        return tree if tree is None or term.column is None else _column(tree, term.column, env)
    if term.column is not None and (
        name in grammar.constructors or name in grammar.definitions or grammar.is_symbol(name)
    ):
        env.findings.add(messages.paradigm.no_column(term.column.span, name))
        return None
    if name in grammar.constructors or name in grammar.definitions:
        return _application(term, env)
    if wanted in grammar.features and name in grammar.features[wanted].values:
        return Given(name, wanted, True)
    if wanted in grammar.categories and grammar.categories[wanted].lexical and grammar.lexeme(wanted, name):
        return Given(name, wanted, False)
    if name in env.conditions and term.column is None:
        return env.conditions[name]
    if wanted in grammar.features:
        values = grammar.features[wanted].values
        of = [draw for draw, each in env.draws.items() if each.category == wanted]
        require_known(term.name, [*of, *values], f"value of `{wanted}`", env.findings)
        return None
    features = [each for each, declared in grammar.features.items() if name in declared.values]
    if features:
        env.findings.add(messages.names.no_tree_but_value(term.name.span, name, features, wanted))
        return None
    known = [*env.draws, *env.lets, *env.conditions, *grammar.constructors, *grammar.definitions]
    kinds = [*(["draw"] if env.draws else []), *(["let"] if env.lets else []), "constructor"]
    if wanted in grammar.categories and grammar.categories[wanted].lexical:
        known += grammar.categories[wanted].by_id
        kinds.append(wanted)
    what = " or ".join([", ".join(kinds[:-1]), kinds[-1]] if len(kinds) > 1 else kinds)
    require_known(term.name, known, what, env.findings)
    return None


def _column(tree: Tree, word: Word, env: Environment) -> Tree | None:
    """The slot for a column of a drawn word, which holds another word or the value of a feature."""
    if isinstance(tree, Given) and not tree.is_feature:
        held = env.grammar.categories[tree.category].by_id[tree.value].columns.get(word.text)
        if isinstance(held, str) and word.text in env.grammar.categories[tree.category].columns:
            type_ = env.grammar.categories[tree.category].columns[word.text].type
            return Given(held, type_, type_ in env.grammar.features)
    if isinstance(tree, Apply) and env.inside and tree.constructor.argument(word.text) is not None:
        return tree.arguments[tree.constructor.argument(word.text) or 0]
    if not isinstance(tree, Slot) or tree.is_feature:
        env.findings.add(messages.paradigm.no_column(word.span, show(tree)))
        return None
    category = env.grammar.categories[tree.category]
    column = category.columns.get(word.text)
    if column is not None and not column.is_set and column.type in env.grammar.categories:
        return Slot(tree.name, column.type, False, word.text)
    type_ = column.type if column is not None and not column.is_set else word.text
    if type_ in env.grammar.features and word.text in category.known and word.text not in category.form_features:
        return Slot(tree.name, type_, True, word.text)
    if word.text in category.form_features:
        problem = messages.label.form_is_asked(word.span, category.name, word.text)
    elif column is not None:
        holds = "several values" if column.is_set else "words" if column.type == WORDS else "a number"
        problem = messages.grammar.no_value_for_a_tree(word.span, category.name, word.text, holds)
    else:
        problem = messages.grammar.unknown_feature(word.span, category.name, word.text, category.known)
    env.findings.add(problem)
    return None


def _application(term: syntax.Term, env: Environment, around: Lacking = NOTHING) -> Tree | None:
    """A constructor with its parts; None, with a diagnostic for each mistake in them."""
    definition = env.grammar.definitions.get(term.name.text)
    constructor = definition.chooser if definition else env.grammar.constructors.get(term.name.text)
    given = term.arguments or ()
    if constructor is None:
        env.findings.add(messages.names.unknown_constructor(term.name.span, term.name.text, env.grammar))
        for argument in given:
            if is_known(argument, env):  # another may be a value or a word of what the constructor wants
                resolve_term(argument, None, env)
        return None
    wanted = [a.category for a in constructor.given]
    if len(given) != len(wanted):
        lacking = len(wanted) - len(given)
        within = Lacking(constructor.name, lacking)
        parts = [resolve_term(a, None, env, around=within) if is_known(a, env) else None for a in given]
        got = [
            category_of(part) if part is not None else "?" if is_known(a, env) else shown(a)
            for a, part in zip(given, parts, strict=True)
        ]
        if _swallowed(given, lacking, env.grammar):
            return None  # reported at the part that holds the missing parts
        hint = ""
        if lacking < 0 < len(wanted) and got[: len(wanted)] == wanted:
            fitting = [constructor.name, *([around.constructor] if around.parts == -lacking else [])]
            hint = messages.paradigm.bracket_hint(shown(given[len(wanted) - 1]), fitting)
        env.findings.add(messages.paradigm.wrong_arity(term.name.span, constructor, wanted, got, hint))
        return None
    of = len(wanted)
    trees = []
    for number, (argument, category) in enumerate(zip(given, wanted, strict=True), 1):
        trees.append(resolve_term(argument, category, env, (constructor.name, number, of), around))
    if any(t is None for t in trees):
        return None
    whole = tuple(t for t in trees if t is not None)
    if definition is not None:
        return expanded(definition, whole, env, term.span)
    return Apply(here(constructor, env), constructor.filled(whole), term.span)


def expanded(definition: Definition, parts: Sequence[Tree], env: Environment, span: Span) -> Tree | None:
    """What a definition stands for; None, with a diagnostic, for a mistake in its terms.

    Where its cases depend on a value that is drawn, that is a tree of its chooser, whose last arguments are the trees
    for all cases; where they depend on the constructor of a drawn tree, a composite with a tree for each.
    """
    chooser = definition.chooser
    names = (*env.inside, chooser.name)
    if chooser.name in env.inside:
        env.findings.add(messages.names.circle(definition.span, "definition", names))
        env.findings.unread.update(names)
        return None
    known = {a.name: part for a, part in zip(chooser.given, parts, strict=True)}
    for name, part in known.items():
        if not _named_in(name, definition):
            continue
        if isinstance(part, Slot) and part.category in env.grammar.categories:  # the argument of another definition
            return Apply(definition.holder, (*parts, Slot("", chooser.result, False)), span)
        if isinstance(part, Composite) and not part.ways:
            ways = []
            alike = [draw for draw in env.drawn.values() if draw.category == part.category]  # `with` may put another
            for skeleton in (each for draw in alike for each in draw.skeletons):
                put_in = tuple(skeleton.tree if each is part else each for each in parts)
                tree = expanded(definition, put_in, env, span)
                if tree is None:
                    return None
                ways.append((skeleton.tree, tree))
            return Composite(part.name, chooser.result, tuple(ways))
    lets = dict.fromkeys(known, syntax.Let(Word("", span), syntax.Term(Word("", span), None, None, span)))
    trees: dict[int, Tree] = {}
    decided = False
    for number, branch in enumerate(definition.branches):
        holds = _holds(branch, known, env.grammar)
        if holds is False and len(definition.branches) > 1:
            continue
        inner = Environment(
            grammar=env.grammar, task=env.task, findings=env.findings, lets=lets, trees=dict(known), inside=names,
            in_place=(branch.in_place or env.in_place) and env.scope != FREE, drawn=env.drawn, scope=env.scope,
        )  # fmt: skip
        tree = resolve_term(branch.term, chooser.result, inner)
        if tree is None:
            return None
        decided = bool(holds) and not trees
        trees[number] = tree
        if holds:
            break
    first = next(iter(trees.values()), None)
    if first is None:
        env.findings.add(messages.grammar.stands_for_nothing(definition.span, chooser.name))
        return None
    if decided:
        return Apply(definition.holder, (*parts, first), span) if chooser.where else first
    return Apply(chooser, (*parts, *(trees.get(number, first) for number in range(len(definition.branches)))), span)


def _named_in(name: str, definition: Definition) -> bool:
    """Whether the cases of a definition are about the constructor of an argument."""
    cases = [case for branch in definition.branches for case in branch.cases]
    return any(case.operand.name.text == name and case.operand.column is None for case in cases)


def _holds(branch: Branch, known: Mapping[str, Tree], grammar: Grammar) -> bool | None:
    """Whether the cases of a branch hold of the arguments; None where that depends on what is drawn."""
    result: bool | None = True
    for case in branch.cases:
        tree = known.get(case.operand.name.text)
        value: str | None
        if tree is None:  # no argument has this name, as is said where the definition is read
            value = None
        elif case.operand.column is not None:
            constant = origin(tree, case.operand.column.text, grammar).constant
            value = constant[0] if constant else None
        elif isinstance(tree, Apply):
            value = tree.constructor.name
        else:
            value = tree.value if isinstance(tree, Given) else None
        if value is None:
            result = None
        elif value not in grammar.expanded(case.values):
            return False
    return result


def here(constructor: Constructor, env: Environment) -> Constructor:
    """The constructor as it is in a term: in that of a definition what goes with what is said by the definition's
    `where`, and in a paradigm with `scope frozen` no noun phrase takes scope."""
    stays = env.scope == FROZEN and is_quantifier(env.grammar.categories[constructor.result].type)
    if not env.inside and not stays:
        return constructor
    key = constructor.name, bool(env.inside), env.in_place, stays
    held: dict[tuple[str, bool, bool, bool], Constructor] = env.grammar.shared.setdefault("defined", {})
    if key not in held:
        made = constructor
        if env.inside:
            made = replace(made, where=tuple(each for each in made.where if name_of(each) != PLAUSIBLE))
        if env.in_place or stays:
            made = in_place(made, env.grammar, above=stays and not env.in_place)
        held[key] = made
    return held[key]


def in_place(constructor: Constructor, grammar: Grammar, above: bool = False) -> Constructor:
    """A constructor as a definition has it `in place`: without scope and without further readings. ``above``: it keeps
    the operators that it has to stand above."""
    # what counts hardly rises (Beghelli & Stowell 1997): nobody asks of it which reading is meant
    fixed = (each for each in constructor.scopes if above and each.above)
    stay = (each for each in constructor.scopes if grammar.kinds.get(each.name) == COUNTING)
    scopes = (*fixed, *(replace(each, in_place=True) for each in stay if not (above and each.above)))
    return replace(constructor, scopes=scopes, sems=tuple(sem for sem in constructor.sems if not sem.reading))


def _swallowed(given: tuple[syntax.Term, ...], lacking: int, grammar: Grammar) -> bool:
    """Whether the last part holds the parts that are lacking around it, by a misplaced parenthesis.

    In ``Clause(t, Poss(owner, thing, act))`` the part `Poss` has one part too many, and `Clause` lacks one.
    """
    last = given[-1] if given and lacking > 0 else None
    if last is None or last.arguments is None or last.name.text not in grammar.constructors:
        return False
    return len(last.arguments) - len(grammar.constructors[last.name.text].given) == lacking


def is_known(term: syntax.Term, env: Environment) -> bool:
    """Whether the category of a term is known without a wanted category, unlike that of a bare value or word."""
    name = term.name.text
    return term.arguments is not None or name in env.draws or name in env.lets or name in env.conditions


def shown(term: syntax.Term) -> str:
    """A term in a few characters: ``c``, ``a.gen``, ``Does(...)``."""
    if term.arguments is not None:
        return f"{term.name.text}(...)" if term.arguments else f"{term.name.text}()"
    return f"{term.name.text}.{term.column.text}" if term.column else term.name.text


def check_definitions(grammar: Grammar, findings: Findings) -> None:
    """Report the mistakes in what definitions stand for."""
    for definition in grammar.definitions.values():
        if definition.chooser.name in findings.unread:
            continue
        env = Environment(grammar=grammar, task=TaskForm(name="", headings=(), claims=None), findings=findings)
        declared = definition.chooser.declared
        ways = [[*_built(a, definition, grammar)] or [Slot(a.name, a.category, a.is_feature)] for a in declared]
        for parts in product(*ways):
            if not expanded(definition, parts, env, definition.span):
                break


def _built(argument: Argument, definition: Definition, grammar: Grammar) -> Iterator[Tree]:
    """The argument by each constructor that cases name for it, over slots."""
    cases = [case for branch in definition.branches for case in branch.cases]
    for word in (w for c in cases if c.operand.text == argument.name and not argument.is_feature for w in c.values):
        maker = grammar.constructors.get(word.text)
        if maker is not None:
            parts = (Slot(f"{argument.name}.{a.name}", a.category, a.is_feature) for a in maker.arguments)
            yield Apply(maker, tuple(parts), maker.span)
