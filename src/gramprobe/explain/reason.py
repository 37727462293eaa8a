"""Why a formula has its value in a model, in words: the witness, the counterexample, the world that is seen.

The values are the kernel's (`certify.evaluator`); this module puts them into words. A reason descends from the whole
formula to facts, at each step to the parts that determine the value: of a false conjunction the false part, of a false
`forall` one counterexample, of a true one only the individuals it is about. Below :data:`DEEPEST` steps a formula's
value is given without a reason. Example: `exists x. (cat(x), has(jo, x))` is true since "`cat(d1)` holds, and
`has(jo, d1)` holds".
"""

from __future__ import annotations

from dataclasses import replace

from gramprobe.certify.evaluator import value
from gramprobe.certify.model import Model
from gramprobe.explain.picture import named
from gramprobe.formula import ast
from gramprobe.formula.ast import Formula
from gramprobe.formula.binding import substituted
from gramprobe.formula.encoding import to_json
from gramprobe.formula.notation import show
from gramprobe.formula.theory import TheorySlice

DEEPEST = 6
_COUNTS = {"atleast": "at least", "atmost": "at most", "exactly": "exactly"}
_ALWAYS = ("is always true", "is always false")  # reduction leaves such constants; they explain nothing
VALUE_NAMES = {"T": "true", "F": "false", "U": "undefined"}


