"""Kinds of `fuzz.py` that spoil texts: source files, formulas, sentences, tables, answers, what is typed."""

from __future__ import annotations

import json
import random
import re
import shutil
from functools import cache
from pathlib import Path
from typing import Any

from fuzz_run import ROOT, Fuzz
from fuzz_spoil import TOKENS

LINES = {
    ".logic": ("withhold x on label: \"y\"", "projection strong", "postulate forall x. p(x)", "include attitudes"),
    ".paradigm": ("scope frozen", "scope \"every\" frozen", "each w at most 2 times in 5", "carry freq", "balance w",
                  "theories toy, presupposition-strong", "solvable by verbs 1 because \"x\"", "regions", "plan 3"),
    ".gram": ("scope \"every\" trace 2", "refers \"a\"", "constraint agree sv = NP.num", "sem conveys x",
              "sem reading \"open\" x", "cat Z[num] from kinds.tsv forms sg, pl", "gap NP"),
    ".tsv": ("\t\t\t", "id\tid", "x\t\t-"),
    ".toml": ("joiner = 3", "[x]", "ends = []", "clitics = [1]"),
}  # fmt: skip
SMALL = {
    "toy": "toy/one", "choice": "small/one", "coref": "small/one", "pairs": "pairs/agreement",
}  # fmt: skip
"""Small projects, and the paradigm of each."""
CHOSEN = {"sentence": "Say(Did(Every(k), v, A(l)))", "one": "NoneSame(k, v, l)", "other": "AllSame(k, v, l)"}
COREFERENT = {"sentence": "Say(Did(Name(w), v, One(k)))", "followup": "ItRan"}
TOY_PARADIGM = """size 2
theories toy, owners
draw w : Who
draw k : Kind
draw d : Did
premise
  p = Has(w, k)
  q = TheirK(w, k, d)
hypothesis
  h = Lacks(w, k)
  g = Has(w, k)
pair p => h
pair q => g
"""


def files(fuzz: Fuzz) -> None:
    """Grammars, paradigms, theories and tables: one spoilt file before the shipped ones."""
    paradigms = [file for file in _shipped() if file.suffix == ".paradigm"]
    file = fuzz.any(paradigms if fuzz.often(0.5) else _shipped())
    words = TOKENS.findall(fuzz.any(_shipped()).read_text()[:3000])
    asked = file if file.suffix == ".paradigm" else fuzz.any(paradigms)
    _own(fuzz, "files", file, ROOT, f"{asked.parent.name}/{asked.stem}", words)


def small(fuzz: Fuzz) -> None:
    """The same of small projects, with further lines of each sort."""
    name = fuzz.any(sorted(SMALL))
    with fuzz.project(name) as root:
        there = sorted(f for f in root.rglob("*") if f.suffix in LINES and "attitudes" not in f.name)
        there = [f for f in there if f.suffix != ".logic" or f.stem in ("toy", "small", "classical", "presupposition")]
        file = fuzz.any(there)
        _own(fuzz, "small", file, root, SMALL[name], list(LINES[file.suffix]))


def _own(fuzz: Fuzz, kind: str, file: Path, root: Path, name: str, words: list[str]) -> None:
    place = fuzz.work / "project"
    shutil.rmtree(place, ignore_errors=True)
    own = place / file.relative_to(root)
    own.parent.mkdir(parents=True)
    text = file.read_text("utf-8")
    if fuzz.often(0.3) and file.suffix in LINES:
        lines = text.split("\n")
        lines.insert(fuzz.spoil.random.randrange(len(lines) + 1), fuzz.any(LINES[file.suffix]))
        text = "\n".join(lines)
    own.write_bytes(fuzz.spoil.text(text, words))
    commands = [("check", name), ("sample", name, "--n", "2"), ("explain", name), ("where",)]
    commands += [("build", name, "--n", "1", "--out", str(fuzz.out)), ("list", "--constructors")]
    commands += [("list",), ("export", "grammar", name)] if kind == "small" else []
    fuzz.run(kind, *fuzz.any(commands), "--path", place)


@cache
def _shipped() -> tuple[Path, ...]:
    found = [f for d in ("grammars", "lexicon", "logic") for f in (ROOT / d).rglob("*")]
    return tuple(sorted(f for f in found if f.suffix in (".gram", ".paradigm", ".logic", ".tsv")))


