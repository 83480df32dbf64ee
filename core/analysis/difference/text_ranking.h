#pragma once

#include "core/attention/attention_backend.h"
#include "core/base/progress.h"
#include "core/model/pass/tracer.h"

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace headscope {

/// How far the predictions of two models differ on one text.
struct TextDifference
{
    std::string text;
    std::int64_t tokens = 0; ///< Compared tokens; fewer than the text has where it is truncated.
    double meanBits = 0.0;   ///< Mean over the tokens of KL(A || B), in bits; NaN: `problem`.
    double largestBits = 0.0;
    int largestAt = -1;  ///< Position of the token with largestBits.
    std::string problem; ///< Why this text is not compared, in one sentence; empty otherwise.
};

/// Makes the backend of one model.
using MakeBackend = std::function<std::unique_ptr<AttentionBackend>()>;

/// Compares the next-token predictions of two models on every text, in the order of the texts.
/// Progress counts texts. Throws Error for models that predict no tokens, have vocabularies of
/// different sizes or read two texts, and Cancelled.
std::vector<TextDifference> compareOnTexts(const LoadedModel& a, const LoadedModel& b,
                                           std::span<const std::string> texts,
                                           const MakeBackend& makeBackend, Progress& progress);

/// Largest mean first; equal ones in order, undefined ones last.
std::vector<TextDifference> ranked(std::vector<TextDifference> texts);

/// Lines of a text file, one text a line, without blank ones. At most kMostTexts are read. Throws
/// Error for a file that cannot be read, is too large, or has no text.
std::vector<std::string> textLines(const std::filesystem::path& path);

constexpr std::size_t kMostTexts = 10'000;

/// Short English sentences to compare models on: those of headSamples().
std::vector<std::string> builtinTexts();

} // namespace headscope
