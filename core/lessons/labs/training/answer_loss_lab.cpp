#include "core/base/error.h"
#include "core/generate/generator.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/labs/lab_parts.h"
#include "core/lessons/labs/training/forced_row.h"
#include "core/text/display_text.h"
#include "core/train/files/training_settings.h"

#include <fmt/format.h>

namespace headscope {

namespace {

constexpr const char* kModel = "builtin:dates";
constexpr std::size_t kLongest = 20; ///< Maximum tokens of the answer.

TokenId required(const LoadedModel& model, const char* token)
{
    const auto id = model.tokenizer->find(token);
    if (!id)
        throw Error(fmt::format("the model has no token {}", token), model.name,
                    "Install Headscope again");
    return *id;
}

/// Training row with input "<bos> answer" and target "answer <eos>".
OverriddenRow rowFor(const LoadedModel& model, const std::string& answer)
{
    const std::vector<TokenId> ids = model.tokenizer->encode(answer, false).ids();
    if (ids.empty() || ids.size() > kLongest)
        throw Error(fmt::format("an answer of {} characters cannot be shown", ids.size()), "Answer",
                    fmt::format("Type 1 to {} characters", kLongest));
    OverriddenRow row;
    const auto shown = [&](TokenId id) { return displayText(model.tokenizer->tokenBytes(id)); };
    row.inputs.push_back(targetStart(model));
    row.inputs.insert(row.inputs.end(), ids.begin(), ids.end());
    row.targets.assign(ids.begin(), ids.end());
    row.targets.push_back(required(model, "<eos>"));
    for (std::size_t i = 0; i < row.inputs.size(); ++i) {
        row.labels.push_back(shown(row.inputs[i]));
        row.wanted.push_back(shown(row.targets[i]));
    }
    return row;
}

} // namespace

LabResult runAnswerLoss(const LabSettings& settings, const LabContext& context,
                        const std::stop_token& stop)
{
    if (!context.openModel)
        throw Error("this context cannot open the dates model", "lab");
    const LoadedModel model = context.openModel(kModel);
    const std::vector<TokenId> source = model.tokenizer->encode(settings.text("source")).ids();
    const std::int64_t room = model.model->config().maxLen;
    if (settings.text("source").empty() || static_cast<std::int64_t>(source.size()) > room)
        throw Error("the date is empty or too long", "Date",
                    fmt::format("Type 1 to {} characters", room - 1));
    const OverriddenRow row = rowFor(model, settings.text("answer"));
    const auto backend = backendOf(context);
    KvCache cache(model.model->config());
    const ForwardOptions options{.stop = stop};
    model.model->encode(source, *backend, cache, options);
    const Tensor logits = model.model->forward(row.inputs, *backend, cache, options);
    const std::vector<float> losses = lossesOf(logits.view(), row, 0.0);
    const double loss = meanLoss(losses, row);

    LabResult result;
    result.panels = {{"The answer, token by token",
                      "The decoder reads the correct answer and attends to the whole source",
                      lossTable(row, losses)},
                     {"Loss of each token", "−ln of its probability", lossBars(row, losses)}};
    result.numbers = {{"source_tokens", "Source tokens", static_cast<double>(source.size())},
                      {"targets", "Targets", static_cast<double>(row.targets.size())},
                      {"mean_loss", "Mean loss", loss, "nats"},
                      {"perplexity", "Perplexity", perplexity(loss)}};
    result.sentence = fmt::format("The mean loss of {} targets is {:.2g} nats: a perplexity of "
                                  "{:.5g}.",
                                  row.targets.size(), loss, perplexity(loss));
    return result;
}

} // namespace headscope
