#include "core/base/error.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/labs/lab_parts.h"
#include "core/ops/dropout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

constexpr std::size_t kLongest = 10;
constexpr std::int64_t kShownChannels = 10;
constexpr std::uint64_t kSeed = 1;

/// Residual stream of one text through all layers, and the contributions added to it.
class Stream
{
public:
    Stream(const LoadedModel& model, const TokenSequence& tokens, const LabContext& context,
           const std::stop_token& stop)
    {
        Tracer tracer(model, backendOf(context));
        const TraceRequest wanted{{"*resid_pre", "*resid_post", "*hook_attn_out", "*hook_mlp_out",
                                   "*attn.hook_pattern", "*hook_embed"}};
        m_trace = tracer.trace(tokens, wanted, {}, stop);
        m_layers = static_cast<int>(model.model->config().layers);
    }

    int layers() const { return m_layers; }

    /// Throws Error if the model lacks a site.
    TensorView at(Site site, int layer) const
    {
        const auto found = m_trace->find({site, layer});
        if (found == nullptr)
            throw Error("the model does not expose " + toString({site, layer}), "Open model",
                        "Open another model");
        return std::as_const(*found).view();
    }

    bool has(Site site, int layer) const { return m_trace->find({site, layer}) != nullptr; }

    /// Mean norm of the rows before the first block and after each block.
    std::vector<double> norms() const
    {
        std::vector<double> norms{meanNorm(at(Site::ResidPre, 0))};
        for (int layer = 0; layer < m_layers; ++layer)
            norms.push_back(meanNorm(at(Site::ResidPost, layer)));
        return norms;
    }

private:
    TracePtr m_trace;
    int m_layers = 0;
};

LabChart streamChart(const std::vector<double>& norms, const Stream& stream)
{
    LabChart chart{"blocks passed", "norm of a token's vector"};
    chart.series = {
        {"residual stream", countedPlaces(static_cast<std::int64_t>(norms.size())), norms}};
    for (const auto& [site, name] : {std::pair{Site::AttnOut, "added by attention"},
                                     {Site::MlpOut, "added by feed-forward"}}) {
        LabChart::Series series{name, {}, {}, true};
        for (int layer = 0; layer < stream.layers(); ++layer) {
            if (!stream.has(site, layer))
                continue;
            series.x.push_back(static_cast<double>(layer + 1));
            series.y.push_back(meanNorm(stream.at(site, layer)));
        }
        if (!series.x.empty())
            chart.series.push_back(std::move(series));
    }
    return chart;
}

/// Activations that dropout is applied to: rows of the model for the sentence.
TensorView subjectOf(const std::string& where, const Stream& stream)
{
    if (where == "weights")
        return stream.at(Site::Pattern, 0)[0];
    return where == "sublayer" ? stream.at(Site::AttnOut, 0) : stream.at(Site::Embed, 0);
}

struct Dropped
{
    Tensor before;
    Tensor after;
    double fraction = 0.0; ///< Fraction of the non-zero values.
    double meanBefore = 0.0;
    double meanAfter = 0.0;
};

Dropped drop(TensorView rows, const Dropout& dropout)
{
    Dropped result{Tensor(rows.shape), Tensor(rows.shape)};
    for (std::int64_t row = 0; row < rows.shape[0]; ++row)
        std::copy_n(rows[row].data, rows.shape[1], &result.before.view()(row, 0));
    dropout.apply(std::as_const(result.before).view(), result.after.view());
    double all = 0.0;
    double gone = 0.0;
    for (std::size_t i = 0; i < result.before.size(); ++i) {
        const auto before = static_cast<double>(result.before.data()[i]);
        const auto after = static_cast<double>(result.after.data()[i]);
        all += before != 0.0 ? 1.0 : 0.0;
        gone += before != 0.0 && after == 0.0 ? 1.0 : 0.0;
        result.meanBefore += std::abs(before);
        result.meanAfter += std::abs(after);
    }
    result.fraction = gone / std::max(all, 1.0);
    result.meanBefore /= std::max(all, 1.0);
    result.meanAfter /= std::max(all, 1.0);
    return result;
}

LabMatrix shown(TensorView rows, const std::vector<std::string>& words, bool isWeights)
{
    rows.shape = Shape{rows.shape[0], std::min(kShownChannels, rows.shape[1])};
    LabMatrix matrix = matrixOf("word", isWeights ? "key" : "channel", rows, !isWeights);
    matrix.rowLabels = words;
    if (isWeights)
        matrix.columnLabels = words;
    for (const double value : matrix.values)
        matrix.masked.push_back(value == 0.0);
    return matrix;
}

} // namespace

LabResult runResidual(const LabSettings& settings, const LabContext& context,
                      const std::stop_token& stop)
{
    const LoadedModel model = decoderOf(context);
    const TokenSequence tokens = sentenceOf(context, model, kLongest);
    const Stream stream(model, tokens, context, stop);
    const std::vector<double> norms = stream.norms();
    const std::string& where = settings.text("where");
    const Dropout dropout(settings.number("dropout"), kSeed,
                          static_cast<std::uint64_t>(settings.integer("step")), 0);
    const Dropped dropped = drop(subjectOf(where, stream), dropout);
    const std::vector<std::string> words = tokenLabels(model, tokens);
    const double scale = 1.0 / (1.0 - static_cast<double>(dropout.probability()));

    LabResult result;
    result.panels = {{"The residual stream",
                      fmt::format("{}, mean of {} tokens", model.name, words.size()),
                      streamChart(norms, stream)},
                     {"Before dropout", "Grey: already 0",
                      shown(dropped.before.view(), words, where == "weights")},
                     {"After dropout", "Grey: dropped; the others are scaled up",
                      shown(dropped.after.view(), words, where == "weights")}};
    for (std::size_t i = 0; i < norms.size(); ++i)
        result.numbers.push_back(
            {fmt::format("norm_{}", i), fmt::format("After block {}", i), norms[i]});
    const double growth = norms.back() / norms.front();
    result.numbers.insert(result.numbers.end(),
                          {{"norm_last", "At the end", norms.back()},
                           {"growth", "Growth", growth},
                           {"layers", "Blocks", static_cast<double>(stream.layers())},
                           {"dropped", "Dropped", 100.0 * dropped.fraction, "%"},
                           {"scale", "Scale factor", scale},
                           {"mean_before", "Mean size before", dropped.meanBefore},
                           {"mean_after", "Mean size after", dropped.meanAfter}});
    result.sentence = fmt::format(
        "Through {} blocks the residual stream grows from {:.1f} to {:.1f}. Dropout sets {:.0f} % "
        "of these values to 0 and multiplies the others by {:.3g}: the mean size goes from {:.3f} "
        "to {:.3f}.",
        stream.layers(), norms.front(), norms.back(), 100.0 * dropped.fraction, scale,
        dropped.meanBefore, dropped.meanAfter);
    putFirst(result, "growth");
    return result;
}

} // namespace headscope
