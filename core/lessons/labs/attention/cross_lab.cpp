#include "core/base/error.h"
#include "core/generate/generator.h"
#include "core/lessons/labs/attention/attention_parts.h"
#include "core/lessons/labs/lab.h"
#include "core/text/display_text.h"
#include "core/train/measures/task_heads.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope {

namespace {

constexpr const char* kModel = "builtin:dates";

/// Answer written for a source: its trace, and the token written at each target position.
struct Written
{
    TracePtr trace;
    std::vector<TokenId> next; ///< Token written at each target row.
    std::string answer;
};

Written writeAnswer(const LoadedModel& model, const std::string& text, const LabContext& context,
                    const std::stop_token& stop)
{
    auto backend = backendOf(context);
    TokenSequence source = model.tokenizer->encode(text);
    const auto longest = static_cast<std::size_t>(model.model->config().maxLen);
    if (source.size() > longest)
        throw Error(fmt::format("{} tokens exceed the model's maximum length", source.size()),
                    "Source", fmt::format("Type at most {}, such as march 5, 1987", longest));
    GenerationSettings settings;
    settings.sampling.temperature = 0.0;
    const Generation generation = generate(model, *backend, source.ids(), settings, {}, stop);
    Written written;
    written.answer = generation.text;
    written.next.assign(generation.ids.begin() + 1, generation.ids.end());
    SourceAndTarget texts;
    texts.source = std::move(source);
    for (std::size_t i = 0; i + 1 < generation.ids.size(); ++i)
        texts.target.tokens.push_back(Token{generation.ids[i], {}, i == 0});
    Tracer tracer(model, std::move(backend));
    written.trace = tracer.trace(texts, {{"*cross_attn.hook_pattern"}}, {}, stop);
    return written;
}

/// Pattern of one head of the first cross-attention, or the mean of all heads.
Tensor patternOf(const Trace& trace, const std::string& choice)
{
    const auto all = trace.find({Site::CrossPattern, 0, Stack::Decoder});
    const TensorView heads = all->view();
    Tensor result({heads.shape[1], heads.shape[2]});
    const MutableTensorView view = result.view();
    const std::int64_t first = choice == "mean" ? 0 : choice.front() - '0';
    const std::int64_t last = choice == "mean" ? heads.shape[0] - 1 : first;
    for (std::int64_t head = first; head <= last; ++head)
        for (std::int64_t row = 0; row < view.shape[0]; ++row)
            for (std::int64_t column = 0; column < view.shape[1]; ++column)
                view(row, column) +=
                    heads(head, row, column) / static_cast<float>(last - first + 1);
    return result;
}

/// Mean weight on source positions of the symbol written next.
double weightOnCopies(const Tensor& pattern, const std::string& source, const std::string& answer)
{
    DataSettings dates;
    dates.task = TrainingTask::Dates;
    double sum = 0.0;
    double rows = 0.0;
    for (std::size_t i = 0; i < answer.size(); ++i) {
        const auto places = sourcePlaces(dates, source, answer, i);
        if (places.empty() || static_cast<std::int64_t>(i) >= pattern.shape()[0])
            continue;
        for (const std::size_t place : places)
            sum += static_cast<double>(pattern.view()(i, place));
        rows += 1.0;
    }
    return rows > 0.0 ? sum / rows : 0.0;
}

double largestRowError(TensorView pattern)
{
    double largest = 0.0;
    for (std::int64_t row = 0; row < pattern.shape[0]; ++row) {
        double sum = 0.0;
        for (std::int64_t column = 0; column < pattern.shape[1]; ++column)
            sum += static_cast<double>(pattern(row, column));
        largest = std::max(largest, std::abs(sum - 1.0));
    }
    return largest;
}

LabTokens tokensDiagram(const Written& written, const LoadedModel& model,
                        const std::vector<std::string>& sourceLabels,
                        const std::vector<std::string>& writtenLabels)
{
    LabTokens tokens;
    tokens.rows.resize(2);
    tokens.rows[0].name = "source";
    for (std::size_t i = 0; i < sourceLabels.size(); ++i) {
        const Token& token = written.trace->sourceTokens().tokens[i];
        tokens.rows[0].tokens.push_back({sourceLabels[i], token.id,
                                         static_cast<std::int64_t>(token.bytes.begin),
                                         static_cast<std::int64_t>(token.bytes.end), false});
    }
    tokens.rows[1].name = "written";
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < written.next.size(); ++i) {
        const TokenId id = written.next[i];
        const auto bytes = model.tokenizer->isSpecial(id)
                               ? std::int64_t{0}
                               : static_cast<std::int64_t>(model.tokenizer->tokenBytes(id).size());
        tokens.rows[1].tokens.push_back({writtenLabels[i], id, begin, begin + bytes, true});
        begin += bytes;
    }
    for (LabTokens::Row& row : tokens.rows)
        row.note = fmt::format("{} tokens", row.tokens.size());
    return tokens;
}

} // namespace

LabResult runCross(const LabSettings& settings, const LabContext& context,
                   const std::stop_token& stop)
{
    const LoadedModel model = labModel(context, kModel);
    const std::string& source = settings.text("source");
    const Written written = writeAnswer(model, source, context, stop);
    const Tensor pattern = patternOf(*written.trace, settings.text("head"));
    const std::vector<std::string> sourceLabels = tokenLabels(model, written.trace->sourceTokens());
    std::vector<std::string> writtenLabels;
    for (const TokenId id : written.next)
        writtenLabels.push_back(displayText(model.tokenizer->tokenBytes(id)));
    const std::int64_t m = pattern.shape()[1];
    const std::int64_t n = pattern.shape()[0];
    LabMatrix matrix = patternMatrix(pattern.view(), writtenLabels, sourceLabels, false);
    matrix.rows = "output token";
    matrix.columns = "source token";
    const double copies = weightOnCopies(pattern, source, written.answer);
    LabResult result;
    result.panels = {{"Attention of each output token",
                      fmt::format("{} decoder rows, {} encoder columns", n, m), matrix},
                     {"Two texts", "queries come from the second, keys and values from the first",
                      tokensDiagram(written, model, sourceLabels, writtenLabels)}};
    result.numbers = {
        labNumber("source_tokens", "Source tokens, m", m),
        labNumber("target_tokens", "Target tokens, n", n), labNumber("cells", "Weights", m * n),
        labNumber("row_error", "Error of the row sums", largestRowError(pattern.view())),
        labNumber("on_copies", "Weight on the same symbol", copies)};
    result.sentence = fmt::format(
        "The decoder wrote {}. Each of its {} tokens attends to the {} source tokens; where the "
        "source contains the symbol written next, {:.0f} % of the weight is on it.",
        written.answer.empty() ? "nothing" : "\"" + displayText(written.answer) + "\"", n, m,
        100.0 * copies);
    return result;
}

} // namespace headscope
