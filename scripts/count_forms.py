"""Count the forms of the pairs of paradigms: how often does one shape of sentence come back with other words?

A form is a pair of trees with every word replaced by its category. What is left is which constructors make the subject,
the object and the clause (a name, a definite, a possessive), the tense, and the wording of premise and hypothesis; an
auxiliary is no form of its own, since the tense and the embedding fix it. Forms are counted over the first instances of
the seeded walk of each paradigm, the same number everywhere, since the count grows with it.

    python scripts/count_forms.py presupposition --n 300
"""

from __future__ import annotations

import argparse

import gramprobe
from gramprobe.items.instance import draws_of
from gramprobe.items.pages.trees import filled_tree
from gramprobe.paradigm import LoadedParadigm
from gramprobe.resolve.tree import Apply, Given, Tree


def form(tree: Tree) -> str:
    """The tree with its words replaced by their categories: `Clause(past,Name(PN),Alone(V1))`."""
    if isinstance(tree, Apply):
        return f"{tree.constructor.name}({','.join(form(a) for a in tree.arguments)})"
    assert isinstance(tree, Given)
    return tree.value if tree.is_feature else tree.category


def forms_of(paradigm: LoadedParadigm, n: int, seed: int) -> tuple[int, int, int]:
    """(forms of pairs, pairs, instances) among the first ``n`` instances."""
    plan = paradigm.plan()
    rows = paradigm.sample(n, seed).column("instance").to_pylist()
    instances = list(dict.fromkeys(rows))
    pairs = paradigm.declared.pairs
    found = set()
    for instance in instances:
        draws = draws_of(plan, instance)
        assert draws is not None
        trees = {name: form(filled_tree(plan, each, draws)) for name, each in paradigm.declared.conditions.items()}
        found |= {(trees[pair.premise], trees[pair.hypothesis]) for pair in pairs}
    return len(found), len(instances) * len(pairs), len(instances)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="+", help="phenomena or paradigms")
    parser.add_argument("--n", type=int, default=300, help="instances of each paradigm")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--path", action="append", help="a further folder of files")
    options = parser.parse_args()
    project = gramprobe.load(*(options.path or []))
    for full_name in project.paradigms_of(options.names):
        forms, pairs, instances = forms_of(project.paradigm(full_name), options.n, options.seed)
        print(f"{full_name.split('/')[-1]:34} {forms:7,} forms of {pairs:7,} pairs, {instances:5,} instances")


if __name__ == "__main__":
    main()
