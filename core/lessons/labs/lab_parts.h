#pragma once

#include "core/base/error.h"
#include "core/lessons/labs/lab.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <string_view>

namespace headscope {

// What most labs are made of.

/// The number of a control that the computing has room for up to `most`. Throws Error where the
/// lab's file lets it be larger.
std::int64_t integerUpTo(std::int64_t most, const LabSettings& settings, std::string_view name);

/// The entry of a table that a control chooses by its name. Throws Error where the lab's file
/// offers what the table does not have.
template<class Table>
const auto& chosenEntry(const Table& table, const LabSettings& settings, std::string_view control)
{
    const std::string& chosen = settings.text(control);
    for (const auto& entry : table)
        if (entry.name == chosen)
            return entry;
    throw Error("nothing computes this choice", chosen);
}

/// Rows and columns are counted from 0; the colours go from the smallest value to the largest, or
/// as far on either side of 0.
LabMatrix matrixOf(TensorView values, bool isSigned = false);
std::vector<std::string> countedLabels(std::int64_t count, std::int64_t first = 0);
std::vector<double> countedPlaces(std::int64_t count, double first = 0.0);

Tensor randomRows(const Shape& shape, std::uint64_t seed); ///< N(0, 1)
double rowNorm(TensorView row);
double largestDifference(TensorView a, TensorView b); ///< of equal shapes
/// Half the sum of all differences between two distributions: the probability that went elsewhere.
double movedShare(std::span<const float> before, std::span<const float> after);
Tensor dotProducts(TensorView rows); ///< [n, n] of [n, d]

/// The number that tells the most goes in front of the others.
void putFirst(LabResult& result, std::string_view name);

/// "18 944 000"
std::string grouped(std::int64_t number);

void stopIfAsked(const std::stop_token& stop); ///< throws Cancelled

std::unique_ptr<AttentionBackend> backendOf(const LabContext& context);

/// The open model, or the stories that are built in where none is open or it has two stacks. Throws
/// Error when there is neither.
LoadedModel decoderOf(const LabContext& context);

/// The person's sentence as that model reads it, at most `longest` tokens; one token at least.
TokenSequence sentenceOf(const LabContext& context, const LoadedModel& model, std::size_t longest);

std::vector<std::string> tokenLabels(const LoadedModel& model, const TokenSequence& tokens);

} // namespace headscope
