#pragma once

#include "core/analysis/flow/contributions.h"
#include "core/model/model.h"
#include "core/trace/trace.h"

#include <optional>
#include <string>
#include <vector>

namespace headscope {

/// The logit that is to be explained: of `token` after `position`, or how far it is above that of
/// `other`.
struct LogitTarget
{
    std::int64_t position = -1; ///< of the text that predicts; -1: its last
    TokenId token = 0;
    std::optional<TokenId> other;

    friend bool operator==(const LogitTarget&, const LogitTarget&) = default;
};

enum class LogitPartKind {
    TokenEmbedding,
    PositionEmbedding,
    SegmentEmbedding,
    NormBias,      ///< beta of the norm `norm`, seen through what follows it
    Head,          ///< z of one head through its own slice of W_O
    AttentionBias, ///< b_O of one layer
    Mlp,           ///< of one layer, biases and experts included
    Replaced,      ///< what an intervention put into one layer's stream or sublayer output
    HeadBias,      ///< of the language head
};

/// Which norm's beta.
enum class LogitNorm { None, Embedding, First, Cross, Second, Final };

/// What one part of the model adds to the logit.
struct LogitPart
{
    LogitPartKind kind = LogitPartKind::Head;
    int layer = -1; ///< -1 outside the blocks
    int head = -1;
    bool cross = false; ///< Head, AttentionBias: of the attention to the source
    LogitNorm norm = LogitNorm::None;
    double value = 0.0;

    friend bool operator==(const LogitPart&, const LogitPart&) = default;
};

/// Direct logit attribution (Elhage et al. 2021, "A Mathematical Framework for Transformer
/// Circuits"; Wang et al. 2022): the logit as a sum over everything that was added to the stream.
/// Every norm between a part and the logits is frozen: centred where it centres, divided by the
/// scale that the whole stream had, multiplied by gamma. In post-norm models a part passes through
/// all norms behind it, which is as exact.
struct LogitAttribution
{
    LogitTarget target; ///< its position never -1
    int layers = 0;
    int heads = 0;
    std::vector<LogitPart> parts; ///< in the model's order
    double logit = 0.0;           ///< what the trace holds: the sum of the parts to rounding

    double sum() const;

    /// [layers * heads], layer-major: of self-attention, or of that to the source.
    std::vector<double> headValues(bool cross = false) const;
    std::vector<double> mlpValues() const; ///< [layers]; 0 in blocks without an MLP
};

/// Why the model's logits cannot be split like that, in one sentence; empty where they can.
std::string whyNoLogitAttribution(const ModelConfig& config);

/// Throws Error where that has a reason, where the trace lacks a site of TraceRequest::forViews(),
/// and ShapeError for a position or token that is not there.
LogitAttribution logitAttribution(const Trace& trace, const Model& model,
                                  const LogitTarget& target);

/// A head of the stack that predicts.
struct LogitHead
{
    int layer = 0;
    int head = 0;
    bool cross = false;

    friend bool operator==(const LogitHead&, const LogitHead&) = default;
};

/// One head's part by source token: A_ij v_j W_O^h along the target, [m]; they add up to the part.
/// Empty where an intervention replaced the head's output, which then comes from no token.
std::vector<double> logitAttributionBySource(const Trace& trace, const Model& model,
                                             const LogitTarget& target, const LogitHead& head);

} // namespace headscope
