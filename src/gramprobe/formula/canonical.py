"""The canonical text of a pair in its theory: one text for all pairs that differ in names only.

Variables are numbered by depth of binding, so that alphabetic variants agree; predicates (`p0`), constants
(`c0`, agents among them) and operators (`o0`) by first occurrence in premise, hypothesis, postulates. Labels
are invariant under injective renaming, so that pairs with the same text have the same label; the converse is not
promised (two texts for one shape are a lost cache hit). The text is JSON, `{"theory": ..., "premise": ...,
"hypothesis": ...}`; the shape's id is a prefix of its SHA-256.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from msgspec import structs

from gramprobe.formula import ast, sorts
from gramprobe.formula.ast import Argument, Formula, as_formula, map_parts
from gramprobe.formula.theory import MIDDLE, Operator, TheorySlice
from gramprobe.formula.trivalence import may_differ


@dataclass(slots=True)
class Renaming:
    """From the names of a pair to those of its shape, in order of first occurrence.

    Attributes:
        predicates: (name, arity) to `p0`, `p1`, ...
        constants: Name to `c0`, `c1`, ...
        operators: Name to `o0`, `o1`, ...
    """

    predicates: dict[tuple[str, int], str] = field(default_factory=dict)
    constants: dict[str, str] = field(default_factory=dict)
    operators: dict[str, str] = field(default_factory=dict)


def restored(formula: Formula, renaming: Renaming) -> Formula:
    """Undo a renaming: a formula with the names of a shape gets those of the pair; variables are x, y, z, ..."""
    predicates = {(short, arity): name for (name, arity), short in renaming.predicates.items()}
    constants = {short: name for name, short in renaming.constants.items()}
    operators = {short: name for name, short in renaming.operators.items()}
    letters = [each for each in "xyzuvw" if each not in renaming.constants]

    def letter(variable: str) -> str:
        number = int(variable[1:])
        return letters[number] if number < len(letters) else variable

    def own(node: Argument) -> Argument:
        match node:
            case ast.Const(name):
                return ast.Const(constants[name])
            case ast.Var(name):
                return ast.Var(letter(name))
            case ast.Quantified():
                return structs.replace(
                    node,
                    variable=letter(node.variable),
                    restrictor=as_formula(own(node.restrictor)),
                    scope=as_formula(own(node.scope)),
                )
            case ast.Atom(predicate, args):
                return ast.Atom(predicates[predicate, len(args)], tuple(map(own, args)))
            case ast.Modal(operator, agent, body):
                return ast.Modal(operators[operator], None if agent is None else own(agent), as_formula(own(body)))
            case _:
                if not isinstance(node, ast.Here):
                    ast.only_extensional(node, "restored")
                return map_parts(own, node)

    return as_formula(own(formula))


def canonical(premise: Formula | None, hypothesis: Formula, theory: TheorySlice) -> tuple[str, Renaming]:
    """The canonical text and the renaming that made it. A premise of None is the JSON null.

    Only operators that occur, or that the theory relates to one of these, enter; a projection enters only if a formula
    may have another value under it than under middle Kleene, so that theories which cannot differ on a pair share its
    shape. Raises ValueError for a free variable or a node that has no truth value.
    """
    before, after, formulas, renaming = _written(
        premise, hypothesis, theory.operators, theory.postulates, theory.distinct
    )
    matters = theory.projection != MIDDLE and any(may_differ(each, theory.projection, MIDDLE) for each in formulas)
    projection = json.dumps(theory.projection.data, separators=(",", ":")) if matters else '"middle"'
    return before + projection + after, renaming


@lru_cache(maxsize=2048)  # theories with other projections follow one another
def _written(
    premise: Formula | None,
    hypothesis: Formula,
    operators: tuple[Operator, ...],
    postulates: tuple[Formula, ...],
    distinct: bool,
) -> tuple[str, str, tuple[Formula, ...], Renaming]:
    """The text before and behind the projection, the formulas that may have gaps, if there are any, and the renaming,
    which nobody may change."""
    writer = _Writer()
    before = "null" if premise is None else writer.formula(premise)
    after = writer.formula(hypothesis)
    axioms = writer.postulates(postulates) if postulates else []
    formulas = (*(() if premise is None else (premise,)), hypothesis, *postulates)
    if writer.occasional:
        resolved = sorts.resolve(formulas)
        if resolved != formulas:
            behind = len(formulas) - len(postulates)
            first = None if premise is None else resolved[0]
            return _written(first, resolved[behind - 1], operators, resolved[behind:], distinct)
    related = writer.operators({each.name: each for each in operators}) if writer.renaming.operators else []
    differ = "true" if distinct and len(writer.renaming.constants) > 1 else "false"
    return (
        f'{{"theory":{{"operators":[{",".join(related)}],"postulates":[{",".join(axioms)}],"projection":',
        f',"distinct":{differ}}},"premise":{before},"hypothesis":{after}}}',
        formulas if writer.partial else (),
        writer.renaming,
    )


class _Writer:
    """Writes JSON text directly: building lists first would take more than one and a half times as long."""

    def __init__(self) -> None:
        self.renaming = Renaming()
        self.partial = False
        self.occasional = False
        self.depth = 0
        self.bound: dict[str, str] = {}
        #: what was written of parts with parts of their own, by what they are written with
        self.known: dict[tuple[object, ...], str] = {}

    def formula(self, node: Argument) -> str:
        kind = type(node)
        if kind in _SHORT:
            return _WRITE[kind](self, node)
        key = id(node), self.depth, *self.bound.items()
        if key not in self.known:
            self.known[key] = _WRITE[kind](self, node)
        return self.known[key]

    def var(self, node: Any) -> str:
        known = self.bound.get(node.name)
        if known is None:
            raise ValueError(f"the variable `{node.name}` is free")
        return known

    def const(self, node: Any) -> str:
        name = self.renaming.constants.get(node.name)
        if name is None:
            name = self.renaming.constants[node.name] = f"c{len(self.renaming.constants)}"
        return f'["const","{name}"]'

    def truth(self, node: Any) -> str:
        return '["true"]' if node.value else '["false"]'

    def atom(self, node: Any) -> str:
        args = node.args
        key = (node.predicate, len(args))
        name = self.renaming.predicates.get(key)
        if name is None:
            name = self.renaming.predicates[key] = f"p{len(self.renaming.predicates)}"
        if not args:
            return f'["atom","{name}"]'
        return f'["atom","{name}",{",".join([self.formula(arg) for arg in args])}]'

    def modal(self, node: Any) -> str:
        name = self.renaming.operators.get(node.operator)
        if name is None:
            name = self.renaming.operators[node.operator] = f"o{len(self.renaming.operators)}"
        agent = "null" if node.agent is None else self.formula(node.agent)
        return f'["modal","{name}",{agent},{self.formula(node.body)}]'

    def quantified(self, node: Any) -> str:
        quantifier, count = node.quantifier, node.count
        if quantifier == "the":
            self.partial = True
        if node.sort == "occasion":
            self.occasional = True
        if count is None:
            count = "null"
        elif type(count) is not int:
            raise ValueError(f"the count `{count}` is no number yet")
        variable = f"x{self.depth}"
        outer = self.bound.get(node.variable)
        self.bound[node.variable] = f'["var","{variable}"]'
        self.depth += 1
        restrictor, scope = self.formula(node.restrictor), self.formula(node.scope)
        self.depth -= 1
        if outer is None:
            del self.bound[node.variable]
        else:
            self.bound[node.variable] = outer
        return f'["quantified","{quantifier}",{count},"{variable}","{node.sort}",{restrictor},{scope}]'

    def postulates(self, formulas: tuple[Formula, ...]) -> list[str]:
        """The postulates in an order that does not depend on names.

        The next postulate is always that whose text is least under the names given so far, its own new symbols
        numbered as if it were next; of two with the same text, the first given comes first.
        """
        left = list(formulas)
        written: list[str] = []
        settled: list[str] = []
        while left:
            tried = [(*self.tentative(formula), formula) for formula in left]
            settled += [text for text, grown, _ in tried if not grown]
            unsettled = [(text, formula) for text, grown, formula in tried if grown]
            if not unsettled:
                break
            _, least = min(unsettled, key=_text)
            written.append(self.formula(least))
            left = [formula for _, formula in unsettled if formula is not least]
        return written + sorted(set(settled) - set(written))

    def tentative(self, formula: Formula) -> tuple[str, bool]:
        """The text that `formula` would write, without keeping new names, and whether it has new names."""
        kept, known = self.renaming, self.known
        self.renaming, self.known = Renaming(dict(kept.predicates), dict(kept.constants), dict(kept.operators)), {}
        text = self.formula(formula)
        grown = self.renaming != kept
        self.renaming, self.known = kept, known
        return text, grown

    def operators(self, declared: dict[str, Operator]) -> list[str]:
        """The operators named so far and all that are related to them, each with kind, frame and relations.

        They stand in the theory's order (the order of the principles in `rests_on` depends on it); operators that
        differ in their names only, in the order in which they occur.
        """
        names = list(self.renaming.operators)
        for name in names:
            if name not in declared:
                raise ValueError(f"the theory does not declare the operator `{name}`")
            referring = [o.name for o in declared.values() if name in o.within or name in o.introspected_by]
            related = (*declared[name].within, *declared[name].introspected_by, *referring)
            names += [other for other in dict.fromkeys(related) if other not in names]
        ranks: dict[Any, int] = {}
        for operator in declared.values():
            ranks.setdefault(_signature(operator), len(ranks))
        for name in sorted(names, key=lambda each: ranks[_signature(declared[each])]):
            self.renaming.operators.setdefault(name, f"o{len(self.renaming.operators)}")
        numbers = {name: number for number, name in enumerate(self.renaming.operators)}
        written: list[str] = []
        for name in sorted(names, key=lambda each: ranks[_signature(declared[each])]):
            operator = declared[name]
            # in the theory's order too, so that two verbs with the same declaration can be exchanged
            within, introspected_by = (
                ",".join([f'"{self.renaming.operators[other]}"' for other in sorted(others, key=numbers.__getitem__)])
                for others in (operator.within, operator.introspected_by)
            )
            frame = ",".join([f'"{each}"' for each in sorted(operator.frame)])
            written.append(
                f'["{self.renaming.operators[name]}","{operator.kind}",[{frame}],[{within}],[{introspected_by}]]'
            )
        return written


def _signature(operator: Operator) -> tuple[Any, ...]:
    return operator.kind, operator.frame, operator.within, operator.introspected_by


def _text(pair: tuple[str, Formula]) -> str:
    return pair[0]


def _plain(signature: ast.Signature) -> Callable[[_Writer, Any], str] | None:
    """The rule of a class whose fields are its parts."""
    if signature.stage in ("sentence", "word"):
        return _out_of_place
    same = signature.extensional or signature.worlds == "actual"
    if signature.stage is None or signature.gap is None or not (signature.plain and same):
        return None
    start, may_be_undefined, parts = f'["{signature.tag}",', signature.gap, signature.parts

    def write(writer: _Writer, node: Any) -> str:
        writer.partial = writer.partial or may_be_undefined(node)
        return f"{start}{','.join([writer.formula(part) for part in parts(node)])}]"

    return write


def _out_of_place(_: _Writer, node: Any) -> str:
    raise ValueError(f"{type(node).__name__} has no place in a question: compile it away first")


_SHORT = frozenset((ast.Var, ast.Const, ast.Truth, ast.Atom))
"""Classes whose text is written sooner than it is looked up."""
_WRITE = ast.Rules[Callable[[_Writer, Any], str]](
    "canonical",
    {
        ast.Var: _Writer.var, ast.Const: _Writer.const, ast.Truth: _Writer.truth, ast.Atom: _Writer.atom,
        ast.Quantified: _Writer.quantified, ast.Modal: _Writer.modal,
    },
    _plain,
)  # fmt: skip
