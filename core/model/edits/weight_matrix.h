#pragma once

#include "core/model/config/model_config.h"
#include "core/tensor/tensor.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headscope {

class Model;

/// One weight matrix under the name that the interpretability field uses (TransformerLens), as in
/// y = x W: [in, out]. W_E is [vocabulary, d_model], W_U [d_model, vocabulary]. Biases and the
/// weights of norms are matrices of one row.
struct WeightMatrix
{
    /// Axis along which heads follow each other.
    enum class Axis { None, Rows, Columns };

    std::string name;          ///< "blocks.0.attn.W_Q".
    std::size_t parameter = 0; ///< Index in ParameterSet::specs().
    bool isTransposed = false; ///< True when the parameter stores columns as rows.
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    Axis headAxis = Axis::None;
    std::int64_t heads = 0;      ///< Heads along headAxis.
    Axis tokenAxis = Axis::None; ///< Axis indexed by token id.

    bool isVector() const { return rows == 1; }

    /// Index of a cell in the parameter's values.
    std::int64_t cell(std::int64_t row, std::int64_t column) const
    {
        return isTransposed ? column * rows + row : row * columns + column;
    }

    /// Rows or columns per head.
    std::int64_t headSize() const;
};

/// All weight matrices of a configuration, in the order of its parameters.
std::vector<WeightMatrix> weightMatrices(const ModelConfig& config);

/// Finds a matrix by name. Throws ShapeError with the nearest name, or with the reason why there is
/// no such matrix.
const WeightMatrix& findMatrix(const std::vector<WeightMatrix>& matrices, const std::string& name);

/// Names of all attentions, "blocks.0.attn".
std::vector<std::string> attentionNames(const std::vector<WeightMatrix>& matrices);

/// Name of the format in which a file stores the matrix, "Q4_K"; empty for 32-bit floats in memory.
std::string storageFormat(const Model& model, const WeightMatrix& matrix);

} // namespace headscope
