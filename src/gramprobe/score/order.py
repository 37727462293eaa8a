"""What a run shall do."""

from __future__ import annotations

from typing import Literal

import msgspec

from gramprobe.score.source import SHARD


class RunOrder(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a run shall do; a worker gets it as JSON.

    Attributes:
        source: a dataset folder, or a plain file.
        model: a folder, or an id of the Hugging Face hub.
        out: the folder of scores.
        mode: the name of a mode; None: the one that fits.
        task: of a plain file, its task.
        revision: of a model on the hub, the commit or branch.
        total: the number of instances to score; None: all.
        seed: which instances, if not all.
        labels: of a classifier, the names of its outputs in their order; empty: as its configuration says.
        prompt: `auto`, `completion` or `chat`.
        prompts: a file of prompts; empty: those that are shipped.
        shuffle_words: whether the words of every text are put into another order, as a control.
        shots: how many answered items stand before a question; their instances are not scored.
        bos: `auto`, `always` or `never` (`engines.tokens.Tokens.first_tokens`).
        pll: `word_l2r` or `original`.
        ngram: of an n-gram model, the length of its n-grams.
        bow_correction: whether a region's probability includes that it ends (surprisal by causal models).
        device: `cpu`, `cuda`, `cuda:1`, `mps`.
        dtype: the precision of the forward passes.
        threads: the threads of each process.
        batch_tokens: the largest number of tokens in a forward pass.
        shard: the largest number of items in a shard.
        workers: the number of processes; 0: with the engine `ray`, as many as the cluster has room for.
        engine: `processes` of this machine, or the actors of a `ray` cluster.
        address: of that cluster; empty: one is started on this machine.
        resume: whether to go on with a run that is there.
        endpoint: the URL of an OpenAI-compatible endpoint that has the model; empty: it is a folder or on the hub.
        in_flight: requests to the endpoint at once.
        rate: requests to the endpoint in a minute at most; 0: no limit.
        retries: how often a request to the endpoint is made again.
        timeout: seconds that an answer of the endpoint may take.
        skip_refused: whether items that cannot be scored are marked instead of reported.
    """

    source: str
    model: str
    out: str
    mode: str | None = None
    task: str | None = None
    revision: str | None = None
    total: int | None = None
    seed: int = 0
    labels: tuple[str, ...] = ()
    prompt: str = "auto"
    prompts: str = ""
    shots: int = 0
    shuffle_words: bool = False
    bos: str = "auto"
    pll: str = "word_l2r"
    ngram: int = 3
    bow_correction: bool = False
    device: str = "cpu"
    dtype: str = "float32"
    threads: int = 1
    batch_tokens: int = 2048
    shard: int = SHARD
    workers: int = 1
    engine: Literal["processes", "ray"] = "processes"
    address: str = ""
    endpoint: str = ""
    in_flight: int = 8
    rate: float = 0.0
    retries: int = 6
    timeout: float = 60.0
    resume: bool = False
    skip_refused: bool = False

    def names(self, field: str) -> bool:
        """Whether a field has another value than in an order that says nothing about it."""
        return bool(getattr(self, field) != getattr(RunOrder(source="", model="", out=""), field))
