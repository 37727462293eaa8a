"""Spoilt inputs at random, until the minutes are over: no fault of ours (E99), nothing slow, no lie accepted.

    python scripts/fuzz.py --minutes 5 --seed 1 [KIND...]

Each kind spoils one sort of input (bytes, tokens, lines, whole files; hashes made anew in three of four) and runs a
command on it in this process. Exit code 1, with the command and the place, where a command ends with E99 or an
exception, takes longer than LIMIT CPU seconds, or accepts a changed dataset whose rows, certificates or numbers are not
the honest ones. The same seed gives the same inputs; how many are tried depends on the time.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import json
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
LIMIT, PATIENCE = 20, 300
"""CPU seconds that one command may take, and seconds by the clock, on a machine that has other work too."""
DATASETS = {
    "presupposition--only": "presupposition/only",
    "scope--continuation_universal_indefinite": "scope/continuation_universal_indefinite",
    "scope--choice_universal_indefinite": "scope/choice_universal_indefinite",
    "de_re_de_dicto--belief": "de_re_de_dicto/belief",
    "acceptability--agreement_subject_verb": "acceptability/agreement_subject_verb",
}
EXPORTS = ("csv", "lm-eval", "inspect", "minicons", "syntaxgym", "blimp", "imppres", "scope", "de_re", "croissant")
ASKED = ("choice", "rating", "nli", "acceptability", "self_paced")
ODD = (
    "\0", "\ufeff", "\u202e", "\u200b", "e\u0301", "\U0001f600", "\t", "\r\n", '"', "'", "\\", "..", "=>", "<->",
    "((((", "))))", "[", "]", "{", "}", "--", "9" * 30, "1e999", "-1", "NaN", "true", "null", "%s", "{0}", "`",
    "|", "&", "~", "@ here", "exh", "forall x.", "/", "\n\n", "İ",
)  # fmt: skip
TOKENS = re.compile(r"\w+|\s+|[^\w\s]")


class TooLong(BaseException):
    """A command has taken LIMIT seconds."""


@dataclass
class Found:
    """What went wrong, each once by its place: what, the command, the last lines of the trace."""

    faults: dict[str, tuple[str, str]] = field(default_factory=dict)
    runs: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0

    def add(self, what: str, command: Sequence[object], trace: str = "") -> None:
        self.faults.setdefault(what, (" ".join(str(each)[:200] for each in command), trace[-1500:]))


class Fuzz:
    """One run of the driver. ``work``: a folder of its own, with the honest inputs below ``honest``."""

    def __init__(self, work: Path, seed: int) -> None:
        self.work, self.honest, self.random, self.found = work, work / "honest", random.Random(seed), Found()
        (work / "empty").mkdir(parents=True)

    # -- running

    def run(self, kind: str, *arguments: object) -> int | str:
        """The exit code of a command in this process; faults and slow ones are noted."""
        from gramprobe.cli.main import main

        out, err, trace = io.StringIO(), io.StringIO(), ""
        start = time.process_time()
        code: int | str
        signal.setitimer(signal.ITIMER_PROF, LIMIT)
        signal.setitimer(signal.ITIMER_REAL, PATIENCE)
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                code = main([str(each) for each in arguments])
        except TooLong:
            code = "too long"
            self.found.add(f"over {LIMIT} seconds: {kind} {arguments[0]}", arguments)
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 2
        except BaseException as error:
            code, trace = "exception", traceback.format_exc()
            self.found.add(f"{type(error).__name__} at {_place(trace)}", arguments, trace)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)
        if code == 3:
            self.found.add(f"E99 at {_place(err.getvalue())}", arguments, err.getvalue())
        self.found.slowest = max(self.found.slowest, time.process_time() - start)
        self.found.runs[f"{kind} {code}"] += 1
        return code

    # -- spoiling

    def text(self, text: str, words: Sequence[str] = ()) -> bytes:
        """A text with some tokens, lines or characters lost, doubled, exchanged or odd."""
        draw = self.random
        for _ in range(draw.choice((1, 1, 1, 2, 3, 6))):
            text = self._once(text, words)
        raw = bytearray(text.encode("utf-8", "surrogatepass"))
        if raw and draw.random() < 0.08:
            for _ in range(draw.choice((1, 3, 20))):
                raw[draw.randrange(len(raw))] = draw.randrange(256)
        return bytes(raw)

    def _once(self, text: str, words: Sequence[str]) -> str:
        draw = self.random
        how = draw.random()
        if how < 0.5:
            return "".join(self._pieces(TOKENS.findall(text) or [""], [*ODD, *words]))
        if how < 0.7:
            return "\n".join(self._pieces(text.split("\n"), ["", *ODD]))
        if not text:
            return draw.choice(ODD)
        place = draw.randrange(len(text))
        if how < 0.9:
            return (
                text[:place] + draw.choice(("", chr(draw.randrange(1, 0x250)), text[place] * 300)) + text[place + 1 :]
            )
        return text[:place] if draw.random() < 0.5 else text[place:]

    def _pieces(self, pieces: list[str], others: Sequence[str]) -> list[str]:
        draw = self.random
        place, other = draw.randrange(len(pieces)), draw.randrange(len(pieces))
        match draw.randrange(6):
            case 0:
                del pieces[place]
            case 1:
                pieces[place] *= draw.choice((2, 2, 50))
            case 2:
                pieces[place], pieces[other] = pieces[other], pieces[place]
            case 3:
                pieces.insert(place, pieces[other])
            case 4:
                pieces[place] = draw.choice(others)
            case _:
                pieces.insert(place, draw.choice(others))
        return pieces

    def binary(self, raw: bytes) -> bytes:
        """Bytes with some changed, lost or added; half of the time near the end, where formats keep their tables."""
        draw, found = self.random, bytearray(raw)
        for _ in range(draw.choice((1, 1, 2, 10, 100))):
            if not found:
                break
            near = max(0, len(found) - 1 - draw.randrange(min(len(found), 3000)))
            place = draw.randrange(len(found)) if draw.random() < 0.5 else near
            match draw.randrange(4):
                case 0:
                    del found[place : place + draw.choice((1, 5, 100))]
                case 1:
                    found[place:place] = draw.randbytes(draw.choice((1, 8)))
                case _:
                    found[place] = draw.randrange(256)
        return bytes(found)

    def folder(self, honest: Path) -> tuple[Path, Path]:
        """A copy of a folder in which one file is spoilt: the folder, and the file."""
        draw, copy = self.random, self.work / "copy" / honest.name
        shutil.rmtree(copy.parent, ignore_errors=True)
        shutil.copytree(honest, copy)
        files = sorted(each for each in copy.rglob("*") if each.is_file() and each.stat().st_size)
        file, how = draw.choice(files), draw.random()
        if how < 0.06:
            file.unlink()
        elif how < 0.1:
            file.write_bytes(b"")
        elif how < 0.13:
            file.unlink()
            file.mkdir()
        elif how < 0.16:
            file.rename(file.with_name(f"{file.name}x"))
        elif how < 0.2:
            file.write_bytes(draw.choice(files).read_bytes())
        elif how < 0.45 or file.suffix in (".parquet", ".safetensors"):
            file.write_bytes(self.binary(file.read_bytes()))
        else:
            lines = file.read_text("utf-8", "replace").split("\n")
            place = draw.randrange(len(lines))
            lines[place] = self.text(lines[place]).decode("utf-8", "replace")
            file.write_text("\n".join(lines), "utf-8", "replace")
        return copy, file

    def often(self, share: float) -> bool:
        return self.random.random() < share


def _place(trace: str) -> str:
    """The last line of our code in a trace."""
    found = re.findall(r'File "[^"]*/(gramprobe/[^"]+)", line (\d+)', trace)
    return ":".join(found[-1]) if found else "?"


# -- kinds


def files(fuzz: Fuzz) -> None:
    """Grammars, paradigms, theories and tables: one spoilt file before the shipped ones."""
    shipped = [f for d in ("grammars", "lexicon", "logic") for f in (ROOT / d).rglob("*")]
    shipped = sorted(f for f in shipped if f.suffix in (".gram", ".paradigm", ".logic", ".tsv"))
    paradigms = [file for file in shipped if file.suffix == ".paradigm"]
    file = fuzz.random.choice(paradigms if fuzz.often(0.5) else shipped)
    place = fuzz.work / "project"
    shutil.rmtree(place, ignore_errors=True)
    own = place / file.relative_to(ROOT)
    own.parent.mkdir(parents=True)
    own.write_bytes(fuzz.text(file.read_text("utf-8"), TOKENS.findall(fuzz.random.choice(shipped).read_text()[:3000])))
    asked = file if file.suffix == ".paradigm" else fuzz.random.choice(paradigms)
    name = f"{asked.parent.name}/{asked.stem}"
    commands = [("check", name), ("sample", name, "--n", "2"), ("explain", name), ("list",), ("where",)]
    commands.append(("build", name, "--n", "1", "--out", str(fuzz.work / "built")))
    fuzz.run("files", *fuzz.random.choice(commands), "--path", place)


def decide(fuzz: Fuzz) -> None:
    """Formulas of `decide`."""
    pages = (ROOT / "docs" / "formulas.md", *sorted((ROOT / "docs" / "theory").glob("*.md")))
    pairs = [p for page in pages for p in re.findall(r'gramprobe decide[^"\n]*"([^"]+)" "([^"]+)"', page.read_text())]
    words = sorted({token for pair in pairs for text in pair for token in TOKENS.findall(text)})
    theories = sorted(file.stem for file in (ROOT / "logic").glob("*.logic"))
    both = [fuzz.text(text, words).decode("utf-8", "replace") for text in fuzz.random.choice(pairs)]
    if fuzz.often(0.05):
        both[0] = fuzz.random.choice(("(" * 5000, "~" * 5000, " & ".join([both[0]] * 3000)))
    fuzz.run("decide", "decide", "--path", fuzz.work / "empty", "--theory", fuzz.random.choice(theories), "--", *both)


def dataset(fuzz: Fuzz) -> None:
    """Folders of datasets; in three of four the hashes are made anew."""
    honest = fuzz.honest / fuzz.random.choice(sorted(DATASETS))
    copy, file = fuzz.folder(honest)
    if fuzz.often(0.75):
        rehash(copy, "manifest.json", ("files", "parquet"), lambda place, entry: digest(place))
    other = honest / file.relative_to(copy)
    changed = not file.is_file() or not other.is_file() or file.read_bytes() != other.read_bytes()
    arguments: list[tuple[object, ...]] = [("verify", copy, "--path", fuzz.work / "empty")] * 6
    arguments += [("diff", honest, copy), ("score", copy, "--model", "rule:overlap", "--out", fuzz.work / "copy" / "s")]
    out = fuzz.work / "copy" / "out"
    arguments += [("export", form, copy, "--out", out) for form in fuzz.random.sample(EXPORTS, 1)]
    arguments += [("lists", copy, "--kind", fuzz.random.choice(ASKED), "--out", out)]
    asked = fuzz.random.choice(arguments)
    code = fuzz.run("dataset", *asked)
    if asked[0] == "verify" and code == 0 and changed and not same_rows(file, other):
        kept = fuzz.work.parent / f"accepted-{fuzz.work.name}-{len(fuzz.found.faults)}"
        shutil.copytree(copy, kept, dirs_exist_ok=True)
        fuzz.found.add(f"accepted: {file.relative_to(copy)}", (*asked, "kept as", kept))


def same_rows(file: Path, other: Path) -> bool:
    """Whether a changed file is Parquet that gives every reader the honest rows: it names another writer, or so."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if file.suffix != ".parquet":
        return False
    try:
        return bool(pq.read_table(file, partitioning=None).equals(pq.read_table(other, partitioning=None)))
    except (pa.ArrowException, OSError, ValueError):
        return False


