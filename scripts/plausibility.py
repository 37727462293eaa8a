"""How much more a trigram model expects the words of the sentences in their order than each word alone.

For every sentence whose words the model knows: the mean over its words of log P(word | the two words before it) minus
log P(word), in nats. Sentences in which things happen that people say have a high gain: natural text has a median of
about 1.3, word lists have 0 or less. Names are masked: they are not scored, and the words behind them are scored
without them. The model is the English one of PocketSphinx (`pip install pocketsphinx`, BSD-2); nothing else of
gramprobe needs it.

    make plausibility                       every phenomenon
    scripts/plausibility.py scope --lowest 40
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
from collections.abc import Iterable, Iterator
from functools import cache

from figures import FIGURES, record_figures
from pocketsphinx import Config, LogMath, NGramModel, get_model_path

import gramprobe
from gramprobe.items.tasks import TASKS

UNKNOWN = -1000.0
"""A log-probability in nats that no word of the model has."""


class Trigrams:
    """Log-probabilities in nats."""

    def __init__(self) -> None:
        self._logarithm = LogMath()
        self._model = NGramModel(Config(), self._logarithm, get_model_path("en-us/en-us.lm.bin"))
        self.log = cache(self._log)

    def _log(self, word: str, *before: str) -> float:
        """log P(word | before); ``before``: the nearest word first."""
        return float(self._logarithm.log_to_ln(self._model.prob([word, *before])))

    def knows(self, word: str) -> bool:
        return self.log(word) > UNKNOWN

    def gain(self, text: str, names: frozenset[str]) -> float | None:
        """The gain per word of a text; None if a word is not known or no word is left to score."""
        gains: list[float] = []
        for sentence in re.split(r"(?<=[.?!])\s+", text):
            before: list[str] = ["<s>"]
            for word in re.findall(r"[a-z]+(?:['-][a-z]+)*", sentence.lower()):
                if word.removesuffix("'s") in names:
                    before = []
                    continue
                if not self.knows(word):
                    return None
                if before:
                    gains.append(self.log(word, *reversed(before[-2:])) - self.log(word))
                before.append(word)
        return statistics.mean(gains) if gains else None


def sentences(project: gramprobe.Project, phenomenon: str, instances: int) -> Iterator[tuple[str, str]]:
    """Paradigm and sentence, for every different sentence of the first instances of each paradigm."""
    for name in project.named(phenomenon):
        declared = project.declarations.paradigms[name]
        table = project.paradigm(name).sample(min(instances, declared.sample_size))
        seen: dict[str, None] = {}
        for column in TASKS[declared.task].sentences:
            seen.update(dict.fromkeys(table.column(column).to_pylist()))
        yield from ((name, sentence) for sentence in seen if sentence)


def names_in(project: gramprobe.Project) -> frozenset[str]:
    """The words of the tables of names, in lower case."""
    files = [source for name, source in project.library.sources.items() if re.fullmatch(r"lexicon/.*names\.tsv", name)]
    return frozenset(line.split("\t")[1].lower() for file in files for line in file.lines[1:] if "\t" in line)


def main(arguments: Iterable[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("phenomena", nargs="*")
    parser.add_argument("--instances", type=int, default=40, help="of each paradigm (40)")
    parser.add_argument("--lowest", type=int, default=0, help="print this many sentences with the lowest gain")
    parser.add_argument("--by-paradigm", action="store_true", help="print the median of each paradigm too")
    options = parser.parse_args(list(arguments))
    project, model = gramprobe.load(), Trigrams()
    names = names_in(project)
    phenomena = options.phenomena or sorted({name.partition("/")[0] for name in project.declarations.paradigms})
    medians = {}
    print("phenomenon                        sentences  known words only  median gain per word (nats)")
    for phenomenon in phenomena:
        scored: list[tuple[float, str, str]] = []
        every = list(sentences(project, phenomenon, options.instances))
        for paradigm, sentence in every:
            gain = model.gain(sentence, names)
            if gain is not None:
                scored.append((gain, paradigm, sentence))
        median = statistics.median(gain for gain, *_ in scored)
        medians[f"gain_{phenomenon}"] = median
        print(f"{phenomenon:32} {len(every):10,} {len(scored):17,} {median:12.2f}")
        if options.by_paradigm:
            for name in dict.fromkeys(paradigm for _, paradigm, _ in scored):
                of_it = statistics.median(gain for gain, paradigm, _ in scored if paradigm == name)
                print(f"    {name:60} {of_it:6.2f}")
        for gain, paradigm, sentence in sorted(scored)[: options.lowest]:
            print(f"    {gain:6.2f}  {paradigm.partition('/')[2]:32} {sentence}")
    record_figures({key: median for key, median in medians.items() if key in FIGURES})
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
