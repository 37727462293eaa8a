"""Fine-tuning of classifiers of pairs on the training split of a dataset, with the Trainer of Hugging Face.

    finetune(TrainingOrder) -> Training

`order` says what is wanted, `examples` reads the rows, `labels` maps their labels to a head, `shared` finds words that
two splits have in common, `results` is the folder (it needs no torch), `start` reads the model that training starts
from, `train` trains, `run` puts these together.
"""