def scores(fuzz: Fuzz) -> None:
    """Folders of scores."""
    honest = fuzz.random.choice(sorted((fuzz.honest / "scores").iterdir()))
    copy, _ = fuzz.folder(honest)
    if fuzz.often(0.75):
        rehash(copy, "run.json", ("files",), lambda place, entry: {**entry, "sha256": digest(place)})
    of = fuzz.honest / honest.name
    commands: list[tuple[object, ...]] = [
        ("analyze", copy, "--dataset", of, *more) for more in ((), ("--json",), ("--details",))
    ]
    commands.append(("report", copy, "--dataset", of, "--out", fuzz.work / "r.html", "--items", 1))
    commands.append(("score", of, "--model", "rule:overlap", "--out", copy, "--resume"))
    fuzz.run("scores", *fuzz.random.choice(commands))


def imports(fuzz: Fuzz) -> None:
    """Files of other programs, corpora, plain files, tables of verbs, prompts."""
    kind, text = fuzz.random.choice(sorted(plain(fuzz.honest).items()))
    file = fuzz.work / kind
    file.write_bytes(fuzz.text(text))
    corpus = fuzz.work / "honest.csv"
    corpus.write_text(plain(fuzz.honest)["corpus.csv"], "utf-8")
    out = fuzz.work / "copy" / "s"
    shutil.rmtree(out, ignore_errors=True)
    only = fuzz.honest / "presupposition--only"
    command: tuple[object, ...] = {
        "labels.csv": ("analyze", file, "--dataset", only),
        "samples.jsonl": ("analyze", file, "--dataset", only),
        "corpus.csv": ("exposure", "--corpus", file),
        "corpus.jsonl": ("exposure", "--corpus", file),
        "verbs.tsv": ("exposure", "--corpus", corpus, "--verbs", file),
        "nli.csv": ("score", file, "--task", "nli", "--model", "rule:overlap", "--out", out),
        "map.tsv": ("diff", only, only, "--map", file),
        "given.tsv": ("build", "theory_of_mind/given", "--sentences", file, "--n", 2, "--out", fuzz.work / "built"),
    }[kind]
    fuzz.run("imports", *command)


