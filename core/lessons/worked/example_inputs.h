#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// What can be chosen before the steps are made.
struct ExampleInputs
{
    struct Matrix
    {
        std::string name;
        std::vector<std::string> rowLabels;
        std::vector<std::string> columnLabels;
        std::vector<double> values; ///< [rows, columns]
    };

    struct Switch
    {
        std::string name;  ///< "causal"
        std::string title; ///< "Causal mask"
        bool on = false;
        std::string group = {}; ///< set() switches the others of a group off; empty: none
    };

    std::string example; ///< name of the catalogue
    std::vector<Matrix> matrices;
    std::vector<Switch> switches;
    std::string title = {}; ///< of this calculation; empty: the example's own

    /// Sets "Q[2,0]" or "causal" from what a person typed. Throws Error, one sentence: no such
    /// cell, no number, not finite, or beyond 1e6 in size.
    void set(std::string_view name, std::string_view value);
    bool isOn(std::string_view name) const;
    bool has(std::string_view matrix) const;
    Matrix& matrix(std::string_view name);
    const Matrix& matrix(std::string_view name) const;
};

} // namespace headscope
