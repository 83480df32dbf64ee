#include "core/experiments/conclusions.h"

#include "core/base/error.h"
#include "core/experiments/conclusion_text.h"
#include "core/experiments/model_conclusions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

using Variant = const VariantResult&;

const ModelConfig& modelOf(const Experiment& experiment)
{
    return experiment.variants.front().config.model;
}

std::string percent(double fraction)
{
    return fmt::format("{:.0f} %", 100.0 * fraction);
}

std::string aboutMask(const Experiment&, const ExperimentResult& result)
{
    Variant broken = result.variant("no-mask");
    Variant fixed = result.variant("mask");
    if (broken.number("prefix_loss") <= fixed.number("prefix_loss"))
        return notShown("the loss without future tokens", loss(broken, "prefix_loss"),
                        loss(fixed, "prefix_loss"));
    return fmt::format(
        "Without the causal mask the held-out loss appears to be {} instead of {}, because every "
        "position can attend to the token that it must predict; with only earlier tokens visible "
        "it is {} against {}, and {} of the three-token sequences it generates occur in the text "
        "against {}: train with the mask.",
        loss(broken), loss(fixed), loss(broken, "prefix_loss"), loss(fixed, "prefix_loss"),
        percent(broken.number("written_known")), percent(fixed.number("written_known")));
}

std::string aboutPositions(const Experiment&, const ExperimentResult& result)
{
    Variant broken = result.variant("no-positions");
    Variant fixed = result.variant("positions");
    Variant masked = result.variant("mask-alone");
    const auto right = [](Variant variant) { return percent(variant.number("accuracy")); };
    if (broken.number("accuracy") >= fixed.number("accuracy"))
        return notShown("the fraction of right answers", right(broken), right(fixed));
    return fmt::format(
        "Without positions {} of the answers are right, as many as by guessing between the two "
        "symbols, because attention alone sees a bag of symbols; with learned positions {} are "
        "right, and with only a causal mask, under which the second symbol attends to more than "
        "the first, {}: add positions.",
        right(broken), right(fixed), right(masked));
}

std::string aboutWarmup(const Experiment& experiment, const ExperimentResult& result)
{
    Variant broken = result.variant("no-warmup");
    Variant fixed = result.variant("warmup");
    if (broken.number("validation_loss") <= fixed.number("validation_loss"))
        return notShown("the held-out loss", loss(broken), loss(fixed));
    return fmt::format(
        "Without warm-up the held-out loss of {} post-norm layers stays at {} (with it {}) and the "
        "entropy of attention at {:.2f} of the largest (with it {:.2f}), because full-size "
        "updates of an initialisation whose last block has a gradient norm of {:.2f} lead to "
        "weights that pass on none: that of the first block falls from {:.2f} to {:.1e} (with "
        "warm-up {:.2f}); warm up the learning rate, or use pre-norm.",
        modelOf(experiment).layers, loss(broken), loss(fixed), broken.number("entropy"),
        fixed.number("entropy"), broken.number("start_last_block"),
        broken.number("start_first_block"), broken.number("end_first_block"),
        fixed.number("end_first_block"));
}

std::string aboutScale(const Experiment& experiment, const ExperimentResult& result)
{
    Variant broken = result.variant("unscaled");
    Variant fixed = result.variant("scaled");
    if (broken.number("validation_loss") <= fixed.number("validation_loss"))
        return notShown("the held-out loss", loss(broken), loss(fixed));
    std::string overflow;
    if (broken.number("overflow_rows") > 0.0)
        overflow = fmt::format(", so that {:.1f} % of the rows would overflow to NaN if the "
                               "largest score were not subtracted",
                               100.0 * broken.number("overflow_rows"));
    return fmt::format(
        "Without 1/\u221Ad_k the held-out loss is {} against {}, because scores of {} channels "
        "saturate softmax: at the start the entropy of attention is {:.2f} of the largest "
        "against {:.2f} and the gradient norm is {:.1f} against {:.1f}; scores reach {:.0f} "
        "against {:.0f}{}: divide by \u221Ad_k.",
        loss(broken), loss(fixed), modelOf(experiment).headDim(), broken.number("start_entropy"),
        fixed.number("start_entropy"), broken.number("start_gradient"),
        fixed.number("start_gradient"), broken.number("largest_score"),
        fixed.number("largest_score"), overflow);
}

std::string aboutEmbeddings(const Experiment&, const ExperimentResult& result)
{
    Variant broken = result.variant("unscaled");
    Variant fixed = result.variant("scaled");
    if (broken.number("validation_loss") <= fixed.number("validation_loss"))
        return notShown("the held-out loss", loss(broken), loss(fixed));
    return fmt::format(
        "Without \u221Ad the held-out loss is {} against {} after the same steps, because the "
        "positions drown out the tokens: at the start an embedding is {:.2f} times as long as its "
        "position vector, with the factor {:.2f} times; multiply embeddings by \u221Ad before "
        "adding positions.",
        loss(broken), loss(fixed), broken.number("words_to_positions"),
        fixed.number("words_to_positions"));
}

std::string aboutNorm(const Experiment& experiment, const ExperimentResult& result)
{
    Variant post = result.variant("post");
    Variant pre = result.variant("pre");
    if (post.number("validation_loss") <= pre.number("validation_loss"))
        return notShown("the held-out loss", loss(post), loss(pre));
    return fmt::format(
        "Without warm-up {} layers of post-norm end at a held-out loss of {}, of pre-norm at {}, "
        "because the gradient norm of the last block starts at {:.2f} with post-norm and at "
        "{:.2f} with pre-norm, and after full-size updates attention is uniform (its entropy is "
        "{:.2f} of the largest against {:.2f}) and the first block's gradient norm is {:.1e} "
        "against {:.2f}: use pre-norm, or warm up.",
        modelOf(experiment).layers, loss(post), loss(pre), post.number("start_last_block"),
        pre.number("start_last_block"), post.number("entropy"), pre.number("entropy"),
        post.number("end_first_block"), pre.number("end_first_block"));
}

