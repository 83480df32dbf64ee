#pragma once

#include "core/generate/decoding_state.h"
#include "core/generate/sampling.h"
#include "core/model/tracer.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace headscope {

struct GenerationSettings
{
    std::int64_t maxTokens = 50; ///< new tokens at most
    SamplingSettings sampling;
    std::uint64_t seed = 0;
    int topCandidates = 5; ///< how many the steps report
    bool stopAtEndOfText = true;
};

/// One token that could have come next.
struct Candidate
{
    TokenId id = 0;
    std::string text;         ///< as a person reads it (displayText)
    double probability = 0.0; ///< after all processors
};

/// The `count` most probable tokens, most probable first; of equal ones the lower id first. Tokens
/// of probability 0 are left out. `tokenizer` may be null: then texts are empty.
std::vector<Candidate> topCandidates(std::span<const float> probabilities, int count,
                                     const Tokenizer* tokenizer);

struct GenerationStep
{
    TokenId id = 0; ///< chosen
    std::vector<Candidate> candidates;
};

enum class GenerationEnd { MaxTokens, EndOfText, MaxLen };

struct Generation
{
    std::vector<TokenId> ids; ///< prompt and new tokens; the end-of-text token included if chosen
    std::string text;         ///< of all ids, special tokens left out; empty without a tokenizer
    std::vector<GenerationStep> steps;
    GenerationEnd end = GenerationEnd::MaxTokens;
};

/// What a text begins with: `prompt`, or if that is empty the end-of-text token (0 without one).
std::vector<TokenId> startOfText(const LoadedModel& model, std::span<const TokenId> prompt);

/// Continues `prompt` token by token, computing one position a step (KV cache). An empty prompt
/// begins with the end-of-text token, or id 0. Stops after maxTokens, after an end-of-text token,
/// or when max_len positions are full: the context does not slide. Throws Cancelled when `stop`
/// asks. The same seed, model and backend give the same tokens.
Generation generate(const LoadedModel& model, AttentionBackend& backend,
                    std::span<const TokenId> prompt, const GenerationSettings& settings,
                    const std::function<void(const GenerationStep&)>& onStep = {},
                    std::stop_token stop = {});

} // namespace headscope