@cache
def _pairs() -> tuple[list[tuple[str, str]], list[str], list[str]]:
    """Pairs of formulas in the docs, their tokens, the theories."""
    pages = (ROOT / "docs" / "formulas.md", *sorted((ROOT / "docs" / "theory").glob("*.md")))
    pairs = [p for page in pages for p in re.findall(r'gramprobe decide[^"\n]*"([^"]+)" "([^"]+)"', page.read_text())]
    words = sorted({token for pair in pairs for text in pair for token in TOKENS.findall(text)})
    return pairs, words, sorted(file.stem for file in (ROOT / "logic").glob("*.logic"))


def decide(fuzz: Fuzz) -> None:
    """Formulas of `decide`."""
    pairs, words, theories = _pairs()
    both = [fuzz.spoil.typed(text, words) for text in fuzz.any(pairs)]
    if fuzz.often(0.02):
        both[0] = fuzz.any(("(" * 5000, "~" * 5000, " & ".join([both[0]] * 3000)))
    fuzz.run("decide", "decide", "--path", fuzz.empty, "--theory", fuzz.any(theories), "--", *both)


def lines(fuzz: Fuzz) -> None:
    """Terms and names typed by hand."""
    terms = ("Assert(Clause(past, Name(amy), Do(encourage, josiah)))", "Neg(Clause(past, The(dentist), smile))", "amy")
    names = ("presupposition/only", "Clause", "E06", "E99", "attitudes", "english", "theory_of_mind/story_transfer")
    command = fuzz.any(("say", "explain", "sample", "list", "schema"))
    text = fuzz.spoil.typed(fuzz.any(terms if command == "say" else names))
    options: tuple[object, ...] = ("--n", 1) if command == "sample" else ()
    options += () if command == "schema" else ("--path", fuzz.empty)
    fuzz.run("lines", command, *options, "--", text)


SENTENCES = (
    "Every farmer owns a dog.", "Adam stopped smoking.", "Emma's cat might have yawned.", "Jo knows that Amy left.",
    "If it rains, no nurse sings.", "Most of the dogs have slept.", "Amy gave Jo the book that she had read.",
    "It wasn't Adam who left.", "Some of the three girls both sang and slept.", "Did Emma sing?",
)  # fmt: skip
TOY = ("Uma has a newt.", "Vito has no owlet.", "Wanda's ashcat hummed.", "Uma has an ashcat.")


def reading(fuzz: Fuzz) -> None:
    """Sentences of `parse` and `label`: of English a few, more of a small grammar; and tables of pairs and of words."""
    if fuzz.often(0.15):
        _reading(fuzz, SENTENCES, ())
        return
    with fuzz.project("toy"):
        _reading(fuzz, TOY, ("--uses", "toy", "--theory", "toy"))


def _reading(fuzz: Fuzz, sentences: tuple[str, ...], options: tuple[str, ...]) -> None:
    words = sorted({token for each in sentences for token in TOKENS.findall(each)})
    one, other = (fuzz.spoil.typed(fuzz.any(sentences), words)[:300] for _ in range(2))
    more: list[object] = [*options, "--path", fuzz.empty]
    more += fuzz.any(([], [], ["--guess"], ["--json"]))
    if fuzz.often(0.2):
        table = (
            "category\tname\tword\nWho\tWilma\tWilma\n" if options else "category\tid\tsg\tpl\nN\tzorp\tzorp\tzorps\n"
        )
        more += ["--lexicon", fuzz.write("words.tsv", fuzz.spoil.text(table))]
    if fuzz.often(0.4):
        fuzz.run("reading", "parse", *more, "--", one)
    elif fuzz.often(0.5):
        fuzz.run("reading", "label", *more, "--", one, other)
    else:
        rows = f"premise,hypothesis\n{sentences[0]},{sentences[1]}\n{sentences[2]},{sentences[3]}\n"
        fuzz.run("reading", "label", *more, "--pairs", fuzz.write("pairs.csv", fuzz.spoil.text(rows, words)))


def audits(fuzz: Fuzz) -> None:
    """Published sets in their own forms, read with a small grammar."""
    name = fuzz.any(sorted(_published()))
    form, text = _published()[name]
    file = fuzz.write(name, fuzz.spoil.text(text) if fuzz.often(0.5) else _value_of_a_line(fuzz, text))
    more: list[object] = fuzz.any(([], [], ["--json"], ["--out", fuzz.work / "audit.html"], ["--guess"]))
    if form == "nli" and fuzz.often(0.3):
        more = [*more, "--columns", fuzz.spoil.typed("premise=sentence1,hypothesis=sentence2,label=gold_label")]
        more += ["--labels", fuzz.spoil.typed("0=entailment,1=neutral,2=contradiction")]
    with fuzz.project("toy"):
        fuzz.run("audits", "audit", form, file, "--uses", "toy", "--theory", "toy", "--path", fuzz.empty, *more)


