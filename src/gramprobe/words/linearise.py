"""Linearises a tree symbolically: the words in its slots stay open, the features that matter are given.

A program (:class:`Program`) is the linearised tree cut into segments, so that a sentence is one table lookup for every
slot that it mentions. ``The | cat | didn't | yawn`` over the draws *thing* and *act* becomes two segments, ``The
<thing>`` and ``didn't <act>.``; literals are in the segment of the next slot, those after the last slot in the last
segment. After a point inside a text the next letter is a capital: ``s + "." t`` is two sentences.

A sentence may be cut into regions as well (`words.regions`): each word is of the innermost region around it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from gramprobe.language import Language
from gramprobe.resolve.grammar.data import Cell, Constructor, Grammar
from gramprobe.resolve.tree import Apply, Given, Origin, Regions, Slot, Tree, category_of, looked_up, origin
from gramprobe.syntax import grammar_tree as syntax
from gramprobe.syntax.tree import Case, Operand


class Literal(Struct, frozen=True):
    """Words that do not depend on a draw; ``glued``: without a space before them; ``region``: the region they are in,
    empty outside of all."""

    text: str
    glued: bool
    region: str = ""


class Form(Struct, frozen=True):
    """A form of the word that fills a slot (``form`` names its column); ``glued`` and ``region`` as for a literal."""

    slot: Slot
    form: str
    glued: bool
    region: str = ""


Atom = Literal | Form
#: (slot path, column) -> value, for every key that :func:`consulted` names
Chosen = Mapping[tuple[str, str | None], Cell]


def consulted(
    tree: Tree, grammar: Grammar, below: Callable[[Tree], Iterable[tuple[Slot, str | None]]] | None = None
) -> list[tuple[Slot, str | None]]:
    """The features of drawn words on which the words of the tree depend, beside the words themselves.

    ``below``: those of an argument, where they are known.
    """
    if not isinstance(tree, Apply):
        return []
    below = below or (lambda argument: consulted(argument, grammar))
    keys: dict[tuple[Slot, str | None], None] = {}
    for operand in _operands(tree.constructor, grammar):
        keys.update(dict.fromkeys(keys_of(operand, tree, grammar)))
    for argument in tree.arguments:
        keys.update(dict.fromkeys(below(argument)))
    return list(keys)


def _operands(constructor: Constructor, grammar: Grammar) -> list[Operand]:
    """Those of a constructor's words; found once."""
    key = "operands of words", id(constructor)
    if key not in grammar.shared:
        every = [(*(case.operand for case in line.cases), *syntax.operands(line)) for line in constructor.lins]
        grammar.shared[key] = constructor, of_arguments(constructor, (each for line in every for each in line))
    found: list[Operand] = grammar.shared[key][1]
    return found


def of_arguments(constructor: Constructor, operands: Iterable[Operand]) -> list[Operand]:
    """The operands that are arguments of a constructor, or columns of these: each once."""
    distinct = {each.text: each for each in operands}
    return [each for each in distinct.values() if constructor.argument(each.name.text) is not None]


def key_of(operand: Operand, node: Apply, grammar: Grammar) -> tuple[Slot, str | None] | None:
    """The slot and column whose value an operand has; None if it has no value of a draw, or one out of a table."""
    index = node.constructor.argument(operand.name.text)
    if index is not None and operand.column is not None:
        source = origin(node.arguments[index], operand.column.text, grammar)
        return (source.slot, source.column) if source.slot is not None else None
    keys = keys_of(operand, node, grammar)
    return keys[0] if keys else None


def keys_of(operand: Operand, node: Apply, grammar: Grammar) -> tuple[tuple[Slot, str | None], ...]:
    """The slots and columns that an operand of a ``lin`` or ``sem`` depends on; empty if it depends on no draw."""
    index = node.constructor.argument(operand.name.text)
    if index is None:
        return ()
    argument = node.arguments[index]
    if operand.column is None:
        return ((argument, None),) if isinstance(argument, Slot) and argument.is_feature else ()
    return origin(argument, operand.column.text, grammar).slots


