"""The `pair` lines of a paradigm: which conditions form pairs, and the author's claims about them; and its `balance`
lines: every pair a second time, with two draws swapped in the premise.

``Amy has a cat`` is entailed by ``Amy's cat yawned`` and neutral to ``Jo's cat yawned``: beside both premises the
hypothesis alone predicts nothing about the label (Poliak et al. 2018; Gururangan et al. 2018). A gate checks that it
does not: :func:`gramprobe.dataset.gates.leak.balance`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from msgspec import structs

from gramprobe.certify.rule import LABELS
from gramprobe.records import MEASURES
from gramprobe.resolve.names import require_known
from gramprobe.resolve.paradigm.crossed import MARK
from gramprobe.resolve.paradigm.data import NO_GOLD, SWAPPED, At, Condition, Draw, Factor, Pair, Paradigm, ReadingClaim
from gramprobe.resolve.paradigm.draws import has_column, members_of
from gramprobe.resolve.paradigm.scales import resolve_claims
from gramprobe.resolve.paradigm.settings import check_shares, share_of, splits_of
from gramprobe.resolve.paradigm.terms import Environment
from gramprobe.resolve.tasks import IN_NO_PAIR, TaskForm
from gramprobe.resolve.tree import Composite, Slot, Tree, nodes, put, show
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings, Span
from gramprobe.syntax import paradigm_tree as syntax
from gramprobe.syntax.tree import Word


def resolve_pairs(
    line: syntax.Paradigm, conditions: Mapping[str, Condition], gold: str, env: Environment
) -> list[Pair]:
    """Every pair of every line, in order; then checks on all of them together."""
    task, findings = env.task, env.findings
    if not task.right:
        for span in (*(each.span for each in line.pairs), *(word.span for word in line.settings.get("yields", ()))):
            findings.add(messages.task.no_pairs(span, task.name))
        return []
    left = [c.name for c in conditions.values() if c.side in task.left]
    right = [c.name for c in conditions.values() if c.side in task.right]
    pairs: list[Pair] = []
    seen: dict[tuple[str, str], Span] = {}
    counts: list[tuple[int, int]] = []  # line of the file, pairs that it describes
    for each in line.pairs:
        claim = _reading_claim(each, conditions, task, findings)
        if each.gold is not None:
            require_known(each.gold, [NO_GOLD], "`gold` of a pair", findings)
        own = gold if each.gold is None else NO_GOLD
        claims = resolve_claims(each, own, line.scale is not None, findings, lambda claim: _instances(claim, line, env))
        if each.via is not None:
            require_known(each.via, ["failure"], "`via`", findings)
        published, measured = _published(each, task, findings), _measured(each, env)
        premises = _named(each.premises, left, conditions, env)
        hypotheses = _named(each.hypotheses, right, conditions, env)
        together = [(p, h) for p in premises for h in hypotheses if conditions[p].goes_with(conditions[h])]
        counts.append((each.span.line, len(together)))
        twice: dict[int, list[str]] = {}
        for premise, hypothesis in together:
            if (premise, hypothesis) in seen:
                twice.setdefault(seen[premise, hypothesis].line, []).append(f"{premise} => {hypothesis}")
                continue
            seen[premise, hypothesis] = each.span
            levels = dict((*conditions[premise].levels, *conditions[hypothesis].levels))
            mine = [own_claim for one in claims if (own_claim := one.about(levels)) is not None]
            main = next((claim for claim in mine if claim.column == own and not claim.at), None)
            pair = Pair(
                premise=premise,
                hypothesis=hypothesis,
                expect=main.label if main else None,
                tag=each.tag.text if each.tag else "target",
                via_failure=each.via is not None,
                span=each.span,
                expect_span=main.span if main else None,
                claims=tuple(claim for claim in mine if claim is not main),
                claim=claim,
                share=share_of(each, counts[-1][1]),
                published=published,
                graded=own == NO_GOLD,
                measured=measured,
            )
            pairs.append(pair)
        for before, names in twice.items():
            findings.add(messages.paradigm.pair_twice(each.span, names, before))
    check_shares(line.pairs, findings)
    if task.claims == "readings":
        _check_every_pair(line, pairs, conditions, (left, right), env)
    _check_number(line, pairs, conditions, counts, env)
    return pairs


def _named(words: Sequence[Word], side: list[str], conditions: Mapping[str, Condition], env: Environment) -> list[str]:
    """The conditions that a side of a pair names; ``any`` is every condition of that side."""
    names: list[str] = []
    for word in env.crossed.all_of(tuple(words)):
        if word.text == "any":
            names.extend(side)
        elif word.text in conditions:
            names.append(word.text)
        elif word.text not in env.failed:
            require_known(word, [*conditions, "any"], "condition", env.findings)
    return names


def _instances(claim: syntax.Claim, line: syntax.Paradigm, env: Environment) -> tuple[At, ...]:
    """The instances that a claim is about; mistakes are reported."""
    found = []
    crossed = {cross.name.text: [word.text for word in cross.levels] for cross in line.crosses}
    for at in claim.at:
        name, column = at.operand.name, at.operand.column
        if name.text in crossed and column is None:
            for word in at.values:
                require_known(word, crossed[name.text], "level", env.findings)
            found.append(At(name.text, levels=tuple(word.text for word in at.values)))
        elif name.text not in env.failed and require_known(name, [*env.draws, *crossed], "draw", env.findings):
            env.used.add(name.text)
            if name.text in env.doubtful:
                continue
            skeletons = env.draws[name.text].skeletons
            slots = [domain.slot for skeleton in skeletons for domain in skeleton.domains]
            if len(slots) != 1 or skeletons[0].constructors:
                env.findings.add(messages.factors.of_a_phrase(name.span, name.text))
                continue
            wanted = members_of(slots[0], (syntax.Restriction(column, at.values),), name, env)
            members = tuple(m for m in wanted or () if m in skeletons[0].domains[0].members)
            inherited = name.span.path != line.name.span.path  # whoever draws less claims less
            if wanted and not members and not inherited:
                env.findings.add(messages.paradigm.claim_of_none(name.span, name.text))
            found.append(At(slots[0].name, members=members))
    return tuple(found)


def _published(line: syntax.Pair, task: TaskForm, findings: Findings) -> str:
    """The label that the paper gives the pairs of a line; empty where the line names none."""
    word = line.published
    if word is None:
        return ""
    if task.claims != "label":
        findings.add(messages.task.claim_of_another_task(word.span, "published", task.name, task.claims))
    else:
        require_known(word, LABELS, "label", findings)
    return word.text


def _measured(line: syntax.Pair, env: Environment) -> str | tuple[str, ...]:
    """What people do with the pairs of a line: the draw whose words say it, or what one word says."""
    word = line.measured
    if word is None or word.text in env.failed:
        return ()
    if env.task.claims != "label":
        env.findings.add(messages.task.claim_of_another_task(word.span, "measured", env.task.name, env.task.claims))
        return ()
    lexeme = env.grammar.symbols().get(word.text)
    if word.text in env.draws:
        env.used.add(word.text)
        having = [name for name in MEASURES if has_column(env.draws[word.text], name, env.grammar)]
    elif lexeme is not None:
        having = [name for name in MEASURES if name in env.grammar.categories[lexeme.category].columns]
    else:
        env.findings.add(messages.names.unknown_name(word.span, "draw or word", word.text, env.draws))
        return ()
    if having != list(MEASURES):
        env.findings.add(messages.paradigm.not_measured(word.span, word.text, MEASURES))
        return ()
    if lexeme is None or word.text in env.draws:
        return word.text
    return tuple(str(lexeme.columns[name] or "") for name in MEASURES)


def _reading_claim(
    line: syntax.Pair, conditions: Mapping[str, Condition], task: TaskForm, findings: Findings
) -> ReadingClaim | None:
    """The claim of a pair about readings, or None; a claim that does not suit the task is reported.

    A task about labels takes `expect`, a task about readings takes `fits` or `entailed`, another one takes neither.
    """
    claim = line.claim
    if task.claims != "label" and (line.claims or line.via is not None):
        word = line.claims[0].label if line.claims else line.via
        assert word is not None
        findings.add(messages.task.claim_of_another_task(word.span, "expect", task.name, task.claims))
    if claim is None:
        return None
    first = claim.words[0]
    if task.claims != "readings":
        findings.add(messages.task.claim_of_another_task(first.span, claim.kind, task.name, task.claims))
        return None
    right = [conditions[w.text] for w in line.hypotheses if w.text in conditions]
    wanted = "entailed" if {each.role for each in right} == {"judged"} else "fits"
    if right and claim.kind != wanted:
        findings.add(messages.task.wrong_claim(first.span, claim.kind, wanted, min(each.side for each in right)))
    if claim.of_all:
        require_known(first, ("any", "none"), "claim", findings)
    every = claim.of_all and first.text == "any"
    ids = () if claim.of_all else tuple(word.text for word in claim.words)
    return ReadingClaim(claim.kind, ids, every, first.span)


def _check_every_pair(
    line: syntax.Paradigm,
    pairs: Sequence[Pair],
    conditions: Mapping[str, Condition],
    sides: tuple[list[str], list[str]],
    env: Environment,
) -> None:
    """Report missing pairs, pairs the other way round, shares and splits in a task about readings.

    There a row is made of all pairs: it holds, for each condition on the left, the readings that each condition on the
    right fits.
    """
    task, findings = env.task, env.findings
    left, right = sides
    for pair in pairs:
        wrong = pair.premise if pair.premise not in left else pair.hypothesis
        if wrong not in right or wrong == pair.premise:
            findings.add(messages.task.wrong_side(pair.span, wrong, conditions[wrong].side, task.left, task.right))
    shared = next((each.share for each in line.pairs if each.share is not None), None)
    if shared is not None:
        findings.add(messages.task.no_shares(shared.span, task.name))
    if splits_of(line.settings):
        findings.add(messages.task.no_splits(line.settings["split"][0].span, task.name))
    related = {(pair.premise, pair.hypothesis) for pair in pairs}
    used = {name for pair in related for name in pair}
    missing = [(a, b) for a in left for b in right if (a, b) not in related and {a, b} <= used]
    if missing and not findings.failed:  # a condition in no pair at all is reported by `_check_number`
        findings.add(messages.task.missing_pair(pairs[-1].span, *missing[0], task.name))


def _check_number(
    line: syntax.Paradigm,
    pairs: Sequence[Pair],
    conditions: Mapping[str, Condition],
    counts: Sequence[tuple[int, int]],
    env: Environment,
) -> None:
    """Report a file without pairs, a number of pairs that differs from ``yields``, and conditions in no pair."""
    findings = env.findings
    in_pairs = {n for p in pairs for n in (p.premise, p.hypothesis)}
    idle = [c for c in conditions.values() if c.name not in in_pairs and c.role not in IN_NO_PAIR]
    claimed = line.settings.get("yields", ())
    total = sum(n for _, n in counts)
    failed = findings.failed
    if claimed and int(claimed[0].text) != total and not failed:
        unpaired = [(c.name, c.side, c.span.line) for c in idle]
        findings.add(messages.paradigm.yields(claimed[0].span, int(claimed[0].text), total, counts, unpaired))
    elif not failed and line.pairs:
        for condition in idle:
            findings.add(messages.names.unused(condition.span, condition.side, condition.name))
    if not line.pairs:
        example = _example(line, env.task)
        findings.add(messages.reading.missing_line(line.name.span, "pair", line.name.text, example))


def _example(line: syntax.Paradigm, task: TaskForm) -> str:
    """A `pair` line of this task with names of this file; empty where the usual example will do."""
    left = [c.name.text for c in line.conditions if c.heading in task.left]
    right = [c.name.text for c in line.conditions if c.heading in task.right]
    return f"pair {left[0]} => {right[0]}   fits any" if task.claims == "readings" and left and right else ""


def balanced(stated: Paradigm, task: TaskForm, lines: Sequence[syntax.Balance], findings: Findings) -> Paradigm:
    """The paradigm with its swapped pairs where it has ``balance`` lines; mistakes in these lines are reported."""
    if not lines:
        return stated
    if task.claims != "label":
        findings.add(messages.paradigm.no_premises(lines[0].span, stated.task))
    if any(pair.share is not None for pair in stated.pairs):
        findings.add(messages.paradigm.shared_pairs(lines[0].span))
    swaps = _swaps(stated.draws, lines, findings)
    if findings.failed:
        return stated
    pairs, premises = list(stated.pairs), dict[str, Condition]()
    asked = {_stated(stated, p) for p in pairs}
    for pair in stated.pairs:
        premise, hypothesis = stated.conditions[pair.premise], stated.conditions[pair.hypothesis]
        other = replace(premise, name=_renamed(premise.name), tree=put(premise.tree, swaps))
        texts = show(other.tree), show(hypothesis.tree)
        # a pair that the paradigm has already would be a duplicate, and a sentence trivially entails itself
        if texts in asked or texts[0] == texts[1]:
            continue
        asked.add(texts)
        premises[other.name] = other
        claims_nothing = replace(
            pair,
            premise=other.name,
            expect=None,
            expect_span=None,
            claims=(),
            via_failure=False,
            measured=(),
            design=SWAPPED,
        )
        pairs.append(claims_nothing)
    _check_swaps(stated, swaps, findings)
    return replace(
        stated,
        conditions={**stated.conditions, **premises},
        pairs=tuple(pairs),
        swapped=premises,
        balanced_at=lines[0].span,
        factors=tuple(_with_swapped(factor, premises) for factor in stated.factors),
    )


def _swaps(draws: Sequence[Draw], lines: Sequence[syntax.Balance], findings: Findings) -> dict[str, Tree]:
    """Draw -> the tree that replaces it."""
    known = {d.name: d for d in draws}
    swaps: dict[str, Tree] = {}
    before: dict[str, Span] = {}
    for line in lines:
        for word in line.draws:
            if require_known(word, known, "draw", findings) and word.text in before:
                findings.add(messages.names.declared_twice(word.span, f"`balance` of `{word.text}`", before[word.text]))
            before.setdefault(word.text, word.span)
        if findings.failed:
            continue
        if len(line.draws) != 2:
            findings.add(messages.paradigm.not_two_draws(line.span, len(line.draws)))
            continue
        one, other = (known[word.text] for word in line.draws)
        if one.category != other.category:
            pair = (one.name, one.category), (other.name, other.category)
            findings.add(messages.paradigm.unlike_draws(line.draws[1].span, *pair))
            continue
        swaps[one.name], swaps[other.name] = _slot_of(other), _slot_of(one)
    return swaps


def _slot_of(draw: Draw) -> Tree:
    """The slot that a draw fills in a tree."""
    only = draw.skeletons[0]
    return Composite(draw.name, draw.category) if only.constructors else only.tree


def _with_swapped(factor: Factor, premises: Mapping[str, Condition]) -> Factor:
    """A factor whose levels have swapped premises beside the stated ones."""
    named = (tuple(n for name in level for n in (name, _renamed(name)) if n == name or n in premises)
             for level in factor.conditions)  # fmt: skip
    return structs.replace(factor, conditions=tuple(named))


def _renamed(premise: str) -> str:
    """The name of a premise whose draws are swapped."""
    name, mark, level = premise.partition(MARK)
    return f"{name}_{SWAPPED}{mark}{level}"


def _check_swaps(whole: Paradigm, swaps: Mapping[str, Tree], findings: Findings) -> None:
    """Report premises that swapping does not change, and conditions that have the name of a swapped premise."""
    for name in dict.fromkeys(p.premise for p in whole.pairs):
        condition = whole.conditions[name]
        if not swaps.keys() & {n.name for n in nodes(condition.tree) if isinstance(n, Slot | Composite)}:
            findings.add(messages.paradigm.nothing_to_swap(condition.span, name, list(swaps)))
        taken = whole.conditions.get(_renamed(name))
        if taken is not None:
            findings.add(messages.paradigm.name_is_taken(taken.span, taken.name))


def _stated(whole: Paradigm, pair: Pair) -> tuple[str, str]:
    """The trees of a pair as texts: equal for pairs of the same sentences."""
    return show(whole.conditions[pair.premise].tree), show(whole.conditions[pair.hypothesis].tree)
