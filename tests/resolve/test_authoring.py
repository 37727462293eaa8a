"""Small projects of an author: every mistake is reported in one run, and correct files load."""

from __future__ import annotations

from pathlib import Path

import pytest

import gramprobe
from gramprobe.project import Project
from gramprobe.source.diagnostic import AuthoringError

BASE = Path(__file__).resolve().parents[1] / "errors" / "base"
PARADIGM = "grammars/small/mine.paradigm"


def project(folder: Path, files: dict[str, str], pairs: str = "pair any => any\n") -> Project:
    """The small project `base` with further files; ``pairs`` end the paradigm."""
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text + pairs if name == PARADIGM else text, encoding="utf-8")
    return gramprobe.load([BASE, folder])


def codes(loaded: Project) -> list[tuple[str, str]]:
    """Code and file name of every diagnostic in the author's own files."""
    return sorted((each.code, Path(each.span.path).name) for each in loaded.findings.items)


def denied(draws: str, fact: str) -> str:
    """A paradigm with a fact, asserted and denied; without its pairs."""
    lines = f"premise\n  p = Assert({fact})\nhypothesis\n  h = Deny({fact})\n"
    return f"paradigm mine\nuses tiny, more\ntheory tiny\nsize 1\n{draws}\n{lines}"


def test_a_missing_pair_hides_no_mistake_of_the_grammar(tmp_path: Path) -> None:
    more = """
fun Alone (n: Name, head v: Verb) : Fact
  where plausible: selects(v, n)
  lin [mode=plain] n v[form=past]
  lin [mode=negated] n "didn't" v[form=base]
  lin [mode=asked] "did" n v[form=base]
  sem v(n)
"""
    paradigm = denied("draw a : Name", "Alone(a, yawn)")
    loaded = project(tmp_path, {"grammars/more.gram": more, PARADIGM: paradigm}, pairs="")
    assert codes(loaded) == [("E31", "more.gram"), ("E39", "mine.paradigm")]


def test_a_row_of_a_relation_may_name_a_group(tmp_path: Path) -> None:
    more = """
feature hue = red | blue | grey
group coloured of hue = red | blue
cat Ball[hue] : e -> t from balls.tsv word word
relation suits(hue, Ball.hue)
  grey coloured
fun Rolls (h: hue, head b: Ball) : Fact
  where plausible: suits(h, b)
  lin [mode=plain]   "a" b "rolled"
  lin [mode=negated] "no" b "rolled"
  lin [mode=asked]   "did a" b "roll"
  sem exists x. b(x)
"""
    balls = "id\tword\thue\nmarble\tmarble\tred\npearl\tpearl\tgrey\n"
    paradigm = denied("draw h : hue\ndraw b : Ball", "Rolls(h, b)")
    files = {"grammars/more.gram": more, "lexicon/balls.tsv": balls, PARADIGM: paradigm}
    loaded = project(tmp_path, files)
    assert codes(loaded) == []
    assert loaded.paradigm("small/mine").space().size == 1  # grey with the red marble: one of six


@pytest.mark.slow
def test_no_case_is_missing_that_a_where_excludes(tmp_path: Path) -> None:
    fun = """
feature manner = loud | soft | odd
group plain_manner of manner = loud | soft
cat Sound[manner] : e -> t from sounds.tsv word word
fun Sounds (n: Name, head s: Sound) : Fact
  {where}
  lin [mode=plain]   n s
  lin [mode=negated] "not" n s
  lin [mode=asked]   "does" n s
  sem [s.manner=loud] s(n)
  sem [s.manner=soft] s(n) & true
"""
    sounds = "id\tword\tmanner\nshout\tshouts\tloud\nhum\thums\tsoft\ncroak\tcroaks\todd\n"
    paradigm = denied("draw n : Name\ndraw s : Sound", "Sounds(n, s)")
    outcomes = {
        "where form: s.manner != odd": [],
        "where form: s.manner = plain_manner": [],
        "where plausible: s.manner != loud": [("E06", "more.gram")],
        "": [("E06", "more.gram")],
    }
    for number, (where, expected) in enumerate(outcomes.items()):
        files = {
            "grammars/more.gram": fun.replace("{where}", where),
            "lexicon/sounds.tsv": sounds,
            PARADIGM: paradigm,
        }
        loaded = project(tmp_path / str(number), files)
        assert codes(loaded) == expected, where
        if not expected:
            assert loaded.paradigm("small/mine").space().size == 6
            assert loaded.paradigm("small/mine").sample(6).num_rows == 6


