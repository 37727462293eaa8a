"""The words that a language lists for those who read sentences: which say less than their formulas, which do not go
together, and what words have to do with each other. They are tables of `languages/NAME.toml` (`language.Language`).
"""

from __future__ import annotations

import msgspec

from gramprobe.records import Record


class Mismatch(Record, frozen=True, kw_only=True):
    """Words that nobody says with some prepositions (*arrived to the house*), by any form.

    Attributes:
        words: verbs, and adjectives; of a verb with an object the passive without its agent (*interested on books*).
        prepositions: those that do not go with them.
        of: the nouns behind the preposition for which this is so: classes, sorts, categories, and nouns.
        unless: prepositions beside which they do (*went to a party in Rome*).
        instead: those that go with them.
    """

    words: tuple[str, ...]
    prepositions: tuple[str, ...]
    of: tuple[str, ...]
    unless: tuple[str, ...] = ()
    instead: tuple[str, ...] = ()


class Cautions(Record, frozen=True, kw_only=True):
    """Words of which a reader knows that they say less than their formulas (`interpret.cautions`), by any form.

    Attributes:
        single: the word for one.
        genders: pronouns and reflexives by the gender of the names that they may be about.
        several: the value of a feature that a noun phrase of several has (`num.pl`).
        together: words for what several are together, but for verbs.
        singly: verbs of what each of several does, where several do it; by others they may do it together.
        unreal: verbs, and verbs or nouns with a preposition, whose object need not be there.
        models: nouns before a noun, so that the whole need not be what the second one says.
        mutual: verbs, nouns and prepositions of what mostly holds in both directions.
        ordered: prepositions of what holds from the first to the last, if it holds between neighbours.
        modals: auxiliaries of which two may share an operator.
        counts: words for numbers that they do not name (*several*).
        whole: words that leave out none, as *the nurses* may.
        relative: adjectives that say something else before another noun (*clever*).
        plain: adjectives and nouns before nouns of a sort or class, which are what these say, and so (*Swedish nurse*,
            *kitchen table*); of others it is left open.
        frozen: an adjective and a noun that are a name of something else (*black widow*).
        adjuncts: verbs beside a preposition whose phrase says where or with whom; beside others it may be one verb
            with it (*ran into*).
        idioms: a verb and a preposition, which elsewhere has a phrase of its own, that are one verb (*jumped at*).
        bodily: verbs of where a body is and goes, which are said of other things in a figure (*walked into a trap*).
        figures: classes of nouns, and nouns, that no body is in, on or before (*idea*, *trap*).
        circumstances: prepositions of when and why, with which nothing is said in a figure (*slept during the film*).
        objects: verbs that are said without an object, too, with classes of nouns, and nouns, of what they are done to
            in no figure (*read the book*, and no *face*).
        gone: verbs, and words of a time to come, that what they are about need not be there before or after.
        holders: nouns of what holds or measures something: who buys a bottle of wine buys wine.
        contents: prepositions between such a noun and what it holds (*of*).
        senses: nouns of two senses, of which one may be no person or animal (*driver*).
        fields: nouns before which an adjective may say what they are about (*English teacher*).
        implicit: words that say more than their formulas do, so that `neutral` does not hang on them (*else*), nor on
            those of `besides` and `quantities`.
        definite: articles that some are meant by, and not all that there are (*the*).
        places: prepositions of where something is or is done.
        each: words by which what several do is done by each.
        bounds: words of numbers that may be exceeded (*at least*).
        besides: determiners that suppose that one was mentioned (*another*).
        relational: nouns that say something else with a phrase behind them than alone (*a critic of Noah*).
        fiction: what something may be so in that is not so (*the film*), behind one of `ordered`.
        mixed: adjectives of which two may be of parts, or of some each (*black and white*).
        joins: what joins two adjectives (*and*).
        once: verbs of what happens once to the same, and nouns of whom one has one alone (*mother*).
        quantities: nouns of which it is not said who does what they are said to do, of several (*a group of boys*).
        toward: prepositions behind an adjective, by which it need not be so alone (*good with dogs*).
        dated: when something is or will be so, and perhaps not now (*on Monday*).
        supposing: words by which what is said is no more than supposed (*if*, *might*).
        sole: words by which one is known, and which it is need not be (*the only nurse*).
        over: words that what was so is so no more (*no longer*).
        short_names: forms of one name (*robert bob*).
        loose: nouns that are not had by whom they are named after (*her train*).
        institutions: nouns of buildings that name what is in them, too (*joined the church*).
        always: words by which what is said is said of every time (*ever*), and not of one.
        groups: names of a grammar that may be of several (*we*), who do together what one verb says.
        left_out: constructors, and categories, of clauses whose verb phrase is left out behind them (*did too*).
        speech: names of a grammar for who speaks, or is spoken to, whom a reflexive would be about (*praised me*).
        minds: verbs of what only those do who have a mind.
        mindless: classes of nouns of what has none (*furniture*).
        of_things: adjectives of degree that nobody says of a person (*long*: *a shorter man* is a less tall one).
        no_two: words of which no two of one category stand side by side (*perhaps maybe*).
        moments: verbs of what takes no time, which nobody does for an hour, once, to one thing.
        lasting: words for how long something is done, and prepositions before a moment (*all day*, *until*).
        spans: prepositions of how long something is done, with the nouns by which they say so (*for an hour*).
        of_spans: verbs whose object may be so much time (*spent two days*, and no *sang two days*).
        untimed: verbs whose object is not even the time of one of `lasting` (*praised the day*, and no *sang the day*).
        mismatches: words that nobody says with some prepositions.
        static: participles of verbs of what is so, which nobody says with *be* (*is owning a car*).
        since: words for how long it has been so, beside which a clause has one of `perfect` (*left since Monday*).
        perfect: the forms of *have*.
        clausal: categories and constructors of what has a verb phrase of its own in such a clause, which may be the one
            that is meant, or may be about the other one (*my dog*).
    """

    several: str = ""
    single: str = ""
    genders: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    together: tuple[str, ...] = ()
    singly: tuple[str, ...] = ()
    unreal: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    mutual: tuple[str, ...] = ()
    ordered: tuple[str, ...] = ()
    modals: tuple[str, ...] = ()
    counts: tuple[str, ...] = ()
    whole: tuple[str, ...] = ()
    relative: tuple[str, ...] = ()
    plain: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    frozen: tuple[str, ...] = ()
    adjuncts: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    idioms: tuple[str, ...] = ()
    bodily: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    circumstances: tuple[str, ...] = ()
    objects: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    gone: tuple[str, ...] = ()
    always: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    holders: tuple[str, ...] = ()
    contents: tuple[str, ...] = ()
    senses: tuple[str, ...] = ()
    implicit: tuple[str, ...] = ()
    definite: tuple[str, ...] = ()
    besides: tuple[str, ...] = ()
    relational: tuple[str, ...] = ()
    fiction: tuple[str, ...] = ()
    each: tuple[str, ...] = ()
    bounds: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    mixed: tuple[str, ...] = ()
    joins: tuple[str, ...] = ()
    once: tuple[str, ...] = ()
    quantities: tuple[str, ...] = ()
    toward: tuple[str, ...] = ()
    dated: tuple[str, ...] = ()
    over: tuple[str, ...] = ()
    supposing: tuple[str, ...] = ()
    sole: tuple[str, ...] = ()
    short_names: tuple[str, ...] = ()
    loose: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    clausal: tuple[str, ...] = ()
    speech: tuple[str, ...] = ()
    minds: tuple[str, ...] = ()
    mindless: tuple[str, ...] = ()
    of_things: tuple[str, ...] = ()
    no_two: tuple[tuple[str, ...], ...] = ()
    moments: tuple[str, ...] = ()
    lasting: tuple[str, ...] = ()
    static: tuple[str, ...] = ()
    since: tuple[str, ...] = ()
    perfect: tuple[str, ...] = ()
    spans: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    of_spans: tuple[str, ...] = ()
    untimed: tuple[str, ...] = ()
    mismatches: tuple[Mismatch, ...] = ()
    institutions: tuple[str, ...] = ()


