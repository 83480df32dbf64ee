#include "core/io/products_error.h"

#include "core/attention/cpu_attention.h"
#include "core/model/weights/integer_linear_kernels.h"
#include "core/model/weights/lazy_parameters.h"

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

struct Sums
{
    double difference = 0.0;
    double exact = 0.0;
    bool agrees = false;
};

double mean(std::span<const float> values)
{
    double sum = 0.0;
    for (const float value : values)
        sum += static_cast<double>(value);
    return sum / static_cast<double>(values.size());
}

/// Sums of squares of one token's logits.
Sums compare(std::span<const float> exact, std::span<const float> other)
{
    const double exactMean = mean(exact);
    const double otherMean = mean(other);
    Sums sums;
    for (std::size_t i = 0; i < exact.size(); ++i) {
        const double value = static_cast<double>(exact[i]) - exactMean;
        const double difference = static_cast<double>(other[i]) - otherMean - value;
        sums.exact += value * value;
        sums.difference += difference * difference;
    }
    const auto best = [](std::span<const float> logits) {
        return std::max_element(logits.begin(), logits.end()) - logits.begin();
    };
    sums.agrees = best(exact) == best(other);
    return sums;
}

} // namespace

std::string ProductsError::text() const
{
    return fmt::format("products of 8-bit integers: logits differ by {:.2g} % (RMS), {} of {} most "
                       "probable tokens are the same; generate --exact multiplies in floats",
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

std::optional<ProductsError> measureProductsError(const LoadedModel& model,
                                                  const std::stop_token& stop)
{
    if (!model.tokenizer || !multipliesIntegers(*model.model))
        return std::nullopt;
    const std::vector<TokenId> ids = fittingIds(model);
    if (ids.empty())
        return std::nullopt;
    CpuAttention backend;
    ForwardOptions options;
    options.stop = stop;
    KvCache exactCache(model.model->config());
    const Tensor exact = model.model->forward(ids, backend, exactCache, options);
    options.products = Products::Integer;
    KvCache cache(model.model->config());
    ProductsError error;
    double difference = 0.0;
    double whole = 0.0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const auto text = std::span<const TokenId>(ids).first(i + 1);
        const Tensor logits = model.model->forward(text, backend, cache, options);
        const auto width = static_cast<std::size_t>(logits.shape().back());
        const Sums sums = compare(exact.values().subspan(i * width, width), logits.values());
        difference += sums.difference;
        whole += sums.exact;
        error.agreeing += sums.agrees ? 1 : 0;
    }
    error.tokens = std::ssize(ids);
    error.relativeRms = whole > 0.0 ? std::sqrt(difference / whole) : 0.0;
    return error;
}

} // namespace headscope
