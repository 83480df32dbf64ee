#include "core/ops/norm.h"

#include "core/base/error.h"
#include "core/ops/kernels.h"
#include "core/ops/rows.h"

#include <fmt/format.h>

namespace headscope {

static_assert(static_cast<int>(NormKind::StdEps) + 1 == Kernels::kNorms);

namespace {

bool isRms(NormKind kind)
{
    return kind == NormKind::Rms || kind == NormKind::RmsUnitOffset;
}

void requireParameters(const NormParameters& parameters, std::int64_t columns, const char* name)
{
    if (parameters.kind == NormKind::Batch)
        throw ShapeError(fmt::format("{}: a batch has statistics of its own", name), {},
                         "Use batchNorm");
    if (!(parameters.epsilon >= 0.0F))
        throw ShapeError(fmt::format("{}: epsilon is {}", name, parameters.epsilon), {},
                         "Use a number of at least 0, such as 1e-5");
    requireShape(parameters.gamma, {columns}, name, "gamma");
    if (parameters.beta && isRms(parameters.kind))
        throw ShapeError(fmt::format("{}: beta is {}, but RMS norms have none", name,
                                     parameters.beta.shape.toString()));
    if (parameters.beta)
        requireShape(parameters.beta, {columns}, name, "beta");
    if (parameters.kind == NormKind::StdEps && columns < 2)
        throw ShapeError(
            fmt::format("{}: rows of 1 value have no deviation with divisor d - 1", name), {},
            "Use rows of at least 2 values, or layer normalisation");
}

} // namespace

void norm(const NormParameters& parameters, TensorView x, MutableTensorView y,
          const NormStatistics& statistics)
{
    // x, y: [rows, d], gamma, beta: [d], mean, inverseDeviation: [rows]
    const char* const name = "norm";
    const RowCount size = rowsOf(x, name, "x");
    requireRows(y, size, name, "y");
    requireParameters(parameters, size.columns, name);
    for (const MutableTensorView& view : {statistics.mean, statistics.inverseDeviation}) {
        if (view)
            requireShape(view, {size.rows}, name, "statistics");
    }
    kernels().norm[static_cast<int>(parameters.kind)](
        x.data, parameters.gamma.data, parameters.beta.data, parameters.epsilon, y.data,
        statistics.mean.data, statistics.inverseDeviation.data, size.rows, size.columns);
}

void normBackward(const NormParameters& parameters, TensorView x, const NormStatistics& statistics,
                  TensorView dy, const NormGradients& gradients)
{
    // forward: n = (x - mean) * inverseDeviation, y = n * gamma + beta; mean is 0 for the Rms kinds
    // dx = inverseDeviation * (g - average(g) - n * average(g n)), g = dy * gamma; Rms: without
    // average(g); StdEps: sum(g n) / sqrt((d - 1) sum(n^2)) for average(g n)
    const char* const name = "normBackward";
    const RowCount size = rowsOf(x, name, "x");
    requireParameters(parameters, size.columns, name);
    requireRows(dy, size, name, "dy");
    requireRows(gradients.x, size, name, "dx");
    if (gradients.gamma)
        requireShape(gradients.gamma, {size.columns}, name, "dgamma");
    if (gradients.beta)
        requireShape(gradients.beta, {size.columns}, name, "dbeta");
    if (gradients.beta && isRms(parameters.kind))
        throw ShapeError(fmt::format("{}: dbeta is {}, but RMS norms have no beta", name,
                                     gradients.beta.shape.toString()));
    if (!isRms(parameters.kind))
        requireShape(statistics.mean, {size.rows}, name, "mean");
    requireShape(statistics.inverseDeviation, {size.rows}, name, "inverseDeviation");
    kernels().normBackward[static_cast<int>(parameters.kind)](
        x.data, parameters.gamma.data, statistics.mean.data, statistics.inverseDeviation.data,
        dy.data, gradients.x.data, gradients.gamma.data, gradients.beta.data, size.rows,
        size.columns);
}

} // namespace headscope
