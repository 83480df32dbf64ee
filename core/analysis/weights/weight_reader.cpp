#include "core/analysis/weights/weight_reader.h"

#include "core/model/weights/lazy_parameters.h"

#include <algorithm>
#include <utility>

namespace headscope {

void WeightReader::Source::read(std::int64_t row, std::span<float> values) const
{
    const LazyParameters* const stored = model->parameters().stored();
    const auto columns = static_cast<std::int64_t>(values.size());
    if (unpacked.size() > 0)
        std::copy_n(unpacked.data() + row * columns, columns, values.begin());
    else if (stored != nullptr)
        unpackRow(stored->parameter(parameter), row, values);
    else
        std::copy_n(model->parameters().view(model->parameters().specs()[parameter]).data +
                        row * columns,
                    columns, values.begin());
}

WeightReader::WeightReader(std::shared_ptr<const Model> model, WeightMatrix matrix,
                           std::shared_ptr<const Model> minus)
    : m_matrix(std::move(matrix))
    , m_source(sourceOf(std::move(model)))
    , m_minus(sourceOf(std::move(minus)))
{
}

WeightReader::Source WeightReader::sourceOf(std::shared_ptr<const Model> model) const
{
    Source source;
    source.parameter = m_matrix.parameter;
    source.model = std::move(model);
    const LazyParameters* const stored =
        source.model ? source.model->parameters().stored() : nullptr;
    if (stored == nullptr)
        return source;
    const StoredParameter& parameter = stored->parameter(source.parameter);
    if (parameter.transposed || m_matrix.isVector()) {
        source.unpacked = Tensor(stored->shape(source.parameter));
        unpackParameter(parameter, {source.unpacked.data(), source.unpacked.shape()});
    }
    return source;
}

std::int64_t WeightReader::storedRows() const
{
    return m_matrix.isTransposed ? m_matrix.columns : m_matrix.rows;
}

std::int64_t WeightReader::storedColumns() const
{
    return m_matrix.isTransposed ? m_matrix.rows : m_matrix.columns;
}

void WeightReader::readStored(std::int64_t row, std::span<float> values) const
{
    m_source.read(row, values);
    if (!m_minus.model)
        return;
    std::vector<float> subtracted(values.size());
    m_minus.read(row, subtracted);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] -= subtracted[i];
}

std::vector<float> WeightReader::alongStored(std::int64_t row) const
{
    std::vector<float> values(static_cast<std::size_t>(storedColumns()));
    readStored(row, values);
    return values;
}

std::vector<float> WeightReader::acrossStored(std::int64_t column) const
{
    std::vector<float> values(static_cast<std::size_t>(storedRows()));
    std::vector<float> row(static_cast<std::size_t>(storedColumns()));
    for (std::int64_t i = 0; i < storedRows(); ++i) {
        readStored(i, row);
        values[static_cast<std::size_t>(i)] = row[static_cast<std::size_t>(column)];
    }
    return values;
}

std::vector<float> WeightReader::row(std::int64_t index) const
{
    return m_matrix.isTransposed ? acrossStored(index) : alongStored(index);
}

std::vector<float> WeightReader::column(std::int64_t index) const
{
    return m_matrix.isTransposed ? alongStored(index) : acrossStored(index);
}

void WeightReader::requireUnchanged() const
{
    m_source.model->parameters().requireUnchanged();
    if (m_minus.model)
        m_minus.model->parameters().requireUnchanged();
}

} // namespace headscope
