#include "core/base/content_language.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/labs/lab_parts.h"
#include "core/ops/relative_bias.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

namespace headscope {

namespace {

/// Attention of all heads between identical tokens, so that only ALiBi differs.
Attended attendAlike(const std::vector<float>& slopes, std::int64_t tokens,
                     AttentionBackend& backend)
{
    const auto heads = static_cast<std::int64_t>(slopes.size());
    const Tensor zeros(Shape{1, heads, tokens, 1});
    AttentionInputs inputs;
    inputs.queries = zeros.view();
    inputs.keys = zeros.view();
    inputs.values = zeros.view();
    inputs.mask.causal = true;
    inputs.alibiSlopes = TensorView(slopes.data(), Shape{heads});
    return attend(inputs, backend);
}

LabMatrix causalMatrix(TensorView values, bool isSigned)
{
    LabMatrix matrix = matrixOf("query", "key", values, isSigned);
    double largest = 0.0;
    for (std::int64_t query = 0; query < values.shape[0]; ++query) {
        for (std::int64_t key = 0; key < values.shape[1]; ++key) {
            matrix.masked.push_back(key > query);
            double& value = matrix.values[matrix.masked.size() - 1];
            value = key > query ? 0.0 : value + 0.0; // avoids -0
            largest = std::max(largest, std::abs(value));
        }
    }
    matrix.low = isSigned ? -std::max(largest, 1e-6) : 0.0;
    matrix.high = isSigned ? std::max(largest, 1e-6) : 1.0;
    matrix.decimals = values.shape[0] <= 10 ? 2 : -1;
    return matrix;
}

LabBars slopeBars(const std::vector<float>& slopes, std::size_t head)
{
    LabBars bars;
    for (std::size_t i = 0; i < slopes.size(); ++i) {
        const auto slope = static_cast<double>(slopes[i]);
        bars.bars.push_back({message(fmt::format("head {}", i + 1)), slope,
                             fmt::format("{:.4g}", slope), i == head});
    }
    return bars;
}

} // namespace

LabResult runAlibi(const LabSettings& settings, const LabContext& context, const std::stop_token&)
{
    const std::int64_t heads = settings.integer("heads");
    const std::int64_t head = std::min(settings.integer("head"), heads) - 1;
    const std::int64_t tokens = settings.integer("tokens");
    const std::vector<float> slopes = alibiSlopes(heads);
    const auto backend = backendOf(context);
    const Attended alike = attendAlike(slopes, tokens, *backend);
    const auto slope = static_cast<double>(slopes[static_cast<std::size_t>(head)]);
    const bool isPower = std::has_single_bit(static_cast<std::uint64_t>(heads));

    LabResult result;
    result.panels = {
        {"Slope of every head",
         isPower ? "Each a fixed fraction of the one before"
                 : "Slopes for the next lower power of two, then every second one of its double",
         slopeBars(slopes, static_cast<std::size_t>(head))},
        {fmt::format("Bias on the scores of head {}", head + 1), "Zero for the token itself",
         causalMatrix(alike.scores.view()[0][head], true)},
        {"Its weights between identical tokens", "Nearer tokens get more",
         causalMatrix(alike.pattern.view()[0][head], false)}};
    for (std::size_t i = 0; i < slopes.size(); ++i)
        result.numbers.push_back({fmt::format("slope_{}", i + 1),
                                  fmt::format("Slope of head {}", i + 1),
                                  static_cast<double>(slopes[i])});
    const double farthest = static_cast<double>(alike.scores.view()[0][head](tokens - 1, 0));
    result.numbers.push_back({"slope", "Slope", slope});
    result.numbers.push_back({"farthest", "Bias for the first word", farthest});
    result.numbers.push_back(
        {"halving", "Weights halve every", std::numbers::ln2 / slope, "words"});
    result.sentence = fmt::format(
        "Head {} subtracts {:.4g} from its score per word of distance: weights halve every {:.3g} "
        "words.",
        head + 1, slope, std::numbers::ln2 / slope);
    putFirst(result, "halving");
    return result;
}

} // namespace headscope
