#include "core/experiments/model_conclusions.h"

#include "core/experiments/conclusion_text.h"
#include "core/experiments/variant_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace headscope {

namespace {

constexpr const char* kLoss = "validation_loss";

/// First block's gradient relative to the last block's, before the first update.
double gradientRatio(const VariantResult& variant)
{
    return variant.number("start_first_block") / variant.number("start_last_block");
}

std::string residualCause(const VariantResult& off, const VariantResult& on)
{
    const bool fades = gradientRatio(off) < 0.1 * gradientRatio(on);
    const bool isAlike = off.number("start_likeness") > on.number("start_likeness") + 0.1;
    const std::string gradient =
        fmt::format("the gradient norm of the first block starts at {:.1e} times that of the last "
                    "(with them {:.2f})",
                    gradientRatio(off), gradientRatio(on));
    const std::string likeness =
        fmt::format("a text's tokens leave the last block nearly alike from the start (mean cosine "
                    "{:.2f}, with them {:.2f})",
                    off.number("start_likeness"), on.number("start_likeness"));
    if (fades && isAlike)
        return fmt::format("because {} and {}", gradient, likeness);
    if (fades)
        return fmt::format("because {}", gradient);
    if (isAlike)
        return fmt::format("because {}", likeness);
    return "neither the gradient of the first block nor the likeness of tokens at the start "
           "explains it here";
}

} // namespace

std::string aboutResiduals(const Experiment& experiment, const ExperimentResult& result)
{
    const VariantResult& off = result.variant("off");
    const VariantResult& on = result.variant("on");
    if (off.number(kLoss) <= on.number(kLoss))
        return notShown("the held-out loss", loss(off), loss(on));
    return fmt::format(
        "Without residual connections {} blocks end at a held-out loss of {}, with them at {} ({}); "
        "at the end the gradient norm of the first block is {:.1e} (with them {:.1e}): keep residual "
        "connections.",
        experiment.variants.front().config.model.layers, loss(off), loss(on),
        residualCause(off, on), off.number("end_first_block"), on.number("end_first_block"));
}

namespace {

/// One way in which BatchNorm's result may depend on more than the token.
struct Drawback
{
    bool isShown = false;
    std::string text;
};

constexpr double kLeastChange = 0.005; ///< Nats; smaller ones do not count as an effect.

std::vector<Drawback> batchDrawbacks(const VariantResult& small, const VariantResult& whole)
{
    const double smallCost = small.number(kLoss) - whole.number(kLoss);
    const double aloneCost = whole.number("alone_loss") - whole.number("batch_loss");
    const double useCost = whole.number("use_loss") - whole.number("batch_loss");
    return {{smallCost > kLeastChange,
             fmt::format("statistics of 2 instead of 16 texts in training {:+.2f}", smallCost)},
            {std::abs(whole.number("short_change")) > kLeastChange,
             fmt::format("a batch that ends after 4 tokens {:+.2f}", whole.number("short_change"))},
            {aloneCost > kLeastChange,
             fmt::format("one text alone {:+.2f} (with running statistics {:+.2f})", aloneCost,
                         useCost)},
            {whole.number("neighbour_change") > kLeastChange ||
                 whole.number("padding_change") > kLeastChange,
             fmt::format("other neighbours {:.2f} either way, padding that counts {:.2f}",
                         whole.number("neighbour_change"), whole.number("padding_change"))}};
}

double largestChange(const VariantResult& variant)
{
    return std::max({std::abs(variant.number("neighbour_change")),
                     std::abs(variant.number("padding_change")),
                     std::abs(variant.number("short_change")),
                     std::abs(variant.number("alone_loss") - variant.number("batch_loss"))});
}

} // namespace

