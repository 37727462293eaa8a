"""What is said reads back: NLTK's chart parser, over the exported grammar, finds the tree of a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import shipped
from support.chart_parser import Term, matches, tokens, trees

from gramprobe.compiled.fcfg import fcfg
from gramprobe.compiled.from_resolve import compiled
from gramprobe.resolve.grammar.data import Argument, Grammar
from gramprobe.resolve.grammar.from_syntax import resolve_grammar
from gramprobe.resolve.grammar.lexicon import resolve_lexicon
from gramprobe.resolve.tree import category_of
from gramprobe.source.diagnostic import Findings
from gramprobe.source.files import collect
from gramprobe.syntax.files import read_grammar, read_words
from gramprobe.syntax.grammar_tree import Declaration
from gramprobe.words.linearise import linearise, segments

FEW = settings(max_examples=max(10, settings().max_examples // 5))


def sentence_of(term: Term, grammar: Grammar) -> str:
    """The sentence of a tree that names its lexemes outright."""
    tree = shipped.built(term, grammar, grammar.constructors[term.name].result)
    (segment,) = segments(linearise(tree, {}, {}, grammar), grammar.sentences[category_of(tree)], grammar.language)
    made: str = grammar.language.capitalised(segment.before)
    # a sentence that goes on from another begins in lower case
    continues = grammar.constructors[term.name].result in grammar.continuing
    return made[0].lower() + made[1:] if continues and not made.startswith("I ") else made


def completed(read: Term, source: Term) -> Term:
    """A tree that was read, with what has no words as the source has it: a pronoun may hang on its gender."""
    if read.name != source.name or len(read.parts) != len(source.parts):
        return read
    parts = (
        hidden if part is None or hidden is None else completed(part, hidden)
        for part, hidden in zip(read.parts, source.parts, strict=True)
    )
    return Term(read.name, tuple(parts))


def fillings(read: Term, grammar: Grammar, said: frozenset[str]) -> Iterator[Term]:
    """A tree that was read with every word in its hidden parts that may make a difference: one of each kind, those that
    the sentence was made of first. There may be millions, so that they are made one by one."""
    arguments = grammar.constructors[read.name].arguments if read.name in grammar.constructors else ()

    def choices(part: Term | None, argument: Argument) -> Iterator[Term | None]:
        if part is not None:
            yield from fillings(part, grammar, said)
        elif argument.is_feature:
            yield None
        else:
            lexemes = sorted(grammar.categories[argument.category].lexemes, key=lambda x: x.id not in said)
            kinds = {str(sorted((n, v) for n, v in x.columns.items() if n != "id")): x for x in reversed(lexemes)}
            yield from (Term(x.id) for x in reversed(kinds.values()))

    def filled(number: int) -> Iterator[tuple[Term | None, ...]]:
        if number == len(read.parts):
            yield ()
            return
        for part in choices(read.parts[number], arguments[number]):
            yield from ((part, *others) for others in filled(number + 1))

    yield from (Term(read.name, parts) for parts in filled(0))


def names_in(tree: Term) -> Iterator[str]:
    yield tree.name
    for part in tree.parts:
        yield from names_in(part) if part is not None else ()


deep = partial(pytest.param, marks=pytest.mark.deep)


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped.some(shipped.paradigms(), 6))
@FEW
@given(data=st.data())
def test_a_sentence_reads_back_to_its_tree(name: str, data: st.DataObject) -> None:
    draws = data.draw(shipped.instances(name))
    condition = data.draw(st.sampled_from(shipped.sentences(name)))
    grammar = shipped.grammar_of(name)
    sentence = shipped.realiser(name).sentence(condition, draws)
    source = shipped.source_of(name, condition, draws)
    read = trees(sentence, grammar)
    assert any(matches(tree, source) for tree in read), f"{sentence} {source} {[str(t) for t in read]}"
    # The export says nothing more either: whatever tree is read, its words are this sentence.
    for tree in read:
        if sentence_of(completed(tree, source), grammar) != sentence:  # it hides what the source has elsewhere
            said = frozenset(names_in(source))
            assert any(sentence_of(filled, grammar) == sentence for filled in fillings(tree, grammar, said))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("good", "bad"),
    [  # the article, number, the form of a verb, the final sign, what agrees; more in `make test-deep`
        (
            "Did a baker sleep?",
            ["Did an baker sleep?", "Did a bakers sleep?", "Did a baker slept?", "Did a baker sleep."],
        ),
        ("It was a baker who slept.", ["It were a baker who slept.", "It was a baker who sleep."]),
        deep("Aaron has a wrench.", ["Aaron have a wrench.", "Aaron has an wrench."]),
        deep("Aaron has an heir.", ["Aaron has a heir."]),
        deep("Aaron's wrench didn't break.", ["Aaron's wrench didn't broke.", "Aaron wrench didn't break."]),
        deep("Did Aaron's wrench break?", ["Did Aaron's wrench break."]),
        deep("Both bakers have helped Aaron.", ["Both bakers has helped Aaron.", "Both baker have helped Aaron."]),
        deep("It was Aaron who helped Denise.", ["It was Aaron who help Denise."]),
    ],
)
def test_what_the_grammar_forbids_is_not_read(good: str, bad: list[str]) -> None:
    grammar = shipped.grammar("english")
    assert trees(good, grammar)
    assert {sentence: trees(sentence, grammar) for sentence in bad} == {sentence: [] for sentence in bad}


@pytest.mark.slow
def test_tokens_are_those_of_the_penn_treebank() -> None:
    grammar = shipped.grammar("english")
    assert tokens("Aaron's cat didn't yawn.", grammar) == ["Aaron", "'s", "cat", "did", "n't", "yawn", "."]
    assert tokens("If the cat won't, it's okay?", grammar) == [
        *("if", "the", "cat", "wo", "n't", ",", "it", "'s", "okay", "?"),
    ]
    assert tokens("", grammar) == []
    assert trees("", grammar) == trees("Aaron gollumed.", grammar) == trees("Aaron!", grammar) == []


@pytest.mark.deep
def test_the_whole_grammar_is_one_text_that_nltk_reads() -> None:
    from nltk.grammar import FeatureGrammar

    grammar = shipped.grammar("english")
    made = compiled(grammar)
    text = fcfg(made)
    rules = FeatureGrammar.fromstring(text)
    # An adjunct stands once for each tense that it goes with, since a constraint compares that column.
    words = [x for category in grammar.categories.values() for x in category.lexemes]
    forms = sum(len(x.forms) * (len(cell) if isinstance(cell := x.columns.get("stages"), tuple) else 1) for x in words)
    lexical = [p for p in rules.productions() if "id" in p.lhs()]
    assert len(lexical) == forms
    named = {str(p.lhs()["fun"]) for p in rules.productions() if "fun" in p.lhs()}
    assert named == set(grammar.constructors)
    # What parts carry is written out once for all productions: it was 18 lines for each before.
    assert len(rules.productions()) < len(made.productions) + forms + 200


# What English has no use for (yet): a group in a case, words glued to words, a name that is a common word
# too, a case on a column of a part, a head's feature handed up twice, a feature argument left out by a line, a column
# of words (on a word and on its phrase) with an empty cell.
TOY = """\
feature mode = plain | asked | shouted
feature num  = sg | pl
feature kind = cat | dog | ant
group furry of kind = cat | dog
cat PN : e from names.tsv word name
cat N[num, kind, cry: words?] : e -> t from nouns.tsv forms sg, pl
cat NP[num, kind, cry: words?] : (e -> t) -> t
cat S : t
cat Q : t
cat Cl[mode] : t
sentence S "."
sentence Q "?"
table be[num] sg "is" | pl "are"
fun Bare (head n: N) : NP
  lin n
  sem \\P. exists x. (n(x), P(x))
