"""Write docs/english.md: the shipped English grammar, from its files.

Categories, constructors with an example and their meaning, constraints by name, and a table of determiners, whose
properties the engines decide. An example is the shortest recorded sentence (of a shipped set, or of the suite of good
ones) that a tree with the constructor spells; where none does, it is made on the spot. A test compares the page with
the output of this module; `make docs` writes it anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from textwrap import fill

from gramprobe.catalog.entries import describe, entries
from gramprobe.catalog.example import examples
from gramprobe.catalog.pages import checked, grammar_around
from gramprobe.chart.cuts import cuts
from gramprobe.chart.parse import parse
from gramprobe.compiled.data import Daughter
from gramprobe.compiled.from_resolve import compiled
from gramprobe.interpret.rules import rules_of
from gramprobe.judge.claims import Claims, Determiner, determiners
from gramprobe.project import NO_PARADIGM, Project, load
from gramprobe.resolve.grammar.constraints import CONSTRAINTS, PLAUSIBLE
from gramprobe.resolve.grammar.data import (
    ArgumentWords,
    Constant,
    Constructor,
    Definition,
    Grammar,
    Lookup,
    Operand,
    Value,
)
from gramprobe.resolve.project import FIRST
from gramprobe.syntax.tree import Term

#: characters in a line, as scripts/wrap_docs.py has them
LINE = 120
#: words of a recorded sentence that is an example
WORDS = 12
ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "english.md"
#: the theories by which presuppositions are decided: one that adds nothing, one with existential import, and one in
#: which determiners presuppose two
THEORIES = ("classical", "classical-import", "scope")
#: what a determiner may presuppose of its noun, the strongest first
PRESUPPOSED = {
    "exactly one": "exactly 1 x. (a(x), true)",
    "exactly two": "exactly 2 x. (a(x), true)",
    "two or more": "atleast 2 x. (a(x), true)",
    "one or more": "exists x. a(x)",
}

HEAD = """# English

