"""A paradigm file to a :class:`Paradigm`: its settings, conditions, constraints and pairs, over draws and terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from gramprobe.resolve.anaphors import check_antecedents
from gramprobe.resolve.balance import with_companion
from gramprobe.resolve.declarations import Grammar
from gramprobe.resolve.mixture import check_shares, check_splits, share_of, splits_of
from gramprobe.resolve.paradigm import (
    DEFAULT_SIZE,
    Condition,
    Constraint,
    Pair,
    Paradigm,
    ReadingClaim,
    relation_for,
)
from gramprobe.resolve.scales import ScaleResolver
from gramprobe.resolve.tasks import TASKS, Headings
from gramprobe.resolve.terms import is_known, shown
from gramprobe.resolve.tree import Composite, Given, Slot, Tree, category_of, nodes, put, show
from gramprobe.resolve.where import comparable, kind_of
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.source.nearest import nearest
from gramprobe.source.span import Span
from gramprobe.syntax import tree as syntax

SPLITS = ("train", "validation", "test")
#: what `allow` may name: the gates of :mod:`gramprobe.dataset.gates`
GATES = ("duplicates", "spelling", "articles", "leak")


def resolve_paradigm(
    line: syntax.Paradigm, phenomenon: str, stem: str, grammar: Grammar | None, findings: Findings
) -> Paradigm | None:
    """Resolve every name of the file; None when errors were found (``findings`` are this file's own).

    Without a grammar (there is no ``uses``) nothing can be looked up, and only the settings are checked.
    """
    findings.lost |= grammar.lost if grammar else frozenset()
    return ParadigmResolver(line, grammar or Grammar(), findings).resolve(phenomenon, stem, grammar is not None)


class ParadigmResolver(ScaleResolver):
    """The whole file, in the order in which its parts need each other."""

    def resolve(self, phenomenon: str, stem: str, has_grammar: bool) -> Paradigm | None:
        line, findings = self.line, self.findings
        self.settings(stem)
        if not has_grammar:
            return None
        if not line.draws and not any(b.keyword == "draw" for b in line.broken):
            findings.add(messages.missing_line(line.name.span, "draw", line.name.text))
        for draw in line.draws:
            self.draw(draw)
        for let in line.lets:
            if let.name.text in self.lets or let.name.text in self.draws:
                findings.add(messages.declared_twice(let.name.span, f"`{let.name.text}`", None))
            self.lets[let.name.text] = let
        for let in line.lets:
            self.let(let.name.text)
        conditions = self.conditions()
        check_antecedents(conditions.values(), findings)
        constraints = [c for d in line.draws for w in d.where for c in self.constraint(w)]
        constraints += [c for w in line.where for c in self.constraint(w)]
        scale, gold = self.scale(), self.gold()
        pairs = self.pairs(conditions, gold)
        self.used.update(word.text for balance in line.balances for word in balance.draws)
        for name, drawn in self.draws.items():
            if name not in self.used:
                findings.add(messages.unused(drawn.span, "draw", name))
        for name, let in self.lets.items():
            if name not in self.used:
                findings.add(messages.unused(let.name.span, "let", name))
        if findings.failed:
            return None
        settings = line.settings
        theory = settings["theory"]
        size = settings["size"][0] if settings.get("size") else None
        whole = Paradigm(
            line.name.text,
            phenomenon,
            _text(settings, "about"),
            _text(settings, "source"),
            theory[0].text,
            theory[0].span,
            self.task.name,
            DEFAULT_SIZE if size is None else None if size.text == "all" else int(size.text),
            _text(settings, "split") or "test",
            tuple(self.draws.values()),
            tuple(constraints),
            conditions,
            tuple(pairs),
            {a.gate.text: a.because.text for a in line.allows},
            line.name.span,
            size.span if size else None,
            scale,
            tuple(word.span for word in line.scale.members) if line.scale else (),
            gold,
            splits_of(settings),
        )
        found = with_companion(whole, line.balances, findings)
        return None if findings.failed else found

    @property
    def task(self) -> Headings:
        """What the paradigm sets; `nli` where it says nothing, or nothing there is."""
        return TASKS.get(_text(self.line.settings, "task"), TASKS["nli"])

    def settings(self, stem: str) -> None:
        """The lines of one value: what must be there, and what may stand in them."""
        line, findings, settings = self.line, self.findings, self.line.settings
        if line.name.text != stem:
            findings.add(messages.name_and_file_differ(line.name.span, "paradigm", line.name.text, stem))
        for key in ("theory", "uses"):
            if not settings.get(key):
                findings.add(messages.missing_line(line.name.span, key, line.name.text))
        self.headings()
        for key, known in (("task", tuple(TASKS)), ("split", SPLITS)):
            for word in settings.get(key, ())[::2]:  # behind a split may stand how many
                if word.text not in known:
                    findings.add(messages.unknown_name(word.span, key, word.text, known))
        for word in settings.get("size", ()):
            if word.text == "all":
                continue
            if not word.text.isdigit():
                findings.add(messages.unknown_name(word.span, "size", word.text, ("all",)))
            elif int(word.text) < 1:
                findings.add(messages.no_size(word.span))
        check_splits(settings, findings)
        for allow in line.allows:
            if allow.gate.text not in GATES:
                findings.add(messages.unknown_name(allow.gate.span, "gate", allow.gate.text, GATES))

    def headings(self) -> None:
        """Headings of other tasks, those that are missing, and conditions too many or too few below one."""
        line, findings, task = self.line, self.findings, self.task
        by_heading: dict[str, list[syntax.Word]] = {}
        for condition in line.conditions:
            by_heading.setdefault(condition.heading, []).append(condition.name)
        for heading, names in by_heading.items():
            if heading not in task.headings:
                findings.add(messages.heading_of_another_task(names[0].span, heading, task.name, task.headings))
        broken = {b.keyword for b in line.broken}
        for heading in task.headings:
            names = by_heading.get(heading, [])
            both_ways = heading == "hypothesis" and self._both_ways()
            if not names and by_heading and not broken and not both_ways:
                findings.add(messages.missing_line(line.conditions[-1].name.span, heading, line.name.text))
            wanted, known = task.counts.get(heading), task.names.get(heading)
            if names and wanted is not None and len(names) != wanted and not broken:
                findings.add(messages.number_of_conditions(names[-1].span, heading, len(names), wanted, task.name))
            if names and known is not None and not broken:
                for name in names:
                    if name.text not in known:
                        findings.add(messages.unknown_name(name.span, heading, name.text, known))
                lacking = [each for each in known if each not in {n.text for n in names}]
                if lacking:
                    findings.add(messages.lacking_conditions(names[-1].span, heading, lacking, task.name))

    def _both_ways(self) -> bool:
        """Whether every pair has a premise for its hypothesis: then no condition need stand below `hypothesis`."""
        named = {c.name.text for c in self.line.conditions}
        said = [w.text for p in self.line.pairs for w in (*p.premises, *p.hypotheses)]
        return bool(said) and named.issuperset(said)

    def conditions(self) -> dict[str, Condition]:
        found: dict[str, Condition] = {}
        shown: dict[str, str] = {}
        for line in self.line.conditions:
            name = line.name
            tree = self.sentence(line)
            redraws = self.redraws(line, tree)
            if name.text in found or name.text in self.failed:
                if name.text in found:
                    told = messages.declared_twice(name.span, f"condition `{name.text}`", found[name.text].span)
                    self.findings.add(told)
                continue
            if tree is None or redraws is None:
                self.failed.add(name.text)
                continue
            tree = put(tree, redraws)
            words = show(tree)
            if words in shown:
                self.findings.add(messages.same_words(name.span, name.text, shown[words]))
            shown.setdefault(words, name.text)
            reading = line.reading
            found[name.text] = Condition(
                name.text,
                line.heading,
                tree,
                reading.text if reading else None,
                name.span,
                reading.span if reading else None,
            )
        return found

    def sentence(self, line: syntax.ConditionLine) -> Tree | None:
        """The tree of a condition before anything is redrawn; it is one of the categories of sentences."""
        tree = self.term(line.term, None)
        if tree is None or category_of(tree) in self.grammar.sentences or line.heading in self.task.others:
            return tree
        if "sentence" in self.findings.lost:
            self.findings.muted = True
            return None
        if not self.grammar.sentences:
            self.findings.add(messages.no_sentences(self.line.settings["uses"][0].span))
            return None
        got, sentences = category_of(tree), tuple(self.grammar.sentences)
        wraps = self.wraps(got, *sentences)
        wanted = " or ".join(sentences)
        self.findings.add(messages.wrong_category(line.term.span, wanted, got, wraps, shown(line.term)))
        return None

    def redraws(self, line: syntax.ConditionLine, tree: Tree | None) -> dict[str, Tree] | None:
        """What ``with`` puts in the place of draws; None when something is wrong with it."""
        found: dict[str, Tree] = {}
        ok = True
        for name, term in line.redraws:
            if name.text not in self.draws:
                ok = False
                if name.text not in self.failed:
                    self.findings.add(messages.unknown_name(name.span, "draw", name.text, self.draws))
                continue
            if name.text in found:
                self.findings.add(messages.declared_twice(name.span, f"`{name.text}` in this `with`", None))
            wanted = self.draws[name.text].category
            new = self.term(term, None if is_known(term, self) else wanted)
            if new is not None and category_of(new) != wanted:
                self.findings.add(messages.wrong_redraw(term.span, name.text, wanted, category_of(new)))
                new = None
            if new is None:
                ok = False
                continue
            found[name.text] = new
            there = tree is None or any(isinstance(n, Slot | Composite) and n.name == name.text for n in nodes(tree))
            if not there:
                self.findings.add(messages.useless_redraw(name.span, name.text))
                ok = False
        return found if ok else None

    def constraint(self, line: syntax.Condition) -> list[Constraint]:
        operands: list[tuple[Tree, str | None]] = []
        for operand in line.operands:
            found = self.operand(operand, line)
            if found is None:
                return []
            operands.append(found)
        if line.kind == "relation":
            assert line.name is not None
            if line.name.text == "distinct" and len(operands) < 2:
                self.findings.add(messages.too_few_to_differ(line.span))
                return []
            if line.name.text == "distinct":
                pairs = [(a, b) for i, a in enumerate(operands) for b in operands[i + 1 :]]
                return [Constraint("!=", "", pair, line.span) for pair in pairs]
            if line.name.text not in self.grammar.relations:
                known = [*self.grammar.relations, "distinct"]
                self.findings.add(messages.unknown_name(line.name.span, "relation", line.name.text, known))
                return []
            if len(operands) != 2:
                self.findings.add(messages.relates_two(line.span, line.name.text, len(operands)))
                return []
            if relation_for(line.name.text, [category_of(t) for t, _ in operands], self.grammar) is None:
                got = [category_of(t) for t, _ in operands]
                self.findings.add(messages.relation_misfit(line.span, line.name.text, got, self.grammar))
                return []
            return [Constraint("relation", line.name.text, tuple(operands), line.span)]
        kinds = [
            None if isinstance(tree, Given) and not tree.category else kind_of(category_of(tree), column, self.grammar)
            for tree, column in operands
        ]
        if not comparable(line, (kinds[0], kinds[1]), self.grammar, self.findings, [*self.draws, *self.lets]):
            return []
        other = next((k for k in kinds if k in self.grammar.features), "")
        both = tuple((replace(x, category=other) if isinstance(x, Given) else x, column) for x, column in operands)
        return [Constraint(line.kind, "", both, line.span)]

    def operand(self, operand: syntax.Operand, line: syntax.Condition) -> tuple[Tree, str | None] | None:
        name = operand.name.text
        if name in self.failed:
            return None
        if name in self.draws or name in self.lets:
            tree = self.reference(syntax.Term(operand.name, None, None, operand.name.span), None)
            if tree is None:
                return None
            if operand.column is None:
                return tree, None
            got = category_of(tree)
            known = self.grammar.categories[got].known if got in self.grammar.categories else ()
            if known and operand.column.text == self.grammar.categories[got].form_feature:
                self.findings.add(messages.form_is_asked(operand.column.span, got, operand.column.text))
                return None
            if operand.column.text not in known:
                self.findings.add(messages.unknown_feature(operand.column.span, got, operand.column.text, known))
                return None
            return tree, operand.column.text
        values = [v for f in self.grammar.features.values() for v in (*f.values, *f.groups)]
        lexemes = [x.id for c in self.grammar.categories.values() for x in c.lexemes]
        beside = [o.name.text for o in line.operands if o is not operand]
        anything = [*self.draws, *self.lets, *self.failed]
        if (
            line.kind != "relation"
            and operand.column is None
            and (
                name in values
                or name in lexemes
                or (beside and beside[0] in anything and nearest(name, anything) is None)
            )
        ):
            return Given(name, "", True), None
        self.findings.add(
            messages.unknown_name(operand.name.span, "draw or value", name, [*self.draws, *self.lets, *values])
        )
        return None

    def pairs(self, conditions: dict[str, Condition], gold: str) -> list[Pair]:
        found: list[Pair] = []
        seen: dict[tuple[str, str], Span] = {}
        counts: list[tuple[int, int]] = []
        task = self.task
        left = [c.name for c in conditions.values() if c.side in task.left]
        right = [c.name for c in conditions.values() if c.side in task.right]
        for line in self.line.pairs:
            claim = self.claim(line, conditions)
            claims = self.claims(line, gold)
            main = next((claim for claim in claims if claim.column == gold), None)
            others = tuple(claim for claim in claims if claim is not main)
            if line.via is not None and line.via.text != "failure":
                self.findings.add(messages.unknown_name(line.via.span, "`via`", line.via.text, ["failure"]))
            premises = self.named(line.premises, left, conditions)
            hypotheses = self.named(line.hypotheses, right, conditions)
            counts.append((line.span.line, len(premises) * len(hypotheses)))
            twice: dict[int, list[str]] = {}
            for premise in premises:
                for hypothesis in hypotheses:
                    if (premise, hypothesis) in seen:
                        twice.setdefault(seen[premise, hypothesis].line, []).append(f"{premise} => {hypothesis}")
                        continue
                    seen[premise, hypothesis] = line.span
                    found.append(
                        Pair(
                            premise,
                            hypothesis,
                            main.label if main else None,
                            line.tag.text if line.tag else "target",
                            line.via is not None,
                            line.span,
                            main.span if main else None,
                            others,
                            claim,
                            share_of(line, counts[-1][1]),
                        )
                    )
            for before, names in twice.items():
                self.findings.add(messages.pair_twice(line.span, names, before))
        check_shares(self.line.pairs, self.findings)
        if task.by_reading:
            self.readings_of_all(found, conditions, left, right)
        in_pairs = {n for p in found for n in (p.premise, p.hypothesis)}
        idle = [c for c in conditions.values() if c.name not in in_pairs and c.side not in task.others]
        claimed = self.line.settings.get("yields", ())
        total = sum(n for _, n in counts)
        failed = self.findings.failed
        if claimed and int(claimed[0].text) != total and not failed:
            self.findings.add(
                messages.yields(
                    claimed[0].span,
                    int(claimed[0].text),
                    total,
                    counts,
                    [(c.name, c.side, c.span.line) for c in idle],
                )
            )
        elif not failed and self.line.pairs:
            for condition in idle:
                self.findings.add(messages.unused(condition.span, condition.side, condition.name))
        if not self.line.pairs:
            self.findings.add(messages.missing_line(self.line.name.span, "pair", self.line.name.text, self.a_pair()))
        return found

    def a_pair(self) -> str:
        """What a `pair` line of this task looks like, with names of this file; nothing where it is the usual one."""
        left = [c.name.text for c in self.line.conditions if c.heading in self.task.left]
        right = [c.name.text for c in self.line.conditions if c.heading in self.task.right]
        return f"pair {left[0]} => {right[0]}   fits any" if self.task.by_reading and left and right else ""

    def readings_of_all(
        self, pairs: Sequence[Pair], conditions: Mapping[str, Condition], left: list[str], right: list[str]
    ) -> None:
        """In a task about readings a row tells of every left side what every right side fits: no pair is missing, the
        other way round, or has rows of its own."""
        task, line = self.task, self.line
        for pair in pairs:
            wrong = pair.premise if pair.premise not in left else pair.hypothesis
            if wrong not in right or wrong == pair.premise:
                side = conditions[wrong].side
                self.findings.add(messages.wrong_side(pair.span, wrong, side, task.left, task.right))
        shared = next((each.share for each in line.pairs if each.share is not None), None)
        if shared is not None:
            self.findings.add(messages.no_shares(shared.span, task.name))
        if splits_of(line.settings):
            self.findings.add(messages.no_splits(line.settings["split"][0].span, task.name))
        related = {(pair.premise, pair.hypothesis) for pair in pairs}
        used = {name for pair in related for name in pair}
        missing = [(a, b) for a in left for b in right if (a, b) not in related and {a, b} <= used]
        if missing and not self.findings.failed:  # a condition in no pair at all is told below
            self.findings.add(messages.missing_pair(pairs[-1].span, *missing[0], task.name))

    def claim(self, line: syntax.Pair, conditions: dict[str, Condition]) -> ReadingClaim | None:
        """What a pair claims of readings; a label claimed of readings, and readings claimed of a label, are told."""
        said, task = line.claim, self.task
        if task.by_reading and (line.claims or line.via is not None):
            word = line.claims[0].label if line.claims else line.via
            assert word is not None
            self.findings.add(messages.claim_of_another_task(word.span, "expect", task.name))
        if said is None:
            return None
        if not task.by_reading:
            self.findings.add(messages.claim_of_another_task(said.words[0].span, said.kind, task.name))
            return None
        sides = {conditions[w.text].side for w in line.hypotheses if w.text in conditions}
        wanted = "entailed" if sides == {"hypothesis"} else "fits"
        if sides and said.kind != wanted:
            self.findings.add(messages.wrong_claim(said.words[0].span, said.kind, wanted, sorted(sides)[0]))
        if said.of_all and said.words[0].text not in ("any", "none"):
            self.findings.add(messages.unknown_name(said.words[0].span, "claim", said.words[0].text, ("any", "none")))
        every = said.of_all and said.words[0].text == "any"
        ids = () if said.of_all else tuple(word.text for word in said.words)
        return ReadingClaim(said.kind, ids, every, said.words[0].span)

    def named(self, words: tuple[syntax.Word, ...], side: list[str], conditions: dict[str, Condition]) -> list[str]:
        names: list[str] = []
        for word in words:
            if word.text == "any":
                names.extend(side)
            elif word.text in conditions:
                names.append(word.text)
            elif word.text not in self.failed:
                self.findings.add(messages.unknown_name(word.span, "condition", word.text, [*conditions, "any"]))
        return names


def _text(settings: dict[str, tuple[syntax.Word, ...]], key: str) -> str:
    return settings[key][0].text if settings.get(key) else ""
