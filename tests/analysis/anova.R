# F tests of type III (lmerTest), marginal means (emmeans) and likelihood ratios for the simulated answers of
# tests/support/choices.py: the ratings as scores, and the answers as they are.
#
#   Rscript anova.R ANSWERS.csv OUT.json

suppressMessages({library(lmerTest); library(emmeans); library(jsonlite)})
arguments <- commandArgs(trailingOnly = TRUE)
answers <- read.csv(arguments[1], stringsAsFactors = TRUE)
contrasts(answers$c) <- contr.sum(3)
treated <- answers
contrasts(treated$c) <- contr.treatment(3)
formulas <- list(
  interaction = "r ~ c * b + x + (1 | s) + (1 | i)",
  slopes = "r ~ a * c + (1 + a | s) + (1 | i)",
  covariate = "r ~ c * x + (1 | s) + (1 | v)",
  treatment = "r ~ c * b + (1 | s) + (1 | i)",
  poly = "r ~ poly(x, 2) + scale(x):b + (1 | s)",
  few = "r ~ c + b + (1 | g) + (1 | v)")
tight <- glmerControl(optimizer = "bobyqa", tolPwrss = 1e-10, optCtrl = list(maxfun = 1e5, rhoend = 1e-8))

anova_of <- function(name) {
  fit <- lmer(as.formula(formulas[[name]]), if (name == "treatment") treated else answers)
  table <- anova(fit, type = 3, ddf = "Satterthwaite")
  list(formula = formulas[[name]], terms = I(rownames(table)), F = I(table[["F value"]]),
    numerator = I(table[["NumDF"]]), denominator = I(table[["DenDF"]]), p = I(table[["Pr(>F)"]]))
}
means_of <- function(formula, grid) {
  means <- as.data.frame(summary(grid))
  differences <- as.data.frame(summary(pairs(grid), adjust = "holm"))
  list(formula = formula, mean = means$emmean, error = means$SE, df = means$df, difference = differences$estimate,
    difference_error = differences$SE, p = differences$p.value)
}
ratio_of <- function(whole, part) {
  table <- anova(whole, part)
  list(term = "c:b", chi2 = table$Chisq[2], df = table$Df[2], p = table[["Pr(>Chisq)"]][2])
}
linear <- function(formula, reml) lmer(as.formula(formula), answers, REML = reml)
logistic <- function(formula) glmer(as.formula(formula), answers, family = binomial, control = tight)
whole <- "c * b + x + (1 | s) + (1 | i)"
part <- "c + b + x + (1 | s) + (1 | i)"
found <- list(
  versions = list(lmerTest = as.character(packageVersion("lmerTest")),
    emmeans = as.character(packageVersion("emmeans"))),
  anova = sapply(names(formulas), anova_of, simplify = FALSE),
  means = list(
    linear = means_of(paste("r ~", whole), emmeans(linear(paste("r ~", whole), TRUE), "c", lmer.df = "satterthwaite")),
    binomial = means_of(paste("y ~", whole), emmeans(logistic(paste("y ~", whole)), "c"))),
  ratio = list(
    linear = ratio_of(linear(paste("r ~", whole), FALSE), linear(paste("r ~", part), FALSE)),
    binomial = ratio_of(logistic(paste("y ~", whole)), logistic(paste("y ~", part)))))
write_json(found, arguments[2], digits = NA, auto_unbox = TRUE, pretty = TRUE)
