#pragma once

#include "core/model/pass/tracer.h"
#include "core/train/data/prepared_data.h"
#include "core/train/measures/bleu.h"

#include <stop_token>
#include <string>
#include <vector>

namespace headscope {

/// Text that an encoder-decoder writes for held-out sources.
struct Translations
{
    struct Pair
    {
        std::string source;
        std::string reference;
        std::string written;
    };

    std::vector<Pair> pairs;
    Bleu bleu;          ///< Over the characters of all pairs.
    double exact = 0.0; ///< Fraction written exactly as the reference.
};

struct TranslationSettings
{
    std::int64_t pairs = 64; ///< Number of held-out pairs, in their order; at most all.
    int beams = 1;           ///< 1: greedy.
};

/// Throws Error for data that are not pairs, Cancelled.
Translations translateHeldOut(const Model& model, const PreparedData& data,
                              AttentionBackend& backend, const TranslationSettings& settings = {},
                              const std::stop_token& stop = {});

/// Text that the model writes for a source, without special tokens: the hypothesis of beam search
/// with the largest mean log-probability, or with 1 beam the greedy one.
std::string translate(const LoadedModel& model, AttentionBackend& backend,
                      const std::string& source, int beams = 1, const std::stop_token& stop = {});

} // namespace headscope
