#pragma once

#include "core/base/error.h"
#include "core/base/stop.h"
#include "core/lessons/labs/lab.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <string_view>

namespace headscope {

// Building blocks shared by most labs.

/// Value of a control whose computation supports at most `most`. Throws Error if the lab's file
/// allows more.
std::int64_t integerUpTo(std::int64_t most, const LabSettings& settings, std::string_view name);

/// Entry of `table` selected by a control. Throws Error if the lab's file offers a choice that
/// `table` lacks.
template<class Table>
const auto& chosenEntry(const Table& table, const LabSettings& settings, std::string_view control)
{
    const std::string& chosen = settings.text(control);
    for (const auto& entry : table)
        if (entry.name == chosen)
            return entry;
    throw Error("the lab computes no such choice", chosen, "Remove it from the file of the lab");
}

/// Matrix with titles of its rows and columns, which are labelled from 0; the colour scale spans the
/// smallest to the largest value, or is symmetric around 0.
LabMatrix matrixOf(std::string rows, std::string columns, TensorView values, bool isSigned = false);
std::vector<std::string> countedLabels(std::int64_t count, std::int64_t first = 0);
std::vector<double> countedPlaces(std::int64_t count, double first = 0.0);

Tensor randomRows(const Shape& shape, std::uint64_t seed); ///< Sampled from N(0, 1).
double rowNorm(TensorView row);
double meanNorm(TensorView rows);                     ///< Mean norm of the rows.
double largestDifference(TensorView a, TensorView b); ///< Equal shapes.
/// Total variation distance of two distributions: half the sum of absolute differences.
double movedFraction(std::span<const float> before, std::span<const float> after);
Tensor dotProducts(TensorView rows); ///< Returns [n, n] for rows [n, d].

/// Mean of the last `count` numbers, or of all if there are fewer.
double meanOfLast(std::size_t count, const std::vector<double>& numbers);

/// Moves the most important number to the front.
void putFirst(LabResult& result, std::string_view name);

/// Integer with thousands separators: "18 944 000".
std::string grouped(std::int64_t number);

std::unique_ptr<AttentionBackend> backendOf(const LabContext& context);

/// Attention with everything on the way to its result.
struct Attended
{
    Tensor context; ///< [batch, heads, queries, channels].
    Tensor pattern; ///< [batch, heads, queries, keys].
    Tensor scores;  ///< Same shape as pattern.
};

Attended attend(const AttentionInputs& inputs, AttentionBackend& backend);

/// The open model, or the built-in stories model if none is open or it has two stacks. Throws Error
/// if neither is available.
LoadedModel decoderOf(const LabContext& context);

/// The user's sentence as tokens of that model: at least one, at most `longest`.
TokenSequence sentenceOf(const LabContext& context, const LoadedModel& model, std::size_t longest);

std::vector<std::string> tokenLabels(const LoadedModel& model, const TokenSequence& tokens);

} // namespace headscope
