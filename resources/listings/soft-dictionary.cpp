#include "resources/listings/listing.h"

Tensor softDictionary(const Tensor& weights, const Tensor& values)
{
    Tensor products = weights;
    for (std::size_t i = 0; i < products.size(); ++i)
        products.data()[i] *= values.data()[i]; // [1, n] products
    Tensor result({1, 1});
    for (const float product : products.values())
        *result.data() += product; // [1] result
    return result;
}
