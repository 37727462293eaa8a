# What lme4 (binomial) and ordinal (cumulative logit) give for the simulated answers of tests/support/choices.py.
#
#   Rscript glmer.R ANSWERS.csv RARE.csv OUT.json [DESIGN]
#
# glmer by its default tolerances is itself off by 1e-3 in the deviance and by 1 % in standard errors: those of the inner
# and of the outer search are set as tight as they work.

suppressMessages({library(lme4); library(ordinal); library(jsonlite)})
arguments <- commandArgs(trailingOnly = TRUE)
read <- function(path) {
  found <- read.csv(path, stringsAsFactors = TRUE)
  contrasts(found$c) <- contr.sum(3)
  found$r <- factor(found$r, ordered = TRUE)
  found
}
frames <- list(all = read(arguments[1]), rare = read(arguments[2]))
tight <- glmerControl(optimizer = "bobyqa", tolPwrss = 1e-12, optCtrl = list(maxfun = 1e5, rhoend = 1e-9))

binomial_designs <- list(
  intercepts = "y ~ a * b + (1 | s) + (1 | i)",
  independent = "y ~ a * b + (1 + a || s) + (1 + a || i)",
  correlated = "y ~ a * b + (1 + a | s) + (1 + a | i)",
  factor = "y ~ c + (1 | s) + (1 | i)",
  number = "y ~ x + (1 + x | s)",
  nested = "y ~ a + (1 | g/i)",
  three = "y ~ a + x + (1 | s) + (1 | i) + (1 | v)",
  rare = "y ~ a + (1 | s) + (1 | i)")
ordinal_designs <- list(
  intercepts = "r ~ a * b + (1 | s) + (1 | i)",
  one = "r ~ a + (1 + a | s)",
  slopes = "r ~ a + (1 + a | s) + (1 | i)",
  correlated = "r ~ a * b + (1 + a | s) + (1 + a | i)",
  factor = "r ~ c + (1 | s) + (1 | i)",
  number = "r ~ x + (1 + x | s)",
  three = "r ~ a + x + (1 | s) + (1 | i) + (1 | v)",
  rare = "r ~ a + (1 | s) + (1 | i)")

deviations <- function(fit) {  # by grouping factor: standard deviations, then correlations
  lapply(VarCorr(fit), function(v) list(columns = I(rownames(v)), covariance = unname(as.matrix(v[, ]))))
}
binomial_fit <- function(name) {
  frame <- frames[[if (name == "rare") "rare" else "all"]]
  fit <- glmer(as.formula(binomial_designs[[name]]), frame, family = binomial, control = tight)
  list(formula = binomial_designs[[name]], deviance = -2 * as.numeric(logLik(fit)), names = I(names(fixef(fit))),
    estimates = I(unname(fixef(fit))), errors = I(unname(sqrt(diag(as.matrix(vcov(fit, use.hessian = TRUE)))))),
    random = deviations(fit))
}
ordinal_fit <- function(name) {
  frame <- frames[[if (name == "rare") "rare" else "all"]]
  fit <- clmm(as.formula(ordinal_designs[[name]]), data = frame,
    control = clmm.control(method = "nlminb", gradTol = 1e-8, maxIter = 200, maxLineIter = 100))
  list(formula = ordinal_designs[[name]], deviance = -2 * as.numeric(fit$logLik), names = I(names(coef(fit))),
    estimates = I(unname(coef(fit))), errors = I(unname(coef(summary(fit))[, "Std. Error"])), random = deviations(fit))
}
wanted <- function(designs) if (length(arguments) > 3) intersect(names(designs), arguments[4]) else names(designs)
found <- list(
  versions = list(R = R.version.string, lme4 = as.character(packageVersion("lme4")),
    ordinal = as.character(packageVersion("ordinal"))),
  binomial = sapply(wanted(binomial_designs), binomial_fit, simplify = FALSE),
  ordinal = sapply(wanted(ordinal_designs), ordinal_fit, simplify = FALSE))
write_json(found, arguments[3], digits = NA, auto_unbox = TRUE, pretty = TRUE)