@pytest.mark.slow
def test_an_operator_is_needed_only_for_words_that_may_be_drawn(tmp_path: Path) -> None:
    more = """
feature kind = factive | negative
cat Att[kind] from atts.tsv word word
fun Thinks (n: Name, v: Att, head f: Fact) : S
  lin n v "that" f[mode=plain]
  sem [v.kind=factive]  v[n] f
  sem [v.kind=negative] ~f
"""
    atts = "id\tword\tkind\nknow\tknows\tfactive\ndoubt\tdoubts\tnegative\n"
    paradigm = """paradigm mine
uses tiny, more
theory factive
size 1
draw n : Name
draw v : Att{kind}
draw u : Att[kind=negative]
premise
  p = Thinks(n, v, Does(Who(n), yawn))
hypothesis
  h = Thinks(n, u, Does(Who(n), yawn))
"""
    logic = "theory factive\ninclude classical\noperator each Att box frame reflexive where kind = factive\n"
    for number, kind in enumerate(("[kind=factive]", "", " where v.kind = factive")):
        files = {
            "grammars/more.gram": more,
            "lexicon/atts.tsv": atts,
            "logic/factive.logic": logic,
            PARADIGM: paradigm.replace("{kind}", kind),
        }
        loaded = project(tmp_path / str(number), files)
        assert codes(loaded) == [], kind
        assert loaded.paradigm("small/mine").sample(1).column("label_name").to_pylist() == ["contradiction"]


@pytest.mark.slow
def test_a_word_may_have_the_id_of_an_operator_where_it_is_not_drawn(tmp_path: Path) -> None:
    nouns = "id\tword\tsort\ncat\tcat\tanimal\nposs\tpossum\tanimal\n"
    paradigm = """paradigm mine
uses tiny
theory {theory}
size 1
draw n : Noun{but}
draw v : Verb
premise
  all  = Assert(Does(Every(n), v))
hypothesis
  none = Deny(Does(Every(n), v)) reading "not > every"
"""
    outcomes = {
        ("tiny", ""): ["E16"],
        ("tiny", " where n != poss"): [],
        ("classical", ""): [],  # a theory without that operator
    }
    for number, ((theory, but), expected) in enumerate(outcomes.items()):
        text = paradigm.replace("{theory}", theory).replace("{but}", but)
        loaded = project(tmp_path / str(number), {"lexicon/tiny_nouns.tsv": nouns, PARADIGM: text})
        assert codes(loaded) == []
        try:
            loaded.paradigm("small/mine").plan()
            refused = []
        except AuthoringError as error:
            refused = [each.code for each in error.diagnostics]
        assert refused == expected, (theory, but)


@pytest.mark.slow
@pytest.mark.parametrize(("proved", "expected"), [(True, "is never true"), (False, "is perhaps never true")])
def test_a_premise_is_never_true_only_if_that_is_proved(proved: bool, expected: str, tmp_path: Path) -> None:
    """An endless strict order has models, all of them infinite: a bounded search finds no model and proves nothing."""
    order = "forall x. forall y. forall z. (has(x, y) & has(y, z) -> has(x, z))"
    endless = "forall x. exists y. has(x, y)"
    logic = f"theory order\ninclude classical\npostulate forall x. ~has(x, x)\npostulate {order}\n"
    more = f'fun Endless : S\n  lin "it goes on"\n  sem {endless}{" & false" if proved else ""}\n'
    paradigm = """paradigm mine
uses tiny, more
theory order
size 1
draw a : Name
premise
  p = Endless
hypothesis
  h = Assert(Does(Who(a), yawn))
"""
    loaded = project(tmp_path, {"grammars/more.gram": more, "logic/order.logic": logic, PARADIGM: paradigm})
    with pytest.raises(AuthoringError) as raised:
        loaded.paradigm("small/mine").sample(1)
    (message,) = [each.message for each in raised.value.diagnostics if each.code == "E21"]
    assert message.startswith(f"the premise `p` {expected}")


