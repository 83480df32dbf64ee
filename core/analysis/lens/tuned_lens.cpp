#include "core/analysis/lens/tuned_lens.h"

#include "core/analysis/lens/lens_row.h"
#include "core/ops/kernels.h"
#include "core/ops/linear.h"

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

/// Number of logits at a time (4 MiB).
constexpr std::int64_t kLogitValues = 1 << 20;

TensorView rowRange(TensorView view, std::int64_t first, std::int64_t count)
{
    return {view.data + first * view.shape[1], {count, view.shape[1]}};
}

/// Writes (lens - model) / rows, from each row's two distributions, over the lens's logits.
void gradientInPlace(const LensRow& own, const LensRow& shown, MutableTensorView logits,
                     double rows)
{
    for (std::int64_t id = 0; id < logits.shape[0]; ++id) {
        const auto token = static_cast<TokenId>(id);
        const double difference =
            std::exp(shown.logProbability(token)) - std::exp(own.logProbability(token));
        logits(id) = static_cast<float>(difference / rows);
    }
}

/// Gradient of the map from that of the logits: stream' = stream + stream W^T + b.
void addGradient(const LensHead& head, const TunedLens::Map& map, TensorView streams,
                 TensorView seen, MutableTensorView dLogits, TunedLens::Map& gradient)
{
    Tensor dSeen(streams.shape);
    head.backward(seen, dLogits, dSeen.view());
    LinearGradients into;
    into.weight = gradient.weight.view();
    into.bias = gradient.bias.view();
    into.addToParameters = true;
    linearBackward(streams, map.weight.view(), dSeen.view(), into);
}

} // namespace

const TunedLens::Map* TunedLens::find(const LensStage& stage) const
{
    const auto found = std::find(stages.begin(), stages.end(), stage);
    return found != stages.end() ? &maps[static_cast<std::size_t>(found - stages.begin())]
                                 : nullptr;
}

TunedLens untrainedLens(const Model& model)
{
    TunedLens lens;
    lens.stages = lensStages(model.config());
    if (!lens.stages.empty())
        lens.stages.pop_back();
    const std::int64_t width = model.config().dModel;
    for (std::size_t i = 0; i < lens.stages.size(); ++i)
        lens.maps.push_back({Tensor({width, width}), Tensor({width})});
    lens.fingerprint = weightFingerprint(model);
    return lens;
}

Tensor translated(const TunedLens::Map* map, TensorView streams)
{
    Tensor seen(streams.shape);
    std::copy_n(streams.data, streams.shape.elementCount(), seen.data());
    if (map != nullptr)
        linearAdd(streams, map->weight.view(), map->bias.view(), seen.view());
    return seen;
}

double tunedLensLoss(const LensHead& head, const TunedLens::Map& map, TensorView streams,
                     TensorView logits, TunedLens::Map* gradient)
{
    const std::int64_t rows = streams.shape[0];
    const std::int64_t stretch = std::clamp<std::int64_t>(kLogitValues / head.vocabulary(), 1,
                                                          std::max<std::int64_t>(rows, 1));
    Tensor buffer({stretch, head.vocabulary()});
    double sum = 0.0;
    for (std::int64_t first = 0; first < rows; first += stretch) {
        const std::int64_t count = std::min(stretch, rows - first);
        const TensorView part = rowRange(streams, first, count);
        const Tensor seen = translated(&map, part);
        const MutableTensorView shown{buffer.data(), Shape{count, head.vocabulary()}};
        head.logits(seen.view(), shown);
        for (std::int64_t row = 0; row < count; ++row) {
            const LensRow ownRow(logits[first + row]);
            const LensRow shownRow(shown[row]);
            sum += divergence(ownRow, shownRow);
            if (gradient != nullptr)
                gradientInPlace(ownRow, shownRow, shown[row], static_cast<double>(rows));
        }
        if (gradient != nullptr)
            addGradient(head, map, part, seen.view(), shown, *gradient);
    }
    return sum / static_cast<double>(rows);
}

} // namespace headscope
