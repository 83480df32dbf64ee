#include "core/analysis/flow/value_contributions.h"

#include "core/analysis/flow/attention_sublayer.h"
#include "core/base/parallel.h"
#include "core/base/stop.h"

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

constexpr double kLeast = 1e-5; ///< Score of a part that does not bring the sum nearer.

double size(const float* vector, std::int64_t count)
{
    double sum = 0.0;
    for (std::int64_t i = 0; i < count; ++i)
        sum += std::abs(double{vector[i]});
    return sum;
}

/// max(|y| - |y - weight part|, 1e-5) by l1 lengths; `wholeSize` is |y|.
double scoreOf(const float* whole, double wholeSize, const float* part, float weight,
               std::int64_t count)
{
    double rest = 0.0;
    for (std::int64_t i = 0; i < count; ++i)
        rest += std::abs(double{whole[i]} - double{weight} * double{part[i]});
    return std::max(wholeSize - rest, kLeast);
}

/// All summands of one sublayer's rows.
struct Parts
{
    const AttentionSublayer& layer;
    std::vector<Tensor> values; ///< Values of each head [m, d]; empty for replaced heads.
    std::shared_ptr<const Tensor> before;
    bool hasResidual = true;
    const Tensor& bias; ///< Output bias [d], or empty.
    Tensor replaced;    ///< Output of replaced heads [n, d], or empty.
};

Parts partsOf(const AttentionSublayer& layer, const Model& model, const std::stop_token& stop)
{
    Parts parts{layer,          std::vector<Tensor>(static_cast<std::size_t>(layer.heads())),
                layer.before(), model.config().hasResidual(),
                layer.bias(),   {}};
    if (!layer.replacedHeads().empty())
        parts.replaced = Tensor({layer.queries(), layer.width()});
    for (std::int64_t head = 0; head < layer.heads(); ++head) {
        throwIfStopped(stop);
        if (!layer.isReplaced(head)) {
            parts.values[static_cast<std::size_t>(head)] = layer.projectedHead(head);
            continue;
        }
        const Tensor written = layer.written(head);
        std::transform(written.values().begin(), written.values().end(), parts.replaced.data(),
                       parts.replaced.data(), std::plus<>());
    }
    return parts;
}

/// The sum y_i, [d].
std::vector<float> wholeOf(const Parts& parts, std::int64_t query)
{
    const std::int64_t width = parts.layer.width();
    std::vector<double> sum(&parts.before->view()(query, 0),
                            &parts.before->view()(query, 0) + width);
    const auto add = [&](const float* part, double weight) {
        for (std::size_t i = 0; i < sum.size(); ++i)
            sum[i] += weight * double{part[i]};
    };
    for (std::int64_t head = 0; head < parts.layer.heads(); ++head)
        for (std::int64_t key = 0; key < parts.layer.keys(); ++key)
            if (const float weight = parts.layer.weight(head, query, key); weight != 0.0F)
                add(&parts.values[static_cast<std::size_t>(head)].view()(key, 0), double{weight});
    if (!parts.bias.empty())
        add(parts.bias.data(), double{parts.layer.outputFactor(query)});
    if (!parts.replaced.empty())
        add(&parts.replaced.view()(query, 0), 1.0);
    return {sum.begin(), sum.end()};
}

/// Writes the scores of one query's parts in place of its contributions.
void scoreQuery(const Parts& parts, std::int64_t query, ValueContributions& into)
{
    const std::int64_t width = parts.layer.width();
    const std::vector<float> whole = wholeOf(parts, query);
    const double wholeSize = size(whole.data(), width);
    const auto score = [&](const float* part, float weight) {
        return static_cast<float>(scoreOf(whole.data(), wholeSize, part, weight, width));
    };
    for (std::int64_t head = 0; head < parts.layer.heads(); ++head)
        for (std::int64_t key = 0; key < parts.layer.keys(); ++key)
            if (const float weight = parts.layer.weight(head, query, key); weight != 0.0F)
                into.heads.view()(head, query, key) =
                    score(&parts.values[static_cast<std::size_t>(head)].view()(key, 0), weight);
    if (parts.hasResidual)
        into.residual.view()(query) = score(&parts.before->view()(query, 0), 1.0F);
    if (!parts.bias.empty())
        into.bias.view()(query) = score(parts.bias.data(), parts.layer.outputFactor(query));
    if (!parts.replaced.empty())
        into.replaced.view()(query) = score(&parts.replaced.view()(query, 0), 1.0F);
}

/// Calls change(contribution) for every part of one query.
template<class Change>
void forEachContribution(ValueContributions& contributions, std::int64_t query,
                         const Change& change)
{
    for (std::int64_t head = 0; head < contributions.heads.shape()[0]; ++head)
        for (std::int64_t key = 0; key < contributions.heads.shape()[2]; ++key)
            change(contributions.heads.view()(head, query, key));
    for (Tensor* named : {&contributions.residual, &contributions.bias, &contributions.replaced})
        if (!named->empty())
            change(named->view()(query));
}

void divideBySum(ValueContributions& contributions, std::int64_t query)
{
    double sum = 0.0;
    forEachContribution(contributions, query, [&sum](float fraction) { sum += double{fraction}; });
    if (sum > 0.0)
        forEachContribution(contributions, query, [sum](float& fraction) {
            fraction = static_cast<float>(double{fraction} / sum);
        });
}

} // namespace

ValueContributions valueContributions(const Trace& trace, const Model& model, SublayerIndex place,
                                      const std::stop_token& stop)
{
    const AttentionSublayer layer(trace, model, place);
    const Parts parts = partsOf(layer, model, stop);
    ValueContributions contributions;
    contributions.heads = Tensor({layer.heads(), layer.queries(), layer.keys()});
    contributions.residual = Tensor({layer.queries()});
    if (!parts.bias.empty())
        contributions.bias = Tensor({layer.queries()});
    if (!parts.replaced.empty())
        contributions.replaced = Tensor({layer.queries()});
    contributions.replacedHeads = layer.replacedHeads();
    // Later queries of a causal pattern have more parts: small ranges keep every thread busy.
    const auto queries = static_cast<std::size_t>(layer.queries());
    parallelForEach(queries, 8 * workerCount(), stop, [&](std::size_t index) {
        const auto query = static_cast<std::int64_t>(index);
        scoreQuery(parts, query, contributions);
        divideBySum(contributions, query);
    });
    return contributions;
}

ValueContributions renormalised(ValueContributions contributions)
{
    for (std::int64_t query = 0; query < contributions.residual.shape()[0]; ++query)
        divideBySum(contributions, query);
    return contributions;
}

} // namespace headscope
