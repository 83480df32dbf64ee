#include "resources/listings/listing.h"

Tensor multiHead(const Tensor& Q, const Tensor& K, const Tensor& V, const Tensor& W_O, int count)
{
    const std::int64_t d = Q.shape()[1] / count;
    std::vector<Tensor> heads;
    for (int h = 0; h < count; ++h) {
        Tensor Q_head = columnsOf(Q, h * d, d);                     // [n, d_k] Q_heads
        Tensor K_head = columnsOf(K, h * d, d);                     // [n, d_k] K_heads
        Tensor V_head = columnsOf(V, h * d, d);                     // [n, d_v] V_heads
        Tensor scores = times(Q_head, transposed(K_head));          // [n, n] scores
        Tensor scaled = scaledBy(scores, 1 / std::sqrt(double(d))); // [n, n] scaled
        Tensor weights = softmax(scaled);                           // [n, n] weights
        heads.push_back(transposed(times(weights, V_head)));        // [d_v, n] heads
    }
    Tensor concatenated = transposed(stacked(heads)); // [n, h d_v] concatenated
    Tensor output = times(concatenated, W_O);         // [n, d] output
    return output;
}
