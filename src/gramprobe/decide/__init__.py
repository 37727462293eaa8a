"""Labels are decided, never typed in: from a pair of formulas and a theory to a verdict with its certificate.

    shape.Decider.decide(premise, hypothesis)
        |  formula.canonical            one text for all pairs that differ in names only; looked up
        |  label.decide                 which of T, F, U can H be, where P is committed?
        |     `- search.sat.Finder      one grounding to SAT, a question per value, models of growing size
        |  certify.check                every model found is evaluated again by the kernel
        `- shape.certificate_line       the line of certificates.jsonl

python-sat is imported only by `search.sat`, on the first question.
"""