def _value_of_a_line(fuzz: Fuzz, text: str) -> str:
    lines = text.split("\n")
    place = fuzz.spoil.random.randrange(len(lines))
    lines[place] = fuzz.spoil.value(lines[place]) if lines[place][:1] == "{" else fuzz.spoil.typed(lines[place])
    return "\n".join(lines)


@cache
def _published() -> dict[str, tuple[str, str]]:
    """Name of a file -> its form and an honest text."""
    one, other, third = TOY[0], TOY[1], TOY[3]
    both = {"sentence1": one, "sentence2": other}
    rows = [
        {**both, "gold_label_log": "neutral", "gold_label_prag": "contradiction", "spec_relation": "opposite",
         "item_type": "control", "trigger": "x", "lexemes": "some - all"},
        {**both, "trigger": "negated", "presupposition": "positive", "gold_label": "entailment", "UID": "x",
         "pairID": "0e", "paradigmID": 0},
        {**both, "trigger1": "negated", "trigger2": "unembedded", "control_item": True, "gold_label": "neutral",
         "UID": "x", "pairID": "1c", "paradigmID": 0},
    ]  # fmt: skip
    problem = f'<problem id="1" fracas_answer="yes"><p idx="1">{one}</p><q>x?</q><h>{third}</h><a>Yes</a></problem>'
    good = {"sentence_good": one, "sentence_bad": "Uma has an newt.", "UID": "det", "pairID": "0"}
    head = "index\tpromptID\tpairID\tgenre\tsentence1\tsentence2\tgold_label\n"
    return {
        "implicature.jsonl": ("imppres", f"{json.dumps(rows[0])}\n" * 2),
        "presupposition.jsonl": ("imppres", "".join(f"{json.dumps(row)}\n" for row in rows[1:])),
        "fracas.xml": ("fracas", f'<?xml version="1.0"?>\n<fracas-problems>\n{problem}\n</fracas-problems>\n'),
        "med.tsv": ("med", f"{head}1\t1\t1\tpaper:GQ:downward_monotone\t{one}\t{other}\tneutral\n"),
        "nli.csv": ("nli", f"premise,hypothesis,label\n{one},{other},contradiction\n{third},{one},1\n"),
        "nli.jsonl": ("nli", f"{json.dumps({**both, 'gold_label': 'neutral'})}\n"),
        "blimp.jsonl": ("blimp", f"{json.dumps(good)}\n"),
    }


def imports(fuzz: Fuzz) -> None:
    """Files of other programs, corpora, plain files, tables of verbs."""
    only = fuzz.honest / "presupposition--only"
    kind, text = fuzz.any(sorted(_plain(only).items()))
    file = fuzz.write(kind, fuzz.spoil.text(text) if fuzz.often(0.6) else _value_of_a_line(fuzz, text))
    corpus = fuzz.write("honest.csv", _plain(only)["corpus.csv"])
    command: tuple[object, ...] = {
        "labels.csv": ("analyze", file, "--dataset", only),
        "samples.jsonl": ("analyze", file, "--dataset", only),
        "corpus.csv": ("exposure", "--corpus", file),
        "corpus.jsonl": ("exposure", "--corpus", file),
        "verbs.tsv": ("exposure", "--corpus", corpus, "--verbs", file),
        "nli.csv": ("score", file, "--task", "nli", "--model", "rule:overlap", "--out", fuzz.out),
        "map.tsv": ("diff", only, only, "--map", file),
        "given.tsv": ("build", "theory_of_mind/given", "--sentences", file, "--n", 2, "--out", fuzz.out),
    }[kind]
    if kind == "given.tsv" and not fuzz.often(0.15):
        command = ("analyze", fuzz.write("labels.csv", fuzz.spoil.text(_plain(only)["labels.csv"])), "--dataset", only)
    fuzz.run("imports", *command)


