#include "ui/widgets/attention/alignment.h"

#include "ui/widgets/style/theme.h"
#include "ui/widgets/tr.h"

#include <cmath>

namespace headscope::ui {

std::vector<AlignmentRibbon> ribbonsOf(const AlignmentContent& content)
{
    std::vector<AlignmentRibbon> ribbons;
    for (int below = 0; below < content.matrix.rows; ++below) {
        for (int above = 0; above < content.matrix.columns; ++above) {
            const float weight = content.matrix.at({below, above});
            if (std::abs(double{weight}) >= content.threshold)
                ribbons.push_back({below, above, weight});
        }
    }
    return ribbons;
}

QString ribbonCountText(const AlignmentContent& content)
{
    const std::vector<AlignmentRibbon> ribbons = ribbonsOf(content);
    double drawn = 0.0;
    for (const AlignmentRibbon& ribbon : ribbons)
        drawn += std::abs(double{ribbon.weight});
    double whole = 0.0;
    for (int below = 0; below < content.matrix.rows; ++below)
        for (int above = 0; above < content.matrix.columns; ++above)
            whole += std::abs(double{content.matrix.at({below, above})});
    return tr("%1 of %2 links drawn, %3 % of the weight; those below %4 are hidden")
        .arg(count(static_cast<long long>(ribbons.size())),
             count(static_cast<long long>(content.matrix.rows) * content.matrix.columns),
             number(whole > 0.0 ? 100.0 * drawn / whole : 100.0, 0), number(content.threshold, 2));
}

} // namespace headscope::ui
