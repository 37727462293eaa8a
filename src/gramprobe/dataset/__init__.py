"""From rows to a dataset folder, and back.

Request --build.build--> folder
     |  exchange.replacing         a new folder, which takes the old one's place when it is complete
     |  write.write                for each paradigm: items/*.jsonl and parquet/, chunk by chunk, by `schema`
     |     |- report.Report           counts for the manifest and the card; accounts.jsonl
     |     |- gates.Gates             checks that can refuse the paradigm
     |     `- twins.Twins             pairs that another paradigm has with another answer
     |  decide.decider             certificates.jsonl
     |  describe.described         design.json: what the paradigms compare, and the words that were drawn
     |  card.card                  README.md
     `- sources, manifest          manifest.json: seed, numbers, hashes of sources and files

folder --read.read--> Dataset: rows as Arrow batches (`columns`, `parquet`), certificates, designs
folder --verify.verify--> Verified: problems, each with its code and place
two folders --diff.compare--> Difference: rows that are gone or new, labels that moved
paradigm --outline.outline--> what `check` reports, by the same gates, without writing
"""