def people(fuzz: Fuzz) -> None:
    """People's answers in files of other programs, folders of judgments, and folders of experiments."""
    only = fuzz.honest / "presupposition--only"
    if fuzz.often(0.3):
        copy, _ = fuzz.folder(fuzz.honest / "judgments")
        if fuzz.often(0.75):
            rehash(copy, "judgments.json", ("files",), lambda place, entry: digest(place))
        fuzz.run("people", *fuzz.random.choice((
            ("analyze", copy, "--dataset", only), ("frame", copy, "--dataset", only, "--out", fuzz.work / "f.csv"),
            ("frame", fuzz.honest / "judgments", "--dataset", only, "--norms", copy, "--out", fuzz.work / "f.csv"),
        )))  # fmt: skip
        return
    if fuzz.often(0.3):
        copy, _ = fuzz.folder(fuzz.honest / "experiment")
        given = fuzz.work / "given.csv"
        given.write_text(answered(fuzz.honest)["answers.csv"], "utf-8")
        options = ("--dataset", only, "--experiment", copy, "--out", fuzz.work / "copy" / "judged")
        fuzz.run("people", "judgments", given, *options)
        return
    name, text = fuzz.random.choice(sorted(answered(fuzz.honest).items()))
    file, out = fuzz.work / name, fuzz.work / "copy" / "judged"
    file.write_bytes(fuzz.text(text))
    rule = fuzz.random.choice(("same=9", "seconds=0.1..9", "catch=1"))
    fuzz.run("people", "judgments", file, "--dataset", only, "--out", out, "--exclude", rule)


