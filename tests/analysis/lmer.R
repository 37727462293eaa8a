# What lme4 and lmerTest give for small linear designs of tests/support/choices.py (`times`): lmer.json.
#
#   Rscript lmer.R TIMES.csv LOST.csv TINY.csv OUT.json
#
# The designs of lme4/ are of 10,000 rows and large; these are what is fitted on an afternoon, and their corners.

suppressMessages({library(lmerTest); library(jsonlite)})
arguments <- commandArgs(trailingOnly = TRUE)
frames <- lapply(list(times = arguments[1], lost = arguments[2], tiny = arguments[3]), read.csv, stringsAsFactors = TRUE)
tight <- lmerControl(optimizer = "bobyqa", optCtrl = list(maxfun = 1e5, rhoend = 1e-9), check.conv.singular = "ignore",
  check.scaleX = "ignore")

design <- function(formula, frame = "times", reml = TRUE, coding = "sum")
  list(formula = formula, frame = frame, reml = reml, coding = coding)
crossed <- "z ~ a * b + (1 + a | s) + (1 + a | i)"
designs <- list(
  crossed = design(crossed),
  crossed_ml = design(crossed, reml = FALSE),
  unbalanced = design(crossed, frame = "lost"),
  no_slope_variance = design("n ~ a + (1 + a | s)"),
  three_levels = design("z ~ c + (1 + c | s) + (1 | i)"),
  double_bar = design("z ~ x + (1 + x || s) + (1 | i)"),
  slope_alone = design("z ~ a + (0 + a | s) + (1 | i)"),
  treatment = design("z ~ c + (1 | s) + (1 | i)", coding = "treatment"),
  helmert = design("z ~ c + (1 | s) + (1 | i)", coding = "helmert"),
  five_factors = design("z ~ a + (1 | s) + (1 | v) + (1 | d) + (1 | g/i)"),
  nested_slopes = design("z ~ a + (1 + a | g/i)"),
  tiny = design("z ~ x + (1 | s)", frame = "tiny"),
  scales = design("big ~ large + small + (1 | s) + (1 | i)"))

of <- function(name) {
  given <- designs[[name]]
  frame <- frames[[given$frame]]
  contrasts(frame$c) <- list(sum = contr.sum(3), treatment = contr.treatment(3), helmert = contr.helmert(3))[[given$coding]]
  fit <- suppressWarnings(lmer(as.formula(given$formula), frame, REML = given$reml, control = tight))
  fixed <- coef(summary(fit))
  c(given, list(criterion = -2 * as.numeric(logLik(fit)), names = I(rownames(fixed)), estimates = I(unname(fixed[, "Estimate"])),
    errors = I(unname(fixed[, "Std. Error"])), df = I(unname(fixed[, "df"])), p = I(unname(fixed[, "Pr(>|t|)"])),
    sigma = sigma(fit), singular = isSingular(fit, tol = 1e-4)))
}
found <- list(
  versions = list(R = R.version.string, lme4 = as.character(packageVersion("lme4")),
    lmerTest = as.character(packageVersion("lmerTest"))),
  designs = sapply(names(designs), of, simplify = FALSE))
write_json(found, arguments[4], digits = NA, auto_unbox = TRUE, pretty = TRUE)
