"""Exact counting and unranking of a network of tests between slots, by variable elimination.

Lexemes that no test distinguishes form a class, so that tables are over classes, not words; ``!=`` between words of a
category is counted by falling factorials inside a class. Bucket elimination: Dechter 1999; unranking from the
eliminated tables turns an index into a solution (the enumeration is a bijection from 0 .. size - 1).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, reduce
from itertools import chain
from math import prod
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from gramprobe.space.bucket import Bucket, Factor, Index
from gramprobe.space.once import Once

#: the largest table, in cells, that counting may build
MOST_CELLS = 1 << 24
#: numbers below are counted in int64, others in Python integers
MOST_INT64 = 1 << 62


class Binary(Struct, frozen=True):
    """A test between two variables: ``allowed[left_codes[i], right_codes[j]]`` for members i and j of their domains.

    Shapes: ``left_codes`` and ``right_codes`` have an entry for each member of the domain, ``allowed`` is (values of
    the left side, values of the right side).
    """

    left: int
    right: int
    left_codes: Sequence[int]
    right_codes: Sequence[int]
    allowed: NDArray[np.bool_]


class Tangled(Exception):
    """The network needs a table of more than :data:`MOST_CELLS` cells."""

    def __init__(self, cells: int):
        self.cells = cells
        super().__init__(str(cells))


class Network:
    """Variables with domains (members are arbitrary ints), binary tests, and pairs that must differ.

    ``differ``: pairs of variables that must have different members; both must have the same category. ``last``: the
    variable that is eliminated last, with a code for each of its members, so that the solutions with a code can be
    counted and unranked by themselves (:meth:`coded`). ``once``: what was worked out for networks that have the same
    objects as domains, codes and tables.
    """

    def __init__(
        self,
        domains: Sequence[Sequence[int]],
        binaries: Sequence[Binary],
        differ: Sequence[tuple[int, int]],
        last: tuple[int, Sequence[int]] | None = None,
        once: Once | None = None,
    ):
        self._last = last
        self.once = once or Once()
        self.domains = list(domains)
        self.binaries = list(binaries)
        self.differ = {(min(p), max(p)) for p in differ if p[0] != p[1]}
        self._unchordal()

    @property
    def size(self) -> int:
        """How many solutions there are. Raises Tangled, as does all that counts or draws solutions."""
        return self._solved[0]

    @property
    def buckets(self) -> list[Bucket]:
        """The variables in the order in which they are eliminated; none where a domain is empty."""
        return self._solved[1]

    @property
    def dtype(self) -> Any:
        """That of numbers of solutions."""
        return self._solved[2]

    @cached_property
    def _solved(self) -> tuple[int, list[Bucket], Any]:
        """What is asked where instances are counted or drawn; tests alone are asked of many networks."""
        if not all(self.domains):
            return 0, [], np.int64
        bound = reduce(lambda a, b: a * len(b), self.domains, 1)
        try:  # the product of the domains is often far above the number of solutions
            return *self._eliminate(np.int64, bound >= MOST_INT64), np.int64
        except OverflowError:
            dtype: Any = np.int64 if self._fits() else object
            return *self._eliminate(dtype), dtype

    def _fits(self) -> bool:
        """Whether the numbers of all tables fit into int64, by an estimate in floating point. What is above on the way
        is right modulo 2 ** 64."""
        size, buckets = self._eliminate(np.longdouble)  # which no BLAS multiplies, in threads of its own
        largest = max([size, *(np.max(bucket.sums, initial=0) for bucket in buckets)])
        return bool(largest * (1 + 1e-6) < MOST_INT64)

    @cached_property
    def _position(self) -> list[dict[int, int]]:
        """Of each variable the place of each member in its domain."""
        return [self.once(_positions, [domain]) for domain in self.domains]

    # -- classes

    def _unchordal(self) -> None:
        """Turn pairs that must differ into ordinary tests, if they have no perfect elimination order."""
        for variables in self._linked():
            if not _chordal(variables, self.differ):
                for a, b in sorted(p for p in self.differ if p[0] in variables):
                    self.differ.discard((a, b))
                    codes = [range(len(self.domains[v])) for v in (a, b)]
                    differ = np.not_equal.outer(*(np.array(self.domains[v]) for v in (a, b)))
                    self.binaries.append(Binary(a, b, codes[0], codes[1], differ))

    def _linked(self) -> list[list[int]]:
        """The variables, grouped by connection through pairs of `differ`."""
        count = len(self.domains)
        parent = list(range(count))

        def root(v: int) -> int:
            while parent[v] != v:
                v = parent[v]
            return v

        for a, b in self.differ:
            parent[root(a)] = root(b)
        groups: dict[int, list[int]] = {}
        for v in range(count):
            groups.setdefault(root(v), []).append(v)
        return list(groups.values())

    @cached_property
    def members(self) -> list[list[list[int]]]:
        """The members with the same signature (values in all tests) by class: those of variable v in class c.

        Linked variables share their classes.
        """
        found: list[list[list[int]]] = [[] for _ in self.domains]
        for variables in self._linked():
            keys = [self._keys(v) for v in variables]
            every = *(self.domains[v] for v in variables), *(each for own in keys for each in own)
            alike = self.once(_alike, every, tuple(map(len, keys)))
            for v, members in zip(variables, alike, strict=True):
                found[v] = members
        return found

    def _keys(self, v: int) -> list[Sequence[int]]:
        """The codes of the members of a variable's domain in each test on the variable."""
        keys = [(b.left_codes if b.left == v else b.right_codes) for b in self.binaries if v in (b.left, b.right)]
        return [*keys, self._last[1]] if self._last is not None and self._last[0] == v else keys

    # -- elimination

    def _eliminate(self, dtype: Any, large: bool = False) -> tuple[int, list[Bucket]]:
        """Eliminate the variables one after the other, with a bucket for each; return the number of solutions, and the
        buckets. Raises OverflowError where numbers might be too ``large`` for int64, by what the largest numbers of
        each table make together.

        A variable's bucket multiplies the tables that mention it, and its sum over the variable is a new table over
        the other variables. Example: with tests a-b and b-c, eliminating a leaves a table over b, which is multiplied
        with the table of b-c. A sum without variables is a factor of the result.
        """
        factors: list[tuple[tuple[int, ...], NDArray[Any], int]] = []  # scope, table, bucket it came from or -1
        buckets: list[Bucket] = []
        between: dict[tuple[int, int], list[Binary]] = {}
        for binary in self.binaries:
            between.setdefault((binary.left, binary.right), []).append(binary)
        factors += ((pair, self._table(tests, dtype), -1) for pair, tests in between.items())
        remaining = set(range(len(self.domains)))
        rivals = {v: {b if a == v else a for a, b in self.differ if v in (a, b)} for v in remaining}
        total = 1
        while remaining:
            v = self._next(remaining, factors, rivals)
            remaining.discard(v)
            against = tuple(sorted(u for u in rivals[v] if u in remaining))
            mine = [f for f in factors if v in f[0]]
            factors = [f for f in factors if v not in f[0]]
            scope = tuple(sorted({u for f in mine for u in f[0] if u != v} | set(against)))
            shape = tuple(len(self.members[u]) for u in (*scope, v))
            cells = reduce(lambda a, b: a * b, shape, 1)
            if cells > MOST_CELLS:
                raise Tangled(cells)
            choices = self.once(_choices, [self.members[v]], len(against), dtype)
            tables = [((*against, v), choices), *(self._with_last(v, f[0], f[1]) for f in mine)]
            if large:
                most = len(self.members[v]), max(map(len, self.members[v])), *(f[1].max() for f in mine if f[2] >= 0)
                if prod(map(int, most)) >= MOST_INT64:
                    raise OverflowError
            sums = self._summed(tables, scope)
            buckets.append(
                Bucket(
                    variable=v,
                    scope=scope,
                    rivals=against,
                    factors=tables,
                    sums=sums,
                    children=[f[2] for f in mine if f[2] >= 0],
                )
            )
            if scope:
                factors.append((scope, sums, len(buckets) - 1))
            else:
                total *= sums.item()
        if large and total >= MOST_INT64:
            raise OverflowError
        return total, buckets

    def _table(self, tests: Sequence[Binary], dtype: Any) -> NDArray[Any]:
        """The table of tests between the same variables: 1 for each pair of classes whose representatives pass them."""
        sides = ((self._position[v], self.members[v]) for v in (tests[0].left, tests[0].right))
        every = (each for test in tests for each in (test.allowed, test.left_codes, test.right_codes))
        return self.once(_table, (*chain(*sides), *every), dtype)

    def _with_last(self, v: int, scope: tuple[int, ...], table: NDArray[Any]) -> Factor:
        """A table with the axis of a variable put last."""
        return (*(u for u in scope if u != v), v), self.once(_moved, [table], scope.index(v))

    def _summed(self, tables: Sequence[Factor], scope: tuple[int, ...]) -> NDArray[Any]:
        """The product of tables, summed over the variables that are not in ``scope``; its axes are those of
        ``scope``."""
        number = {u: at for at, u in enumerate(dict.fromkeys(u for variables, _ in tables for u in variables))}
        axes = tuple(tuple(number[u] for u in variables) for variables in (*(each for each, _ in tables), scope))
        return self.once(_summed, (table for _, table in tables), axes)

    def _next(
        self,
        remaining: set[int],
        factors: list[tuple[tuple[int, ...], NDArray[Any], int]],
        rivals: dict[int, set[int]],
    ) -> int:
        """The variable with the smallest table, among the variables whose rivals must all differ from each other."""
        best: tuple[int, int] | None = None
        kept = self._last[0] if self._last is not None and len(remaining) > 1 else None
        for v in sorted(remaining - {kept}):
            against = [u for u in rivals[v] if u in remaining]
            if any((min(a, b), max(a, b)) not in self.differ for i, a in enumerate(against) for b in against[i + 1 :]):
                continue
            scope = {u for f in factors if v in f[0] for u in f[0]} | set(against) | {v}
            cells = reduce(lambda n, u: n * len(self.members[u]), scope, 1)
            if best is None or cells < best[0]:
                best = (cells, v)
        assert best is not None
        return best[1]

    def holds(self, solution: Sequence[int]) -> bool:
        """Whether an assignment, a member for each variable, is a solution."""
        if any(m not in p for m, p in zip(solution, self._position, strict=True)):
            return False
        if any(solution[a] == solution[b] for a, b in self.differ):
            return False
        at = [p[m] for m, p in zip(solution, self._position, strict=True)]
        return all(b.allowed[b.left_codes[at[b.left]], b.right_codes[at[b.right]]] for b in self.binaries)

    # -- unranking

    def solutions(self, ranks: Index) -> list[NDArray[np.int32]]:
        """The solutions at these ranks (0 .. size - 1).

        Returns for each variable an array of members, of the shape of ``ranks``. The buckets are walked backwards: the
        rank inside a bucket chooses a class, then a member of the class, and the rest is divided among its children.
        """
        n = len(ranks)
        columns: list[NDArray[np.int32]] = [np.zeros(n, np.int32) for _ in self.domains]
        classes: list[NDArray[np.intp]] = [np.zeros(n, np.intp) for _ in self.domains]
        positions: list[NDArray[Any]] = [np.zeros(n, np.int64) for _ in self.domains]
        residual: dict[int, Index] = {}
        rest = np.asarray(ranks, self.dtype)
        for index in reversed(range(len(self.buckets))):
            if not self.buckets[index].scope:
                size = int(self.buckets[index].sums)
                residual[index], rest = rest % size, rest // size
        for index in reversed(range(len(self.buckets))):
            bucket = self.buckets[index]
            v = bucket.variable
            chosen, r = bucket.chosen(classes, residual.pop(index))
            choices = bucket.choices[(*(classes[u] for u in bucket.rivals), chosen)]
            position, r = r % choices, r // choices
            classes[v] = chosen
            for child in bucket.children:
                below = self.buckets[child]
                size_ = below.sums[tuple(classes[u] for u in below.scope)]
                residual[child], r = r % size_, r // size_
            position = position.astype(np.int64)
            if bucket.rivals:
                taken = np.stack(
                    [np.where(classes[u] == chosen, positions[u], np.iinfo(np.int64).max) for u in bucket.rivals],
                    axis=1,
                )
                taken.sort(axis=1)
                for j in range(taken.shape[1]):
                    position = position + (position >= taken[:, j])
            positions[v] = position
            columns[v] = self._member(v, chosen, position)
        return columns

    def coded(self, codes: Sequence[int]) -> Coded:
        """The solutions by the code of the member of the variable eliminated last, for these codes, of which there are
        some solutions."""
        assert self._last is not None
        v, own = self._last
        of, place = dict(zip(self.domains[v], own, strict=True)), {code: at for at, code in enumerate(codes)}
        at = np.array([place.get(of[c[0]], len(codes)) if c else len(codes) for c in self.members[v]], np.intp)
        order = np.argsort(at, kind="stable")
        weights = self.buckets[-1].weights(())[0]
        ends = np.cumsum(weights[order])
        borders = np.searchsorted(at[order], np.arange(len(codes) + 1))
        begins = np.concatenate([ends[:1] - ends[:1], ends])[borders]
        return Coded(self, np.diff(begins), begins, ends, np.cumsum(weights)[order] - ends)

    def _member(self, v: int, chosen: NDArray[np.intp], position: NDArray[np.int64]) -> NDArray[np.int32]:
        """The members of a variable at these positions of the chosen classes."""
        flat = np.array([m for c in self.members[v] for m in c], dtype=np.int32)
        starts = np.cumsum([0, *(len(c) for c in self.members[v])])[:-1]
        return flat[starts[chosen] + position]


