"""InferSent's form (Conneau et al. 2017) as a package beside gramprobe: a command that trains, an engine that scores.

command   `gramprobe infersent CORPUS... --out DIR`          (entry point of `gramprobe.commands`)
train     pairs -> the folder of a trained model
folder    what the folder of a training holds, also one that was interrupted
engine    `gramprobe score DATASET --model infersent:DIR`    (entry point of `gramprobe.engines`)
"""