def operand_value(operand: Operand, node: Apply, requests: Mapping[str, str], chosen: Chosen, grammar: Grammar) -> str:
    """The value of an operand (``t``, ``s.num``, ``mode`` or a plain value) at a use of a constructor."""
    index = node.constructor.argument(operand.name.text)
    if index is None:
        return requests.get(operand.name.text, operand.name.text)
    argument = node.arguments[index]
    if operand.column is None:
        if isinstance(argument, Given):
            return argument.value
        if not (isinstance(argument, Slot) and argument.is_feature):
            return operand.name.text  # a value that an argument is called like
        return str(chosen[argument.path, None])
    source: Origin = origin(argument, operand.column.text, grammar)
    own = requests[operand.column.text] if source.is_open else looked_up(source, chosen, grammar)
    return _broken(node, index, operand.column.text, own)


def _broken(node: Apply, argument: int, feature: str, own: str) -> str:
    """The value of a feature of an argument with which a use of a constructor makes its words."""
    breach = node.breach
    if breach is None or (breach.argument, breach.feature) != (argument, feature):
        return own
    return breach.instead_of(own)


def case_holds(
    cases: tuple[Case, ...], node: Apply, requests: Mapping[str, str], chosen: Chosen, grammar: Grammar
) -> bool:
    for case in cases:
        value = operand_value(case.operand, node, requests, chosen, grammar)
        if not any(value == w.text or _in_group(value, w.text, grammar) for w in case.values):
            return False
    return True


def _in_group(value: str, group: str, grammar: Grammar) -> bool:
    return any(value in f.groups[group] for f in grammar.features.values() if group in f.groups)


def linearise(
    tree: Tree,
    requests: Mapping[str, str],
    chosen: Chosen,
    grammar: Grammar,
    glued: bool = False,
    regions: Regions | None = None,
    region: str = "",
    below: Callable[[Tree, Mapping[str, str], Chosen, bool, str], list[Atom]] | None = None,
) -> list[Atom]:
    """The words of a tree under requested features. Raises KeyError if no ``lin`` fits (E06 excludes this).

    ``regions``: what is a region of its own; None: regions do not matter, and no atom has one. ``region``: the region
    around the tree. ``below``: the words of an argument, where they are known.
    """
    if not isinstance(tree, Apply):
        return [_word(tree, requests, grammar, glued, region)]
    constructor = tree.constructor
    if regions is not None:
        region = regions.get((constructor.name, None), region)
    line = next((x for x in constructor.lins if case_holds(x.cases, tree, requests, chosen, grammar)), None)
    if line is None:
        raise KeyError(f"{constructor.name} has no words for {dict(requests)}")
    atoms: list[Atom] = []
    for atom, stuck in zip(line.atoms, line.glued, strict=True):
        near = stuck or (glued and not atoms)
        match atom:
            case syntax.Text():
                if atom.word.text:
                    atoms.append(Literal(atom.word.text, near, region))
            case syntax.Lookup():
                text = _lookup(atom.table.text, atom.values, tree, requests, chosen, grammar)
                if text:
                    atoms.append(Literal(text, near, region))
            case syntax.Held():
                text = operand_value(atom.operand, tree, requests, chosen, grammar)
                if text:
                    atoms.append(Literal(text, near, region))
            case syntax.Region():
                region = atom.name.text if regions is not None else region
            case syntax.Words():
                index = constructor.argument(atom.name.text)
                assert index is not None
                asked = passed_on(constructor, index, requests, grammar)
                for feature, value in atom.requests:
                    asked[feature.text] = _broken(
                        tree, index, feature.text, value_of(value, tree, requests, chosen, grammar)
                    )
                own = region if regions is None else regions.get((constructor.name, atom.name.text), region)
                argument = tree.arguments[index]
                if below is None:
                    atoms += linearise(argument, asked, chosen, grammar, near, regions, own)
                else:
                    atoms += below(argument, asked, chosen, near, own)
    return atoms


