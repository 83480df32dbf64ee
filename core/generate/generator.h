#pragma once

#include "core/generate/decoding_state.h"
#include "core/generate/sampling.h"
#include "core/model/pass/tracer.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace headscope {

struct GenerationSettings
{
    std::int64_t maxTokens = 50; ///< Maximum number of new tokens.
    SamplingSettings sampling;
    std::uint64_t seed = 0;
    int topCandidates = 5; ///< Number of candidates that the steps report.
    bool stopAtEndOfText = true;
    Products products = Products::Exact;
    /// First token of an encoder-decoder's answer; default: targetStart() of the model.
    std::optional<TokenId> targetStart;
};

/// A candidate for the next token.
struct Candidate
{
    TokenId id = 0;
    std::string text;         ///< Token text for display (displayText).
    double probability = 0.0; ///< Probability after all processors.
};

/// The `count` most probable tokens in decreasing order; of equal ones the lower id first. Tokens
/// of probability 0 are left out. `tokenizer` may be null: then texts are empty.
std::vector<Candidate> topCandidates(std::span<const float> probabilities, int count,
                                     const Tokenizer* tokenizer);

struct GenerationStep
{
    TokenId id = 0; ///< Sampled token.
    std::vector<Candidate> candidates;
};

enum class GenerationEnd { MaxTokens, EndOfText, MaxLen };

/// Text of those ids that the tokenizer knows, without special tokens: a model may have more.
std::string knownText(const Tokenizer& tokenizer, std::vector<TokenId> ids);

struct Generation
{
    /// Prompt (or the answer's start) and new tokens, including end-of-text.
    std::vector<TokenId> ids;
    std::string text; ///< Text of all ids without special tokens; empty without a tokenizer.
    std::vector<GenerationStep> steps;
    GenerationEnd end = GenerationEnd::MaxTokens;
};

/// Start of a text: `prompt`, or if that is empty the end-of-text token (0 without one).
std::vector<TokenId> startOfText(const LoadedModel& model, std::span<const TokenId> prompt);

/// Token that ends a text: the tokenizer's end of text, else its "<eos>".
std::optional<TokenId> endOfText(const LoadedModel& model);

/// Start of an encoder-decoder's answer: the tokenizer's "<bos>", else its "<pad>" (T5), else id 0.
TokenId targetStart(const LoadedModel& model);

/// Start of a decoding. The prompt is the source of an encoder-decoder, whose ids are those of the
/// answer alone.
struct DecodingStart
{
    DecodingState state;
    std::vector<TokenId> ids;
};

DecodingStart startDecoding(const LoadedModel& model, AttentionBackend& backend,
                            std::span<const TokenId> prompt,
                            std::optional<TokenId> answerStart = {},
                            const std::stop_token& stop = {}, Products products = Products::Exact);

/// Continues `prompt` token by token, computing one position per step (KV cache); an
/// encoder-decoder encodes it and generates an answer. An empty prompt begins with the end-of-text
/// token, or id 0. Stops after maxTokens, after an end-of-text token, or when max_len positions are
/// full: the context does not slide. Throws Cancelled when `stop` requests it. The same seed, model
/// and backend give the same tokens.
Generation generate(const LoadedModel& model, AttentionBackend& backend,
                    std::span<const TokenId> prompt, const GenerationSettings& settings,
                    const std::function<void(const GenerationStep&)>& onStep = {},
                    std::stop_token stop = {});

} // namespace headscope