class Reasons:
    """Reasons in one model; `theory` declares the operators of the formulas."""

    def __init__(self, model: Model, theory: TheorySlice) -> None:
        self.names = named(model)
        self.model = replace(model, constants={**dict(zip(self.names, range(len(self.names)), strict=True)),
                                               **model.constants})  # fmt: skip
        self.kinds = {operator.name: str(operator.kind) for operator in theory.operators}
        self.projection = theory.projection.data

    def value(self, formula: Formula, world: int | None = None) -> str:
        """The truth value `T`, `F` or `U` of a formula at a world (by default the actual one)."""
        return value(to_json(formula), self.model, self.projection, self.kinds, world)

    def because(self, formula: Formula, world: int | None = None) -> str:
        """A clause on why the formula has its value at a world (by default the actual one)."""
        return self._why(formula, self.model.actual if world is None else world, 0)

    def _why(self, formula: Formula, world: int, depth: int) -> str:
        truth_value = self.value(formula, world)
        if depth > DEEPEST:
            return f"{_quoted(formula)} is {VALUE_NAMES[truth_value]}{self._at(world)}"

        def why(*parts: Formula) -> str:
            clauses = dict.fromkeys(self._why(part, world, depth + 1) for part in parts)
            telling = [each for each in clauses if not each.endswith(_ALWAYS)]
            return ", and ".join(telling or clauses)

        match formula:
            case ast.Not(body):
                return why(body)
            case ast.And(left, right) | ast.Or(left, right) | ast.Implies(left, right) | ast.Iff(left, right):
                return why(*self._settling(formula, left, right, truth_value, world))
            case ast.Presupposing(presupposition, assertion):
                if self.value(presupposition, world) != "T":
                    return f"it presupposes {_quoted(presupposition)}, and {why(presupposition)}"
                return f"what it presupposes holds ({why(presupposition)}), and {why(assertion)}"
            case ast.Here(body):
                return self._why(body, self.model.actual, depth + 1)
            case ast.Modal():
                return self._modal(formula, truth_value, world, depth)
            case ast.Quantified():
                return self._quantified(formula, truth_value, world, depth)
            case ast.Truth():
                return f"{_quoted(formula)} is always {VALUE_NAMES[truth_value]}"
            case ast.Atom() | ast.Equal():
                return f"{_quoted(formula)} {'holds' if truth_value == 'T' else 'does not hold'}{self._at(world)}"
            case _:
                raise ast.NoRule("reason", type(formula))

    def _settling(
        self, formula: Formula, left: Formula, right: Formula, truth_value: str, world: int
    ) -> tuple[Formula, ...]:
        """Those of two parts that determine the value."""
        first, second = self.value(left, world), self.value(right, world)
        if truth_value == "U" and not isinstance(formula, ast.Iff):
            return (left,) if first == "U" else (right,)
        one, other = {ast.And: ("F", "F"), ast.Or: ("T", "T"), ast.Implies: ("F", "T")}.get(type(formula), ("", ""))
        if one and truth_value == ("F" if isinstance(formula, ast.And) else "T"):
            return (left,) if first == one else (right,) if second == other else (left, right)
        return (left, right)

    def _at(self, world: int) -> str:
        return f" at w{world}" if self.model.worlds > 1 else ""

    # operators

    def _modal(self, formula: ast.Modal, truth_value: str, world: int, depth: int) -> str:
        operator, body = formula.operator, formula.body
        shown, key = operator, operator
        if formula.agent is not None:
            assert isinstance(formula.agent, ast.Const)
            shown = f"{operator}[{formula.agent.name}]"
            key = f"{operator}[{self.model.constants[formula.agent.name]}]"
        if self.kinds[operator] in ("neighbourhood", "dual"):
            where = [v for v in range(self.model.worlds) if self.value(body, v) == "T"]
            among = "{" + ", ".join(f"w{v}" for v in where) + "}"
            those = f"true exactly in {among[1:-1]}" if where else "true in no world"
            one = among if where else "the empty set"
            verb = "picks out" if frozenset(where) in self.model.neighbourhoods[key][world] else "does not pick out"
            return f"{_quoted(body)} is {those}, and {shown} {verb} {one}{self._at(world)}"
        seen = sorted(v for w, v in self.model.relations[key] if w == world)
        many = ", ".join(f"w{v}" for v in seen)
        settling = "F" if self.kinds[operator] == "box" else "T"
        if not seen:
            return f"w{world} sees no world by {shown}"
        if truth_value == "U" or truth_value == settling or len(seen) == 1:
            there = next(
                v for v in seen if self.value(body, v) == (truth_value if len(seen) > 1 else self.value(body, v))
            )
            only = "only " if len(seen) == 1 else ""
            where_ = "itself" if there == world else f"w{there}"
            return f"w{world} sees {only}{where_} by {shown}, and {self._why(body, there, depth + 1)}"
        return f"{_quoted(body)} is {VALUE_NAMES[truth_value]} in all worlds that w{world} sees by {shown} ({many})"

    # quantifiers

    def _quantified(self, formula: ast.Quantified, truth_value: str, world: int, depth: int) -> str:
        restrictor, scope, variable = formula.restrictor, formula.scope, formula.variable

        def at(part: Formula, who: int) -> Formula:
            return substituted(part, {variable: ast.Const(self.names[who])})

        def why(who: int, *parts: Formula) -> str:
            clauses = [self._why(at(part, who), world, depth + 1) for part in parts if part != ast.TRUE]
            return ", and ".join(dict.fromkeys(clauses)) or f"there is {self.names[who]}"

        domain = self.model.domain(formula.sort)
        inside = {who: self.value(at(restrictor, who), world) for who in domain}
        fitting = [who for who in domain if inside[who] == "T"]
        scopes = {who: self.value(at(scope, who), world) for who in fitting}
        cases = [who for who in fitting if scopes[who] == "T"]
        if formula.quantifier == "the" and len(fitting) == 1 and truth_value != "U":
            return (
                f"the only {variable} with {_quoted(restrictor)} is {self._list(fitting)}, and {why(fitting[0], scope)}"
            )
        if truth_value == "U":
            open_ = [who for who in domain if inside[who] == "U"]
            if open_:
                return why(open_[0], restrictor)
            if formula.quantifier == "the" and len(fitting) != 1:
                number = f"{len(fitting)} individuals have" if fitting else "nothing has"
                return f"{number} {_quoted(restrictor)}{self._those(fitting)}{self._at(world)}, not exactly one"
            return why(next(who for who in fitting if scopes[who] == "U"), scope)
        if formula.quantifier == "forall" and truth_value == "F":
            return why(next(who for who in fitting if scopes[who] == "F"), restrictor, scope)
        if formula.quantifier == "exists" and truth_value == "T":
            return why(cases[0], restrictor, scope)
        wanted = ""
        if formula.quantifier in _COUNTS:
            number = f"{formula.count} {'is' if formula.count == 1 else 'are'}"
            wanted = f", and {_COUNTS[formula.quantifier]} {number} wanted"
        return self._counted(formula, fitting, cases) + self._at(world) + wanted

    def _counted(self, formula: ast.Quantified, fitting: list[int], cases: list[int]) -> str:
        """A clause with the number of cases, the reason for a count, a true `forall` and a false `exists`."""
        restrictor, scope, kind = formula.restrictor, formula.scope, formula.sort
        things = kind if len(cases) == 1 else f"{kind}s"
        if ast.TRUE in (restrictor, scope):
            only = scope if restrictor == ast.TRUE else restrictor
            number = f"{len(cases)} {things}" if cases else f"no {kind}"
            if formula.quantifier == "forall" and cases == fitting:
                number = f"every {kind}"
            verb = "have" if len(cases) > 1 and number[0].isdigit() else "has"
            return f"{number} {verb} {_quoted(only)}{self._those(cases)}"
        if not fitting:
            return f"no {kind} has {_quoted(restrictor)}"
        if not cases and len(fitting) == 1:
            return f"the only one with {_quoted(restrictor)}{self._those(fitting)} does not have {_quoted(scope)}"
        of = f"{len(cases)} of the {len(fitting)}" if cases else f"none of the {len(fitting)}"
        if cases == fitting:
            of = "the only one" if len(cases) == 1 else f"all {len(cases)}"
        verb = "have" if len(cases) > 1 else "has"
        return f"{of} with {_quoted(restrictor)}{self._those(fitting)} {verb} {_quoted(scope)}"

    def _those(self, members: list[int]) -> str:
        return f" ({self._list(members)})" if members else ""

    def _list(self, members: list[int]) -> str:
        return ", ".join(self.names[who] for who in members)


def _quoted(formula: Formula) -> str:
    return f"`{show(formula)}`"
