#include "ui/pages/shared/maps/sink_mass.h"

#include "ui/widgets/style/theme.h"
#include "ui/widgets/tr.h"

#include <cmath>

namespace headscope::ui {

std::optional<double> meanSink(const std::vector<float>& weights)
{
    double sum = 0.0;
    int rows = 0;
    for (const float weight : weights) {
        if (std::isnan(weight))
            continue;
        sum += double{weight};
        ++rows;
    }
    return rows > 0 ? std::optional(sum / rows) : std::nullopt;
}

std::optional<double> meanOf(const std::vector<std::optional<double>>& masses)
{
    double sum = 0.0;
    int count = 0;
    for (const std::optional<double>& mass : masses) {
        sum += mass.value_or(0.0);
        count += mass ? 1 : 0;
    }
    return count > 0 ? std::optional(sum / count) : std::nullopt;
}

QString sinkNote(std::optional<double> mass, bool isDifference)
{
    if (!mass)
        return {};
    const QString percents =
        isDifference ? signedNumber(100.0 * *mass, 0) : number(100.0 * *mass, 0);
    return tr("%1 % on attention sinks").arg(percents);
}

} // namespace headscope::ui