class Opposites(Record, frozen=True, kw_only=True):
    """Two words that are opposed only of what both are said of in one sense.

    Attributes:
        words: the two (*hot*, *cold*).
        of: the kinds of things of which nothing is both (*soup*).
        alone: whether they are so only where no noun stands behind them (*is poor*; *a poor nurse* may be pitiable).
        either: whether readers may take what is not one of them for the other (*not present*, *absent*).
    """

    words: tuple[str, str]
    of: tuple[str, ...]
    alone: bool = False
    either: bool = False


class Relations(Record, frozen=True, kw_only=True):
    """What the words of a language have to do with each other, by their first form (`resolve.theory.related`).

    Attributes:
        kinds: word -> those that are kinds of it (*animal*: *dog*, *cat*).
        exclusive: words of which nothing is two (*dog*, *cat*).
        opposites: two words of which nothing of some kinds is both (*hot*, *cold*).
        complementary: two words of which nothing is both, and all that `only_of` names is one (*dead*, *alive*).
        only_of: word -> the kinds of things of which its relation is so (*dead*: of persons and animals); of verbs that
            of the object (*break*: of vases).
        converse: words that say the same of two in two directions (*above*, *below*).
        undergone: verb -> those after which it is so of their object (*die*: *murder*).
        middle: verbs that say without an object what happens to it with one (*broke the vase*, *the vase broke*).
        objectless: verbs that say without an object what they say with any (*ate an apple*, *ate*).
        independent: groups of words, none of which has anything to do with a word of another group, of verbs too.
        siblings: groups of which no word is a kind of another one.
        near: words of nearly one meaning, of which nothing is known (*writer*, *author*).
    """

    kinds: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    exclusive: tuple[tuple[str, ...], ...] = ()
    opposites: tuple[Opposites, ...] = ()
    complementary: tuple[tuple[str, ...], ...] = ()
    only_of: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    converse: tuple[tuple[str, str], ...] = ()
    undergone: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    middle: tuple[str, ...] = ()
    objectless: tuple[str, ...] = ()
    independent: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    siblings: tuple[str, ...] = ()
    near: tuple[tuple[str, ...], ...] = ()
