#pragma once

#include "core/analysis/heads/weight_fingerprint.h"
#include "core/analysis/lens/lens_head.h"
#include "core/analysis/lens/stream_lens.h"

#include <cstdint>

namespace headscope {

/// One affine map a stage (Belrose et al. 2023, "Eliciting Latent Predictions from Transformers
/// with the Tuned Lens"), added to the stream as in the authors' code: stream + stream W^T + b,
/// then the model's own head. The last stage has no map. All zero it is the logit lens.
struct TunedLens
{
    struct Map
    {
        Tensor weight; ///< [d, d] as [out, in]
        Tensor bias;   ///< [d]
    };

    std::vector<LensStage> stages; ///< those with a map
    std::vector<Map> maps;         ///< of each

    std::string model;             ///< its name when the lens was trained
    std::uint64_t fingerprint = 0; ///< weightFingerprint() of that model
    std::int64_t steps = 0;        ///< trained
    std::uint64_t seed = 0;
    std::int64_t tokens = 0; ///< trained on, of different positions
    std::int64_t heldOutTokens = 0;
    std::vector<double> before; ///< mean KL(model || logit lens) on the held-out tokens, nats, of
                                ///< each stage
    std::vector<double> after;  ///< the same of this lens

    const Map* find(const LensStage& stage) const; ///< null without one
};

/// All zero, of every stage of the model but the last.
TunedLens untrainedLens(const Model& model);

/// streams [rows, d] as the lens sees them; `map` may be null.
Tensor translated(const TunedLens::Map* map, TensorView streams);

/// Mean over rows of KL(softmax(logits) || lens) in nats, and its gradient, added to `gradient`
/// unless that is null. `logits` [rows, V] are the model's own, `streams` [rows, d] a stage's.
double tunedLensLoss(const LensHead& head, const TunedLens::Map& map, TensorView streams,
                     TensorView logits, TunedLens::Map* gradient);

} // namespace headscope
