#include "core/analysis/difference/text_ranking.h"

#include "core/analysis/difference/model_difference.h"
#include "core/analysis/heads/head_samples.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/text_parts.h"

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

constexpr std::uint64_t kLargestFile = std::uint64_t{64} << 20;

void requirePredictions(const LoadedModel& model)
{
    const ModelConfig& config = model.model->config();
    if (config.isEncoderDecoder())
        throw Error("texts are ranked for models that read one text", model.name,
                    "Choose two decoders or two encoders");
    if (!config.languageHead)
        throw Error("this model predicts no tokens", model.name,
                    "Choose models with a language head");
}

/// Traces one model with its own tokenizer.
class TextPredictor
{
public:
    TextPredictor(const LoadedModel& model, const MakeBackend& makeBackend)
        : m_tracer(model, makeBackend())
    {
    }

    TracePtr trace(const std::string& text, const std::stop_token& stop)
    {
        return m_tracer.trace(m_tracer.model().tokenizer->encode(text), TraceRequest{{"logits"}},
                              {}, stop);
    }

private:
    Tracer m_tracer;
};

TextDifference differenceOn(const std::string& text, const Trace& a, const Trace& b)
{
    TextDifference result;
    result.text = text;
    result.problem = whyNotComparable(a, b);
    result.meanBits = NAN;
    if (!result.problem.empty())
        return result;
    const auto ofA = a.find({Site::Logits, 0});
    const auto ofB = b.find({Site::Logits, 0});
    const auto width = static_cast<std::size_t>(ofA->shape()[1]);
    result.tokens = ofA->shape()[0];
    double sum = 0.0;
    for (std::int64_t row = 0; row < result.tokens; ++row) {
        const std::size_t begin = static_cast<std::size_t>(row) * width;
        const double bits = predictionDivergence(ofA->values().subspan(begin, width),
                                                 ofB->values().subspan(begin, width))
                                .bits;
        sum += bits;
        if (result.largestAt < 0 || bits > result.largestBits) {
            result.largestBits = bits;
            result.largestAt = static_cast<int>(row);
        }
    }
    result.meanBits = result.tokens == 0 ? NAN : sum / static_cast<double>(result.tokens);
    return result;
}

} // namespace

std::vector<TextDifference> compareOnTexts(const LoadedModel& a, const LoadedModel& b,
                                           std::span<const std::string> texts,
                                           const MakeBackend& makeBackend, Progress& progress)
{
    requirePredictions(a);
    requirePredictions(b);
    if (a.model->config().vocabularySize != b.model->config().vocabularySize)
        throw Error("the models have different numbers of tokens in the vocabulary", b.name,
                    "Choose two models of one vocabulary");
    TextPredictor ofA(a, makeBackend);
    TextPredictor ofB(b, makeBackend);
    progress.expect(texts.size());
    std::vector<TextDifference> results;
    for (const std::string& text : texts) {
        const TracePtr traceA = ofA.trace(text, progress.stop());
        const TracePtr traceB = ofB.trace(text, progress.stop());
        results.push_back(differenceOn(text, *traceA, *traceB));
        progress.add(1);
    }
    return results;
}

std::vector<TextDifference> ranked(std::vector<TextDifference> texts)
{
    std::ranges::stable_sort(texts, [](const TextDifference& one, const TextDifference& other) {
        if (std::isnan(one.meanBits) || std::isnan(other.meanBits))
            return std::isnan(other.meanBits) && !std::isnan(one.meanBits);
        return one.meanBits > other.meanBits;
    });
    return texts;
}

std::vector<std::string> textLines(const std::filesystem::path& path)
{
    const std::string content = readFile(path, kLargestFile);
    std::vector<std::string> lines;
    for (std::string_view line : linesIn(content)) {
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        if (lines.size() < kMostTexts && !trimmedText(line, " \t").empty())
            lines.emplace_back(line);
    }
    if (lines.empty())
        throw Error("no text in this file", path.string(), "Write one text on each line");
    return lines;
}

std::vector<std::string> builtinTexts()
{
    std::vector<std::string> texts;
    for (const SampleSentence& sample : headSamples())
        texts.push_back(sample.text);
    return texts;
}

} // namespace headscope
