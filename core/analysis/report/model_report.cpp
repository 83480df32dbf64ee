#include "core/analysis/report/model_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

const char* nameOf(LogitNorm norm)
{
    switch (norm) {
    case LogitNorm::Embedding:
        return "of the embedding norm";
    case LogitNorm::First:
        return "of the attention norm";
    case LogitNorm::Cross:
        return "of the cross-attention norm";
    case LogitNorm::Second:
        return "of the MLP norm";
    case LogitNorm::Final:
        return "of the final norm";
    case LogitNorm::None:
        break;
    }
    return "of a norm";
}

} // namespace

std::vector<ReportEffect> ReportAblation::ranked() const
{
    std::vector<ReportEffect> sorted = effects;
    std::ranges::stable_sort(sorted, [](const ReportEffect& one, const ReportEffect& other) {
        if (std::isnan(one.effect) || std::isnan(other.effect))
            return !std::isnan(one.effect) && std::isnan(other.effect);
        return std::abs(one.effect) > std::abs(other.effect);
    });
    return sorted;
}

std::string nameOf(const LogitPart& part)
{
    switch (part.kind) {
    case LogitPartKind::TokenEmbedding:
        return "token embedding";
    case LogitPartKind::PositionEmbedding:
        return "position embedding";
    case LogitPartKind::SegmentEmbedding:
        return "segment embedding";
    case LogitPartKind::NormBias:
        return part.layer < 0 ? fmt::format("bias {}", nameOf(part.norm))
                              : fmt::format("layer {}, bias {}", part.layer, nameOf(part.norm));
    case LogitPartKind::Head:
        return fmt::format("{}L{}H{}", part.cross ? "cross " : "", part.layer, part.head);
    case LogitPartKind::AttentionBias:
        return fmt::format("layer {}, bias of {}attention", part.layer, part.cross ? "cross-" : "");
    case LogitPartKind::Mlp:
        return fmt::format("layer {}, MLP", part.layer);
    case LogitPartKind::Replaced:
        return fmt::format("layer {}, change by intervention", part.layer);
    case LogitPartKind::HeadBias:
        return "bias of the language head";
    }
    return {};
}

std::string nameOf(const LensStage& stage)
{
    switch (stage.kind) {
    case LensStage::Kind::Embeddings:
        return "embeddings";
    case LensStage::Kind::AfterAttention:
        return fmt::format("layer {}, after attention", stage.key.layer);
    case LensStage::Kind::AfterCross:
        return fmt::format("layer {}, after cross-attention", stage.key.layer);
    case LensStage::Kind::AfterLayer:
        return fmt::format("layer {}", stage.key.layer);
    }
    return {};
}

} // namespace headscope
