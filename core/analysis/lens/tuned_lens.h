#pragma once

#include "core/analysis/heads/weight_fingerprint.h"
#include "core/analysis/lens/lens_head.h"
#include "core/analysis/lens/stream_lens.h"

#include <cstdint>

namespace headscope {

/// One affine map per stage (Belrose et al. 2023, "Eliciting Latent Predictions from Transformers
/// with the Tuned Lens"), added to the residual stream as in the authors' code: stream + stream W^T
/// + b, then the model's own head. The last stage has no map. With all maps zero it equals the
/// logit lens.
struct TunedLens
{
    struct Map
    {
        Tensor weight; ///< W [d, d] as [out, in].
        Tensor bias;   ///< b [d].
    };

    std::vector<LensStage> stages; ///< Stages with a map.
    std::vector<Map> maps;         ///< Map of each stage.

    std::string model;             ///< Name of the model at the time of training.
    std::uint64_t fingerprint = 0; ///< Value of weightFingerprint() for that model.
    std::int64_t steps = 0;        ///< Number of training steps.
    std::uint64_t seed = 0;
    std::int64_t tokens = 0; ///< Number of training tokens at different positions.
    std::int64_t heldOutTokens = 0;
    /// Mean KL(model || logit lens) on the held-out tokens by stage, nats.
    std::vector<double> before;
    /// Mean KL(model || this lens) on the held-out tokens by stage, nats.
    std::vector<double> after;

    const Map* find(const LensStage& stage) const; ///< Null if the stage has no map.
};

/// Maps of zeros for every stage of the model but the last.
TunedLens untrainedLens(const Model& model);

/// Streams [rows, d] as the lens reads them; `map` may be null.
Tensor translated(const TunedLens::Map* map, TensorView streams);

/// Mean over rows of KL(softmax(logits) || lens) in nats; its gradient is added to `gradient`
/// unless that is null. `logits` [rows, V] are the model's own, `streams` [rows, d] those of a
/// stage.
double tunedLensLoss(const LensHead& head, const TunedLens::Map& map, TensorView streams,
                     TensorView logits, TunedLens::Map* gradient);

} // namespace headscope
