"""The engine of a model, by its kind."""

from __future__ import annotations

from gramprobe.score.engines.causal import CausalEngine
from gramprobe.score.engines.classifier import ClassifierEngine
from gramprobe.score.engines.folder import INFERSENT, ModelFolder
from gramprobe.score.engines.infersent import InferSentEngine
from gramprobe.score.engines.masked import MaskedEngine
from gramprobe.score.engines.weights import Precision, quiet
from gramprobe.score.order import Order
from gramprobe.score.request import Engine
from gramprobe.source import messages


def engine_of(model: ModelFolder, order: Order) -> tuple[Engine, bool]:
    """The engine, and whether the model has a chat template. Raises UsageError (E91, E93); reads no weights."""
    quiet()
    precision = Precision(
        device=order.device, dtype=order.dtype, threads=order.threads, batch_tokens=order.batch_tokens
    )
    if INFERSENT in model.config["architectures"]:
        return InferSentEngine(model, precision), False
    if model.kind == "classifier":
        return ClassifierEngine(model, precision, order.labels), False
    if model.kind == "masked":
        return MaskedEngine(model, precision, order.pll), False
    causal = CausalEngine(model, precision, order.bos, order.bow_correction)
    if order.bow_correction and not causal.tokens.marks_words:
        raise messages.score.unusable_model(
            model.name, "its tokens do not say where a word begins", "leave --bow-correction out"
        )
    return causal, causal.tokens.has_chat_template