std::string aboutSmoothing(const Experiment& experiment, const ExperimentResult& result)
{
    Variant hard = result.variant("hard");
    Variant smooth = result.variant("smooth");
    const bool helps = smooth.number("calibration_error") < hard.number("calibration_error");
    const auto perplexity = [](Variant variant) {
        return std::exp(variant.number("validation_loss"));
    };
    return fmt::format(
        "Without smoothing the model's mean confidence is {} and {} of its answers are right, "
        "because one-hot targets push confidence up without bound; with label smoothing {} its "
        "confidence is {} and {} are right, the gap between the two (calibration error) {} from "
        "{:.3f} to {:.3f} and held-out perplexity {} from {:.1f} to {:.1f}.",
        percent(hard.number("confidence")), percent(hard.number("accuracy")),
        experiment.variants.back().config.loss.labelSmoothing, percent(smooth.number("confidence")),
        percent(smooth.number("accuracy")), helps ? "falls" : "rises",
        hard.number("calibration_error"), smooth.number("calibration_error"),
        perplexity(smooth) < perplexity(hard) ? "falls" : "rises", perplexity(hard),
        perplexity(smooth));
}

/// Perplexity at the longest length divided by that at the training length, the second one
/// measured.
double growth(Variant variant)
{
    const ExperimentSeries& series = variant.curve("length_perplexity");
    return series.y.back() / series.y[1];
}

std::string aboutLengths(const Experiment&, const ExperimentResult& result)
{
    const VariantResult* best = nullptr;
    const VariantResult* worst = nullptr;
    for (const VariantResult& variant : result.variants) {
        const ExperimentSeries& series = variant.curve("length_perplexity");
        if (series.x.size() < 4)
            continue; // an encoding of limited length
        if (best == nullptr || growth(variant) < growth(*best))
            best = &variant;
        if (worst == nullptr || growth(variant) > growth(*worst))
            worst = &variant;
    }
    if (best == nullptr)
        throw Error("no encoding was measured at a longer length", "positions-length");
    const auto& good = best->curve("length_perplexity");
    const auto& bad = worst->curve("length_perplexity");
    return fmt::format(
        "At {:.0f} tokens, four times the training length, {} goes from a perplexity of {:.1f} to "
        "{:.1f} and {} from {:.1f} to {:.1f}, because some encodings get positions that never "
        "occurred in training; learned positions end at {:.0f} tokens: choose {} for longer texts, "
        "or train on them.",
        bad.x.back(), worst->label, bad.y[1], bad.y.back(), best->label, good.y[1], good.y.back(),
        result.variant("learned").curve("length_perplexity").x.back(), best->label);
}

std::string aboutScaling(const Experiment&, const ExperimentResult& result)
{
    if (!result.law)
        throw Error("no power law was fitted", "scaling-law");
    const auto [small, large] = std::ranges::minmax(
        result.variants, {}, [](Variant variant) { return variant.number("parameters"); });
    const PowerLaw& law = *result.law;
    const char* const end = law.floor < 0.005 ? "and these sizes show no floor yet"
                                              : "the floor for this text and number of steps";
    return fmt::format(
        "From {:.0f} to {:.0f} parameters the held-out loss falls from {} to {}, as L = {:.2f} + "
        "{:.3g} \u00B7 N^-{:.2f} (typical error {:.1f} %): every doubling removes {:.0f} % of the "
        "loss above {:.2f}, {}.",
        small.number("parameters"), large.number("parameters"), loss(small), loss(large), law.floor,
        law.factor, law.exponent, 100.0 * law.residual, 100.0 * (1.0 - std::exp2(-law.exponent)),
        law.floor, end);
}

/// Conclusion about a variant whose loss stopped being finite: it has no numbers to compare.
std::string aboutBreakdown(const ExperimentResult& result, Variant broken)
{
    std::string sentence = fmt::format("Training {} diverged: {}", broken.label, broken.problem);
    for (Variant other : result.variants) {
        if (other.problem.empty())
            sentence += fmt::format("; {} ends at a held-out loss of {}", other.label, loss(other));
    }
    return sentence + ".";
}

} // namespace

std::string conclusionOf(const Experiment& experiment, const ExperimentResult& result)
{
    using About = std::string (*)(const Experiment&, const ExperimentResult&);
    const std::pair<const char*, About> all[] = {
        {"mask-missing", aboutMask},          {"positions-missing", aboutPositions},
        {"post-norm-warmup", aboutWarmup},    {"score-scale", aboutScale},
        {"embedding-scale", aboutEmbeddings}, {"norm-position", aboutNorm},
        {"label-smoothing", aboutSmoothing},  {"positions-length", aboutLengths},
        {"scaling-law", aboutScaling},        {"residuals-off", aboutResiduals},
        {"batch-norm", aboutBatchNorm},       {"head-count", aboutHeadCount},
        {"head-count-text", aboutHeadCount},  {"shared-heads", aboutSharedHeads}};
    for (Variant variant : result.variants) {
        if (!variant.problem.empty())
            return aboutBreakdown(result, variant);
    }
    for (const auto& [name, about] : all) {
        if (experiment.name == name)
            return about(experiment, result);
    }
    throw Error("there is no conclusion for this experiment", experiment.name);
}

} // namespace headscope
