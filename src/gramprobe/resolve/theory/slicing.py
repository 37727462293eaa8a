"""The part of a theory that a question needs: a :class:`~gramprobe.formula.theory.TheorySlice`.

A slice has every postulate without `each`, the axioms of the words that the formulas or these axioms mention, and the
operators of both with the operators related to them. Smaller questions are decided sooner, and equal questions once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from gramprobe.formula import ast
from gramprobe.formula.alternatives import Scales
from gramprobe.formula.ast import Formula
from gramprobe.formula.binding import rename
from gramprobe.formula.definitions import expand
from gramprobe.formula.theory import Operator, TheorySlice
from gramprobe.resolve.grammar.data import Lexeme
from gramprobe.resolve.theory.axioms import names_in, nonempty, without_pure
from gramprobe.resolve.theory.data import Theory
from gramprobe.resolve.theory.lexical import with_words


def slice_for(
    formulas: tuple[Formula, ...],
    theory: Theory,
    lexemes: Mapping[str, Lexeme],
    scales: Scales | None = None,
    words: Mapping[str, str] = {},
) -> TheorySlice:
    """The part of the theory that can matter to these formulas, without what :func:`without_pure` leaves out.

    ``lexemes``: the words of the lexicon by id; ``scales``: the scales of a paradigm, instead of the theory's own;
    ``words``: those in the place of words of the formulas, as if they were renamed.
    """
    scales = theory.scales if scales is None else scales
    named = set[str]().union(*map(names_in, formulas))
    if words:
        named = {words.get(name, name) for name in named}
    if theory.events:
        happening = [f for f in formulas if ast.EventUpdate in ast.kinds(f)]
        named |= {f"[{p.event}]" for f in happening for p in ast.once(f) if isinstance(p, ast.EventUpdate)}
    if scales and not any(ast.Exhaustified in ast.kinds(f) for f in formulas):
        scales = ()  # without strengthening, the other words of a scale do not matter
    key = tuple(sorted(named)), scales
    if key not in theory.memory:
        theory.memory[key] = _slice(*key, theory, lexemes)
    known: TheorySlice = theory.memory[key]
    if words and (theory.related is not None or theory.restrictors != "any"):
        formulas = tuple(rename(f, words) for f in formulas)
    more = theory.related.axioms(formulas) if theory.related is not None else ()
    if theory.restrictors != "any":
        definitions = {d.name: d for d in known.definitions}
        more += nonempty(tuple(expand(f, definitions) for f in formulas))
    return replace(known, postulates=tuple(dict.fromkeys((*known.postulates, *more)))) if more else known


def _slice(names: tuple[str, ...], scales: Scales, theory: Theory, lexemes: Mapping[str, Lexeme]) -> TheorySlice:
    """The slice for formulas with these symbols.

    The words of the axioms bring axioms of their own, until no new word is mentioned; then :func:`without_pure` leaves
    out the axioms that cannot matter. Of other words only operators matter: rows with other names and nouns mostly
    share a slice.
    """
    named = _reached(names, scales, theory)
    every = [*theory.postulates, *_axioms([*named, *_postulated(theory)], theory, lexemes)]
    axioms = tuple(without_pure(list(dict.fromkeys(every)), frozenset(named)))
    left = {*named, *(n for a in axioms for n in names_in(a))}
    operating = tuple([name for name in sorted(left) if name in lexemes and _is_operator(lexemes[name], theory)])
    outright = tuple(sorted(left & _declared(theory)))
    key = axioms, operating, outright, scales
    if key not in theory.memory:
        operators = with_words(theory.operators, theory.lexical_operators, [lexemes[name] for name in operating])
        theory.memory[key] = TheorySlice(
            operators=needed(operators, frozenset([*operating, *outright])),
            postulates=axioms,
            projection=theory.projection,
            distinct=True,
            definitions=tuple(d for d in theory.definitions if d.name in left),
            scales=scales,
            events=tuple(e for e in theory.events if f"[{e.name}]" in left),
            exhaustify=theory.exhaustify,  # type: ignore[arg-type]
        )
    found: TheorySlice = theory.memory[key]
    return found


def _is_operator(lexeme: Lexeme, theory: Theory) -> bool:
    """Whether a word is an operator by the line for its category alone; found once."""
    known: dict[str, bool] = theory.memory.setdefault("operators of words", {})
    if lexeme.id not in known:
        known[lexeme.id] = lexeme.id not in theory.named_outright and theory.has_operator(lexeme)
    return known[lexeme.id]


def _declared(theory: Theory) -> frozenset[str]:
    """The operators, defined ones among them, and the events (in brackets) that a theory declares; found once."""
    if "declared" not in theory.memory:
        theory.memory["declared"] = theory.named_outright.union(f"[{event.name}]" for event in theory.events)
    names: frozenset[str] = theory.memory["declared"]
    return names


def _postulated(theory: Theory) -> tuple[str, ...]:
    """The names in the postulates without `each`, each once; found once."""
    if "postulated" not in theory.memory:
        theory.memory["postulated"] = tuple(dict.fromkeys(n for p in theory.postulates for n in names_in(p)))
    names: tuple[str, ...] = theory.memory["postulated"]
    return names


def axioms_relating(
    words: Sequence[str], theory: Theory, lexemes: Mapping[str, Lexeme], names: Sequence[str] = ()
) -> tuple[Formula, ...]:
    """The axioms about these words, and about the words that those axioms mention, and so on; without the axioms that
    cannot matter to formulas in which, of all words related by axioms, exactly these occur, and these other ``names``.

    Example: of `poodle` and `dog` together it keeps `forall x. (poodle(x) -> dog(x))`; of `poodle` alone, nothing. Of
    `dentist` alone with the name `person` it keeps that dentists are doctors, and doctors persons.
    """
    axioms = dict.fromkeys(_axioms(words, theory, lexemes))
    return tuple(without_pure(list(axioms), frozenset([*words, *names])))


def _axioms(names: Sequence[str], theory: Theory, lexemes: Mapping[str, Lexeme]) -> list[Formula]:
    """The axioms about words among these names, and about the words that those axioms mention, and so on."""
    axioms: list[Formula] = []
    known: list[Lexeme] = []
    todo, done = [name for name in names if name in lexemes], set[str]()
    while todo:
        word = todo.pop(0)
        if word not in done:
            done.add(word)
            own, mentioned = _axioms_of_word(word, theory, lexemes)
            axioms += own
            todo += mentioned
            if theory.pair_schemas:
                known.append(lexemes[word])
                more = [axiom for other in known for axiom in theory.axioms_of_two(other, known[-1])]
                axioms += more
                todo += [n for a in more for n in names_in(a) if n in lexemes]
    return axioms


def _axioms_of_word(
    word: str, theory: Theory, lexemes: Mapping[str, Lexeme]
) -> tuple[tuple[Formula, ...], tuple[str, ...]]:
    """The axioms about one word, and the words that they mention; found once."""
    key = "axioms of a word", word
    if key not in theory.memory:
        axioms = theory.axioms_of(lexemes[word])
        mentioned = dict.fromkeys(n for a in axioms for n in names_in(a) if n in lexemes and n != word)
        theory.memory[key] = axioms, tuple(mentioned)
    found: tuple[tuple[Formula, ...], tuple[str, ...]] = theory.memory[key]
    return found


def _reached(named: tuple[str, ...], scales: Scales, theory: Theory) -> tuple[str, ...]:
    """The names, with the names that their definitions, events and scales mention."""
    if "inside" not in theory.memory:
        events = {f"[{each.name}]": [n for f in each.formulas() for n in names_in(f)] for each in theory.events}
        theory.memory["inside"] = {d.name: [*names_in(d.formula)] for d in theory.definitions} | events
    inside: dict[str, list[str]] = theory.memory["inside"]
    for scale in scales:
        inside = inside | {word: [*inside.get(word, ()), *scale] for word in scale}
    reached: dict[str, None] = {}
    todo = list(named)
    while todo:
        name = todo.pop(0)
        if name not in reached:
            reached[name] = None
            todo += inside.get(name, ())
    return tuple(reached)


def singular_words(theory: Theory, lexemes: Mapping[str, Lexeme]) -> frozenset[str]:
    """The words of postulates without `each`, and the words that are operators by name: the theory may treat each of
    them unlike any other word."""
    if "singular" not in theory.memory:
        theory.memory["singular"] = frozenset(lexemes.keys() & {*_postulated(theory), *theory.named_outright})
    words: frozenset[str] = theory.memory["singular"]
    return words


def related_words(theory: Theory, lexemes: Mapping[str, Lexeme]) -> frozenset[str]:
    """The words related by an axiom: some instance of a schema mentions each beside another word."""
    if "related" not in theory.memory:
        related = set[str]()
        for schema in theory.schemas:
            if schema.columns or schema.others & lexemes.keys():
                of_category = (each for each in lexemes.values() if each.category == schema.category)
                for lexeme in filter(schema.applies, of_category):
                    mentioned = set(names_in(schema.instance(lexeme))) & lexemes.keys()
                    related |= mentioned if len(mentioned) > 1 else set()
        theory.memory["related"] = frozenset(related)
    words: frozenset[str] = theory.memory["related"]
    return words


def needed(operators: Sequence[Operator], named: frozenset[str]) -> tuple[Operator, ...]:
    """The named operators and all operators related to them, directly or through others, without those that exclude no
    model: if every model of the other operators can be given a relation for an operator, it can be left out.

    Belief stays in the theory of knowledge, even for formulas without belief: that it is serial, euclidean and
    introspected by knowledge makes knowledge convergent (S4.2; Stalnaker 2006).
    """
    declared = {operator.name: operator for operator in operators}
    related: dict[str, list[str]] = {operator.name: [*operator.related] for operator in operators}
    for operator in operators:
        for name in dict.fromkeys(operator.related):
            related.setdefault(name, []).append(operator.name)
    kept: dict[str, Operator] = {}
    todo = [name for name in declared if name in named]
    while todo:
        name = todo.pop(0)
        if name in declared and name not in kept:
            kept[name] = declared[name]
            todo += related[name]
    while True:
        idle = next((n for n in reversed(kept) if n not in named and _can_be_lacking(kept[n], kept)), None)
        if idle is None:
            break
        del kept[idle]
        kept = {n: _without(operator, idle) for n, operator in kept.items()}
    return tuple(kept[operator.name] for operator in operators if operator.name in kept)


def _can_be_lacking(operator: Operator, kept: Mapping[str, Operator]) -> bool:
    """Whether one of these relations always fits: the empty relation; the relation of all pairs; the relation of the
    operator that it is within and introspected by; or that of the only operator within it, if that is transitive and
    introspected by it, with the identity added.
    """
    name, frame = operator.name, operator.frame
    if operator.kind not in ("box", "diamond"):
        return False
    introspective = [o for o in kept.values() if name in o.introspected_by and o.name != name]
    inner = [o for o in kept.values() if name in o.within]
    if not inner and not frame & {"reflexive", "serial", "functional"}:
        return True
    if not operator.within and not introspective and "functional" not in frame:
        return True
    if operator.within and not inner and not introspective and set(operator.related) <= {*operator.within[:1]}:
        wider = kept[operator.within[0]].frame
        wider |= {"serial", "symmetric", "transitive"} if wider >= {"reflexive", "euclidean"} else frozenset()
        wider |= {"serial"} if "reflexive" in wider else frozenset()
        return frame <= wider and (not operator.introspected_by or "transitive" in wider)
    return (
        not operator.within
        and inner == introspective
        and len(inner) == 1
        and "transitive" in inner[0].frame
        and not operator.introspected_by
        and frame <= {"reflexive", "serial", "transitive"}
    )


def _without(operator: Operator, name: str) -> Operator:
    if name not in operator.related:
        return operator
    return replace(
        operator,
        within=tuple(n for n in operator.within if n != name),
        introspected_by=tuple(n for n in operator.introspected_by if n != name),
    )
