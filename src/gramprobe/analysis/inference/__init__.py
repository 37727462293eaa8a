"""Tests and intervals beside the mixed models; scipy.stats is imported by the functions that use it.

intervals   a share with Wilson's interval, a correlation with Fisher's
paired      the same items twice: paired t
adjust      several tests: Holm, Benjamini and Hochberg
power       what a planned number of words and items could show
"""
