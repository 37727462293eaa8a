"""Labels are derived, never written by hand: from a pair of formulas and a theory to a verdict with its certificate.

    label.Decider.decision(premise, hypothesis)
        |  reduce                       exh, definitions, updates compiled away (`exhaustify`, `formula.updates`)
        |  formula.canonical            one text for all pairs that differ in names only; looked up
        |  cache                        verdicts of earlier runs, checked again by the kernel
        |  label.decide                 HERE: which of T, F, U can H be, where P is committed?
        |     |- skeleton.by_letters    models for values of pairs that differ in whole sentences, found once
        |     |                         in each theory, and so what their labels rest on
        |     |- procedure.answers      a model or a proof for each value, by the first engine that has one:
        |     |     prove.types  search.tables  search.sat  prove.herbrand  prove.venn  prove.outside
        |     `- dependence             which principles the label rests on; `wording` puts them into words
        `- verdict.certificate_line     the line of certificates.jsonl

A label that nobody is shown a certificate of, as in `check`, is found by `together` from the values that both formulas
can have, and certified only where an engine leaves one open.

Every model and every proof passes `certify` before it counts. `procedure.ask` answers single questions about fits and
readings; `explicit` evaluates formulas on one given model. python-sat is imported when a question first needs it.
"""
