#include "resources/listings/listing.h"

Tensor scaledCells(Tensor a, const Tensor& factors)
{
    for (std::size_t i = 0; i < a.size(); ++i)
        a.data()[i] *= factors.data()[i];
    return a;
}

Tensor rnn(const Tensor& x, const Tensor& W, const Tensor& U, const Tensor& b)
{
    Tensor h({1, U.shape()[0]});
    std::vector<Tensor> states;
    for (std::int64_t t = 0; t < x.shape()[0]; ++t) {
        Tensor sum = plus(plus(times(rowsOf(x, t, 1), W), times(h, U)), b);
        h = activated(ActivationKind::Tanh, sum); // [1, h] h
        states.push_back(h);
    }
    Tensor hidden = stacked(states); // [n, h] hidden
    return hidden;
}

Tensor lstm(const Tensor& x, const Tensor& W, const Tensor& U, const Tensor& b)
{
    const std::int64_t n = U.shape()[0];
    Tensor h({1, n}), c({1, n});
    std::vector<Tensor> states;
    for (std::int64_t t = 0; t < x.shape()[0]; ++t) {
        Tensor gates = plus(plus(times(rowsOf(x, t, 1), W), times(h, U)), b); // [1, 4 h] gates
        Tensor write = activated(ActivationKind::Sigmoid, columnsOf(gates, 0, n));
        Tensor forget = activated(ActivationKind::Sigmoid, columnsOf(gates, n, n));
        Tensor candidate = activated(ActivationKind::Tanh, columnsOf(gates, 2 * n, n));
        Tensor read = activated(ActivationKind::Sigmoid, columnsOf(gates, 3 * n, n));
        Tensor kept = scaledCells(c, forget);                      // [1, h] kept
        c = plus(kept, scaledCells(candidate, write));             // [1, h] cell
        h = scaledCells(activated(ActivationKind::Tanh, c), read); // [1, h] h
        states.push_back(h);
    }
    Tensor hidden = stacked(states); // [n, h] hidden
    return hidden;
}
