#pragma once

#include "core/model/model.h"
#include "core/trace/trace.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace headscope {

struct TunedLens;

/// One point of the residual stream that a lens reads.
struct LensStage
{
    enum class Kind { Embeddings, AfterAttention, AfterCross, AfterLayer };

    Kind kind = Kind::Embeddings;
    TraceKey key; ///< Site and layer; layer 0 for the embeddings.

    friend bool operator==(const LensStage&, const LensStage&) = default;
};

/// Stages in execution order: the embeddings, then for every layer the residual stream after
/// attention, after cross-attention (decoders that read a source) and after the layer. Only the
/// stack that predicts. Without `halfSteps`, and for blocks without an MLP, only the last of these.
/// In a parallel block the stream after attention is a sum that the MLP does not read. The model
/// predicts from the last stage; there is none for a model without layers.
std::vector<LensStage> lensStages(const ModelConfig& config, bool halfSteps = true);

/// Globs of the activations that those stages read, for a TraceRequest.
std::vector<std::string> lensSites(const ModelConfig& config, bool halfSteps = true);

struct StreamLensOptions
{
    bool embeddings = true; ///< Whether to include the stage before the first layer.
    bool halfSteps = true;
    int top = 5; ///< Number of most probable tokens per cell.
    /// Target of each token of the trace; empty: none.
    std::vector<std::optional<TokenId>> targets;
    std::vector<int> positions;       ///< Tokens to read; empty: all.
    const TunedLens* tuned = nullptr; ///< Null: the logit lens.

    /// Called with (done, all) from any thread, not more than one at a time. May be empty.
    std::function<void(std::int64_t done, std::int64_t all)> progress;
};

/// Readings of every stage at every position. Cells are [rows, stages].
struct StreamLens
{
    std::vector<LensStage> stages;
    std::vector<int> positions;                  ///< Position of each row.
    std::vector<std::optional<TokenId>> targets; ///< Target of each row.
    int top = 0;

    /// [rows, stages, top]: most probable first; of equal ones the lower id first.
    std::vector<TokenId> ids;
    std::vector<float> probabilities; ///< Probabilities of `ids`.
    std::vector<double> entropies;    ///< Entropy of the lens's distribution [rows, stages], nats.
    /// KL(model's own || lens), nats; the model's own distribution is that of the last stage.
    std::vector<double> divergences;
    /// Rank of the target: 1 + number of more probable tokens; 0 without a target.
    std::vector<std::int64_t> ranks;
    std::vector<double> logProbabilities; ///< Log-probability of the target, nats; NaN without one.

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
/// time: memory grows with the cells, not with the vocabulary. Throws Error for a model without a
/// language head, for a trace that lacks a stage, and for a tuned lens of another shape; ShapeError
/// for positions or targets out of range; Cancelled on `stop`.
StreamLens streamLens(const Model& model, const Trace& trace, const StreamLensOptions& options = {},
                      const std::stop_token& stop = {});

/// The token that follows each token of a decoder's text: none after the last. For an encoder,
/// which predicts in place, each token itself.
std::vector<std::optional<TokenId>> followingTokens(const ModelConfig& config, const Trace& trace);

} // namespace headscope
