#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// One change to a model's weights, as data. Matrices are named and oriented as in y = x W (see
/// WeightMatrix), so that row 3 of W_E is the embedding of token 3.
struct WeightEdit
{
    enum class Kind {
        Set,   ///< Sets the selected cells to `values`.
        Scale, ///< Multiplies the selected cells by `factor`.
        Take,  ///< Replaces the selected cells by those of `checkpoint`.
        Swap,  ///< Exchanges two heads of one attention: all their rows and columns.
    };

    Kind kind = Kind::Set;
    std::string matrix; ///< Matrix "blocks.0.attn.W_Q"; for a swap the attention "blocks.0.attn".
    std::optional<std::int64_t> row;    ///< Selected row; unset: all.
    std::optional<std::int64_t> column; ///< Selected column; unset: all.
    std::optional<int> head;            ///< Selects the rows or columns of one head.
    std::vector<float> values;          ///< One number, or one for each selected cell, by rows.
    double factor = 1.0;
    std::string checkpoint; ///< Name of another model, as the command line takes it.
    int otherHead = 0;      ///< Second head of a swap.

    friend bool operator==(const WeightEdit&, const WeightEdit&) = default;
};

/// One edit as text: "blocks.0.attn.W_Q[3,5]=0.1", "...[3,:]*=2", "...[H3]*=0", "...=@FILE",
/// "blocks.0.attn[H3,H5]=swap".
std::string toString(const WeightEdit& edit);

/// Inverse of toString(). A row may be written [3], a list of values 0.1,0.2. Throws Error.
WeightEdit parseWeightEdit(std::string_view text);

nlohmann::json toJson(const WeightEdit& edit);

/// Inverse of toJson(); accepts the text of parseWeightEdit() too. Throws Error or FormatError
/// naming `where`.
WeightEdit weightEditFromJson(const nlohmann::json& value, const std::string& where);

} // namespace headscope
