#include "resources/listings/listing.h"

double cosine(const Tensor& a, const Tensor& b)
{
    const auto dot = [](const Tensor& u, const Tensor& v) {
        return double(times(u, transposed(v)).data()[0]);
    };
    double product = dot(a, b);                                 // [] product
    double result = product / std::sqrt(dot(a, a) * dot(b, b)); // [] cosine
    return result;
}

/// One step; the first context is a neighbour, the others are noise words.
void skipGram(Tensor& word, Tensor& contexts, double rate)
{
    Tensor scores = times(word, transposed(contexts));         // [1, 1 + k] scores
    Tensor error = activated(ActivationKind::Sigmoid, scores); // [1, 1 + k] error
    error.data()[0] -= 1;
    Tensor ofWord = times(error, contexts);
    Tensor ofContexts = times(transposed(error), word);
    word = plus(word, scaledBy(ofWord, -rate));             // [1, d] new_word
    contexts = plus(contexts, scaledBy(ofContexts, -rate)); // [1 + k, d] new_contexts
}
