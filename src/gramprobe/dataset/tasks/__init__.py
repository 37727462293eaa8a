"""Items of the tasks about readings: `choice`, `continuation`, `coref`.

Space    --walk------> chunks of draws, none repeating a text
draws    --grouping--> a number for each row: rows that no axiom can tell apart have one
number   --answers---> the readings of the left sentences, and which of them each right sentence fits
answers  --items-----> the columns of rows, by task
columns  --written---> JSON lines, Arrow tables, gates, counts: chunk by chunk, in bounded memory
"""
