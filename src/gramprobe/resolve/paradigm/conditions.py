"""The conditions of a paradigm: named sentences, each a term in which `with` may replace some draws.

Every tree has words: each constructor answers what the constructor around it requests of it. Requests are followed from
the sentence down, with all values that they may have: a constructor of some category needs no words for a mode that no
tree of the paradigm puts it in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import product

from gramprobe.resolve.grammar.data import Constructor, Grammar, Operand
from gramprobe.resolve.grammar.requests import (
    check_requests,
    features_of_arguments,
    not_asked,
    possible_values,
)
from gramprobe.resolve.names import require_known, require_new
from gramprobe.resolve.paradigm.breaking import broken_at
from gramprobe.resolve.paradigm.crossed import MARK
from gramprobe.resolve.paradigm.data import Condition
from gramprobe.resolve.paradigm.terms import Environment, is_known, resolve_term, shown, wrapping
from gramprobe.resolve.paradigm.text import text_of
from gramprobe.resolve.tasks import IN_NO_PAIR, TaskForms
from gramprobe.resolve.tree import Apply, Composite, Given, Slot, Tree, category_of, nodes, origin, put, show
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings, Span
from gramprobe.syntax import paradigm_tree as syntax


def resolve_conditions(line: syntax.Paradigm, env: Environment) -> dict[str, Condition]:
    """Every condition by its name; a condition with a mistake in its line is missing, and its name is added to
    ``env.failed``."""
    conditions: dict[str, Condition] = {}
    texts: dict[tuple[str, str, str], str] = {}
    # one sentence behind several contexts or questions
    said = Counter(each.heading for each in line.conditions if each.heading != env.task.headings[0].name)
    beside = env.task.regions and any(count > 1 for count in said.values())
    for each in line.conditions:
        name = each.name
        tree = _sentence(each, line, env)
        redraws = _redraws(each, tree, env)
        if not require_new(name, conditions, "condition", env.findings) or name.text in env.failed:
            continue
        if tree is None or redraws is None:
            env.failed.add(name.text)
            env.findings.unread.add(name.text)  # what names it would only say again that it is missing
            continue
        broken = broken_at(each, tree, env)
        if broken is None:
            env.failed.add(name.text)
            continue
        tree = put(broken, redraws)
        env.conditions[name.text] = tree
        reading = each.reading
        if reading is not None and not env.task.meaning:
            env.findings.add(messages.task.no_readings(reading.span, env.task.name))
        # one sentence may be a premise and a hypothesis, or an option and a paraphrase; never good and bad
        side = "" if env.task.constraint else name.text if beside else each.heading
        text = show(tree), reading.text if reading is not None else "", side
        if text in texts:
            one, other = (n.partition(MARK)[0] for n in (name.text, texts[text]))  # once for all levels of `cross`
            named = (one, other) if one != other else (name.text, texts[text])
            env.findings.add(messages.paradigm.same_words(name.span, *named, not env.task.regions))
        texts.setdefault(text, name.text)
        conditions[name.text] = Condition(
            name=name.text,
            side=each.heading,
            role=env.task.role(each.heading),
            tree=tree,
            reading=reading.text if reading else None,
            span=name.span,
            reading_span=reading.span if reading else None,
            levels=env.crossed.levels.get(name.text, ()),
        )
    return conditions


def _sentence(line: syntax.ConditionLine, whole: syntax.Paradigm, env: Environment) -> Tree | None:
    """The tree of a condition before `with` is applied; None, with a diagnostic, unless its category is a sentence."""
    trees = [_one_sentence(term, line, whole, env) for term in line.terms]
    parts = [tree for tree in trees if tree is not None]
    if len(parts) < len(trees):
        return None
    if len(parts) == 1:
        return parts[0]
    for part, term in zip(parts[1:], line.terms[1:], strict=True):
        if category_of(part) != category_of(parts[0]):
            wanted = category_of(parts[0])
            problem = messages.paradigm.wrong_category(term.span, wanted, category_of(part), [], shown(term))
            env.findings.add(problem)
            return None
    return text_of(parts, env.grammar, line.name.span)


def _one_sentence(
    term: syntax.Term, line: syntax.ConditionLine, whole: syntax.Paradigm, env: Environment
) -> Tree | None:
    tree, grammar = resolve_term(term, None, env), env.grammar
    if tree is None or category_of(tree) in grammar.sentences or env.task.role(line.heading) in IN_NO_PAIR:
        return tree
    if "sentence" in env.findings.unread:
        env.findings.muted = True
        return None
    if not grammar.sentences:
        env.findings.add(messages.reading.no_sentences(whole.uses[0].module.span))
        return None
    got, sentences = category_of(tree), tuple(grammar.sentences)
    made_of = wrapping(grammar, got, *sentences)
    wanted = " or ".join(sentences)
    env.findings.add(messages.paradigm.wrong_category(term.span, wanted, got, made_of, shown(term)))
    return None


def _redraws(line: syntax.ConditionLine, tree: Tree | None, env: Environment) -> dict[str, Tree] | None:
    """Draw -> the tree that ``with`` puts in its place; None, with a diagnostic, if the line has a mistake."""
    redraws: dict[str, Tree] = {}
    ok = True
    for name, term in line.redraws:
        if name.text not in env.draws:
            ok = False
            if name.text not in env.failed:
                require_known(name, env.draws, "draw", env.findings)
            continue
        if name.text in redraws:
            env.findings.add(messages.names.declared_twice(name.span, f"`{name.text}` in this `with`", None))
        wanted = env.draws[name.text].category
        new = resolve_term(term, None if is_known(term, env) else wanted, env)
        if new is not None and category_of(new) != wanted:
            env.findings.add(messages.paradigm.wrong_redraw(term.span, name.text, wanted, category_of(new)))
            new = None
        if new is None:
            ok = False
            continue
        redraws[name.text] = new
        occurs = tree is None or any(isinstance(n, Slot | Composite) and n.name == name.text for n in nodes(tree))
        if not occurs:
            env.findings.add(messages.paradigm.useless_redraw(name.span, name.text))
            ok = False
    return redraws if ok else None


def check_antecedents(conditions: Iterable[Condition], tasks: TaskForms, findings: Findings) -> None:
    """Report every anaphor in a sentence that follows no other sentence."""
    for condition in conditions:
        if condition.role == "follows":
            continue
        for node in nodes(condition.tree):
            if isinstance(node, Apply) and node.constructor.refers:
                names = [name for refers in node.constructor.refers for name in refers.names]
                after = tasks.with_role("follows")
                findings.add(
                    messages.orders.nothing_before(node.span, node.constructor.name, names, condition.side, after)
                )


#: feature -> each value that may be requested, with the constructor that requests it
Asked = Mapping[str, Mapping[str, Constructor]]


def check_forms(trees: Sequence[Tree], grammar: Grammar, findings: Findings) -> None:
    """Report constructors without words or a meaning for the requested values, and without a value of a feature
    that the constructor around them uses (`s.num`). ``trees``: with the trees of their draws in them."""
    forms = _Forms(grammar, findings)
    for tree in trees:
        whole = forms.one(tree)
        forms.check(whole, {})
        if isinstance(whole, Apply) and whole.constructor.result in grammar.sentences:
            for feature, place in forms.needed(whole).items():
                sentence, values = whole.constructor.result, grammar.features[feature].values
                findings.add(messages.grammar.not_asked_of_sentence(place, sentence, feature, values))


def check_meanings(trees: Sequence[Tree], findings: Findings) -> None:
    """Report the constructors of trees that have no meaning; ``trees`` as for :func:`check_forms`."""
    used = {
        node.constructor.name: node.constructor for tree in trees for node in nodes(tree) if isinstance(node, Apply)
    }
    for constructor in used.values():
        if all(sem.conveys for sem in constructor.sems) and not constructor.broken:
            findings.add(messages.grammar.no_meaning(constructor.span, constructor.name))


class _Forms:
    """What is asked of trees, looked at once for trees that have the same parts: most do, since draws are built in many
    ways."""

    def __init__(self, grammar: Grammar, findings: Findings) -> None:
        self.grammar, self.findings = grammar, findings
        self._trees: dict[tuple[int, ...], Apply] = {}  # keeps them, so that no identity stands for two trees
        self._seen: set[tuple[object, ...]] = set()
        self._needed: dict[int, dict[str, Span]] = {}

    def one(self, tree: Tree) -> Tree:
        """The one tree with these parts."""
        if not isinstance(tree, Apply):
            return tree
        parts = tuple(map(self.one, tree.arguments))
        key = id(tree.constructor), *map(id, parts)
        if key not in self._trees:
            self._trees[key] = Apply(tree.constructor, parts, tree.span)
        return self._trees[key]

    def check(self, tree: Tree, asked: Asked) -> None:
        """Report what is missing in a tree, made by `one`, for what it is asked."""
        grammar, findings = self.grammar, self.findings
        if not isinstance(tree, Apply):
            _check_word(tree, asked, grammar, findings)
            return
        key = id(tree), *((f, *v) for f, v in sorted(asked.items()))
        if key in self._seen:
            return
        self._seen.add(key)
        constructor = tree.constructor
        self._check_requests(constructor, asked)
        _check_provided(tree, asked, grammar, findings)
        passed: list[dict[str, dict[str, Constructor]]] = []
        for argument in constructor.arguments:
            category = grammar.categories.get(argument.category)
            features = set(category.features) - constructor.decided if argument.head and category is not None else set()
            passed.append({feature: dict(values) for feature, values in asked.items() if feature in features})
        for line in constructor.lines:
            for part in line.parts:
                requested = {feature for feature, _ in part.requests}
                # a head, and what a definition stands for, has what the whole is asked for
                if not constructor.arguments[part.argument].head and constructor.branches is None:
                    for feature in self.needed(tree.arguments[part.argument]).keys() - requested:
                        findings.add(not_asked(constructor, part, feature, grammar))
                for feature, value in part.requests:
                    values = possible_values(value, feature, asked, grammar)
                    passed[part.argument].setdefault(feature, {}).update(dict.fromkeys(values, constructor))
        for argument_, requests in zip(tree.arguments, passed, strict=True):
            self.check(argument_, requests)

    def _check_requests(self, constructor: Constructor, asked: Asked) -> None:
        """Report what a constructor lacks for what it is asked; what lacks nothing is looked at once."""
        key = "lacks nothing", id(constructor), frozenset((f, frozenset(v)) for f, v in asked.items())
        if key not in self.grammar.shared:
            found = Findings()
            wanted = {(constructor.result, feature): dict(values) for feature, values in asked.items()}
            check_requests(constructor, wanted, self.grammar, found)
            if not found.items:
                self.grammar.shared[key] = constructor  # which is kept, so that no other has its identity
            self.findings.extend(found.items)

    def needed(self, tree: Tree) -> Mapping[str, Span]:
        """The features that a tree made by `one` must be asked for, since its words vary by them, each with a place
        where they do."""
        if not isinstance(tree, Apply):
            category = self.grammar.categories.get(tree.category) if isinstance(tree, Slot | Given) else None
            return dict.fromkeys(category.form_features, category.span) if category is not None else {}
        if id(tree) not in self._needed:
            self._needed[id(tree)] = self._needed_by(tree)
        return self._needed[id(tree)]

    def _needed_by(self, tree: Apply) -> dict[str, Span]:
        key = "needed by", id(tree.constructor)
        if key not in self.grammar.shared:
            self.grammar.shared[key] = tree.constructor, self._own_needs(tree.constructor)
        _, (own, parts) = self.grammar.shared[key]
        found: dict[str, Span] = dict(own)
        for argument, passed in parts:
            below = self.needed(tree.arguments[argument])
            found = {feature: at for feature, at in below.items() if feature in passed} | found
        return found

    def _own_needs(self, constructor: Constructor) -> tuple[dict[str, Span], list[tuple[int, frozenset[str]]]]:
        """The features that a constructor must be asked for by itself; and its arguments that it passes such on to,
        with these."""
        found, parts = dict[str, Span](), list[tuple[int, frozenset[str]]]()
        own = frozenset(self.grammar.categories[constructor.result].features)
        by_case = [[o for o, _ in line.cases if o.argument is None and o.text in own] for line in constructor.lines]
        if all(by_case):
            found |= {operand.text: operand.span for operands in by_case[:1] for operand in operands}
        for line in constructor.lines:
            cases = {operand for operand, _ in line.cases}
            for value in line.values:
                if isinstance(value, Operand) and value not in cases and value.argument is None and value.text in own:
                    found.setdefault(value.text, value.span)
            for part in line.parts:
                if constructor.arguments[part.argument].head or constructor.branches is not None:
                    parts.append((part.argument, own - {feature for feature, _ in part.requests} - constructor.decided))
        return found, parts


def _check_word(tree: Tree, asked: Asked, grammar: Grammar, findings: Findings) -> None:
    """Report a choice of values of two features for which the words of a category have no form."""
    category = grammar.categories.get(category_of(tree))
    if category is None or len(category.form_features) < 2 or not set(category.form_features) <= asked.keys():
        return
    for values in product(*(asked[feature] for feature in category.form_features)):
        if values not in category.form_columns:
            by = asked[category.form_features[0]][values[0]]
            feature, value = "+".join(category.form_features), "+".join(values)
            findings.add(messages.grammar.no_form(by.span, category.name, feature, value, category.form_names))


def _check_provided(tree: Apply, asked: Asked, grammar: Grammar, findings: Findings) -> None:
    """Report arguments without a value of a feature that a line of the constructor uses."""
    constructor, key = tree.constructor, ("features of arguments", id(tree.constructor))
    if key not in grammar.shared:
        every = {each[2].text: each for each in features_of_arguments(constructor)}
        grammar.shared[key] = constructor, [*every.values()]
    for index, feature, operand in grammar.shared[key][1]:
        argument = tree.arguments[index]
        if isinstance(argument, Composite) or feature in asked or not origin(argument, feature, grammar).is_open:
            continue
        if not isinstance(argument, Apply):
            findings.add(messages.grammar.open_feature(operand.span, constructor.name, operand.text, feature))
        else:
            maker = argument.constructor
            findings.add(
                messages.grammar.not_provided(maker.span, maker.name, maker.result, feature, operand, constructor)
            )
