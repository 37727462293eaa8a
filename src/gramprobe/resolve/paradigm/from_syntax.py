"""A paradigm file to a :class:`~gramprobe.resolve.paradigm.data.Paradigm`: its parts in the order in which they need
each other."""

from __future__ import annotations

from collections.abc import Mapping

from gramprobe.language import Language, english
from gramprobe.resolve.grammar.data import Grammar
from gramprobe.resolve.paradigm.breaking import resolve_constraint
from gramprobe.resolve.paradigm.conditions import (
    check_antecedents,
    check_forms,
    check_meanings,
    resolve_conditions,
)
from gramprobe.resolve.paradigm.crossed import crossed
from gramprobe.resolve.paradigm.data import DEFAULT_SIZE, PairClaim, Paradigm
from gramprobe.resolve.paradigm.draws import resolve_carried, resolve_draw, resolve_limits
from gramprobe.resolve.paradigm.factors import limits_of, resolve_contrasts, resolve_factors
from gramprobe.resolve.paradigm.pairs import balanced, resolve_pairs
from gramprobe.resolve.paradigm.regions import resolve_regions, resolve_same_words
from gramprobe.resolve.paradigm.scales import resolve_columns, resolve_gold, resolve_scale
from gramprobe.resolve.paradigm.settings import (
    check_settings,
    resolve_solvable,
    resolve_theories,
    splits_of,
    text_of,
    texts_of,
)
from gramprobe.resolve.paradigm.terms import Environment, environment_of, resolve_let
from gramprobe.resolve.paradigm.where import resolve_constraints
from gramprobe.resolve.tasks import TaskForms
from gramprobe.resolve.tree import Tree, put
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.syntax import paradigm_tree as syntax


def resolve_paradigm(
    line: syntax.Paradigm,
    phenomenon: str,
    stem: str,
    grammar: Grammar | None,
    tasks: TaskForms,
    findings: Findings,
) -> Paradigm | None:
    """Resolve every name of the file; None if it has errors (``findings`` holds those of this file only).

    Without a grammar (the line ``uses`` is missing) only the settings are checked.
    """
    findings.unread |= grammar.unread if grammar else frozenset()
    env = environment_of(line, grammar or Grammar(), tasks, findings)
    check_settings(line, env.task, stem, findings)
    line, env.crossed = crossed(line, env.task, findings)
    if grammar is None:
        return None
    _declare(line, env)
    conditions = resolve_conditions(line, env)
    check_antecedents(conditions.values(), tasks, findings)
    said = frozenset(env.used)
    constraints = resolve_constraints(line, env)
    if not findings.failed:  # a word that is misspelt may have been meant
        env.used -= env.draws.keys() - said  # a `where` says nothing of what sentences have
    scale, gold = resolve_scale(line.scale, env), resolve_gold(line, findings)
    pairs = resolve_pairs(line, conditions, gold, env)
    columns = resolve_columns(line, conditions, env.draws.values(), findings)
    limits, carried = resolve_limits(line, env), resolve_carried(line, env)
    factors, empty_cells = resolve_factors(line, conditions, pairs, env)
    contrasts = resolve_contrasts(line, conditions, pairs, env)
    limits = (*limits, *limits_of(factors, env.draws))
    regions = resolve_regions(line, env)
    same_words = resolve_same_words(line, regions, env)
    broken = resolve_constraint(line, env.task, findings)
    _check_all_used(line, env)
    ways = _ways(env)
    trees = [put(condition.tree, way) for condition in conditions.values() for way in ways]
    check_forms(trees, env.grammar, findings)
    if env.task.meaning:
        check_meanings(trees, findings)
    if findings.failed:
        return None
    settings = line.settings
    theory = settings["theory"][0] if env.task.theory else None
    size = settings["size"][0] if settings.get("size") else None
    paradigm = Paradigm(
        name=line.name.text,
        phenomenon=phenomenon,
        about=text_of(settings, "about"),
        citation=text_of(settings, "source"),
        theory=theory.text if theory else "",
        theory_span=theory.span if theory else None,
        task=env.task.name,
        size=DEFAULT_SIZE if size is None else None if size.text == "all" else int(size.text),
        split=text_of(settings, "split") or "test",
        draws=tuple(env.draws.values()),
        constraints=tuple(constraints),
        conditions=conditions,
        pairs=tuple(pairs),
        allows={a.gate.text: a.because.text for a in line.allows},
        span=line.name.span,
        size_span=size.span if size else None,
        scale=scale,
        scale_spans=tuple(word.span for word in line.scale.members) if line.scale else (),
        gold=gold,
        columns=columns,
        splits=splits_of(settings),
        languages=texts_of(settings, "language") or _code_of(env.grammar.language),
        licence=text_of(settings, "licence"),
        authors=texts_of(settings, "author"),
        cite=texts_of(settings, "cite"),
        limits=limits,
        carried=carried,
        solvable=resolve_solvable(line, env),
        theories=resolve_theories(line, env.task, findings),
        factors=factors,
        empty_cells=empty_cells,
        contrasts=contrasts,
        regions=regions,
        same_words=same_words,
        scope=env.scope,
        constraint=broken.text if broken is not None else "",
        pair_claims=tuple(PairClaim(claim.kind, claim.span) for claim in line.pair_claims),
    )
    paradigm = balanced(paradigm, env.task, line.balances, findings)
    return None if findings.failed else paradigm


def _code_of(language: Language) -> tuple[str, ...]:
    """The code of the language that a grammar names; a card says nothing of a language that nobody named."""
    return () if language == english() else (language.code,)


def _ways(env: Environment) -> list[Mapping[str, Tree]]:
    """For each draw and each way to build it, its tree, with the first way of every other draw."""
    built = {name: [s.tree for s in draw.skeletons if s.constructors] for name, draw in env.draws.items()}
    first = {name: trees[0] for name, trees in built.items() if trees}
    others = [{**first, name: tree} for name, trees in built.items() for tree in trees[1:]]
    return [first, *others]


def _declare(line: syntax.Paradigm, env: Environment) -> None:
    """Put the names of all ``draw`` and ``let`` lines into the environment, and resolve them."""
    if not line.draws and not any(b.keyword == "draw" for b in line.broken):
        env.findings.add(messages.reading.missing_line(line.name.span, "draw", line.name.text))
    for draw in line.draws:
        resolve_draw(draw, env)
    env.drawn = env.draws
    for let in line.lets:
        if let.name.text in env.lets or let.name.text in env.draws:
            env.findings.add(messages.names.declared_twice(let.name.span, f"`{let.name.text}`", None))
        env.lets[let.name.text] = let
    for let in line.lets:
        resolve_let(let.name.text, env)


def _check_all_used(line: syntax.Paradigm, env: Environment) -> None:
    """Report every draw and every ``let`` that is never mentioned, unless no sentence is there, which is reported."""
    if env.findings.failed and not line.conditions:
        return
    env.used.update(word.text for balance in line.balances for word in balance.draws)
    for name, draw in env.draws.items():
        if name not in env.used:
            env.findings.add(messages.names.unused(draw.span, "draw", name))
    for name, let in env.lets.items():
        if name not in env.used:
            env.findings.add(messages.names.unused(let.name.span, "let", name))