class Coded(Struct, frozen=True):
    """The solutions of a network by the code of the variable eliminated last. Those of a class of it follow one another
    in as many ranks as its weight is, again and again, each time behind those of all classes.

    Attributes:
        network: all solutions.
        weights: (codes,) the sum of the weights of the classes of each code.
        begins: (codes + 1,) the sums of those before.
        ends: (classes,) the sums of the weights up to each class, in the order of codes.
        shifts: (classes,) by how much these are more in the order of classes.
    """

    network: Network
    weights: NDArray[Any]
    begins: NDArray[Any]
    ends: NDArray[Any]
    shifts: NDArray[Any]

    @property
    def sizes(self) -> NDArray[Any]:
        """(codes,) how many solutions there are of each code."""
        return np.asarray(self.weights * (self.network.size // int(self.ends[-1])))

    def ranks(self, codes: NDArray[np.intp], ranks: Index) -> Index:
        """The ranks in the network of solutions of these codes, by their place, at these ranks (0 .. size - 1)."""
        times, here = np.divmod(np.asarray(ranks, self.network.dtype), self.weights[codes])
        here = here + self.begins[codes]
        return np.asarray(times * self.ends[-1] + here + self.shifts[np.searchsorted(self.ends, here, side="right")])


def _positions(domain: Sequence[int]) -> dict[int, int]:
    return {m: i for i, m in enumerate(domain)}


def _alike(sizes: tuple[int, ...], *every: Sequence[int]) -> list[list[list[int]]]:
    """For each of some linked variables its members by class.

    ``sizes``: in how many tests each of them is; ``every``: their domains, then the codes of each in its tests.
    """
    domains, codes = every[: len(sizes)], iter(every[len(sizes) :])
    values = [
        _signatures(domain, [next(codes) for _ in range(size)]) for domain, size in zip(domains, sizes, strict=True)
    ]
    signatures: dict[int, tuple[Any, ...]] = values[0]
    if len(domains) > 1:
        among = set().union(*domains)
        signatures = {m: tuple((v, own[m]) for v, own in enumerate(values) if m in own) for m in among}
    classes: dict[tuple[Any, ...], list[int]] = {}
    for member in sorted(signatures):
        classes.setdefault(signatures[member], []).append(member)
    # A class lies wholly inside or outside of each domain, since membership is part of the signature.
    return [[c if c[0] in own else [] for c in classes.values()] for own in values]


def _signatures(domain: Sequence[int], codes: Sequence[Sequence[int]]) -> dict[int, tuple[Any, ...]]:
    """Member of a domain -> its codes in all tests."""
    return dict(zip(domain, zip(*codes, strict=True), strict=True)) if codes else dict.fromkeys(domain, ())


def _table(
    dtype: Any,
    left: Mapping[int, int],
    lefts: Sequence[Sequence[int]],
    right: Mapping[int, int],
    rights: Sequence[Sequence[int]],
    *tests: Any,
) -> NDArray[Any]:
    """The table of tests between two variables: 1 for each pair of classes whose representatives pass all. Of each
    variable: the positions of members, and those of each class; of each test: what it allows, and the codes of both."""
    rows, columns = ([of[c[0]] if c else -1 for c in classes] for of, classes in ((left, lefts), (right, rights)))
    passed = (
        allowed[np.ix_([own[at] for at in rows], [others[at] for at in columns])]
        for allowed, own, others in zip(tests[::3], tests[1::3], tests[2::3], strict=True)
    )
    table: NDArray[Any] = reduce(np.logical_and, passed).astype(np.int64).astype(dtype, copy=False)
    return table


def _moved(axis: int, table: NDArray[Any]) -> NDArray[Any]:
    return np.moveaxis(table, axis, -1)


def _choices(rivals: int, dtype: Any, members: Sequence[Sequence[int]]) -> NDArray[Any]:
    """How many members of each class are left, where so many variables have a member that must differ; axes (*rivals,
    class): a rival of the same class leaves a choice less."""
    count = len(members)
    same = np.eye(count, dtype=dtype)
    taken = [same.reshape(*(count if u == each else 1 for u in range(rivals)), count) for each in range(rivals)]
    sizes = np.array([len(c) for c in members], dtype=dtype)
    return np.maximum(reduce(lambda left, one: left - one, taken, sizes), 0) if rivals else sizes


def _summed(axes: Sequence[tuple[int, ...]], *tables: NDArray[Any]) -> NDArray[Any]:
    """The product of tables, summed. ``axes``: the axes of each table, and those of the result."""
    operands = [each for table, own in zip(tables, axes, strict=False) for each in (table, list(own))]
    dtype = tables[0].dtype
    # on its way with fewer steps numpy (2.4) makes a number of the last two vectors of Python integers an int64
    steps: Any = False if dtype.kind == "O" else "greedy"
    return np.asarray(np.einsum(*operands, list(axes[-1]), optimize=steps), dtype=dtype)


def _chordal(variables: list[int], differ: set[tuple[int, int]]) -> bool:
    """Whether the variables can be eliminated in an order in which the remaining rivals of each exclude each other."""
    left = set(variables)
    near = {v: {b if a == v else a for a, b in differ if v in (a, b)} for v in variables}
    while left:
        for v in sorted(left):
            against = [u for u in near[v] if u in left]
            if all((min(a, b), max(a, b)) in differ for i, a in enumerate(against) for b in against[i + 1 :]):
                left.discard(v)
                break
        else:
            return False
    return True
