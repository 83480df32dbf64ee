#include "core/base/random.h"
#include "resources/listings/listing.h"

/// Next token from one row of logits; topK 0 and topP 1 keep all tokens.
int nextToken(Tensor logits, double temperature, std::size_t topK, double topP, Random& random)
{
    Tensor scaled = scaledBy(logits, 1 / temperature); // [1, V] scaled_logits
    Tensor probabilities = softmax(scaled);            // [1, V] probabilities
    std::vector<int> order(probabilities.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::greater(),
                             [&](int id) { return probabilities.data()[id]; }); // [V] ordered
    if (topK > 0 && topK < order.size())
        order.resize(topK);
    double kept = 0.0;
    std::size_t count = 0;
    const double all = std::accumulate(order.begin(), order.end(), 0.0, [&](double sum, int id) {
        return sum + double(probabilities.data()[id]);
    });
    while (count < order.size() && kept < topP * all)
        kept += double(probabilities.data()[order[count++]]); // [V] nucleus
    double left = random.uniform() * kept;
    for (std::size_t i = 0; i + 1 < count; ++i)
        if ((left -= double(probabilities.data()[order[i]])) < 0.0)
            return order[i]; // [] token
    return order[count - 1];
}
