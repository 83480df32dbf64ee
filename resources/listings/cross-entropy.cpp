#include "resources/listings/listing.h"

struct LossAndGradient
{
    double loss = 0.0;
    double perplexity = 0.0;
    Tensor gradient;
};

LossAndGradient lossAndGradient(const Tensor& logits, const std::vector<std::int32_t>& targets)
{
    Tensor probabilities = softmax(logits); // [n, V] probabilities
    LossAndGradient result;
    result.gradient = probabilities;
    const double kept = double(keptTargets(targets)); // [n] targets
    for (std::size_t i = 0; i < targets.size(); ++i)
        for (std::int64_t word = 0; word < logits.shape()[1]; ++word) {
            float& cell = result.gradient.view()(i, word);
            if (word == targets[i])
                result.loss -= std::log(double(cell)) / kept; // [] loss
            const float difference = cell - float(word == targets[i]);
            cell = targets[i] < 0 ? 0.0F : difference / float(kept); // [n, V] gradient
        }
    result.perplexity = std::exp(result.loss); // [] perplexity
    return result;
}