def test_a_value_may_have_the_name_of_an_argument_and_three_arguments_be_distinct(tmp_path: Path) -> None:
    more = """
uses tiny
feature size = s | m
cat Word[size] : e from letters.csv forms s, m
fun Row (s: Word, m: Word, w: Word) : S
  where plausible: distinct(s, m, w)
  lin s[size=m] m[size=s] w[size=s]
  sem has(s, m)
"""
    table = "id,s,m,l\nka,a,A,x\nkb,b,B,x\nkc,c,C,x\n"  # `l` is near `s`, which there is
    paradigm = "paradigm mine\nuses more\ntheory tiny\nsize all\ndraw a, b, c : Word\npremise\n  p = Row(a, b, c)\n"
    files = {"grammars/more.gram": more, "lexicon/letters.csv": table, PARADIGM: paradigm + "  h = Row(b, a, c)\n"}
    loaded = project(tmp_path, files, pairs="pair p => h\n")
    assert codes(loaded) == [("E18", "letters.csv")]
    assert [each.message.partition(":")[0] for each in loaded.warnings_for("small/mine")] == [
        "the column `l` is left out"
    ]
    assert set(loaded.paradigm("small/mine").sample(6).column("premise").to_pylist()) == {
        "A b c.", "A c b.", "B a c.", "B c a.", "C a b.", "C b a.",
    }  # fmt: skip


def test_an_argument_may_stand_twice_in_the_words(tmp_path: Path) -> None:
    """Terms give it once, its words stand twice, with a form of their own each, and the sentence is read back."""
    more = """
uses tiny
fun Whether (n: Name, f: Fact) : S
  lin "whether" f[mode=plain] "or" f[mode=negated] + "," n "sleeps, and" n "is" n
  sem f | ~f | has(n, n)
"""
    lines = "premise\n  p = Whether(a, Does(Who(b), v))\n  h = Assert(Does(Who(a), v))\npair p => h\n"
    draws = "draw a : Name[amy]\ndraw b : Name[jo]\ndraw v : Verb\n"
    paradigm = f"paradigm mine\nuses more\ntheory tiny\nsize all\n{draws}{lines}"
    loaded = project(tmp_path, {"grammars/more.gram": more, PARADIGM: paradigm}, pairs="")
    assert codes(loaded) == []
    rows = loaded.paradigm("small/mine").sample(1).to_pylist()
    assert rows[0]["premise"] == "Whether Jo yawned or Jo didn't yawn, Amy sleeps, and Amy is Amy."
    (reading,) = loaded.parse(rows[0]["premise"], uses=["more"], theory="tiny").readings
    assert reading.term == "Whether(amy, Does(Who(jo), yawn))"
    other = loaded.parse("Whether Jo yawned or Jo didn't yawn, Amy sleeps, and Jo is Amy.", ["more"], "tiny")
    assert not other.readings


def test_a_row_of_each_condition_is_named_by_its_label(tmp_path: Path) -> None:
    lines = (
        "draw n, m : Noun\ndraw v : Verb\npremise\n  p = Assert(Does(Every(n), v))\n  h = Assert(Does(Every(m), v))\n"
    )
    paradigm = f"paradigm mine\nuses tiny\ntheory tiny\nsize all\n{lines}"
    loaded = project(tmp_path, {PARADIGM: paradigm}, pairs="pair p => h\n")
    found = loaded.paradigm("small/mine").one_of_each()
    assert set(found) <= {("p-h", "neutral"), ("p-h", "entailment")} and found
    assert all(row["label_name"] == key[1] for key, row in found.items())


