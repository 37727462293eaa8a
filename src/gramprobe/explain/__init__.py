"""From a decision to text and pictures that a reader can check.

    Decision --decision.pair--> Explained: text, data, pictures
         |  words.in_words             sentences: what holds in each model, which proofs exclude other values
         |     |- reason.Reasons          why a formula has its value in a model
         |     `- stories                 what each event of a story does, and the final model
         |  picture.text, picture.sheet   a model as boxes of text, as SVG
         `- tables                     readings side by side, labels by reading

Nothing is decided here. The pages of `gramprobe explain` (`items.pages`) put these parts together.
"""