The modules below `grammars/english/`, as their files declare them (`make docs` writes this page; how to read a
declaration: [grammars and words](grammar.md)). `gramprobe explain NAME` shows any of them with its text
and sources, `gramprobe say TERM` says a tree. What is particular to the sets about scope and about de re stands beside
their paradigms, and not here.
"""


def page(every: int = 1) -> str:
    """The whole page. With ``every`` only one in so many determiners is decided, example made, and recorded sentence
    parsed (beside those that are examples); what the page as it is says of the others is believed."""
    project = load(path=(), names=NO_PARADIGM)
    grammar = checked(project.declarations, "english")
    parts = [HEAD, *_categories(grammar), *_determiners(project, grammar, every), *_constraints(grammar)]
    return "\n".join([*parts, *_constructors(project, grammar, every)]) + "\n"


def _believed(start: str) -> str:
    """The row of the page as it is that begins so; empty if there is none."""
    return next((line for line in PAGE.read_text("utf-8").splitlines() if line.startswith(start)), "")


def _recorded() -> list[str]:
    """The recorded sentences of the shipped sets and the suite of good ones that are short enough for an example."""
    files = sorted((ROOT / "tests/golden/sentences").glob("*.txt"))
    said = [line.split(maxsplit=1)[-1] for file in files for line in file.read_text("utf-8").splitlines() if line]
    suite = (ROOT / "tests/chart/good_sentences.tsv").read_text("utf-8").splitlines()[1:]
    texts = dict.fromkeys([*said, *(line.split("\t")[1] for line in suite)])
    return [text for text in texts if len(text.split()) <= WORDS]


def _categories(grammar: Grammar) -> Iterator[str]:
    yield "## Categories\n"
    yield from _head("category", "type", "features and columns", "words")
    for name, category in sorted(grammar.categories.items()):
        words = f"{len(category.lexemes):,}" if category.lexical else ""
        columns = ", ".join([*category.features, *category.fixed, *category.columns])
        yield _row(f"`{name}`", _code(str(category.type or "")), _code(columns), words)
    yield ""


def _constraints(grammar: Grammar) -> Iterator[str]:
    yield "## Constraints\n"
    yield "The [names](grammar.md#constructors) and what has them: features of parts, and conditions, each with the"
    yield "number of constructors that state it.\n"
    yield from _head("constraint", "what it is about", "features", "conditions")
    features: dict[str, dict[str, None]] = {name: {} for name in CONSTRAINTS}
    stated: dict[str, dict[str, int]] = {name: {} for name in (*CONSTRAINTS, PLAUSIBLE)}
    made = compiled(grammar)
    daughters = (d for production in made.productions for d in production.daughters if isinstance(d, Daughter))
    for daughter in daughters:
        for feature, name in daughter.constraints.items():
            features[name][f"{daughter.category}.{feature}"] = None
    for constructor in made.constructors:
        for condition in constructor.where:
            conditions = stated[condition.constraint]
            conditions[condition.text] = conditions.get(condition.text, 0) + 1
    for name, about in {**CONSTRAINTS, PLAUSIBLE: "which words go together: no constraint of grammar"}.items():
        shown = [f"{_code(text)} {count}" for text, count in sorted(stated[name].items())]
        yield _row(f"`{name}`", about, _code(", ".join(features.get(name, {}))), ", ".join(shown))
    yield ""


def _constructors(project: Project, grammar: Grammar, every: int) -> Iterator[str]:
    """The constructors of each module, in the order of the files."""
    lines = project.declarations.lines
    yield "## Constructors and definitions\n"
    counted = len(grammar.constructors), len(grammar.definitions)
    yield "{} constructors have words and a meaning; {} definitions stand for terms".format(*counted)
    yield "([`as`](grammar.md#definitions)) and add nothing to what can be said."
    before, said, around = "", _said(project, every), grammar_around("english", project.declarations)
    for number, entry in enumerate(entries(lines, "english", ("constructor",))):
        if entry.module != before:
            before = entry.module
            about = fill(f"{describe(lines, entry.module)}.", LINE, break_on_hyphens=False)
            yield f"\n### {entry.module.partition('.')[2]}\n\n{about}\n"
            yield from _head("constructor", "an example", "meaning")
        if entry.name in grammar.definitions:
            yield _row(
                _code(f"{entry.name} {entry.type}"), "", "<br>".join(_stands_for(grammar.definitions[entry.name]))
            )
            continue
        constructor = grammar.constructors[entry.name]
        named = _code(f"{entry.name} {entry.type}")
        if entry.name in said or number % every == 0:
            made = (each.sentence for each in islice(examples(around.constructors[entry.name], around), 1))
            example = said.get(entry.name) or next(made, "")
        else:
            example = "".join(re.findall(r"^ \*(.*?)\* \|", _believed(_row(named)).removeprefix(_row(named))))
        meanings = dict.fromkeys(meaning.text for meaning in constructor.sems if not meaning.conveys)
        yield _row(named, example and f"*{example}*", "<br>".join(map(_code, meanings)))


def _said(project: Project, every: int) -> dict[str, str]:
    """Constructor -> the recorded sentence with fewest trees, and of these the shortest, that a tree with it spells."""
    rules = rules_of(project.declarations.grammar(*FIRST))
    there = PAGE.read_text("utf-8") if every > 1 else ""
    best: dict[str, tuple[int, int, str]] = {}
    for number, text in enumerate(_recorded()):
        if number % every and f"*{text}*" not in there:
            continue
        forests = [parse(tokens, rules) for tokens in cuts(text, rules.grammar.language, rules.known)]
        rank = sum(forest.count() for forest in forests), len(text.split()), text
        for name in {name for forest in forests for used in forest.constructors().values() for name in used}:
            best[name] = min(rank, best.get(name, rank))
    return {name: text for name, (_, _, text) in best.items()}


def _stands_for(definition: Definition) -> Iterator[str]:
    """What a definition stands for, case by case."""
    for branch in definition.branches:
        cases = [f"{c.operand.text}={'|'.join(w.text for w in c.values)}" for c in branch.cases]
        before = f"[{', '.join(cases)}] " if cases else ""
        yield _code(f"as {before}{_written(branch.term)}{' in place' if branch.in_place else ''}")


def _written(term: Term) -> str:
    if term.arguments is None:
        return term.name.text + (f".{term.column.text}" if term.column is not None else "")
    return f"{term.name.text}({', '.join(map(_written, term.arguments))})"


def _determiners(project: Project, grammar: Grammar, every: int) -> Iterator[str]:
    yield "## Determiners\n"
    plain, imported, two = THEORIES
    yield f"""\
