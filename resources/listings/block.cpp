#include "resources/listings/listing.h"

struct BlockWeights
{
    Tensor W_Q, W_K, W_V, W_O, W_1, b_1, W_2, b_2, gamma, beta;
};

Tensor encoderBlock(const Tensor& x, const BlockWeights& w, double epsilon)
{
    Tensor Q = times(x, w.W_Q);              // [n, d_k] Q
    Tensor K = times(x, w.W_K);              // [n, d_k] K
    Tensor V = times(x, w.W_V);              // [n, d_v] V
    Tensor scores = times(Q, transposed(K)); // [n, n] scores
    Tensor weights =
        softmax(scaledBy(scores, 1 / std::sqrt(double(Q.shape()[1])))); // [n, n] weights
    Tensor context = times(weights, V);                                 // [n, d_v] context
    Tensor attended = times(context, w.W_O);                            // [n, d] attended
    Tensor sum_1 = plus(x, attended);                                   // [n, d] sum_1
    Tensor norm_1 = layerNorm(sum_1, w.gamma, w.beta, epsilon);         // [n, d] norm_1
    Tensor hidden = plus(times(norm_1, w.W_1), w.b_1);                  // [n, d_ff] hidden
    Tensor active = activated(ActivationKind::Relu, hidden);            // [n, d_ff] active
    Tensor ffn = plus(times(active, w.W_2), w.b_2);                     // [n, d] ffn
    Tensor sum_2 = plus(norm_1, ffn);                                   // [n, d] sum_2
    Tensor output = layerNorm(sum_2, w.gamma, w.beta, epsilon);         // [n, d] output
    return output;
}
