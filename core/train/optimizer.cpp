#include "core/train/optimizer.h"

#include "core/base/parallel.h"
#include "core/model/weights/running_statistics.h"
#include "core/ops/kernels.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope {

namespace {

/// Ranges begin on a cache line, so that no two workers write to the same one.
constexpr std::size_t kGrain = 16;

template<class Body>
void forRanges(std::size_t count, Body&& body)
{
    const std::size_t grains = (count + kGrain - 1) / kGrain;
    parallelFor(grains, workerCount(), [&](std::size_t begin, std::size_t end, std::size_t part) {
        body(begin * kGrain, std::min(end * kGrain, count), part);
    });
}

} // namespace

Optimizer::Optimizer(const OptimizerSettings& settings, const ParameterSet& layout)
    : m_settings(settings)
    , m_squares(workerCount(), 0.0)
{
    for (const ParameterSpec& spec : layout.specs()) {
        const bool decays = (!settings.decayMatricesOnly || spec.shape.rank() == 2) &&
                            !isRunningStatistic(spec.name);
        const double decay = decays ? settings.weightDecay : 0.0;
        const std::size_t end = spec.offset + static_cast<std::size_t>(spec.shape.elementCount());
        if (!m_segments.empty() && m_segments.back().decay == decay)
            m_segments.back().end = end;
        else
            m_segments.push_back({spec.offset, end, decay});
    }
    m_others.reserve(workerCount());
}

double Optimizer::sumGradients(std::span<ParameterSet> parts)
{
    float* const total = parts[0].values().data();
    m_others.clear();
    for (std::size_t part = 1; part < parts.size(); ++part)
        m_others.push_back(parts[part].values().data());
    std::fill(m_squares.begin(), m_squares.end(), 0.0);
    forRanges(parts[0].values().size(), [&](std::size_t begin, std::size_t end, std::size_t range) {
        m_squares[range] = kernels().reduce(total, m_others.data(), std::ssize(m_others),
                                            static_cast<std::int64_t>(begin),
                                            static_cast<std::int64_t>(end - begin));
    });
    return std::sqrt(std::accumulate(m_squares.begin(), m_squares.end(), 0.0));
}

void Optimizer::update(TrainingState& state, const ParameterSet& gradients, double rate,
                       double gradientNorm) const
{
    const double scale = clipCoefficient(gradientNorm, m_settings.clipNorm);
    if (m_settings.kind == OptimizerKind::Sgd)
        sgdUpdate(state, gradients, rate, scale);
    else
        adamUpdate(state, gradients, rate, scale);
}

/// Calls body(first, count, decay) for adjacent parameters with the same weight decay, on all
/// workers.
template<class Body>
void Optimizer::forSegments(std::size_t count, const Body& body) const
{
    forRanges(count, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (const Segment& segment : m_segments) {
            const std::size_t first = std::max(begin, segment.begin);
            const std::size_t last = std::min(end, segment.end);
            if (first < last)
                body(first, last - first, segment.decay);
        }
    });
}

void Optimizer::adamUpdate(TrainingState& state, const ParameterSet& gradients, double rate,
                           double scale) const
{
    AdamUpdate common;
    common.rate = rate;
    common.beta1 = m_settings.beta1;
    common.beta2 = m_settings.beta2;
    common.epsilon = m_settings.epsilon;
    common.gradientScale = scale;
    common.step = state.step + 1;
    const bool isDecoupled = m_settings.kind == OptimizerKind::AdamW;
    forSegments(gradients.values().size(), [&](std::size_t first, std::size_t count, double decay) {
        AdamUpdate update = common;
        (isDecoupled ? update.decay : update.coupledDecay) = decay;
        adam(update, gradients.values().subspan(first, count),
             {state.parameters.values().subspan(first, count),
              state.firstMoment.values().subspan(first, count),
              state.secondMoment.values().subspan(first, count)});
    });
}

void Optimizer::sgdUpdate(TrainingState& state, const ParameterSet& gradients, double rate,
                          double scale) const
{
    forSegments(gradients.values().size(), [&](std::size_t first, std::size_t count, double decay) {
        sgd({rate, m_settings.momentum, decay, scale}, gradients.values().subspan(first, count),
            {state.parameters.values().subspan(first, count),
             state.firstMoment.values().subspan(first, count)});
    });
}

} // namespace headscope
