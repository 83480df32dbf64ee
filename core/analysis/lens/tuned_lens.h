#pragma once

#include "core/analysis/heads/weight_fingerprint.h"
#include "core/analysis/lens/lens_head.h"
#include "core/analysis/lens/stream_lens.h"
#include "core/model/pass/tracer.h"

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

struct TunedLensSettings
{
    std::int64_t steps = 250;
    std::int64_t batch = 64;          ///< positions a step
    double rate = 1e-3;               ///< Adam's, falling in a line to 0
    double decay = 0.0;               ///< AdamW's: towards the logit lens
    double heldOut = 0.2;             ///< share of the texts that is only measured
    std::int64_t heldOutTokens = 256; ///< of those texts, at most
    std::int64_t tokens = 4096; ///< of text; where the given ones are fewer, the model writes more
    std::uint64_t seed = 1;
    std::size_t memory = std::size_t{256} << 20; ///< bytes that the texts' streams may take
};

/// Settings for a model of this size: fewer positions and less text where both cost much, so that a
/// step takes about a second at most on two cores.
TunedLensSettings tunedLensSettings(const Model& model);

/// What a step brought.
struct TunedLensReport
{
    std::int64_t step = 0; ///< 1 after the first
    std::int64_t steps = 0;
    std::vector<double> divergence; ///< of each stage: mean KL of the step's positions, nats
};

/// Called with (done, all) tokens; may be empty.
using TokensProgress = std::function<void(std::int64_t done, std::int64_t all)>;

/// Texts for a lens: the given ones, then what the model itself writes until there are
/// `settings.tokens`, sampled at temperature 1. Decoders continue beginnings of the given texts and
/// the empty text, encoder-decoders answer given sources and such with some tokens exchanged,
/// encoders rewrite given texts token by token (Wang, Cho 2019, "BERT has a Mouth, and It Must
/// Speak"). The same seed, the same texts. Throws Error where there is nothing to begin with,
/// Cancelled when `stop` asks.
std::vector<SourceAndTarget> lensTexts(const LoadedModel& model, std::vector<SourceAndTarget> given,
                                       const TunedLensSettings& settings,
                                       const TokensProgress& progress = {},
                                       const std::stop_token& stop = {});

/// Minimises KL(model || lens) at every stage, each on its own. Deterministic for a seed, whatever
/// the number of threads. Throws Error where there is too little text or no language head,
/// Cancelled when `stop` asks.
TunedLens trainTunedLens(const LoadedModel& model, const std::vector<SourceAndTarget>& texts,
                         const TunedLensSettings& settings,
                         const std::function<void(const TunedLensReport&)>& onStep = {},
                         const std::stop_token& stop = {});

/// Mean over rows of KL(softmax(logits) || lens) in nats, and its gradient, added to `gradient`
/// unless that is null. `logits` [rows, V] are the model's own, `streams` [rows, d] a stage's.
double tunedLensLoss(const LensHead& head, const TunedLens::Map& map, TensorView streams,
                     TensorView logits, TunedLens::Map* gradient);

} // namespace headscope