def _word(tree: Tree, requests: Mapping[str, str], grammar: Grammar, glued: bool, region: str) -> Atom:
    assert isinstance(tree, Slot | Given)
    category = grammar.categories[tree.category]
    form = category.form(requests)
    if isinstance(tree, Slot):
        return Form(tree, form, glued, region)
    lexeme = grammar.lexeme(tree.category, tree.value)
    assert lexeme is not None
    return Literal(lexeme.forms[form], glued, region)


def passed_on(constructor: Constructor, index: int, requests: Mapping[str, str], grammar: Grammar) -> dict[str, str]:
    """The requests that a tree passes on to an argument: all but those it fixes to its head, else an empty table."""
    argument = constructor.arguments[index]
    if not argument.head:
        return {}
    category = grammar.categories[argument.category]
    return {f: v for f, v in requests.items() if f in category.features and f not in constructor.decided}


def value_of(value: syntax.Value, node: Apply, requests: Mapping[str, str], chosen: Chosen, grammar: Grammar) -> str:
    if isinstance(value, syntax.Computed):
        return _lookup(value.table.text, value.values, node, requests, chosen, grammar)
    return operand_value(value, node, requests, chosen, grammar)


def _lookup(
    table: str,
    values: tuple[syntax.Value, ...],
    node: Apply,
    requests: Mapping[str, str],
    chosen: Chosen,
    grammar: Grammar,
) -> str:
    return grammar.tables[table].cells[tuple(value_of(v, node, requests, chosen, grammar) for v in values)]


class Segment(Struct, frozen=True):
    """A part of a sentence with at most one form.

    Attributes:
        before: The text before the form.
        form: None for a sentence without slots.
        after: The text after the form, in the last segment.
        capital: Whether the form begins a sentence inside the text.
    """

    before: str
    form: Form | None
    after: str = ""
    capital: bool = False


def segments(
    atoms: list[Atom], final: str, language: Language, border: Callable[[str], str] | None = None
) -> tuple[Segment, ...]:
    """Cut atoms into segments; ``final`` (the point or question mark) ends the last. No space stands before a mark.

    ``border``: for the name of a region what stands behind its last word. A mark, or what is glued to a word, is of the
    word's region.
    """
    cut: list[Segment] = []
    held, started, ended, region = "", False, False, ""
    for atom in atoms:
        apart = started and not atom.glued and not (isinstance(atom, Literal) and atom.text in language.marks)
        space = language.joiner if apart else ""
        capital = ended and apart
        if apart and border is not None and atom.region != region:
            held += border(region)
        region = atom.region if apart or not started else region
        started = True
        if isinstance(atom, Literal):
            held += space + (language.capitalised(atom.text) if capital else atom.text)
            ended = language.ends_sentence(atom.text)
        else:
            form = Form(atom.slot, atom.form, atom.glued) if atom.region else atom
            cut.append(Segment(held + space, form, capital=capital))
            held, ended = "", False
    held += final if border is None else final + border(region)
    if not cut:
        return (Segment(held, None),)
    last = cut[-1]
    cut[-1] = replace(last, after=held)
    return tuple(cut)


def text_of(segment: Segment, form: str, first: bool, language: Language) -> str:
    """The text of a segment with the form that fills it; capitalised if it is the ``first`` of a sentence."""
    text = segment.before + (language.capitalised(form) if segment.capital else form) + segment.after
    return language.capitalised(text) if first else text


def sentence_of(tree: Tree, grammar: Grammar, requests: Mapping[str, str] | None = None) -> str:
    """The words of a tree without slots, as a whole sentence if its category is one.

    Raises KeyError where a constructor has no words for the requested values.
    """
    final = grammar.sentences.get(category_of(tree))
    (segment,) = segments(linearise(tree, requests or {}, {}, grammar), final or "", grammar.language)
    return grammar.language.capitalised(segment.before) if final is not None else segment.before