def answered(honest: Path) -> dict[str, str]:
    """Honest files of people's answers."""
    items = honest / "presupposition--only" / "items" / "only.jsonl"
    rows = [json.loads(line) for line in items.read_text("utf-8").splitlines()[:12]]
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


def plain(honest: Path) -> dict[str, str]:
    """Honest files of other programs."""
    items = honest / "presupposition--only" / "items" / "only.jsonl"
    rows = [json.loads(line) for line in items.read_text("utf-8").splitlines()[:30]]
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


def frames(fuzz: Fuzz) -> None:
    """Formulas and tables of mixed models."""
    draw = random.Random(0)
    rows = [
        (draw.gauss(n % 2, 1), int(draw.random() < 0.6), "xy"[n % 2], "uvw"[n % 3], f"i{n % 20}") for n in range(160)
    ]
    table = "score,right,a,b,item\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)
    formulas = (
        "score ~ a * b + (1 + a | item)", "right ~ a + (1 | item)", "score ~ a + (1 + a || item)", "log(score) ~ a",
        "score ~ poly(a, 2) + (1 | item)", "score ~ C(a) + (0 + a | item)",
    )  # fmt: skip
    words = ("score", "a", "item", "~", "|", "||", "1", "0", "**", "I(", "exp(", "__import__('os')", "{item}", "lag(a)")
    formula = fuzz.text(fuzz.random.choice(formulas), words).decode("utf-8", "replace")
    file = fuzz.work / "frame.csv"
    file.write_bytes(fuzz.text(table) if fuzz.often(0.3) else table.encode())
    more = fuzz.random.choice(((), (), ("--coding", "a=half"), ("--levels", "a=y,x"), ("--plan", "item=40")))
    fuzz.run("frames", "analyze", "--frame", file, f"--formula={formula}", *more)


