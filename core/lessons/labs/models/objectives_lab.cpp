#include "core/base/content_language.h"
#include "core/base/random.h"
#include "core/lessons/labs/attention/attention_parts.h"
#include "core/lessons/labs/models/known_models.h"
#include "core/lessons/labs/models/visible_cells.h"
#include "core/ops/cross_entropy.h"
#include "core/train/data/masked_text_dataset.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope {

namespace {

constexpr int kSamples = 400; ///< Texts that are masked.

/// One architecture at work on a text of n tokens.
struct ObjectiveCase
{
    std::string name;
    std::string objective;
    std::string use;
    std::string model;      ///< Of knownModels().
    std::int64_t seen = 0;  ///< Visible (query, key) pairs of the stack that predicts.
    std::int64_t pairs = 0; ///< All pairs.
    double targets = 0.0;   ///< Tokens with a loss, of `tokens`.

    double visible() const { return static_cast<double>(seen) / static_cast<double>(pairs); }
};

/// Mean number of masked tokens in a text of n, from the masking of training.
double maskedTargets(std::int64_t tokens, double fraction)
{
    MaskingSettings masking;
    masking.fraction = fraction;
    masking.maskToken = 4;
    masking.vocabularySize = 1000;
    double targets = 0.0;
    Random random(1);
    for (int sample = 0; sample < kSamples; ++sample) {
        Batch batch;
        batch.rows = 1;
        batch.length = tokens;
        batch.inputs.assign(static_cast<std::size_t>(tokens), 7);
        maskTokens(masking, random, batch);
        targets += static_cast<double>(keptTargets(batch.targets));
    }
    return targets / kSamples;
}

ObjectiveCase encoder(std::int64_t tokens, double fraction, AttentionBackend& backend)
{
    const VisibleCells cells =
        visibleCells(knownModel("BERT base").config, tokens, tokens, backend);
    return {message("encoder"),
            message("masked words, next sentence"),
            message("classes, search, tags"),
            "BERT base",
            VisibleCells::count(cells.encoder),
            tokens * tokens,
            maskedTargets(tokens, fraction)};
}

/// Every token predicts the next one.
ObjectiveCase decoder(std::int64_t tokens, AttentionBackend& backend)
{
    const VisibleCells cells =
        visibleCells(knownModel("GPT-2 small").config, tokens, tokens, backend);
    return {message("decoder"),
            message("next token"),
            message("text, code, dialogue"),
            "GPT-2 small",
            VisibleCells::count(cells.decoder),
            tokens * tokens,
            static_cast<double>(tokens - 1)};
}

/// Half of the text is source, half is target.
ObjectiveCase both(std::int64_t tokens, AttentionBackend& backend)
{
    const std::int64_t target = std::max<std::int64_t>(tokens / 2, 1);
    const std::int64_t source = tokens - target;
    const VisibleCells cells = visibleCells(knownModel("T5 base").config, source, target, backend);
    return {message("encoder–decoder"),
            message("the target, given the source"),
            message("translation, summaries"),
            "T5 base",
            VisibleCells::count(cells.decoder) + VisibleCells::count(cells.cross),
            target * (source + target),
            static_cast<double>(target)};
}

LabTable tableOf(const std::vector<ObjectiveCase>& objectives)
{
    LabTable table{{"Architecture", "Objective", "Sees", "Targets", "Best for", "Example"}};
    for (const ObjectiveCase& one : objectives)
        table.rows.push_back({one.name, one.objective,
                              fmt::format("{:.1f} %", 100.0 * one.visible()),
                              fmt::format("{:.1f}", one.targets), one.use, one.model});
    return table;
}

LabBars targetBars(const std::vector<ObjectiveCase>& objectives)
{
    LabBars bars;
    for (const ObjectiveCase& one : objectives)
        bars.bars.push_back({one.name, one.targets, fmt::format("{:.1f}", one.targets)});
    return bars;
}

} // namespace

LabResult runObjectives(const LabSettings& settings, const LabContext& context,
                        const std::stop_token&)
{
    const std::int64_t tokens = settings.integer("tokens");
    const auto backend = backendOf(context);
    const std::vector<ObjectiveCase> objectives{
        encoder(tokens, settings.number("masked") / 100.0, *backend), decoder(tokens, *backend),
        both(tokens, *backend)};
    const double perTarget = objectives[1].targets / std::max(objectives[0].targets, 1e-9);
    LabResult result;
    result.panels = {
        {"Three objectives",
         fmt::format("On a text of {} tokens; of the encoder–decoder one half is the source",
                     tokens),
         tableOf(objectives)},
        {"Tokens that give a loss", "of one text", targetBars(objectives)}};
    result.numbers = {
        labNumber("tokens", "Tokens", tokens),
        labNumber("encoder_sees", "The encoder sees", 100.0 * objectives[0].visible(), "%"),
        labNumber("decoder_sees", "The decoder sees", 100.0 * objectives[1].visible(), "%"),
        labNumber("both_sees", "The decoder with a source sees", 100.0 * objectives[2].visible(),
                  "%"),
        labNumber("encoder_targets", "Targets of the encoder", objectives[0].targets),
        labNumber("decoder_targets", "Targets of the decoder", objectives[1].targets),
        labNumber("both_targets", "Targets with a source", objectives[2].targets),
        labNumber("times", "Targets of the decoder against the encoder", perTarget)};
    result.sentence = fmt::format(
        "Of all pairs of tokens the encoder sees {:.0f} %, the decoder {:.1f} %. A text gives the "
        "encoder {:.1f} targets and the decoder {:.0f}.",
        100.0 * objectives[0].visible(), 100.0 * objectives[1].visible(), objectives[0].targets,
        objectives[1].targets);
    return result;
}

} // namespace headscope
