#include "ui/widgets/diagrams/tree_diagram.h"

#include "ui/widgets/tr.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <numeric>

namespace headscope::ui {

namespace {

constexpr double kLevelGap = 36.0;
constexpr double kRowGap = 6.0;
constexpr double kTall = 38.0;  ///< Height of a node with label and description.
constexpr double kShort = 22.0; ///< Height of a node with a label only.
constexpr double kLeastRow = 16.0;
constexpr double kPadding = 10.0;
constexpr double kLegend = 26.0;
constexpr double kWidest = 190.0;

QString fromText(const std::string& text)
{
    return QString::fromStdString(text);
}

std::vector<int> levelsOf(const LabTree& tree)
{
    std::vector<int> levels;
    for (const LabTree::Node& node : tree.nodes)
        levels.push_back(node.parent < 0 ? 0 : levels[static_cast<std::size_t>(node.parent)] + 1);
    return levels;
}

/// Nodes of each level, siblings together, in the order of their parents.
std::vector<std::vector<std::size_t>> orderOf(const LabTree& tree)
{
    const std::vector<int> levels = levelsOf(tree);
    std::vector<std::vector<std::size_t>> order;
    std::vector<std::size_t> rank(tree.nodes.size(), 0);
    for (std::size_t index = 0; index < tree.nodes.size(); ++index) {
        const auto level = static_cast<std::size_t>(levels[index]);
        order.resize(std::max(order.size(), level + 1));
        order[level].push_back(index);
    }
    for (auto& level : order) {
        std::ranges::stable_sort(level, [&](std::size_t a, std::size_t b) {
            const auto of = [&](std::size_t node) {
                const int parent = tree.nodes[node].parent;
                return parent < 0 ? std::size_t{0} : rank[static_cast<std::size_t>(parent)];
            };
            return of(a) < of(b);
        });
        for (std::size_t place = 0; place < level.size(); ++place)
            rank[level[place]] = place;
    }
    return order;
}

double widthOf(const LabTree::Node& node, const Theme& theme, bool withWords)
{
    const double label =
        QFontMetricsF(theme.bold(TextRole::Table)).horizontalAdvance(fromText(node.label));
    const double words =
        QFontMetricsF(theme.font(TextRole::Caption)).horizontalAdvance(fromText(node.words));
    const double widest = withWords ? std::max(label, words) : label;
    return std::clamp(widest + 2.0 * kPadding, 40.0, kWidest * theme.scale());
}

std::vector<double> levelWidths(const LabTree& tree, const Theme& theme, bool withWords)
{
    std::vector<double> widths;
    for (const auto& level : orderOf(tree)) {
        double widest = 0.0;
        for (const std::size_t index : level)
            widest = std::max(widest, widthOf(tree.nodes[index], theme, withWords));
        widths.push_back(widest);
    }
    return widths;
}

std::size_t longestLevel(const LabTree& tree)
{
    std::size_t longest = 1;
    for (const auto& level : orderOf(tree))
        longest = std::max(longest, level.size());
    return longest;
}

QString fateText(LabTree::Fate fate)
{
    switch (fate) {
    case LabTree::Fate::Kept:
        return tr("kept");
    case LabTree::Fate::Pruned:
        return tr("dropped");
    case LabTree::Fate::Finished:
        return tr("finished");
    }
    return {};
}

/// Paints a node. Kept: round. Dropped: dashed. Finished: square, with a bar at its end.
void paintShape(QPainter& painter, const QRectF& place, LabTree::Fate fate, bool isBest,
                const Theme& theme)
{
    painter.setBrush(isBest ? theme.soft : theme.surface);
    QPen pen(isBest ? theme.accent : theme.control, isBest ? 2.0 : 1.0);
    if (fate == LabTree::Fate::Pruned) {
        pen.setDashPattern({3, 3});
        painter.setPen(pen);
        painter.drawRect(place);
    } else if (fate == LabTree::Fate::Finished) {
        painter.setPen(pen);
        painter.drawRect(place);
        painter.fillRect(QRectF(place.right() - 4.0, place.y(), 4.0, place.height()), pen.color());
    } else {
        painter.setPen(pen);
        const double radius = std::min(place.height() / 2.0, 12.0);
        painter.drawRoundedRect(place, radius, radius);
    }
    painter.setBrush(Qt::NoBrush);
}

void paintLine(QPainter& painter, const QRectF& from, const QRectF& to, const LabTree::Node& node,
               const Theme& theme)
{
    const QPointF begin(from.right(), from.center().y());
    const QPointF end(to.left(), to.center().y());
    const double middle = (begin.x() + end.x()) / 2.0;
    QPainterPath path(begin);
    path.cubicTo({middle, begin.y()}, {middle, end.y()}, end);
    QPen pen(node.isOnBestPath ? theme.accent : theme.line2, node.isOnBestPath ? 2.5 : 1.0);
    if (node.fate == LabTree::Fate::Pruned)
        pen.setDashPattern({3, 3});
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
}

void paintNode(QPainter& painter, const QRectF& place, const LabTree::Node& node, bool withWords,
               const Theme& theme)
{
    paintShape(painter, place, node.fate, node.isOnBestPath, theme);
    const QFont font =
        node.isOnBestPath ? theme.bold(TextRole::Table) : theme.font(TextRole::Table);
    const QRectF inner = place.adjusted(6, 1, -6, -1);
    const QRectF label =
        withWords ? QRectF(inner.x(), inner.y(), inner.width(), inner.height() * 0.55) : inner;
    painter.setFont(place.height() < 19.0 * theme.scale() ? theme.font(TextRole::Caption) : font);
    painter.setPen(node.fate == LabTree::Fate::Pruned ? theme.text3 : theme.text);
    painter.drawText(label, Qt::AlignCenter | Qt::TextSingleLine,
                     QFontMetricsF(painter.font())
                         .elidedText(fromText(node.label), Qt::ElideRight, label.width()));
    if (!withWords)
        return;
    const QRectF words(inner.x(), label.bottom(), inner.width(), inner.bottom() - label.bottom());
    painter.setFont(theme.font(TextRole::Caption));
    painter.setPen(node.fate == LabTree::Fate::Pruned ? theme.text3 : theme.text2);
    painter.drawText(words, Qt::AlignCenter | Qt::TextSingleLine,
                     QFontMetricsF(painter.font())
                         .elidedText(fromText(node.words), Qt::ElideRight, words.width()));
}

void paintLegend(QPainter& painter, const QRectF& area, const Theme& theme)
{
    using Fate = LabTree::Fate;

    struct Sample
    {
        Fate fate;
        bool isBest;
        QString words;
    };

    painter.setFont(theme.font(TextRole::Caption));
    const QFontMetricsF metrics(painter.font());
    const double height = 14.0 * theme.scale();
    double x = area.x();
    for (const Sample& sample : {Sample{Fate::Kept, true, tr("best path, bold")},
                                 {Fate::Kept, false, fateText(Fate::Kept)},
                                 {Fate::Pruned, false, fateText(Fate::Pruned)},
                                 {Fate::Finished, false, fateText(Fate::Finished)}}) {
        const QRectF shape(x + 1, area.bottom() - height - 3, 24.0, height);
        paintShape(painter, shape, sample.fate, sample.isBest, theme);
        painter.setPen(theme.text2);
        const double width = metrics.horizontalAdvance(sample.words);
        painter.drawText(QRectF(shape.right() + 6, shape.y() - 3, width + 2, height + 6),
                         Qt::AlignLeft | Qt::AlignVCenter, sample.words);
        x = shape.right() + width + 28.0;
    }
}

} // namespace

QSizeF treeSize(const LabTree& tree, const Theme& theme, bool withWords)
{
    const std::vector<double> widths = levelWidths(tree, theme, withWords);
    const double gaps = widths.empty() ? 0.0 : kLevelGap * static_cast<double>(widths.size() - 1);
    const double row =
        withWords ? (kTall + kRowGap) * theme.scale() : (kLeastRow + 4.0) * theme.scale();
    return {std::accumulate(widths.begin(), widths.end(), gaps) + 4.0,
            row * static_cast<double>(longestLevel(tree)) + kLegend * theme.scale()};
}

TreeLayout::TreeLayout(QRectF area, const LabTree& tree, const Theme& theme)
    : m_nodes(tree.nodes.size())
{
    const double scale = theme.scale();
    const QRectF inner = area.adjusted(2, 2, -2, -kLegend * scale);
    m_legend = {area.x(), inner.bottom(), area.width(), kLegend * scale};
    const auto order = orderOf(tree);
    const double pitch = inner.height() / static_cast<double>(longestLevel(tree));
    m_hasText = pitch >= (kTall + kRowGap) * scale &&
                treeSize(tree, theme, true).width() <= area.width() + 1.0;
    std::vector<double> widths = levelWidths(tree, theme, m_hasText);
    const double all = std::accumulate(widths.begin(), widths.end(), 0.0);
    const double steps = std::max(1.0, static_cast<double>(widths.size()) - 1.0);
    const double gap = std::clamp((inner.width() - all) / steps, 14.0, 72.0 * scale);
    const double room = inner.width() - gap * steps;
    const double shrink = all > room ? std::max(0.2, room / all) : 1.0;
    const double height = std::min((m_hasText ? kTall : kShort) * scale, pitch - 3.0);
    double x = inner.x();
    for (std::size_t level = 0; level < order.size(); ++level) {
        const double width = widths[level] * shrink;
        const double step = std::min(inner.height() / static_cast<double>(order[level].size()),
                                     std::max(pitch, 1.6 * height));
        double y = inner.center().y() - step * static_cast<double>(order[level].size()) / 2.0;
        for (const std::size_t index : order[level]) {
            m_nodes[index] = {x, y + (step - height) / 2.0, width, height};
            y += step;
        }
        x += width + gap;
    }
}

void paintTree(QPainter& painter, const QRectF& area, const LabTree& tree, const Theme& theme)
{
    const TreeLayout layout(area, tree, theme);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const bool isBest : {false, true}) // the best path is on top
        for (std::size_t index = 0; index < tree.nodes.size(); ++index) {
            const LabTree::Node& node = tree.nodes[index];
            if (node.parent >= 0 && node.isOnBestPath == isBest)
                paintLine(painter, layout.node(static_cast<std::size_t>(node.parent)),
                          layout.node(index), node, theme);
        }
    for (std::size_t index = 0; index < tree.nodes.size(); ++index)
        paintNode(painter, layout.node(index), tree.nodes[index], layout.hasText(), theme);
    paintLegend(painter, layout.legend(), theme);
    painter.restore();
}