@cache
def _plain(only: Path) -> dict[str, str]:
    """Honest files of other programs."""
    rows = [json.loads(line) for line in (only / "items" / "only.jsonl").read_text("utf-8").splitlines()[:30]]
    values = [[[-1.0, False]], [[-2.0, False]], [[-3.0, True]]]
    samples = [{"doc_id": n, "doc": row, "filtered_resps": values} for n, row in enumerate(rows)]
    pair = {"sentence1": "Jo thinks that it rains.", "sentence2": "It rains.", "gold_label": "neutral"}
    return {
        "labels.csv": "item,label\n" + "".join(f"{row['id']},{row['label_name']}\n" for row in rows),
        "samples.jsonl": "".join(json.dumps(sample) + "\n" for sample in samples),
        "corpus.csv": 'premise,hypothesis,label\nJo knows that it rains.,It rains.,entailment\n"Well, yes.",No.,-\n',
        "corpus.jsonl": f"{json.dumps(pair)}\n" * 3,
        "verbs.tsv": "id\tbase\ts\tpast\ten\ting\tfactive\nknow\tknow\tknows\tknew\tknown\tknowing\tyes\n",
        "nli.csv": "premise,hypothesis,label\nA dog sleeps.,An animal sleeps.,entailment\nA dog sleeps.,It barks.,1\n",
        "map.tsv": "old\tnew\nsergio\tpablo\n",
        "given.tsv": "# licence: CC BY 4.0\n# source: me\nsentence\tentails\nJo slept.\tJo snored.\nJo left.\t\n",
    }


def answers(fuzz: Fuzz) -> None:
    """People's answers in files of other programs."""
    only = fuzz.honest / "presupposition--only"
    name, text = fuzz.any(sorted(answered(only).items()))
    spoilt = fuzz.spoil.value(text) if name.endswith("json") and fuzz.often(0.5) else fuzz.spoil.text(text)
    rule = fuzz.any(("same=9", "seconds=0.1..9", "catch=1"))
    options: tuple[object, ...] = ("--dataset", only, "--out", fuzz.out, "--exclude", rule)
    fuzz.run("answers", "judgments", fuzz.write(name, spoilt), *options)


@cache
def answered(only: Path) -> dict[str, str]:
    """Honest files of people's answers."""
    rows = [json.loads(line) for line in (only / "items" / "only.jsonl").read_text("utf-8").splitlines()[:12]]
    asked = [(person, n, row) for person in ("ann", "bob") for n, row in enumerate(rows)]
    times = {"word": [None, "It", "rains."], "rt": [90, 300.5, 280], "trial_type": "self-paced-reading"}
    named = (
        "Results reception time", "MD5 hash of participant's IP address", "Controller name", "Order number of item",
        "PennElementType", "Parameter", "Value", "EventTime", "id", "Comments",
    )  # fmt: skip
    return {
        "answers.csv": "person,id,answer,rt,list,position\n"
        + "".join(f"{person},{row['id']},{row['label_name']},900,1,{n}\n" for person, n, row in asked),
        "answers.json": json.dumps(
            [{"person": p, "trial_type": "any", "id": row["id"], "answer": "neutral", "rt": 9} for p, _, row in asked]
            + [{"person": "ann", "id": rows[0]["id"], "plugin_version": "2.0.0", **times}]
        ),
        "results.csv": "".join(f"# {n}. {name}.\n" for n, name in enumerate(named, 1))
        + "".join(f"1,{p},C,{n},Scale,Choice,neutral,{n}000,{row['id']},NULL\n" for p, n, row in asked),
    }


def frames(fuzz: Fuzz) -> None:
    """Formulas and tables of mixed models."""
    formulas = (
        "score ~ a * b + (1 + a | item)", "right ~ a + (1 | item)", "score ~ a + (1 + a || item)", "log(score) ~ a",
        "score ~ poly(a, 2) + (1 | item)", "score ~ C(a) + (0 + a | item)",
    )  # fmt: skip
    words = ("score", "a", "item", "~", "|", "||", "1", "0", "**", "I(", "exp(", "__import__('os')", "{item}", "lag(a)")
    formula = fuzz.spoil.typed(fuzz.any(formulas), words)
    file = fuzz.write("frame.csv", fuzz.spoil.text(_table()) if fuzz.often(0.3) else _table())
    more: Any = fuzz.any(((), (), ("--coding", "a=half"), ("--levels", "a=y,x"), ("--plan", "item=40")))
    fuzz.run("frames", "analyze", "--frame", file, f"--formula={formula}", *more)


@cache
def _table() -> str:
    draw = random.Random(0)
    rows = [
        (draw.gauss(n % 2, 1), int(draw.random() < 0.6), "xy"[n % 2], "uvw"[n % 3], f"i{n % 20}") for n in range(160)
    ]
    return "score,right,a,b,item\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)
