#pragma once

#include "core/model/edits/weight_matrix.h"
#include "core/model/model.h"

#include <span>
#include <stop_token>
#include <vector>

namespace headscope {

/// Reads the weights of one matrix without keeping what it expands: rows of a stored matrix are
/// unpacked one at a time. With `minus` it reads the difference of two models.
class WeightReader
{
public:
    WeightReader(std::shared_ptr<const Model> model, WeightMatrix matrix,
                 std::shared_ptr<const Model> minus = nullptr);

    const WeightMatrix& matrix() const { return m_matrix; }

    /// Rows as the parameter stores them: those of the matrix, or its columns where it is
    /// transposed.
    std::int64_t storedRows() const;
    std::int64_t storedColumns() const;
    void readStored(std::int64_t row, std::span<float> values) const; ///< [storedColumns()].

    std::vector<float> row(std::int64_t index) const;    ///< Row of the matrix [columns].
    std::vector<float> column(std::int64_t index) const; ///< Column of the matrix [rows].

    /// Throws FormatError if a file that holds the weights has changed since it was opened.
    void requireUnchanged() const;

private:
    /// One model's weights.
    struct Source
    {
        std::shared_ptr<const Model> model;
        std::size_t parameter = 0;
        Tensor unpacked; ///< Whole parameter, where rows are not stored as such.

        void read(std::int64_t row, std::span<float> values) const;
    };

    Source sourceOf(std::shared_ptr<const Model> model) const;
    std::vector<float> alongStored(std::int64_t row) const;
    std::vector<float> acrossStored(std::int64_t column) const;

    WeightMatrix m_matrix;
    Source m_source;
    Source m_minus; ///< Without a model: nothing is subtracted.
};

} // namespace headscope
