#include "tests/support/numeric_gradient.h"

namespace headscope::test {

std::string gradientMismatch(const std::function<double()>& value, std::span<float> variable,
                             std::span<const float> analytic, const NumericGradient& settings)
{
    std::vector<double> numeric;
    for (float& element : variable) {
        const float before = element;
        const auto at = [&](float steps) {
            element = before + steps * settings.step;
            return value();
        };
        const double inner = at(1.0F) - at(-1.0F);
        const double outer = at(2.0F) - at(-2.0F);
        element = before;
        numeric.push_back((8.0 * inner - outer) / (12.0 * static_cast<double>(settings.step)));
    }
    return mismatch(analytic, numeric, settings.tolerance);
}

} // namespace headscope::test
