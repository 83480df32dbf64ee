#include "core/base/content_language.h"
#include "core/base/error.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/labs/lab_parts.h"
#include "core/lessons/labs/training/forced_row.h"
#include "core/text/display_text.h"
#include "core/train/files/training_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

constexpr std::size_t kLongest = 11; ///< Maximum tokens of the sentence.

std::string labelOf(const LoadedModel& model, TokenId id)
{
    return displayText(model.tokenizer->tokenBytes(id));
}

/// Prepends the start token, so that the first word is predicted too.
std::vector<TokenId> markedSentence(const LabContext& context, const LoadedModel& model)
{
    std::vector<TokenId> ids = sentenceOf(context, model, kLongest).ids();
    const auto mark = model.tokenizer->endOfText();
    if (mark && ids.front() != *mark)
        ids.insert(ids.begin(), *mark);
    return ids;
}

OverriddenRow rowFor(const LabContext& context, const LoadedModel& model, std::int64_t ignored)
{
    OverriddenRow row;
    row.inputs = markedSentence(context, model);
    if (row.inputs.size() < 2) { // empty sentence: use that of the lessons
        LabContext other = context;
        other.text = "The cat sat on the mat";
        row.inputs = markedSentence(other, model);
    }
    const auto room = static_cast<std::size_t>(model.model->config().maxLen);
    row.inputs.resize(std::min(row.inputs.size(), room));
    // at least one target counts
    const auto last = static_cast<std::int64_t>(row.inputs.size()) - 2;
    ignored = std::clamp<std::int64_t>(ignored, 0, std::max<std::int64_t>(0, last));
    for (std::size_t i = 0; i < row.inputs.size(); ++i) {
        const bool isLast = i + 1 == row.inputs.size();
        const bool counts = !isLast && static_cast<std::int64_t>(i) >= ignored;
        row.labels.push_back(labelOf(model, row.inputs[i]));
        row.wanted.push_back(isLast ? "\u2014" : labelOf(model, row.inputs[i + 1]));
        row.targets.push_back(counts ? row.inputs[i + 1] : kIgnoreIndex);
    }
    return row;
}

/// Target distribution: one-hot, or smoothed over all tokens.
LabBars wantedBars(double smoothing, std::int64_t vocabulary)
{
    const double each = smoothing / static_cast<double>(vocabulary);
    return {"",
            {{message("target"), 1.0 - smoothing + each,
              fmt::format("{:.4f}", 1.0 - smoothing + each), true},
             {message("each other token"), each, each > 0.0 ? fmt::format("{:.2e}", each) : "0"}}};
}

} // namespace

LabResult runLosses(const LabSettings& settings, const LabContext& context,
                    const std::stop_token& stop)
{
    const LoadedModel model = decoderOf(context);
    if (model.model->config().vocabularySize < 2)
        throw Error("the model has no next-token prediction", model.name, "Open another model");
    const auto backend = backendOf(context);
    const double smoothing = settings.number("smoothing");
    const OverriddenRow row = rowFor(context, model, settings.integer("ignored"));
    const std::int64_t count = keptTargets(row.targets);
    KvCache cache(model.model->config());
    const Tensor logits =
        model.model->forward(row.inputs, *backend, cache, ForwardOptions{.stop = stop});
    const std::vector<float> plain = lossesOf(logits.view(), row, 0.0);
    const std::vector<float> smooth = lossesOf(logits.view(), row, smoothing);
    const double loss = meanLoss(plain, row);
    const double smoothed = meanLoss(smooth, row);
    const std::int64_t vocabulary = logits.shape()[1];

    LabResult result;
    result.panels = {{"Each token predicts the next",
                      "The input is always the correct text: teacher "
                      "forcing",
                      lossTable(row, plain)},
                     {"Loss of each target",
                      smoothing > 0.0 ? fmt::format("With label smoothing {}", smoothing)
                                      : "−ln of its probability",
                      lossBars(row, smooth)},
                     {"Target distribution", "Probability of the target and of each other token",
                      wantedBars(smoothing, vocabulary)}};
    result.numbers = {{"targets", "Targets that count", static_cast<double>(count)},
                      {"ignored", "Ignored targets",
                       static_cast<double>(row.targets.size()) - static_cast<double>(count)},
                      {"mean_loss", "Mean loss", loss, "nats"},
                      {"perplexity", "Perplexity", perplexity(loss)},
                      {"smoothing", "Label smoothing", smoothing},
                      {"smoothed_loss", "Mean loss, smoothed", smoothed, "nats"},
                      {"vocabulary", "Vocabulary", static_cast<double>(vocabulary)},
                      {"blind_loss", "Loss of a uniform guess",
                       std::log(static_cast<double>(vocabulary)), "nats"}};
    result.sentence = fmt::format(
        "The mean loss of {} targets is {:.3f} nats, so the perplexity is e^{:.3f} = {:.2f}.",
        count, loss, loss, perplexity(loss));
    return result;
}

} // namespace headscope