def test_a_column_of_words_says_its_word(tmp_path: Path) -> None:
    """With semicolons between cells a comma is for decimals, as spreadsheets write it."""
    more = """
cat Errand[done: words, freq: decimal] : e -> t from errands.csv word past
fun Ran (n: Name, e: Errand) : Fact
  lin [mode=plain]   n e
  lin [mode=negated] n "never" e.done
  lin [mode=asked]   "has" n e.done
  sem e(n)
"""
    errands = "id;past;done;freq\nbook_;booked a room;has a room;3,25\n"
    paradigm = denied("draw a : Name\ndraw e : Errand", "Ran(a, e)")
    files = {"grammars/more.gram": more, "lexicon/errands.csv": errands, PARADIGM: paradigm}
    loaded = project(tmp_path, files)
    assert codes(loaded) == []
    errand = loaded.declarations.grammar("tiny", "more").lexeme("Errand", "book_")
    assert errand is not None and str(errand.columns["freq"]) == "3.25"


def test_commas_are_for_decimals_in_a_column_without_points(tmp_path: Path) -> None:
    """Not where each of them may stand before thousands."""
    more = "cat Errand[freq: decimal] : e -> t from errands.tsv word word\n"
    for number, values in enumerate((("3,25", "1,500"), ("3.25", "1,5"), ("1,500", "2,000"))):
        rows = "".join(f"e{at}\terrand{at}\t{value}\n" for at, value in enumerate(values))
        files = {"grammars/more.gram": more, "lexicon/errands.tsv": "id\tword\tfreq\n" + rows}
        folder = tmp_path / str(number)
        folder.mkdir()
        found = project(folder, {**files, PARADIGM: denied("draw a : Name", "Does(Who(a), yawn)")}).findings.items
        assert [d.code for d in found] == (["E08"] * number if number else [])


def test_a_value_of_before_an_event_is_told(tmp_path: Path) -> None:
    """What another line of the same action changes has there its old value."""
    logic = """theory tiny
operator poss diamond frame reflexive
event flip(a)
  action up
    post yawn(a) := true
    post bark(a) := yawn(a)
  actual up
"""
    files = {"logic/tiny.logic": logic, PARADIGM: denied("draw a : Name", "Does(Who(a), yawn)")}
    loaded = project(tmp_path, files)
    loaded.declarations.check_theories()
    found = [d for d in loaded.findings.items if d.code == "E42"]
    assert [(d.severity, d.span.line) for d in found] == [("warning", 6)]


def test_where_a_value_is_wanted_its_feature_is_named(tmp_path: Path) -> None:
    (tmp_path / "grammars").mkdir()
    more = """
feature time = now | then
table said[time] now "now" | then "then"
fun Timed (t: time, n: Name) : Fact
  lin [mode=plain]   said(t) n "yawns"
  lin [mode=negated] said(t) n "doesn't yawn"
  lin [mode=asked]   "does" n "yawn" said(t)
  sem yawn(n)
"""
    files = {"grammars/more.gram": more, PARADIGM: denied("draw a : Name", "Timed(yesterday, a)")}
    found = project(tmp_path, files).findings.items
    assert ("no value of `time` named `yesterday`", "there are: now, then") in {(d.message, d.help) for d in found}


def test_a_word_without_a_value_is_drawn_where_another_line_says_it(tmp_path: Path) -> None:
    more = """
feature kind = told | plain
feature mood = good | bad
cat Doing[kind, mood: mood?] : e -> t from doings.tsv word past
table how[mood] good "well" | bad "badly"
fun Did (n: Name, d: Doing) : S
  lin [d.kind=told]  n d how(d.mood)
  lin [d.kind=plain] n d
  sem d(n)
"""
    doings = "id\tpast\tkind\tmood\nhum\thummed\ttold\tgood\nhop\thopped\tplain\t-\n"
    lines = "draw n : Name\ndraw d : Doing\npremise\n  p = Did(n, d)\nhypothesis\n  h = Did(n, d) with n := jo\n"
    paradigm = f"paradigm mine\nuses tiny, more\ntheory tiny\nsize all\nwhere n != jo\n{lines}"
    files = {"grammars/more.gram": more, "lexicon/doings.tsv": doings, PARADIGM: paradigm}
    loaded = project(tmp_path, files, pairs="pair p => h   expect neutral\n")
    rows = loaded.paradigm("small/mine").sample(4).to_pylist()
    assert {row["premise"] for row in rows} == {f"{n} {w}." for n in ("Amy", "Bob") for w in ("hummed well", "hopped")}
