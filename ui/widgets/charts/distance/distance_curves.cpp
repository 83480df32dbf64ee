#include "ui/widgets/charts/distance/distance_curves.h"

#include "ui/widgets/style/theme.h"
#include "ui/widgets/tr.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace headscope::ui {

bool DistanceContent::isBinned() const
{
    return std::any_of(bins.begin(), bins.end(),
                       [](const DistanceBin& one) { return !one.isSingle(); });
}

QString binLabel(DistanceBin bin)
{
    const int near = std::min(std::abs(bin.first), std::abs(bin.last));
    const int far = std::max(std::abs(bin.first), std::abs(bin.last));
    return bin.isSingle() ? QString::number(near) : QStringLiteral("%1\u2013%2").arg(near).arg(far);
}

QString distanceText(const DistanceContent& content, int bin)
{
    const DistanceBin& at = content.bins[static_cast<std::size_t>(bin)];
    if (at.first == 0 && at.last == 0)
        return tr("itself");
    const QString unit = content.words ? tr("words") : tr("tokens");
    return at.last < 0 ? tr("%1 %2 ahead").arg(binLabel(at), unit)
                       : tr("%1 %2 back").arg(binLabel(at), unit);
}

QString describeBin(const DistanceContent& content, int bin)
{
    if (content.isEmpty() || bin < 0 || bin >= static_cast<int>(content.bins.size()))
        return {};
    std::vector<const DistanceCurve*> curves;
    for (const DistanceCurve& curve : content.curves)
        curves.push_back(&curve);
    std::stable_partition(curves.begin(), curves.end(), [&content](const DistanceCurve* curve) {
        return curve->head == content.subject;
    });
    QStringList parts;
    for (const DistanceCurve* curve : curves) {
        const double value = curve->values[static_cast<std::size_t>(bin)];
        parts << tr("head %1 %2")
                     .arg(curve->head)
                     .arg(content.isDifference ? signedNumber(value, 3) : number(value, 3));
    }
    return distanceText(content, bin) + QStringLiteral(": ") + parts.join(QStringLiteral(", "));
}

} // namespace headscope::ui
