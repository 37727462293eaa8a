# Freeze what lme4 and lmerTest give for the simulated scores: tests/analysis/lme4.json. Run by hand, with R:
#
#   python tests/analysis/freeze.py            (writes the scores as csv, runs this file for each model)
#   Rscript lme4.R SCORES.csv MODEL OUT.json
#
# A deviance is stored at fixed parameter vectors too, so that it can be compared without any optimiser in between.

suppressMessages({library(lme4); library(lmerTest); library(jsonlite)})
arguments <- commandArgs(trailingOnly = TRUE)
scores <- read.csv(arguments[1], stringsAsFactors = TRUE)
name <- arguments[2]

contrasts(scores$followup) <- contr.helmert(3)
scores$f1 <- c(-1, 1, 0)[scores$followup]
scores$f2 <- c(-1, -1, 2)[scores$followup]

fixed <- "bias ~ det * type + subj + followup"
formulas <- list(
  intercepts = paste(fixed, "+ (1 | matrix_verb) + (1 | emb_verb) + (1 | emb_subject)"),
  nested = "bias ~ det + (1 | matrix_verb/followup) + (0 + det | emb_verb)",
  slopes = paste(fixed, "+ (1 + det | matrix_verb) + (1 + det | emb_verb) + (1 + det | emb_subject)"),
  printed = paste(fixed,
    "+ (1 + det + subj + followup | matrix_verb)",
    "+ (1 + det * type + followup + subj | emb_verb)",
    "+ (1 + det * type + followup + subj | emb_subject)"),
  fitted = paste(fixed,
    "+ (0 + det * type + subj || emb_subject) + (1 + followup | emb_subject)",
    "+ (0 + det * type + subj || emb_verb) + (1 + followup | emb_verb)",
    "+ (0 + det + subj || matrix_verb) + (1 + followup | matrix_verb)"),
  double_bar = paste("bias ~ det * type + subj + f1 + f2",
    "+ (1 + det + subj + f1 + f2 || matrix_verb)",
    "+ (1 + det * type + f1 + f2 + subj || emb_verb)",
    "+ (1 + det * type + f1 + f2 + subj || emb_subject)"),
  ml = paste(fixed, "+ (1 + det | matrix_verb) + (1 | emb_verb)")
)
reml <- name != "ml"
formula <- as.formula(formulas[[name]])

parsed <- lFormula(formula, scores, REML = reml)
deviance_of <- do.call(mkLmerDevfun, parsed)
start <- parsed$reTrms$theta + 0  # a copy: the deviance function writes into the vector it was made with
# Any vector will do; this one has no zeros and no structure.
crooked <- ifelse(parsed$reTrms$lower == 0, 0.5, 0) + 0.13 * sin(seq_along(start) * 1.7)
terms <- lapply(seq_along(parsed$reTrms$cnms), function(i) list(
  factor = names(parsed$reTrms$flist)[attr(parsed$reTrms$flist, "assign")[i]],
  columns = I(parsed$reTrms$cnms[[i]])))

found <- list(formula = formulas[[name]], rows = nrow(scores), terms = terms,
  at = list(list(theta = I(start), deviance = deviance_of(start)),
            list(theta = I(crooked), deviance = deviance_of(crooked))))
if (length(arguments) == 4) {  # only the deviance, at the optimum of an earlier run
  theta <- unlist(fromJSON(arguments[4])$theta)
  found$at <- c(found$at, list(list(theta = I(theta), deviance = deviance_of(theta))))
  write_json(found, arguments[3], digits = NA, auto_unbox = TRUE)
  quit()
}

fit <- lme4::lmer(formula, scores, REML = reml)
theta <- getME(fit, "theta")
found$at <- c(found$at, list(list(theta = I(unname(theta)), deviance = deviance_of(theta))))
effects <- ranef(fit, condVar = TRUE)
found <- c(found, list(
  theta = I(unname(theta)), theta_names = names(theta), optimum = if (reml) REMLcrit(fit) else deviance(fit, REML = FALSE),
  sigma = sigma(fit), singular = isSingular(fit), loglik = as.numeric(logLik(fit)), aic = AIC(fit), bic = BIC(fit),
  fixed = lapply(seq_along(fixef(fit)), function(i) list(
    name = names(fixef(fit))[i], estimate = unname(fixef(fit)[i]), error = sqrt(vcov(fit)[i, i]))),
  variances = as.data.frame(VarCorr(fit))))
first <- names(effects)[1]
values <- effects[[1]]
variance <- attr(values, "postVar")
if (is.list(variance)) variance <- NULL  # several terms of one factor: a list of arrays
found$effects <- list(factor = first, levels = rownames(values)[1:3], columns = I(colnames(values)),
  values = unname(as.matrix(values[1:3, , drop = FALSE])),
  conditional_sd = if (is.null(variance)) NULL else
    do.call(rbind, lapply(1:3, function(i) sqrt(diag(matrix(variance[, , i], nrow = dim(variance)[1]))))))
write_json(found, arguments[3], digits = NA, auto_unbox = TRUE)

tested <- as_lmerModLmerTest(fit)  # some 2 k^2 deviances for k parameters
table <- coef(summary(tested))
for (i in seq_along(found$fixed)) {
  found$fixed[[i]]$df <- table[i, "df"]
  found$fixed[[i]]$t <- table[i, "t value"]
  found$fixed[[i]]$p <- table[i, "Pr(>|t|)"]
}
write_json(found, arguments[3], digits = NA, auto_unbox = TRUE)
