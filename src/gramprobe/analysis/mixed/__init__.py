"""Linear mixed models with crossed random effects, as lme4 fits them, from cross products of the rows.

formula   `y ~ x + (1 + x | g)` -> terms
coding    levels of a factor -> numbers (contrasts)
frame     a csv or Parquet file -> checked columns, batch by batch
design    terms and columns -> rows of numbers, names of columns
products  rows -> sums of squares and products: from here on the number of rows does not matter
deviance  -> REML or ML deviance of the variance parameters, with its gradient
fit       -> estimates, degrees of freedom, effects of levels, R2
report    -> text and JSON
"""
