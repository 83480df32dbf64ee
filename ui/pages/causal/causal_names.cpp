#include "ui/pages/causal/causal_names.h"

#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/widgets/tr.h"

namespace headscope::ui {

QString metricName(GradientTarget::Kind kind)
{
    switch (kind) {
    case GradientTarget::Kind::Logit:
        return tr("Logit");
    case GradientTarget::Kind::LogitDifference:
        return tr("Logit difference");
    default:
        return tr("Mean loss");
    }
}

QString replacementName(Replacement replacement)
{
    switch (replacement) {
    case Replacement::Zero:
        return tr("Zero");
    case Replacement::Mean:
        return tr("Mean");
    default:
        return tr("Another token");
    }
}

QString patchSiteName(PatchSite site)
{
    switch (site) {
    case PatchSite::ResidPre:
        return tr("Residual stream");
    case PatchSite::AttnOut:
        return tr("Attention output");
    case PatchSite::MlpOut:
        return tr("Feed-forward output");
    case PatchSite::HeadOut:
        return tr("Output of heads");
    case PatchSite::Query:
        return tr("Queries of heads");
    case PatchSite::Key:
        return tr("Keys of heads");
    case PatchSite::Value:
        return tr("Values of heads");
    case PatchSite::Pattern:
        return tr("Patterns of heads");
    default:
        return tr("Cells of the selected head");
    }
}

QString metricText(const ViewSnapshot& view, const GradientTarget& metric)
{
    if (watchesStates(view))
        return tr("cosine distance of the final hidden states, mean over the tokens");
    if (metric.kind == GradientTarget::Kind::Loss)
        return tr("mean loss of the text in nats");
    const QString token = labelOf(metric.token, view.modelA);
    if (metric.kind == GradientTarget::Kind::Logit)
        return tr("logit of \u201C%1\u201D after token %2").arg(token).arg(metric.position);
    return tr("logit of \u201C%1\u201D minus \u201C%2\u201D after token %3")
        .arg(token, labelOf(metric.other, view.modelA))
        .arg(metric.position);
}

} // namespace headscope::ui