std::string aboutBatchNorm(const Experiment&, const ExperimentResult& result)
{
    const VariantResult& layer = result.variant("layer");
    const VariantResult& whole = result.variant("batch-16");
    const std::vector<Drawback> all = batchDrawbacks(result.variant("batch-2"), whole);
    const auto shown = std::ranges::count_if(all, &Drawback::isShown);
    return fmt::format(
        "{} of 4 drawbacks of BatchNorm show here, as changes of the loss: {}; {}; {}; {}. With "
        "LayerNorm, which normalises each token by itself, the last three are at most {:.3f}; it "
        "ends at a held-out loss of {} against {}: {}.",
        shown, all[0].text, all[1].text, all[2].text, all[3].text, largestChange(layer),
        loss(layer), loss(whole),
        shown > 0 ? "normalise tokens, not batches" : "the choice does not matter here");
}

namespace {

std::string meanLoss(const VariantGroup& group)
{
    return fmt::format("{:.3f} \u00B1 {:.3f}", group.mean(kLoss), group.spread(kLoss));
}

double headsOf(const VariantGroup& group)
{
    return group.mean("heads");
}

std::string headVerdict(const VariantGroup& best, const VariantGroup& most)
{
    if (best.name == most.name)
        return "on this task more heads are not worse";
    if (!differ(best, most, kLoss))
        return "the seeds do not tell these apart, so more heads neither help nor hurt here";
    return fmt::format("more is not better: {:.0f} heads have {:.0f} channels each instead of "
                       "{:.0f}",
                       headsOf(most), most.mean("head_channels"), best.mean("head_channels"));
}

} // namespace

std::string aboutHeadCount(const Experiment& experiment, const ExperimentResult& result)
{
    const std::vector<VariantGroup> groups = variantGroups(experiment, result);
    const auto [fewest, most] =
        std::ranges::minmax(groups, {}, [](const VariantGroup& group) { return headsOf(group); });
    const VariantGroup& best = *std::ranges::min_element(
        groups, {}, [](const VariantGroup& group) { return group.mean(kLoss); });
    return fmt::format(
        "With the same {} channels and as many parameters the lowest held-out loss is {} (mean and "
        "spread over {} seeds), with n_heads = {:.0f}; n_heads = {:.0f} ends at {} and n_heads = "
        "{:.0f} at {}: {}.",
        experiment.variants.front().config.model.dModel, meanLoss(best), best.variants.size(),
        headsOf(best), headsOf(fewest), meanLoss(fewest), headsOf(most), meanLoss(most),
        headVerdict(best, most));
}

namespace {

std::string withCache(const VariantGroup& group)
{
    return fmt::format("{} ({:.0f} bytes)", meanLoss(group), group.mean("cache_bytes"));
}

/// The group with the smallest cache whose loss the seeds do not tell from `full`.
const VariantGroup& cheapest(const std::vector<VariantGroup>& groups, const VariantGroup& full)
{
    const VariantGroup* found = &full;
    for (const VariantGroup& group : groups) {
        const bool isAsGood = group.mean(kLoss) <= full.mean(kLoss) || !differ(group, full, kLoss);
        if (isAsGood && group.mean("cache_bytes") < found->mean("cache_bytes"))
            found = &group;
    }
    return *found;
}

std::string cacheVerdict(const std::vector<VariantGroup>& groups, const VariantGroup& full)
{
    const VariantGroup& best = cheapest(groups, full);
    if (best.name == full.name)
        return "every smaller cache costs quality here";
    return fmt::format("{} has {:.0f} % of MHA's cache, and a loss that is lower or that the seeds "
                       "do not tell apart",
                       best.label, 100.0 * best.mean("cache_bytes") / full.mean("cache_bytes"));
}

} // namespace

std::string aboutSharedHeads(const Experiment& experiment, const ExperimentResult& result)
{
    const std::vector<VariantGroup> groups = variantGroups(experiment, result);
    const VariantGroup& full = groupNamed(groups, "mha");
    return fmt::format(
        "After the same steps the held-out loss (mean \u00B1 spread over {} seeds, bytes of cache "
        "per token) is {} with MHA, {} with GQA, {} with MQA and {} with MLA: {}.",
        full.variants.size(), withCache(full), withCache(groupNamed(groups, "gqa")),
        withCache(groupNamed(groups, "mqa")), withCache(groupNamed(groups, "mla")),
        cacheVerdict(groups, full));
}

} // namespace headscope
