#pragma once

#include "core/text/tokenizers/tokenizer.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headscope {

/// A text with two continuations, one of them right: a model passes if it gives the right one the
/// larger logit at the first token in which they differ. Without `wrong` it must give every token
/// of `right` the largest logit of all.
struct ContinuationCase
{
    std::string prompt;
    std::string right;
    std::string wrong;
};

/// A text and the expected attention in it: from `query` to `key`, rather than to `contrast`.
struct AttentionTargetCase
{
    std::string text;
    ByteRange query;
    ByteRange key;
    std::optional<ByteRange> contrast;
};

/// Test cases for the stories model, from pairs of nouns that its training text never combines
/// (isHeldOutPair). Each depends only on (seed, count).
std::vector<ContinuationCase> agreementCases(std::uint64_t seed, std::size_t count);
std::vector<ContinuationCase> predicateCases(std::uint64_t seed, std::size_t count);
std::vector<ContinuationCase> antecedentCases(std::uint64_t seed, std::size_t count);

/// An invented name, first seen in this text, must be repeated.
std::vector<ContinuationCase> nameCases(std::uint64_t seed, std::size_t count);

/// "he" or "she" by the meaning of the verb, between two people with known names.
std::vector<ContinuationCase> genderCases(std::uint64_t seed, std::size_t count);

/// Who was bitten: only the word order tells.
std::vector<ContinuationCase> headlineCases(std::uint64_t seed, std::size_t count);

std::vector<AttentionTargetCase> subjectVerbCases(std::uint64_t seed,
                                                  std::size_t count); ///< Verb -> subject.
std::vector<AttentionTargetCase> pronounCases(std::uint64_t seed,
                                              std::size_t count); ///< "it" -> subject.

/// "It" of the next sentence, once the adjective has told its referent -> that noun, not the other.
std::vector<AttentionTargetCase> meaningCases(std::uint64_t seed, std::size_t count);

} // namespace headscope
