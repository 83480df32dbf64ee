#include "core/analysis/difference/weight_difference.h"

#include "core/analysis/weights/weight_reader.h"
#include "core/base/parallel.h"
#include "core/model/weights/lazy_parameters.h"

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

/// Where a parameter's numbers are.
struct WeightLocation
{
    const void* address = nullptr;
    BlockFormat format = BlockFormat::F32;
    std::vector<std::int64_t> order;

    friend bool operator==(const WeightLocation&, const WeightLocation&) = default;
};

WeightLocation locationOf(const Model& model, std::size_t parameter)
{
    const ParameterSet& parameters = model.parameters();
    if (parameters.stored() == nullptr)
        return {parameters.view(parameters.specs()[parameter]).data, BlockFormat::F32, {}};
    const StoredParameter& stored = parameters.stored()->parameter(parameter);
    return {stored.bytes.data(), stored.format, stored.order};
}

/// Sums of squares of one row.
struct RowSums
{
    double difference = 0.0;
    double norm = 0.0;
};

RowSums rowSums(std::span<const float> a, std::span<const float> b)
{
    RowSums sums;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double difference = double{b[i]} - double{a[i]};
        sums.difference += difference * difference;
        sums.norm += double{a[i]} * double{a[i]};
    }
    return sums;
}

/// Sums of all rows, added in order: they do not depend on the number of threads.
RowSums matrixSums(const WeightReader& a, const WeightReader& b, Progress& progress)
{
    constexpr std::int64_t kWeightsAtOnce = std::int64_t{1} << 22;
    const std::int64_t columns = std::max<std::int64_t>(a.storedColumns(), 1);
    const std::int64_t step = std::max<std::int64_t>(1, kWeightsAtOnce / columns);
    RowSums sums;
    for (std::int64_t first = 0; first < a.storedRows(); first += step) {
        const auto count = static_cast<std::size_t>(std::min(step, a.storedRows() - first));
        std::vector<RowSums> rows(count);
        parallelFor(count, std::min(workerCount(), count),
                    [&](std::size_t begin, std::size_t end, std::size_t) {
                        std::vector<float> ofA(static_cast<std::size_t>(columns));
                        std::vector<float> ofB(ofA.size());
                        for (std::size_t row = begin; row < end; ++row) {
                            a.readStored(first + static_cast<std::int64_t>(row), ofA);
                            b.readStored(first + static_cast<std::int64_t>(row), ofB);
                            rows[row] = rowSums(ofA, ofB);
                        }
                    });
        for (const RowSums& row : rows) {
            sums.difference += row.difference;
            sums.norm += row.norm;
        }
        progress.add(count * static_cast<std::uint64_t>(columns));
    }
    return sums;
}

double ratio(double difference, double norm)
{
    if (difference == 0.0)
        return 0.0;
    return norm > 0.0 ? difference / norm : NAN;
}

/// One matrix in both models.
struct MatrixPair
{
    WeightMatrix a;
    WeightMatrix b;

    std::uint64_t weights() const { return static_cast<std::uint64_t>(a.rows * a.columns); }
};

MatrixDifference differenceOf(const MatrixPair& pair, const std::shared_ptr<const Model>& a,
                              const std::shared_ptr<const Model>& b, Progress& progress)
{
    MatrixDifference result;
    result.name = pair.a.name;
    result.formatA = storageFormat(*a, pair.a);
    result.formatB = storageFormat(*b, pair.b);
    if (locationOf(*a, pair.a.parameter) == locationOf(*b, pair.b.parameter)) {
        result.isShared = true;
        progress.add(pair.weights());
        return result;
    }
    const WeightReader ofA(a, pair.a);
    const WeightReader ofB(b, pair.b);
    const RowSums sums = matrixSums(ofA, ofB, progress);
    ofA.requireUnchanged();
    ofB.requireUnchanged();
    result.difference = std::sqrt(sums.difference);
    result.norm = std::sqrt(sums.norm);
    result.relative = ratio(result.difference, result.norm);
    return result;
}

} // namespace

double WeightDifference::relative() const
{
    double difference = 0.0;
    double norm = 0.0;
    for (const MatrixDifference& matrix : matrices) {
        difference += matrix.difference * matrix.difference;
        norm += matrix.norm * matrix.norm;
    }
    return norm > 0.0 ? std::sqrt(difference / norm) : NAN;
}

WeightDifference weightDifference(const std::shared_ptr<const Model>& a,
                                  const std::shared_ptr<const Model>& b, Progress& progress)
{
    WeightDifference result;
    const std::vector<WeightMatrix> ofB = weightMatrices(b->config());
    std::vector<MatrixPair> pairs;
    for (const WeightMatrix& matrix : weightMatrices(a->config())) {
        const auto same = std::ranges::find(ofB, matrix.name, &WeightMatrix::name);
        if (same != ofB.end() && same->rows == matrix.rows && same->columns == matrix.columns)
            pairs.push_back({matrix, *same});
        else
            ++result.unmatched;
    }
    std::uint64_t weights = 0;
    for (const MatrixPair& pair : pairs)
        weights += pair.weights();
    progress.expect(weights);
    for (const MatrixPair& pair : pairs)
        result.matrices.push_back(differenceOf(pair, a, b, progress));
    return result;
}

} // namespace headscope
