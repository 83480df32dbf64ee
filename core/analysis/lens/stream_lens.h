#pragma once

#include "core/model/model.h"
#include "core/trace/trace.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace headscope {

struct TunedLens;

/// One place of the residual stream at which a lens looks.
struct LensStage
{
    enum class Kind { Embeddings, AfterAttention, AfterCross, AfterLayer };

    Kind kind = Kind::Embeddings;
    TraceKey key; ///< its layer is 0 for the embeddings

    friend bool operator==(const LensStage&, const LensStage&) = default;
};

/// In the order of computing: the embeddings, then of every layer what stands after attention,
/// after cross-attention (decoders that read a source) and after the layer. Of the stack that
/// predicts. Without `halfSteps`, and for blocks that have no feed-forward part, only the last of
/// these. In a parallel block the stream after attention is a sum that the feed-forward part does
/// not read. The last stage is what the model predicts from; none for a model without layers.
std::vector<LensStage> lensStages(const ModelConfig& config, bool halfSteps = true);

/// Globs of the activations that those stages read, for a TraceRequest.
std::vector<std::string> lensSites(const ModelConfig& config, bool halfSteps = true);

struct StreamLensOptions
{
    bool embeddings = true; ///< before the first layer
    bool halfSteps = true;
    int top = 5;                                 ///< most probable tokens of a cell
    std::vector<std::optional<TokenId>> targets; ///< of each token of the trace; empty: none
    std::vector<int> positions;                  ///< which tokens; empty: all
    const TunedLens* tuned = nullptr;            ///< null: the logit lens

    /// Called with (done, all) from any thread, not more than one at a time. May be empty.
    std::function<void(std::int64_t done, std::int64_t all)> progress;
};

/// What a lens reads off every stage of every position. Cells are [rows, stages].
struct StreamLens
{
    std::vector<LensStage> stages;
    std::vector<int> positions;                  ///< of each row
    std::vector<std::optional<TokenId>> targets; ///< of each row
    int top = 0;

    std::vector<TokenId> ids;         ///< [rows, stages, top]: most probable first; of equal ones
                                      ///< the lower id
    std::vector<float> probabilities; ///< theirs
    std::vector<double> entropies;    ///< [rows, stages] of the lens's distribution, nats
    std::vector<double> divergences;  ///< KL(model's own || lens), nats; the model's own
                                      ///< distribution is that of the last stage
    std::vector<std::int64_t> ranks;  ///< of the target: 1 + tokens that are more probable; 0
                                      ///< without a target
    std::vector<double> logProbabilities; ///< of the target, nats; NaN without one

    int rows() const { return static_cast<int>(positions.size()); }

    int stageCount() const { return static_cast<int>(stages.size()); }

    std::size_t at(int row, int stage) const
    {
        return static_cast<std::size_t>(row) * stages.size() + static_cast<std::size_t>(stage);
    }

    std::size_t topAt(int row, int stage, int place = 0) const
    {
        return at(row, stage) * static_cast<std::size_t>(top) + static_cast<std::size_t>(place);
    }
};

/// Logit lens (nostalgebraist 2020): softmax(head(stream)) at every stage, or with `tuned` the
/// tuned lens (Belrose et al. 2023). The last stage gives the model's own logits, bit for bit where
/// the trace was computed by this build on the CPU. Positions are computed in parallel, some at a
/// time: what is kept grows with cells, not with the vocabulary. Throws Error for a model without a
/// language head, for a trace that lacks a stage, and for a tuned lens of another shape; ShapeError
/// for positions or targets that are not there; Cancelled when `stop` asks.
StreamLens streamLens(const Model& model, const Trace& trace, const StreamLensOptions& options = {},
                      const std::stop_token& stop = {});

/// The token that follows each token of a decoder's text: none after the last. Of an encoder, which
/// predicts in place, each token itself.
std::vector<std::optional<TokenId>> followingTokens(const ModelConfig& config, const Trace& trace);

} // namespace headscope
