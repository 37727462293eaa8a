"""From rows to a dataset folder, and back.

Request --build.build--> folder
     |  exchange.replacing         a new folder, which takes the old one's place when it is complete
     |  paradigm.work              for each paradigm, in several processes (`gramprobe.work`): its Summary
     |     |- write.write              items/*.jsonl and parquet/, chunk by chunk, by `schema`
     |     |- report.Report            counts for the manifest and the card; accounts
     |     |- gates.Gates              checks that can refuse the paradigm
     |     `- describe.design, words   what it compares, and the words that were drawn
     |  twins.Twins                pairs that two paradigms have with different answers
     |  the summaries              certificates.jsonl, accounts.jsonl, design.json
     |  card.card                  README.md
     `- manifest                   manifest.json: seed, numbers, hashes of sources and files

folder --read.read--> Dataset: rows as Arrow batches (`columns`, `parquet`), certificates, designs
folder --verify.verify--> Verified: problems, each with its code and place
two folders --diff.compare--> Difference: rows that are gone or new, labels that moved
paradigm --outline.outline--> what `check` reports, by the same gates, without writing
"""
