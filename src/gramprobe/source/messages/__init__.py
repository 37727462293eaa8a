"""Every message, phrased in one place: what is wrong, where, what was expected, the nearest fix.

There is a module for each part of the work. Its functions are named after the mistake and return a
:class:`~gramprobe.source.diagnostic.Diagnostic`: ``messages.paradigm.no_size(span)``. Where a mistake concerns another
declaration, the message names its place too. Codes are listed with their pages in :mod:`gramprobe.source.codes`.
"""

from gramprobe.source.messages import (
    analysis,
    build,
    cluster,
    experiment,
    factors,
    finetune,
    folders,
    formula,
    grammar,
    judgments,
    label,
    language,
    logic,
    names,
    orders,
    packages,
    pairs,
    paradigm,
    reading,
    score,
    sentences,
    tables,
    task,
)
