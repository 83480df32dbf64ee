#pragma once

#include "core/tensor/tensor.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// Skip-gram with negative sampling (Mikolov et al. 2013).
struct SkipGramSettings
{
    std::int64_t dimensions = 48;
    std::int64_t window = 4;    ///< Farthest context word; each position samples 1 to this.
    std::int64_t negatives = 5; ///< Number of noise words per context word.
    std::int64_t epochs = 3;
    std::int64_t minimumCount = 5; ///< Rarer words are left out.
    double learningRate = 0.05;    ///< Falls linearly to a ten-thousandth of it.
    double subsample = 1e-3;       ///< Threshold above which frequent words are skipped at random.
    std::uint64_t seed = 1;
};

/// One vector per word, whatever its context.
class WordVectors
{
public:
    struct Neighbour
    {
        std::string word;
        std::int64_t count = 0; ///< Occurrences in the training text.
        double cosine = 0.0;
    };

    /// `vectors`: [words, dimensions].
    WordVectors(std::vector<std::string> words, std::vector<std::int64_t> counts, Tensor vectors);

    const std::vector<std::string>& words() const { return m_words; }

    std::int64_t count(std::size_t word) const { return m_counts.at(word); }

    std::optional<std::size_t> find(std::string_view word) const;

    TensorView vector(std::size_t word) const { return m_vectors.view()[word]; } ///< [dimensions]

    double cosine(std::size_t a, std::size_t b) const;

    /// The `count` words with the largest cosine, in decreasing order, without the word itself.
    std::vector<Neighbour> neighbours(std::size_t word, std::size_t count) const;

private:
    std::vector<std::string> m_words;
    std::vector<std::int64_t> m_counts;
    Tensor m_vectors;
};

/// Words of a text: runs of letters and apostrophes of ASCII, in lower case.
std::vector<std::string> wordsOf(std::string_view text);

double cosineOf(std::span<const float> a, std::span<const float> b); ///< 0 for a zero vector.

/// Loss of one pair: -ln s(u_0 v) - sum over k > 0 of ln s(-u_k v), with the logistic function s,
/// the vector v of the centre word [d], that of its context word u_0, and those of noise words u_1,
/// u_2 ... `outputs`: [1 + noise, d]. Gradients are overwritten unless empty.
double skipGramLoss(std::span<const float> centre, TensorView outputs,
                    std::span<float> centreGradient, MutableTensorView outputGradients);

/// Noise words are sampled from counts^(3/4). One thread; the same text and settings give the same
/// vectors. Throws Error for a text without a word that is frequent enough, Cancelled.
WordVectors trainSkipGram(std::string_view text, const SkipGramSettings& settings = {},
                          const std::stop_token& stop = {});

} // namespace headscope
