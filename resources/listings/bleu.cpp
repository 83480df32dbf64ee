#include "resources/listings/listing.h"

#include <map>
#include <string>

using Words = std::vector<std::string>;

std::map<Words, int> ngrams(const Words& tokens, std::size_t n)
{
    std::map<Words, int> counts;
    for (std::size_t i = 0; i + n <= tokens.size(); ++i)
        ++counts[Words(&tokens[i], &tokens[i] + n)]; // [N] found
    return counts;
}

double bleu(const Words& candidate, const Words& reference)
{
    double logarithms = 0.0;
    for (std::size_t n = 1; n <= 4; ++n) {
        std::map<Words, int> known = ngrams(reference, n);
        double matches = 0.0, total = 0.0;
        for (const auto& [words, count] : ngrams(candidate, n)) {
            matches += std::min(count, known[words]); // [] matches
            total += count;
        }
        if (matches == 0.0)
            return 0.0;
        double precision = matches / total; // [] precision
        logarithms += std::log(precision) / 4;
    }
    double ratio = double(reference.size()) / double(candidate.size());
    double penalty = std::min(1.0, std::exp(1 - ratio)); // [] penalty
    double score = penalty * std::exp(logarithms);       // [] score
    return score;
}
