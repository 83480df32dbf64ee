#include "ui/pages/mask/mask_content.h"

#include "ui/pages/mask/mask_plot.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/widgets/tr.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

HeatmapContent maskOfVariant(const ViewSnapshot& view, Variant variant)
{
    const TracePtr& trace = view.trace(variant);
    if (!trace)
        return {};
    const AttentionKind part = view.selection.part;
    return maskContent(labelsOf(trace->queryTokens(part), view.model(variant)),
                       labelsOf(trace->keyTokens(part), view.model(variant)),
                       maskOf(*trace, view.selection.headId()));
}

std::vector<int> visibleKeys(const HeatmapContent& content)
{
    const bool byRange = content.mask.kind != HeatmapMask::Kind::Cells;
    std::vector<int> counts;
    for (int row = 0; row < content.matrix.rows; ++row) {
        const auto [first, last] = content.mask.visibleColumns(row, content.matrix);
        int visible = byRange ? last - first : 0;
        for (int column = first; !byRange && column < last; ++column)
            visible += content.isHidden({row, column}) ? 0 : 1;
        counts.push_back(visible);
    }
    return counts;
}

MaskCost maskCost(const HeatmapContent& content)
{
    MaskCost cost;
    for (const int visible : visibleKeys(content))
        cost.visible += visible;
    cost.all = static_cast<long long>(content.matrix.rows) * content.matrix.columns;
    return cost;
}

QString costText(const MaskCost& cost)
{
    if (cost.all == 0)
        return {};
    const double fraction = static_cast<double>(cost.visible) / static_cast<double>(cost.all);
    return tr("%1 of %2 pairs: %3 % of the cost of full attention")
        .arg(count(cost.visible), count(cost.all), number(100.0 * fraction, 0));
}

std::vector<Bar> visibleKeyBars(const HeatmapContent& content, int most)
{
    const std::vector<int> counts = visibleKeys(content);
    const auto rows = static_cast<int>(counts.size());
    const int step = std::max(1, (rows + most - 1) / most);
    std::vector<Bar> bars;
    for (int row = 0; row < rows; row += step) {
        Bar bar;
        bar.label = content.rowLabels.value(row);
        bar.position = row;
        bar.value = counts[static_cast<std::size_t>(row)];
        bar.role = Role::Query;
        bar.subject = row == content.queryRow;
        bars.push_back(std::move(bar));
    }
    return bars;
}

namespace {

/// Passes the columns of a row that `mask` shows and `other` hides.
template<class Visit>
void visitShownOnlyIn(const HeatmapMask& mask, const HeatmapMask& other, const HeatmapMatrix& size,
                      int row, Visit visit)
{
    const auto [first, last] = mask.visibleColumns(row, size);
    const auto [otherFirst, otherLast] = other.visibleColumns(row, size);
    const bool byRange =
        mask.kind != HeatmapMask::Kind::Cells && other.kind != HeatmapMask::Kind::Cells;
    for (int column = first; column < last; ++column) {
        if (byRange && column >= otherFirst && column < otherLast) {
            column = otherLast - 1; // both show these
            continue;
        }
        if (byRange || (!mask.hides({row, column}, size) && other.hides({row, column}, size)))
            visit(static_cast<std::size_t>(row) * size.columns + column);
    }
}

} // namespace

MaskEffect maskEffect(const HeatmapMatrix& a, const HeatmapMask& own, const HeatmapMask& other,
                      const HeatmapMatrix& b)
{
    MaskEffect effect;
    const bool ran = !b.isEmpty() && b.rows == a.rows && b.columns == a.columns;
    double gained = 0.0;
    for (int row = 0; row < a.rows; ++row) {
        double removed = 0.0;
        visitShownOnlyIn(own, other, a, row, [&](std::size_t cell) {
            ++effect.closed;
            removed += double{a.values.get()[cell]};
        });
        visitShownOnlyIn(other, own, a, row, [&](std::size_t cell) {
            ++effect.opened;
            gained += ran ? double{b.values.get()[cell]} : 0.0;
        });
        effect.removed += removed / a.rows;
        if (removed > effect.most) {
            effect.most = removed;
            effect.mostRow = row;
        }
    }
    if (ran)
        effect.gained = gained / a.rows;
    return effect;
}

QString effectText(const MaskEffect& effect, const QStringList& rows)
{
    QStringList parts;
    if (effect.closed > 0)
        parts << tr("hides %1 pairs and removes %2 of a row's weight")
                     .arg(count(effect.closed), number(effect.removed, 3));
    if (effect.mostRow >= 0)
        parts << tr("most from \u201C%1\u201D, %2")
                     .arg(rows.value(effect.mostRow), number(effect.most, 3));
    if (effect.opened > 0 && effect.gained)
        parts << tr("opens %1 pairs, which get %2 of a row in B")
                     .arg(count(effect.opened), number(*effect.gained, 3));
    else if (effect.opened > 0)
        parts << tr("opens %1 pairs").arg(count(effect.opened));
    return parts.isEmpty() ? tr("changes no pairs here") : parts.join(QStringLiteral("; "));
}

std::optional<HeatmapMask> cellsOf(const MaskChange& change, const HeatmapMask& asTrained)
{
    switch (change.kind) {
    case MaskChange::Kind::AsTrained:
        return asTrained;
    case MaskChange::Kind::Causal:
        return HeatmapMask::causal();
    case MaskChange::Kind::None:
        return HeatmapMask{};
    case MaskChange::Kind::Window:
        return HeatmapMask{HeatmapMask::Kind::Window, change.window, nullptr};
    case MaskChange::Kind::Painted:
        break;
    }
    return std::nullopt;
}

void paintRowCounts(QPainter& painter, const HeatmapLayout& layout, const std::vector<int>& counts,
                    const Theme& theme)
{
    if (counts.empty() || layout.rows() == 0)
        return;
    const double height = layout.cells().height() / layout.rows();
    const int step = std::max(1, static_cast<int>(std::ceil(15.0 * theme.scale() / height)));
    painter.setFont(theme.font(TextRole::Caption));
    painter.setPen(theme.text2);
    const double left = layout.cells().right() + 6.0;
    const double width = 40.0 * theme.scale();
    for (int row = 0; row < layout.rows(); row += step)
        painter.drawText(
            QRectF(left, layout.cells().y() + (row + 0.5) * height - 10.0, width, 20.0),
            Qt::AlignRight | Qt::AlignVCenter, count(counts[static_cast<std::size_t>(row)]));
    painter.setPen(theme.text3);
    painter.drawText(QRectF(left, layout.cells().y() - 20.0 * theme.scale(), width + 8.0, 18.0),
                     Qt::AlignRight | Qt::AlignVCenter, tr("visible"));
}

} // namespace headscope::ui