QString describeNode(const LabTree& tree, std::size_t index)
{
    const LabTree::Node& node = tree.nodes[index];
    QStringList parts{fromText(node.label)};
    if (!node.words.empty())
        parts << fromText(node.words);
    parts << fateText(node.fate);
    if (node.isOnBestPath)
        parts << tr("on the best path");
    if (node.parent >= 0)
        parts << tr("after %1")
                     .arg(fromText(tree.nodes[static_cast<std::size_t>(node.parent)].label));
    return parts.join(QStringLiteral(", "));
}

void TreeWidget::setContent(const LabTree& tree)
{
    m_tree = tree;
    QStringList best;
    for (const LabTree::Node& node : tree.nodes)
        if (node.isOnBestPath)
            best << fromText(node.label);
    contentChanged(tr("Best path: %1").arg(best.join(QLatin1Char(' '))), currentItem());
}

std::vector<DiagramItem> TreeWidget::makePlaces(const QRectF& area, const Theme& theme) const
{
    const TreeLayout layout(area, m_tree, theme);
    std::vector<DiagramItem> places;
    for (std::size_t index = 0; index < m_tree.nodes.size(); ++index)
        places.push_back({layout.node(index), describeNode(m_tree, index)});
    return places;
}

void TreeWidget::paintAll(QPainter& painter, const QRectF& area, const Theme& theme) const
{
    paintTree(painter, area, m_tree, theme);
}

} // namespace headscope::ui
