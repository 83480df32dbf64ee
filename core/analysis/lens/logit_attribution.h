#pragma once

#include "core/analysis/flow/contributions.h"
#include "core/model/model.h"
#include "core/trace/trace.h"

#include <optional>
#include <string>
#include <vector>

namespace headscope {

/// The logit to be explained: that of `token` after `position`, or its difference to that of
/// `other`.
struct LogitTarget
{
    std::int64_t position = -1; ///< Position in the text that predicts; -1: its last.
    TokenId token = 0;
    std::optional<TokenId> other;

    friend bool operator==(const LogitTarget&, const LogitTarget&) = default;
};

enum class LogitPartKind {
    TokenEmbedding,
    PositionEmbedding,
    SegmentEmbedding,
    NormBias,      ///< Beta of the norm `norm`, through what follows it.
    Head,          ///< z of one head through its own slice of W_O.
    AttentionBias, ///< b_O of one layer.
    Mlp,           ///< MLP of one layer, biases and experts included.
    Replaced,      ///< Change by an intervention to one layer's residual stream or sublayer output.
    HeadBias,      ///< Bias of the language head.
};

/// Norm to which a beta belongs.
enum class LogitNorm { None, Embedding, First, Cross, Second, Final };

/// Contribution of one part of the model to the logit.
struct LogitPart
{
    LogitPartKind kind = LogitPartKind::Head;
    int layer = -1; ///< Layer; -1 outside the blocks.
    int head = -1;
    bool cross = false; ///< For Head and AttentionBias: whether it belongs to cross-attention.
    LogitNorm norm = LogitNorm::None;
    double value = 0.0;

    friend bool operator==(const LogitPart&, const LogitPart&) = default;
};

/// Direct logit attribution (Elhage et al. 2021, "A Mathematical Framework for Transformer
/// Circuits"; Wang et al. 2022): the logit as a sum over everything added to the residual stream.
/// Every norm between a part and the logits is frozen: centred where it centres, divided by the
/// scale of the whole stream, multiplied by gamma. In post-norm models a part passes through all
/// later norms, which is equally exact.
struct LogitAttribution
{
    LogitTarget target; ///< Target; its position is never -1.
    int layers = 0;
    int heads = 0;
    std::vector<LogitPart> parts; ///< Parts in the model's order.
    double logit = 0.0; ///< Logit recorded in the trace: the sum of the parts up to rounding.

    double sum() const;

    /// Contributions [layers * heads], layer-major: of self-attention, or of cross-attention.
    std::vector<double> headValues(bool cross = false) const;
    /// Contributions of MLPs [layers]; 0 in blocks without one.
    std::vector<double> mlpValues() const;
};

/// Reason in one sentence why the model's logits cannot be decomposed like that; empty where they
/// can.
std::string whyNoLogitAttribution(const ModelConfig& config);

/// Throws Error where whyNoLogitAttribution is not empty and where the trace lacks a site of
/// TraceRequest::forViews(), and ShapeError for a position or token out of range.
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

/// One head's contribution by source token: A_ij v_j W_O^h along the target, [m]; they sum to the
/// head's part. Empty where an intervention replaced the head's output, which then comes from no
/// token.
std::vector<double> logitAttributionBySource(const Trace& trace, const Model& model,
                                             const LogitTarget& target, const LogitHead& head);

} // namespace headscope
