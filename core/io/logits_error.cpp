#include "core/io/logits_error.h"

#include "core/attention/cpu_attention.h"
#include "core/model/weights/integer_linear_kernels.h"
#include "core/model/weights/lazy_parameters.h"
#include "core/tensor/largest.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headscope {

namespace {

/// Long enough to see whether heads prefer one token to another.
constexpr const char* kProbeText = "The animal didn't cross the street because it was too tired.";
constexpr TokenId kProbeIds = 16;

bool multipliesIntegers(const Model& model)
{
    const LazyParameters* const stored = model.parameters().stored();
    if (stored == nullptr || integerKernels() == nullptr || !model.config().languageHead ||
        !model.config().hasDecoder() || model.config().isEncoderDecoder())
        return false;
    for (std::size_t i = 0; i < stored->size(); ++i)
        if (multipliesIntegers(stored->parameter(i).format))
            return true;
    return false;
}

std::vector<TokenId> fittingIds(const LoadedModel& model)
{
    std::vector<TokenId> ids = probeTokens(model).ids();
    const ModelConfig& config = model.model->config();
    std::erase_if(ids, [&](TokenId id) { return id >= config.vocabularySize; });
    ids.resize(std::min(ids.size(), static_cast<std::size_t>(config.maxLen)));
    return ids;
}

double mean(std::span<const float> values)
{
    double sum = 0.0;
    for (const float value : values)
        sum += static_cast<double>(value);
    return sum / static_cast<double>(values.size());
}

/// Adds up the squares of differences, token by token.
class Comparison
{
public:
    void add(std::span<const float> exact, std::span<const float> other)
    {
        const double exactMean = mean(exact);
        const double otherMean = mean(other);
        for (std::size_t i = 0; i < exact.size(); ++i) {
            const double value = static_cast<double>(exact[i]) - exactMean;
            const double difference = static_cast<double>(other[i]) - otherMean - value;
            m_exact += value * value;
            m_difference += difference * difference;
        }
        m_error.agreeing += largestIndex(exact) == largestIndex(other) ? 1 : 0;
        ++m_error.tokens;
    }

    LogitsError error() const
    {
        LogitsError error = m_error;
        error.relativeRms = m_exact > 0.0 ? std::sqrt(m_difference / m_exact) : 0.0;
        return error;
    }

private:
    LogitsError m_error;
    double m_difference = 0.0;
    double m_exact = 0.0;
};

std::span<const float> rowOf(const Tensor& logits, std::size_t row)
{
    const auto width = static_cast<std::size_t>(logits.shape().back());
    return logits.values().subspan(row * width, width);
}

Tensor logitsOf(const Model& model, std::span<const TokenId> ids, const ForwardOptions& options)
{
    CpuAttention backend;
    KvCache cache(model.config());
    return model.forward(ids, backend, cache, options);
}

} // namespace

std::string LogitsError::text() const
{
    return fmt::format(
        "logits differ by {:.2g} % (RMS), {} of {} most probable tokens are the same",
        relativeRms * 100.0, agreeing, tokens);
}

TokenSequence probeTokens(const LoadedModel& model)
{
    if (model.tokenizer->kind() != "ids")
        return model.tokenizer->encode(kProbeText);
    std::string ids;
    for (TokenId id = 1; id <= kProbeIds; ++id)
        ids += fmt::format("{} ", id);
    return model.tokenizer->encode(ids);
}

std::optional<LogitsError> measureProductsError(const LoadedModel& model,
                                                const std::stop_token& stop)
{
    if (!model.tokenizer || !multipliesIntegers(*model.model))
        return std::nullopt;
    const std::vector<TokenId> ids = fittingIds(model);
    if (ids.empty())
        return std::nullopt;
    ForwardOptions options;
    options.stop = stop;
    const Tensor exact = logitsOf(*model.model, ids, options);
    options.products = Products::Integer;
    const Tensor other = logitsOf(*model.model, ids, options);
    Comparison comparison;
    for (std::size_t i = 0; i < ids.size(); ++i)
        comparison.add(rowOf(exact, i), rowOf(other, i));
    return comparison.error();
}

std::optional<LogitsError> measurePrecisionError(const LoadedModel& model,
                                                 const std::stop_token& stop)
{
    const Model& rounded = *model.model;
    if (rounded.precision() == WeightPrecision::Float32 || !model.tokenizer ||
        !rounded.config().languageHead || rounded.config().isEncoderDecoder())
        return std::nullopt;
    const std::vector<TokenId> ids = fittingIds(model);
    if (ids.empty())
        return std::nullopt;
    ForwardOptions options;
    options.stop = stop;
    const Tensor exact =
        logitsOf(Model::rounded(model.model, WeightPrecision::Float32), ids, options);
    const Tensor other = logitsOf(rounded, ids, options);
    Comparison comparison;
    for (std::size_t i = 0; i < ids.size(); ++i)
        comparison.add(rowOf(exact, i), rowOf(other, i));
    return comparison.error();
}

} // namespace headscope
