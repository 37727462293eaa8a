"""Rules and readers that do not reason, opened by their names: `--model rule:overlap`, `--model reader:bag`."""

from __future__ import annotations

from gramprobe.baselines.constituents import NAME as CONSTITUENT
from gramprobe.baselines.options import OPTION_RULES
from gramprobe.baselines.rules import RULES
from gramprobe.score.engines.options import option_reader, option_rule
from gramprobe.score.engines.reader import READERS, ReaderEngine, reader_of
from gramprobe.score.engines.rule import ConstituentEngine, rule_engine, rule_of
from gramprobe.score.model import Fileless, ModelKind, Opened, Wanted


def _rule(name: str, wanted: Wanted) -> Opened:
    """A rule. Raises UsageError (E91)."""
    wanted.check_kind("rule")
    wanted.check_languages()
    model = Fileless(wanted.order.model, "rule")
    if wanted.picks:
        return Opened(option_rule(name), model, packages=OPTION_RULES.origins([name]))
    if name == CONSTITUENT:
        return Opened(ConstituentEngine(wanted.source, wanted.tables), model)
    rule = rule_of(name)
    wanted.check_languages(rule.languages)
    return Opened(rule_engine(rule), model, packages=RULES.origins([name]))


def _reader(name: str, wanted: Wanted) -> Opened:
    """A reader that learns from the rows' own labels. Raises UsageError (E91)."""
    wanted.check_kind("reader")
    wanted.check_languages()
    model = Fileless(wanted.order.model, "reader")
    if wanted.picks:
        return Opened(option_reader(name, wanted.source, wanted.columns), model)
    return Opened(ReaderEngine(reader_of(name), model.name, wanted), model, packages=READERS.origins([name]))


RULE = ModelKind(_rule, "docs/baselines.md lists what there is")
READER = ModelKind(_reader, "docs/baselines.md lists what there is")
