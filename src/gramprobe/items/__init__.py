"""From a paradigm to rows: draw instances, decide what their task asks, and make the columns.

    paradigm --prepare.prepare--> Stream
         |  plan.plan                  Plan: space, realiser, theory, decider; `operators` and events checked
         |  preferences                the readings that people prefer, and the veto list
         |
    Stream.chunks --> Chunk, for each stretch of the walk
         |  walk.Walk                  the instances in the order of the seed, without repeats and vetoed ones; where
         |     |                        there are limits,
         |     `- hands.Hands             by the values of one column in turn, as limits.Limits allow
         |  groups.Grouping            rows that must have the same shapes get one number, by the words in `slots`
         |  decisions.Decisions        each group is answered once by the task, one more row of it compared
         |     |- label.pair_labels       a pair in each column of strengthening (tasks that claim labels)
         |     `- account.account         all readings of an instance (tasks that claim readings)
         |  stream.Turns               which pair's row an instance gives, and in which split it is
         |
    Chunk --rows.Rows.cells--> rows of cells --cells.lines, cells.table--> JSON lines, Arrow tables
            task.Task.rows             which cell stands in which column; `texts` spells them, `instance` names them

What a task asks is a module of `tasks` behind the protocol `task.Task`; no other module names a task. `theories`
compares the answers of two theories, `advice` proposes a change of the theory under which a claim holds, and
`pages` writes the pages of `explain`.
"""
