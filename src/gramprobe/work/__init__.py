"""Work that several processes share, here or on the machines of a cluster.

A unit of work is named by a text. `module:function` is a context that gives the work, a function from a unit to its
result; other processes import it by that name, make it once with plain options, and then do units.

    pool       Python processes of this machine, one unit a line: paradigms of one project, or anything else
    cluster    actors of a Ray cluster; the only module that imports Ray
"""
