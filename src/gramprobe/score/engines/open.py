"""The model of an order: of a kind that the prefix of `--model` names, behind an endpoint, or in a folder.

A new kind is an entry of :data:`MODEL_KINDS` (CONTRIBUTING: "Add a kind of model"); packages add others.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

from gramprobe.registry import Registry
from gramprobe.score.model import Fileless, ModelKind, Opened, Wanted
from gramprobe.score.order import RunOrder
from gramprobe.score.record import Run
from gramprobe.source import messages
from gramprobe.source.diagnostic import UsageError

MODEL_KINDS: Registry[ModelKind] = Registry(
    "engine",
    {
        "rule": "gramprobe.score.engines.baselines:RULE",
        "reader": "gramprobe.score.engines.baselines:READER",
        "vectors": "gramprobe.score.engines.vectors:KIND",
        "ngram": "gramprobe.score.engines.ngram:KIND",
    },
    "gramprobe.score.model:ModelKind",
)
"""Prefix of `--model`, without the colon -> kind of models."""

_FROM_FILES = ("causal", "masked", "classifier")
_ONLY_FOR = {
    "revision": ("--revision", _FROM_FILES),
    "device": ("--device", _FROM_FILES),
    "dtype": ("--dtype", _FROM_FILES),
    "bos": ("--bos", ("causal",)),
    "bow_correction": ("--bow-correction", ("causal",)),
    "pll": ("--pll", ("masked",)),
    "labels": ("--labels", ("classifier",)),
    "ngram": ("--order", ("ngram",)),
    "endpoint": ("--endpoint", ("endpoint",)),
}
"""Field of an order -> its option, and the kinds of models of which it decides something."""


def named(order: RunOrder) -> tuple[str, ModelKind | None, str]:
    """The prefix of an order's model, its kind, and what stands behind the colon; a model without a prefix has no kind,
    and of one at an endpoint only shipped prefixes count."""
    prefix, colon, behind = order.model.partition(":")
    if not colon or (order.endpoint and prefix not in MODEL_KINDS.shipped):
        return "", None, order.model
    kind = MODEL_KINDS.get(prefix)
    return ("", None, order.model) if kind is None else (prefix, kind, behind)


def opened(wanted: Wanted) -> Opened:
    """The model of an order. Raises UsageError for one that there is not, or that the mode cannot use; reads no
    weights."""
    order = wanted.order
    prefix, kind, behind = named(order)
    if not behind.strip():
        raise messages.score.unnamed_model(prefix, kind.help if kind else "")
    if kind is not None:
        if prefix in MODEL_KINDS.shipped:
            check_options(order, prefix)
        found = kind.open(behind, wanted)
        return replace(found, packages={**found.packages, **MODEL_KINDS.origins([prefix])})
    return _at_endpoint(wanted) if order.endpoint else _in_folder(wanted)


def check_options(order: RunOrder, kind: str) -> None:
    """Raise UsageError for an option of an order that says nothing of a model of this kind."""
    for field, (option, kinds) in _ONLY_FOR.items():
        if kind not in kinds and order.names(field):
            what = f"{option} is for {' and '.join(kinds)} models, and `{order.model}` is of the kind {kind}"
            raise UsageError(what, "leave it out")


def known_name(order: RunOrder, before: Run | None) -> str | None:
    """The name that the run of an order will have, where another name is another model and none needs to be opened:
    baselines, models behind an endpoint, and models of the hub, if the run before was of one. Else None."""
    prefix, kind, behind = named(order)
    if kind is not None and kind.place:
        return f"{prefix}:{Path(behind).name}" if kind.place == "file" or Path(behind).is_file() else None
    if kind is not None or order.endpoint:
        return order.model
    of_hub = before is not None and bool(before.model.revision)
    return order.model if of_hub and not Path(order.model).is_dir() else None


def _at_endpoint(wanted: Wanted) -> Opened:
    """Raises UsageError (E49, E91)."""
    from gramprobe.score.engines.endpoint import EndpointEngine, EndpointOptions

    order = wanted.order
    wanted.check_kind("endpoint")
    check_options(order, "endpoint")
    if order.workers > 1:
        raise UsageError("--workers is for models on this machine", "--in-flight N asks the endpoint N things at once")
    options = EndpointOptions(
        url=order.endpoint, in_flight=order.in_flight, rate=order.rate, retries=order.retries, timeout=order.timeout
    )
    report = partial(print, file=sys.stderr, flush=True)
    return Opened(EndpointEngine(order.model, options, report=report), Fileless(order.model, "endpoint"), chat=True)


def _in_folder(wanted: Wanted) -> Opened:
    """Raises UsageError (E91, E93)."""
    order = wanted.order
    try:
        import torch  # noqa: F401
        import transformers  # noqa: F401
    except ImportError as error:
        raise messages.packages.lacking("scoring", error.name or "torch", "score") from None
    from gramprobe.score.engines.causal import CausalEngine
    from gramprobe.score.engines.classifier import ClassifierEngine
    from gramprobe.score.engines.folder import model_folder
    from gramprobe.score.engines.masked import MaskedEngine
    from gramprobe.score.engines.weights import precision_of, quiet

    model = model_folder(order.model, order.revision)
    wanted.check_kind(model.kind, model.name)
    check_options(order, model.kind)
    quiet()
    precision = precision_of(order)
    if model.kind == "classifier":
        return Opened(ClassifierEngine(model, precision, order.labels), model, parameters=model.parameters)
    if model.kind == "masked":
        return Opened(MaskedEngine(model, precision, order.pll), model, parameters=model.parameters)
    causal = CausalEngine(model, precision, order.bos, order.bow_correction)
    if order.bow_correction and not causal.tokens.marks_words:
        raise messages.score.unusable_model(
            model.name, "its tokens do not say where a word begins", "leave --bow-correction out"
        )
    return Opened(causal, model, chat=causal.tokens.has_chat_template, parameters=model.parameters)
