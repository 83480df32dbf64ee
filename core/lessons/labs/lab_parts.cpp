#include "core/lessons/labs/lab_parts.h"

#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/base/random.h"
#include "core/lessons/lesson_references.h"
#include "core/lessons/lesson_text.h"
#include "core/ops/matmul.h"
#include "core/text/display_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope {

std::int64_t integerUpTo(std::int64_t most, const LabSettings& settings, std::string_view name)
{
    const LabControl& control = settings.control(name);
    if (control.high > static_cast<double>(most))
        throw Error(fmt::format("the control allows up to {}", control.high), control.title,
                    fmt::format("Set \"high\" to {} in the lab's file", most));
    return settings.integer(name);
}

LabMatrix matrixOf(std::string rows, std::string columns, TensorView values, bool isSigned)
{
    LabMatrix matrix{std::move(rows), std::move(columns), countedLabels(values.shape[0]),
                     countedLabels(values.shape[1])};
    for (std::int64_t row = 0; row < values.shape[0]; ++row)
        for (std::int64_t column = 0; column < values.shape[1]; ++column)
            matrix.values.push_back(static_cast<double>(values(row, column)));
    matrix.isSigned = isSigned;
    if (matrix.values.empty())
        return matrix;
    const auto [low, high] = std::ranges::minmax(matrix.values);
    const double size = std::max(std::abs(low), std::abs(high));
    matrix.low = isSigned ? -size : low;
    matrix.high = isSigned ? size : high;
    if (matrix.low == matrix.high)
        matrix.high = matrix.low + 1.0;
    return matrix;
}

std::vector<std::string> countedLabels(std::int64_t count, std::int64_t first)
{
    std::vector<std::string> labels;
    for (std::int64_t i = 0; i < count; ++i)
        labels.push_back(fmt::format("{}", first + i));
    return labels;
}

std::vector<double> countedPlaces(std::int64_t count, double first)
{
    std::vector<double> places;
    for (std::int64_t i = 0; i < count; ++i)
        places.push_back(first + static_cast<double>(i));
    return places;
}

Tensor randomRows(const Shape& shape, std::uint64_t seed)
{
    Random random(seed);
    Tensor rows(shape);
    for (float& value : rows.values())
        value = static_cast<float>(random.normal());
    return rows;
}

double rowNorm(TensorView row)
{
    double squares = 0.0;
    for (std::int64_t i = 0; i < row.shape.elementCount(); ++i)
        squares += std::pow(static_cast<double>(row.data[i]), 2);
    return std::sqrt(squares);
}

double meanNorm(TensorView rows)
{
    double sum = 0.0;
    for (std::int64_t row = 0; row < rows.shape[0]; ++row)
        sum += rowNorm(rows[row]);
    return sum / static_cast<double>(rows.shape[0]);
}

double largestDifference(TensorView a, TensorView b)
{
    if (a.shape.rank() > 1) {
        double largest = 0.0;
        for (std::int64_t i = 0; i < a.shape[0]; ++i)
            largest = std::max(largest, largestDifference(a[i], b[i]));
        return largest;
    }
    double largest = 0.0;
    for (std::int64_t i = 0; i < a.shape[0]; ++i)
        largest =
            std::max(largest, std::abs(static_cast<double>(a(i)) - static_cast<double>(b(i))));
    return largest;
}

double movedFraction(std::span<const float> before, std::span<const float> after)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < before.size(); ++i)
        sum += std::abs(static_cast<double>(before[i]) - static_cast<double>(after[i]));
    return sum / 2.0;
}

Tensor dotProducts(TensorView rows)
{
    const std::int64_t n = rows.shape[0];
    const std::int64_t d = rows.shape[1];
    Tensor products(Shape{n, n});
    matmul(Transpose::No, Transpose::Yes, n, n, d, 1.0F, rows.data, rows.stride(0), rows.data,
           rows.stride(0), 0.0F, products.data(), n);
    return products;
}

double meanOfLast(std::size_t count, const std::vector<double>& numbers)
{
    count = std::min(count, numbers.size());
    double sum = 0.0;
    for (std::size_t i = numbers.size() - count; i < numbers.size(); ++i)
        sum += numbers[i];
    return sum / static_cast<double>(count);
}

void putFirst(LabResult& result, std::string_view name)
{
    const auto found = std::ranges::find(result.numbers, name, &LabNumber::name);
    if (found != result.numbers.end())
        std::rotate(result.numbers.begin(), found, found + 1);
}

std::string grouped(std::int64_t number)
{
    return fillIn("{{number|int}}", [number](std::string_view) {
        return ReferencedNumber{static_cast<double>(number), {}};
    });
}

std::unique_ptr<AttentionBackend> backendOf(const LabContext& context)
{
    return context.makeBackend ? context.makeBackend() : std::make_unique<CpuAttention>();
}

Attended attend(const AttentionInputs& inputs, AttentionBackend& backend)
{
    const Shape& queries = inputs.queries.shape;
    const Shape cells{queries[0], queries[1], queries[2], inputs.keys.shape[2]};
    Attended result{Tensor(Shape{queries[0], queries[1], queries[2], inputs.values.shape[3]}),
                    Tensor(cells), Tensor(cells)};
    backend.forward(inputs,
                    {result.context.view(), result.pattern.view(), result.scores.view(), {}});
    return result;
}

LoadedModel decoderOf(const LabContext& context)
{
    const auto& open = context.model.model;
    const bool reads =
        open != nullptr && context.model.tokenizer != nullptr && !open->config().isEncoderDecoder();
    if (reads)
        return context.model;
    if (!context.openModel)
        throw Error("no model is open", "lab", "Open a model first");
    return context.openModel("builtin:stories");
}

TokenSequence sentenceOf(const LabContext& context, const LoadedModel& model, std::size_t longest)
{
    TokenSequence tokens = model.tokenizer->encode(context.text);
    if (tokens.tokens.empty())
        tokens = model.tokenizer->encode("The cat sat on the mat");
    const auto room = static_cast<std::size_t>(model.model->config().maxLen);
    tokens.tokens.resize(std::min({tokens.tokens.size(), longest, room}));
    return tokens;
}

std::vector<std::string> tokenLabels(const LoadedModel& model, const TokenSequence& tokens)
{
    std::vector<std::string> labels;
    for (const Token& token : tokens.tokens)
        labels.push_back(displayText(model.tokenizer->tokenBytes(token.id)));
    return labels;
}

} // namespace headscope