What stands before a noun, with the constructors that say it and mean the same; what it presupposes of the noun in
the theories `{plain}`, `{imported}` (existential import) and `{two}` (*determiners presuppose two*; in a
meaning `determiners` and `partitives` stand for [what the theory says](theories.md#what-determiners-presuppose));
whether it is upward or downward monotone in the noun and in the verb phrase, and conservative (Barwise & Cooper
1981). An entailment counts if the conclusion is true wherever it has a value (von Fintel 1999), and what is
licensed is decided with two presupposed. It licenses *any* and *ever* where it is downward and not upward, *in
years* where it is anti-additive as well (Zwarts 1998), and stands behind *there is* where D(A, B) and D(A and B,
thing) have the same value or none (Keenan 1987). The engines decide all of it; what a noun phrase says of itself,
`licensing` and `strength`, is checked against it ([claims](grammar.md#claims)).
"""
    yield from _head(
        "words",
        "constructors",
        "meaning",
        *(f"presupposes ({t})" for t in THEORIES),
        "noun",
        "verb phrase",
        "conservative",
        "licenses in the noun",
        "in the verb phrase",
        "behind *there is*",
    )
    made: dict[tuple[str, str], tuple[Determiner, dict[str, None]]] = {}
    for constructor in grammar.constructors.values():
        for words, text, determiner in _meanings(constructor, grammar):
            made.setdefault((words, text), (determiner, {}))[1][constructor.name] = None
    claims = Claims()
    for number, ((words, text), (determiner, names)) in enumerate(made.items()):
        what = words, _code(", ".join(names)), _code(_says(text, "N", "P")[1:-1])
        if number % every and (row := _believed(_row(*what))):
            yield row
            continue
        found = [_presupposed(project, text, theory) for theory in THEORIES]
        found += [_monotone(claims, determiner, noun) for noun in (True, False)]
        presupposed = next(
            (
                c.presupposed
                for c in grammar.claims
                if c.value == determiner.features.get(c.feature[1]) and c.presupposed
            ),
            None,
        )
        has = {
            each: (answer := claims.has(each, determiner, presupposed)) is not None and answer.holds
            for each in ("noun licensing", "licensing", "antiadditive", "existential")
        }
        licensed = "*any*, *in years*" if has["antiadditive"] else "*any*" if has["licensing"] else "-"
        same = _says(text, "a", "b"), _says(text, "a", "(a(x) & b(x))")
        conservative = all(_entails(project, *pair) for pair in (same, same[::-1]))
        yield _row(
            *what,
            *found,
            "yes" if conservative else "no",
            "*any*" if has["noun licensing"] else "-",
            licensed,
            "yes" if has["existential"] else "no",
        )
    yield ""


def _meanings(constructor: Constructor, grammar: Grammar) -> Iterator[tuple[str, str, Determiner]]:
    """The words and the meaning of each case of a determiner; of no other constructor."""
    nouns = [a for a in constructor.arguments if not a.is_feature]
    if constructor.result != "NP" or [a.category for a in nouns] != ["N"]:
        return
    for determiner in determiners(constructor, grammar):
        case = dict(determiner.case)
        line = next((x for x in constructor.lines if all(case.get(o.text, "") in v for o, v in x.cases)), None)
        sem = next(
            (
                s
                for s in constructor.sems
                if all(case.get(c.operand.text) in {w.text for w in c.values} for c in s.cases)
            ),
            None,
        )
        if line is not None and sem is not None and not sem.reading:
            words = " ".join(filter(None, (_spelled(atom, case, grammar) for atom in line.atoms)))
            yield words, re.sub(rf"\b{nouns[0].name}\b", "n", sem.text), determiner


def _spelled(atom: Value | ArgumentWords, case: dict[str, str], grammar: Grammar) -> str:
    """A part of a line: *N* for the noun, words of a table for the case, with the first value of what is open."""
    match atom:
        case ArgumentWords():
            return "N"
        case Constant(text):
            return text
        case Operand(text):
            return case.get(text, "")
        case Lookup(table, values):
            keys = [_spelled(each, case, grammar) for each in values]
            cells = grammar.tables[table].cells
            return next(
                said
                for key, said in reversed(cells.items())
                if all(k in ("", own) for k, own in zip(keys, key, strict=True))
            )


def _says(text: str, noun: str, verb: str) -> str:
    """The formula of a determiner's meaning for a noun and a verb phrase; ``verb``: a predicate, or a formula of x."""
    body = re.sub(r"\bn\(", f"{noun}(", re.sub(r"^\\P\. ", "", text))
    return "(" + body.replace("P(x)", verb if "(" in verb else f"{verb}(x)") + ")"


def _presupposed(project: Project, text: str, theory: str) -> str:
    asked = f"? {_says(text, 'a', 'b')}"
    return next(
        (name for name, given in PRESUPPOSED.items() if _label(project, asked, given, theory)[0] == "entailment"),
        "nothing",
    )


def _monotone(claims: Claims, determiner: Determiner, noun: bool) -> str:
    """``up``, ``down``, both or neither."""
    ways = {"up": True, "down": False}
    return " and ".join(way for way, up in ways.items() if claims.monotone(determiner, noun, up).never_false) or "-"


def _entails(project: Project, premise: str, hypothesis: str) -> bool:
    """Whether the hypothesis is true wherever the premise is and the hypothesis has a value."""
    return "F" not in _label(project, premise, hypothesis, THEORIES[0])[1]


def _label(project: Project, premise: str, hypothesis: str, theory: str) -> tuple[str | None, str]:
    decision = project.decide(premise, hypothesis, theory)
    assert decision.verdict is not None, (premise, hypothesis)
    return decision.verdict.label, decision.verdict.h_values


def _head(*names: str) -> Iterable[str]:
    return (_row(*names), "|" + "---|" * len(names))


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |".replace("  |", " |")


def _code(text: str) -> str:
    return f"`{text}`".replace("|", "\\|") if text else ""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
