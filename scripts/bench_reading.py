"""The figures of `make bench` about reading: sentences of twelve words with their readings, pairs that are audited, and
texts that nobody wrote: arbitrary signs, and known words in any order, all of which have an answer and none of which
takes long."""

from __future__ import annotations

import argparse
import csv
import gc
import random
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from figures import record_figures

import gramprobe
from gramprobe.decide.label import Decider
from gramprobe.interpret.pairs import labelled, unread
from gramprobe.interpret.read import Reader

PAIRS = Path(__file__).parents[1] / "tests" / "interpret" / "pairs.tsv"
SENTENCES = (
    "The boys that the nurse thanked saw two of the museums.",
    "Amy knows that every nurse from Ohio has visited the museum.",
    "Emma doesn't think that Noah has fed any dogs from Ohio.",
    "Every farmer who owns a dog has fed the cat in the garden.",
    "If a nurse sang in the garden, every teacher danced with Emma.",
    "The old nurse said that Noah wanted to praise two young doctors.",
    "Emma gave a nurse two books because Noah liked the old teacher.",
    "A doctor may believe that some nurses have seen every dog here.",
    "No teacher believes that a doctor praised two nurses in the garden.",
    "Two nurses and a doctor praised every teacher in a big garden.",
)
"""The last two have many readings: three noun phrases that may have scope over each other, and one that may be of
several."""
LETTERS = (
    (0, 0x20), (0x21, 0x7E), (0x80, 0x24F), (0x300, 0x36F), (0x370, 0x5FF), (0x600, 0x6FF), (0x2000, 0x206F),
    (0x3040, 0x30FF), (0x4E00, 0x4EFF), (0xD800, 0xDFFF), (0xFE00, 0xFE0F), (0x1F300, 0x1F64F), (0x10FFF0, 0x10FFFF),
)  # fmt: skip


def seconds(work: Callable[[], object], runs: int = 5) -> float:
    """The least CPU seconds of several runs."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def written(seed: int, known: list[str]) -> str:
    """A text: arbitrary signs, known words in any order, 1 to 60 of them, or a sentence with a sign in it."""
    draw = random.Random(seed)
    signs = [chr(draw.randint(*draw.choice(LETTERS))) for _ in range(draw.randrange(1, 61))]
    words = " ".join(draw.choice(known) for _ in range(draw.randrange(1, 61)))
    sentence = draw.choice(SENTENCES)
    at = draw.randrange(len(sentence))
    return ("".join(signs), words, sentence[:at] + signs[0] + sentence[at:], signs[0] * draw.randrange(1, 3000))[
        seed % 4
    ]


def slowest(reader: Reader, texts: Iterator[str]) -> float:
    """The CPU seconds of the text that takes longest to be parsed, or, one in ten, to be labelled."""
    longest = 0.0
    decider = Decider()
    for number, text in enumerate(texts):
        start = time.process_time()
        found, by = reader.parsed(text)
        assert found.readings or unread(found), text
        if found.reached and not found.trees:
            by.broken(text)
        took = time.process_time() - start
        if number % 10 == 0:
            start = time.process_time()
            pair = labelled([text], "Emma sang.", reader, decider) if number % 20 else None
            pair = pair or labelled(["Emma sang."], text, reader, decider)
            assert pair.label or pair.why, text
            took = max(took, time.process_time() - start)
        if took > longest:
            longest = took
            print(f"{took:6.2f} s  {text[:150]!r}", flush=True)
    return longest


def report(texts: int) -> None:
    gc.set_threshold(10_000_000, 50, 100)  # as every command does
    project = gramprobe.load(path=())
    reader = project.reader()
    for sentence in SENTENCES:
        assert reader.parsed(sentence)[0].readings, sentence
    taken = []
    for sentence in SENTENCES:

        def read(sentence: str = sentence) -> None:
            for each in reader.readers():
                each.forget()
            reader.parsed(sentence)

        taken.append((seconds(read), sentence))
        print(f"{taken[-1][0] * 1000:6.1f} ms  {sentence}", flush=True)
    most, least = max(taken)[0], sorted(taken)[len(taken) // 2][0]
    record_figures({"read_twelve": least * 1000, "read_twelve_most": most * 1000})
    rows = [
        (row["premise"], row["hypothesis"]) for row in csv.DictReader(PAIRS.open(encoding="utf-8"), delimiter="\t")
    ][:1000]
    decider = Decider()
    start = time.process_time()
    for premise, hypothesis in rows:
        labelled([premise], hypothesis, reader, decider)
    record_figures({"read_audited": (time.process_time() - start) / len(rows) * 1000})
    known = sorted({word for each in reader.readers() for word in each.rules.known})
    every = [reader, project.reader(guess=True)]
    found = [slowest(each, (written(seed, known) for seed in range(texts))) for each in every]
    record_figures({"read_arbitrary": max(found)})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=10_000)
    report(parser.parse_args().texts)
    return 0


if __name__ == "__main__":
    sys.exit(main())
