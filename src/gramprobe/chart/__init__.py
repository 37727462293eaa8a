"""Sentences to trees: a chart over a compiled grammar.

Compiled --rules--> Rules               productions and words by what they begin with, made once a grammar (`rules`)
text --cuts--> tokens                   each way to cut it, by the capital that begins a sentence (`cuts`)
tokens --parse--> Forest                all trees, those of equal parts packed (`parse`)
Forest --count, trees--> int, Tree      how many there are, and each of them (`forest`)

text --Shapes.of--> Shape               what the trees of its backbone use, without ids (`shape`, `backbone`)
Shape --judged--> Judgement, ChartCertificate   good, or what repairs it, and its chart (`judge`)
text --Beginnings.critical--> int       where a bad one begins no sentence any more (`beginnings`)

The chart is bottom-up (Kay 1980): complete edges, and items that wait for their next part. What is complete has the
values of its features, so that two trees of a part that no other part can tell apart are one edge (Tomita 1987).
"""
