"""The conditions of a paradigm: named sentences, each a term in which `with` may replace some draws."""

from __future__ import annotations

from collections.abc import Iterable

from gramprobe.resolve.paradigm.data import Condition
from gramprobe.resolve.paradigm.environment import Environment
from gramprobe.resolve.paradigm.terms import is_known, resolve_term, shown, wrapping
from gramprobe.resolve.paradigm.text import text_of
from gramprobe.resolve.tasks import IN_NO_PAIR, TaskForms
from gramprobe.resolve.tree import Apply, Composite, Slot, Tree, category_of, nodes, put, show
from gramprobe.source import messages
from gramprobe.source.diagnostic import Findings
from gramprobe.syntax import paradigm_tree as syntax


def resolve_conditions(line: syntax.Paradigm, env: Environment) -> dict[str, Condition]:
    """Every condition by its name; a condition with a mistake in its line is missing, and its name is added to
    ``env.failed``."""
    conditions: dict[str, Condition] = {}
    texts: dict[tuple[str, str], str] = {}
    for each in line.conditions:
        name = each.name
        tree = _sentence(each, line, env)
        redraws = _redraws(each, tree, env)
        if name.text in conditions or name.text in env.failed:
            if name.text in conditions:
                before = conditions[name.text].span
                env.findings.add(messages.names.declared_twice(name.span, f"condition `{name.text}`", before))
            continue
        if tree is None or redraws is None:
            env.failed.add(name.text)
            continue
        tree = put(tree, redraws)
        reading = each.reading
        text = show(tree), reading.text if reading is not None else ""
        if text in texts:
            env.findings.add(messages.paradigm.same_words(name.span, name.text, texts[text]))
        texts.setdefault(text, name.text)
        conditions[name.text] = Condition(
            name=name.text,
            side=each.heading,
            role=env.task.role(each.heading),
            tree=tree,
            reading=reading.text if reading else None,
            span=name.span,
            reading_span=reading.span if reading else None,
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
                env.findings.add(messages.names.unknown_name(name.span, "draw", name.text, env.draws))
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
                    messages.anaphors.nothing_before(node.span, node.constructor.name, names, condition.side, after)
                )