fun Big (head n: NP) : NP
  lin "big" n
  sem n
fun Proper (p: PN, head n: NP) : NP[num=sg]
  lin p + "'s" n[num=sg]
  sem n
fun Be (k: num, head n: NP) : Cl
  lin [mode=asked, n.kind=furry] be(k) "there" n[num=k] "there"
  lin [mode=asked]               "will" n[num=k] be(k)
  lin [mode=plain, k=pl]         n[num=k] "re" + "appear" + ", they're" be(k)
  lin                            n[num=k] "don't"
  sem n(\\x. true)
fun Cry (k: num, head n: NP) : Cl
  lin [mode=asked] "does" n[num=k] "always cry" n.cry
  lin              n.cry "is cried by" n[num=k] "," n.cry
  sem n(\\x. true)
fun Say (c: Cl) : S
  lin c[mode=plain]
  sem c
fun Ask (c: Cl) : Q
  lin c[mode=asked]
  sem ? c
"""


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Grammar:
    folder = tmp_path_factory.mktemp("toy")
    (folder / "grammars").mkdir()
    (folder / "lexicon").mkdir()
    (folder / "grammars" / "toy.gram").write_text(TOY)
    (folder / "lexicon" / "names.tsv").write_text("id\tname\njo\tJo\nwill\tWill\n")
    nouns = [
        "id sg pl kind cry",
        "cat cat cats cat meow",
        "sheepdog sheep_dog sheep_dogs dog woof_woof",
        "ant ant ants ant -",
    ]
    lines = [line.replace(" ", "\t").replace("_", " ") for line in nouns]
    (folder / "lexicon" / "nouns.tsv").write_text("\n".join(lines) + "\n")
    return _resolved(folder)


def _resolved(folder: Path) -> Grammar:
    library, _ = collect([("toy", folder)])
    findings = Findings()
    lines, problems = read_grammar(library.sources["grammars/toy.gram"])
    findings.extend(problems)
    grammar = resolve_grammar([line for line in lines if isinstance(line, Declaration)], findings)
    tables = {}
    for name in ("names.tsv", "nouns.tsv"):
        table, problems = read_words(library.sources[f"lexicon/{name}"])
        findings.extend(problems)
        assert table is not None
        tables[name] = table
    resolve_lexicon(tables, grammar, findings)
    assert not findings.failed, findings.items
    return grammar


@st.composite
def toy_terms(draw: st.DrawFn) -> Term:
    phrase = Term("Bare", (Term(draw(st.sampled_from(["cat", "sheepdog", "ant"]))),))
    wraps = draw(st.lists(st.sampled_from(["Big", "jo", "will"]), max_size=3))
    for wrap in wraps:
        phrase = Term("Big", (phrase,)) if wrap == "Big" else Term("Proper", (Term(wrap), phrase))
    number = draw(st.sampled_from(["sg", "pl"])) if {"Big"}.issuperset(wraps) else "sg"
    clause = Term(draw(st.sampled_from(["Be", "Cry"])), (Term(number), phrase))
    return Term(draw(st.sampled_from(["Say", "Ask"])), (clause,))


@pytest.mark.slow
@given(source=toy_terms())
def test_every_device_of_the_language_reads_back(toy: Grammar, source: Term) -> None:
    sentence = sentence_of(source, toy)
    read = trees(sentence, toy)
    assert any(matches(tree, source) for tree in read), f"{sentence} {source} {[str(t) for t in read]}"
    assert {sentence_of(tree, toy) for tree in read} == {sentence}


def test_a_first_word_that_is_a_name_and_a_common_word_is_read_as_either(toy: Grammar) -> None:
    assert [str(t) for t in trees("Will ants are?", toy)] == ["Ask(Be(pl, Bare(ant)))"]
    assert [str(t) for t in trees("Will's ant don't.", toy)] == ["Say(Be(sg, Proper(will, Bare(ant))))"]
    assert tokens("Will ants are?", toy)[0] == "Will"
