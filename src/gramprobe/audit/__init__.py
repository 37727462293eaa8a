"""Published sets under the same microscope as one's own: labels, trees, twins, spelling, what needs no reasoning.

pairs, Reader --pairs--> Audit                   published labels against derived ones, twins
minimal pairs, Reader --minimal_pairs--> Trees   which of the two sentences has a tree
sentences --surface--> Reason                    what the gates of spelling find
pairs --shallow--> Reached                       what rules and readers that do not reason reach
Audit, Trees --tables, page--> tables, one HTML file
"""
