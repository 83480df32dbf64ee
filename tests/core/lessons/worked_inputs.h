#pragma once

#include "core/lessons/worked/example_catalogue.h"
#include "core/lessons/worked/worked_example.h"

#include <optional>
#include <random>

namespace headscope {

/// Random editable inputs of every example, within what each of their cells may hold. All numbers
/// are multiples of 1/64, so that they are the same as floats.
class RandomInputs
{
public:
    explicit RandomInputs(unsigned seed) : m_random(seed) {}

    int integer(int low, int high)
    {
        return std::uniform_int_distribution<int>(low, high)(m_random);
    }

    double number(double largest)
    {
        const int steps = static_cast<int>(largest * 64);
        return integer(-steps, steps) / 64.0;
    }

    ExampleInputs operator()(const std::string& name)
    {
        ExampleInputs inputs = exampleInputs(name);
        for (auto& matrix : inputs.matrices)
            for (double& value : matrix.values)
                value = of(matrix.name);
        if (name == "cross-entropy")
            inputs.matrix("targets").values.front() = integer(0, 3); // one at least
        for (const auto& each : std::vector(inputs.switches))
            inputs.set(each.name, integer(0, 1) == 1 ? "on" : "off");
        return inputs;
    }

private:
    double of(const std::string& matrix)
    {
        if (matrix == "mask")
            return integer(0, 2) > 0;
        if (matrix == "targets")
            return integer(0, 3) > 0 ? integer(0, 3) : -100;
        if (const std::optional<double> number = setting(matrix))
            return *number;
        if (matrix == "positions" || matrix == "shift")
            return integer(0, 30);
        if (matrix == "base")
            return integer(2, 20000);
        if (matrix == "epsilon")
            return 1.0 / 1024.0;
        if (matrix == "second")
            return integer(0, 64) / 64.0;
        return number(1.5);
    }

    std::optional<double> setting(const std::string& name)
    {
        if (name == "beta1" || name == "beta2")
            return integer(1, 63) / 64.0;
        if (name == "d")
            return 2 * integer(1, 4);
        if (name == "d_k" || name == "sizes")
            return integer(1, 8);
        if (name == "pairs" || name == "seed")
            return integer(2, 50);
        if (name == "variance")
            return integer(0, 64) / 64.0;
        if (name == "step")
            return integer(1, 9);
        if (name == "largest_norm")
            return integer(1, 128) / 64.0;
        if (name == "rate" || name == "decay")
            return integer(0, 64) / 256.0;
        return std::nullopt;
    }

    std::mt19937 m_random;
};

} // namespace headscope
