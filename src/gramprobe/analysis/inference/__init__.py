"""Tests and intervals beside the mixed models; scipy.stats and statsmodels are imported by the functions that use them.

intervals   a share with Wilson's interval, a correlation with Fisher's
paired      the same items twice: paired t
adjust      several tests: Holm, Benjamini and Hochberg
power       what a planned number of words and items could show
"""
