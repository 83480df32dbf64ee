#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// Inputs and switches that determine the steps of an example.
struct ExampleInputs
{
    struct Matrix
    {
        std::string name;
        std::vector<std::string> rowLabels;
        std::vector<std::string> columnLabels;
        std::vector<double> values; ///< [rows, columns].
    };

    struct Switch
    {
        std::string name;  ///< Id: "causal".
        std::string title; ///< Visible title: "Causal mask".
        bool on = false;
        std::string group = {}; ///< Only one switch of a group is on; empty: no group.
    };

    std::string example; ///< Name in the catalogue.
    std::vector<Matrix> matrices;
    std::vector<Switch> switches;
    std::string title = {}; ///< Title of this calculation; empty: the example's title.

    /// Sets "Q[2,0]" or "causal" from typed text. Throws Error, one sentence, for an unknown cell
    /// and for a value that is not a number, not finite, or beyond 1e6 in size.
    void set(std::string_view name, std::string_view value);
    bool isOn(std::string_view name) const;
    bool has(std::string_view matrix) const;
    Matrix& matrix(std::string_view name);
    const Matrix& matrix(std::string_view name) const;
};

} // namespace headscope
