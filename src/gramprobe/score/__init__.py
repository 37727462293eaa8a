"""Language models read the items of a dataset: items -> requests -> scores.

    source      the items of a dataset folder or of a plain file, in shards of whole instances
    request     what a model can be asked: to continue a text, to read a whole text, to fill a slot, to classify a pair
    modes/      a module a mode: the requests of an item, the parts that are scored, and what a summary says of them
    engines/    a module a kind of model: which requests it answers, and the forward passes that answer them
    planning    every item is checked before the first forward pass
    results     the folder of scores: its records, its writer, and its reader, which needs no model
    job         what an order means, and how a shard is scored
    run         one run: check, score shard by shard, in this process or in several (`workers`)
    summary     accuracy and preferences by condition

Only `engines/` imports torch and transformers, and only inside functions: the extra `score` brings them.
"""