def lines(fuzz: Fuzz) -> None:
    """Terms and names typed by hand."""
    terms = ("Assert(Clause(past, Name(amy), Do(encourage, josiah)))", "Neg(Clause(past, The(dentist), smile))", "amy")
    names = ("presupposition/only", "Clause", "E06", "E99", "attitudes", "english", "theory_of_mind/story_transfer")
    command = fuzz.random.choice(("say", "explain", "sample", "list"))
    text = fuzz.text(fuzz.random.choice(terms if command == "say" else names)).decode("utf-8", "replace")
    fuzz.run("lines", command, *(("--n", 1) if command == "sample" else ()), "--", text)


def models(fuzz: Fuzz) -> None:
    """Folders of models; without torch there are none."""
    honest = sorted(place for place in (fuzz.honest / "models").iterdir())
    if not honest:
        lines(fuzz)
        return
    chosen = fuzz.random.choice(honest)
    copy, _ = fuzz.folder(chosen)
    config = chosen / "config.json"
    if fuzz.often(0.3) and (copy / "config.json").is_file():
        data = json.loads(config.read_bytes())
        data[fuzz.random.choice(sorted(data))] = fuzz.random.choice((None, 0, -1, 10**9, "x", [], {}, True, 1.5))
        (copy / "config.json").write_text(json.dumps(data), "utf-8")
    of = "presupposition--only" if chosen.name == "nli" else "scope--continuation_universal_indefinite"
    out = fuzz.work / "copy" / "s"
    fuzz.run("models", "score", fuzz.honest / of, "--model", copy, "--out", out, "--total", 1)


KINDS: dict[str, Callable[[Fuzz], None]] = {
    each.__name__: each for each in (files, decide, dataset, scores, imports, people, frames, lines, models)
}


# -- hashes


def digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def rehash(folder: Path, record: str, sections: Sequence[str], made: Callable[[Path, Any], Any]) -> None:
    """Make the hashes of a record anew, as far as it can still be read."""
    with contextlib.suppress(Exception):
        data = json.loads((folder / record).read_text("utf-8"))
        for section in sections:
            for name, entry in data[section].items():
                file = folder / "scores" / f"{name}.parquet" if record == "run.json" else folder / name
                if file.is_file():
                    data[section][name] = made(file, entry)
        indent = 2 if record == "manifest.json" else 1
        (folder / record).write_text(json.dumps(data, indent=indent, ensure_ascii=False) + "\n", "utf-8")


# -- the run


def prepare(fuzz: Fuzz) -> None:
    """The honest inputs: datasets, scores of rules, tiny models where torch is installed."""
    from importlib.util import find_spec

    (fuzz.honest / "models").mkdir(parents=True)
    for name, paradigm in DATASETS.items():
        assert fuzz.run("prepare", "build", paradigm, "--n", 3, "--out", fuzz.honest) == 0, name
    scored = {"presupposition--only": "rule:overlap", "scope--choice_universal_indefinite": "rule:longer"}
    for name, model in scored.items():
        out = fuzz.honest / "scores" / name
        assert fuzz.run("prepare", "score", fuzz.honest / name, "--model", model, "--out", out) == 0, name
    file = fuzz.work / "answers.csv"
    file.write_text(answered(fuzz.honest)["answers.csv"], "utf-8")
    only = fuzz.honest / "presupposition--only"
    assert fuzz.run("prepare", "judgments", file, "--dataset", only, "--out", fuzz.honest / "judgments") == 0
    assert fuzz.run("prepare", "lists", only, "--kind", "nli", "--out", fuzz.honest / "experiment") == 0
    if find_spec("torch") and find_spec("transformers"):
        sys.path.insert(0, str(ROOT / "tests"))
        from support import models as tiny

        for name in ("gpt2", "nli"):
            (fuzz.honest / "models" / name).mkdir()
        tiny.gpt2(fuzz.honest / "models" / "gpt2")
        tiny.bert(fuzz.honest / "models" / "nli", ("contradiction", "neutral", "entailment"))


def rounds(kinds: Sequence[str], seed: int) -> Iterator[str]:
    """Kinds without end, all equally often, in an order of the seed."""
    draw = random.Random(seed)
    while True:
        yield from draw.sample(list(kinds), len(kinds))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"of {', '.join(KINDS)}; all without one")
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    unknown = sorted(set(options.kinds) - KINDS.keys())
    if unknown:
        parser.error(f"no kind `{unknown[0]}`: {', '.join(KINDS)}")
    os.environ["GRAMPROBE_DEBUG"] = "1"  # E99 with its trace
    os.environ["GRAMPROBE_JOBS"] = "1"  # so that all of it is counted

    def late(number: int, frame: FrameType | None) -> None:
        raise TooLong

    signal.signal(signal.SIGALRM, late)
    signal.signal(signal.SIGPROF, late)
    with tempfile.TemporaryDirectory(prefix="gramprobe-fuzz-") as place:
        fuzz = Fuzz(Path(place) / f"seed-{options.seed}", options.seed)
        prepare(fuzz)
        fuzz.found.runs.clear()
        end = time.monotonic() + 60 * options.minutes
        for kind in rounds(options.kinds or list(KINDS), options.seed):
            if time.monotonic() > end:
                break
            KINDS[kind](fuzz)
        found = fuzz.found
        print(f"seed {options.seed}: {found.runs.total():,} inputs, the slowest took {found.slowest:.1f} CPU seconds")
        print("  " + ", ".join(f"{name} {count:,}" for name, count in sorted(found.runs.items())))
        for what, (command, trace) in found.faults.items():
            print(f"{what}\n  gramprobe {command}\n{trace}")
    return 1 if found.faults else 0


if __name__ == "__main__":
    sys.exit(main())
