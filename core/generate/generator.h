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
    std::int64_t maxTokens = 50; ///< new tokens at most
    SamplingSettings sampling;
    std::uint64_t seed = 0;
    int topCandidates = 5; ///< how many the steps report
    bool stopAtEndOfText = true;
    std::optional<TokenId> targetStart; ///< what an encoder-decoder's answer begins with; otherwise
                                        ///< targetStart() of the model
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
    std::vector<TokenId> ids; ///< prompt (or answer's start) and new tokens, end-of-text included
    std::string text;         ///< of all ids, special tokens left out; empty without a tokenizer
    std::vector<GenerationStep> steps;
    GenerationEnd end = GenerationEnd::MaxTokens;
};

/// What a text begins with: `prompt`, or if that is empty the end-of-text token (0 without one).
std::vector<TokenId> startOfText(const LoadedModel& model, std::span<const TokenId> prompt);

/// The token after which nothing follows: the tokenizer's end of text, else its "<eos>".
std::optional<TokenId> endOfText(const LoadedModel& model);

/// What the answer of an encoder-decoder begins with: the tokenizer's "<bos>", else its "<pad>"
/// (T5), else id 0.
TokenId targetStart(const LoadedModel& model);

/// What a decoding begins with. The prompt is the source of an encoder-decoder, whose ids are those
/// of the answer alone.
struct DecodingStart
{
    DecodingState state;
    std::vector<TokenId> ids;
};

DecodingStart startDecoding(const LoadedModel& model, AttentionBackend& backend,
                            std::span<const TokenId> prompt,
                            std::optional<TokenId> answerStart = {},
                            const std::stop_token& stop = {});

/// Continues `prompt` token by token, computing one position a step (KV cache); an encoder-decoder
/// reads it and answers. An empty prompt
/// begins with the end-of-text token, or id 0. Stops after maxTokens, after an end-of-text token,
/// or when max_len positions are full: the context does not slide. Throws Cancelled when `stop`
/// asks. The same seed, model and backend give the same tokens.
Generation generate(const LoadedModel& model, AttentionBackend& backend,
                    std::span<const TokenId> prompt, const GenerationSettings& settings,
                    const std::function<void(const GenerationStep&)>& onStep = {},
                    std::stop_token stop = {});

} // namespace headscope
