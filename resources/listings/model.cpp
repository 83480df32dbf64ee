#include "resources/listings/listing.h"

#include <map>
#include <string>

using Weights = std::map<std::string, Tensor>; // the tensors of model.safetensors, by name

Tensor normed(const Tensor& x, const Weights& w, const std::string& name)
{
    return layerNorm(x, w.at(name + ".weight"), w.at(name + ".bias"), 1e-5);
}

Tensor linear(const Tensor& x, const Weights& w, const std::string& name)
{
    return plus(times(x, transposed(w.at(name + ".weight"))), w.at(name + ".bias"));
}

Tensor attention(const Tensor& y, const Weights& w, const std::string& h, int heads)
{
    Tensor q = linear(y, w, h + "attn.q"); // [n, d] q
    Tensor k = linear(y, w, h + "attn.k");
    Tensor v = linear(y, w, h + "attn.v");
    const std::int64_t n = y.shape()[0], d = y.shape()[1] / heads;
    std::vector<Tensor> outputs;
    for (int head = 0; head < heads; ++head) {
        Tensor scores =
            scaledBy(times(columnsOf(q, head * d, d), transposed(columnsOf(k, head * d, d))),
                     1 / std::sqrt(double(d))); // [n, n] scores
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t j = i + 1; j < n; ++j) // [n, n] future
                scores.view()(i, j) = -std::numeric_limits<float>::infinity();
        Tensor weights = softmax(scores); // [n, n] weights
        outputs.push_back(transposed(times(weights, columnsOf(v, head * d, d))));
    }
    return transposed(stacked(outputs)); // [n, d] context
}

/// Logits of a GPT.
Tensor gpt(const std::vector<int>& ids, const Weights& w, int layers, int heads,
           const Tensor& positions, double scale)
{
    std::vector<Tensor> rows;
    for (const int id : ids)
        rows.push_back(rowsOf(w.at("tok_emb.weight"), id, 1));
    Tensor x = scaledBy(stacked(rows), scale);                   // [n, d] embeddings
    x = plus(x, rowsOf(positions, 0, std::int64_t(ids.size()))); // [n, d] stream
    for (int layer = 0; layer < layers; ++layer) {
        const std::string h = "h." + std::to_string(layer) + ".";
        Tensor y = normed(x, w, h + "ln1");            // [n, d] normalised
        Tensor context = attention(y, w, h, heads);    // [n, d] context
        x = plus(x, linear(context, w, h + "attn.o")); // [n, d] stream
        Tensor hidden = activated(ActivationKind::GeluExact, linear(normed(x, w, h + "ln2"), w,
                                                                    h + "fc1")); // [n, d_ff] hidden
        x = plus(x, linear(hidden, w, h + "fc2"));                               // [n, d] stream
    }
    Tensor logits =
        times(normed(x, w, "ln_f"), transposed(w.at("tok_emb.weight"))); // [n, V] logits
    return logits;
}
