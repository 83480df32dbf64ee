#include "ui/pages/architecture/architecture_paint.h"

#include "ui/widgets/charts/bars/bars.h"
#include "ui/widgets/tr.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

using Box = ArchitectureBox;
using Row = ArchitectureRow;

struct Brush
{
    QPainter& painter;
    const ArchitectureLayout& layout;
    const ArchitectureContent& content;
    const Theme& theme;

    const Box& box(int index) const { return content.parts.boxes[static_cast<std::size_t>(index)]; }

    QRectF rect(int index) const { return layout.boxRect(index); }
};

QColor roleColourOf(Box::Role role, const Theme& theme)
{
    switch (role) {
    case Box::Role::Query:
        return theme.accent;
    case Box::Role::Key:
        return theme.key;
    case Box::Role::Value:
        return theme.value;
    default:
        break;
    }
    return theme.control;
}

QString countText(const Box& box)
{
    if (!box.note.isEmpty())
        return box.note;
    if (box.copies > 1)
        return QStringLiteral("%1 \u00D7 %2")
            .arg(box.copies)
            .arg(count(box.parameters / box.copies));
    return count(box.parameters);
}

void arrowTo(const Brush& brush, QPointF tip, bool down)
{
    const QPointF back = down ? QPointF(0, -5) : QPointF(-5, 0);
    const QPointF aside = down ? QPointF(3.5, 0) : QPointF(0, 3.5);
    const QPointF points[] = {tip, tip + back + aside, tip + back - aside};
    const QPen pen = brush.painter.pen();
    brush.painter.setBrush(pen.color());
    brush.painter.setPen(Qt::NoPen);
    brush.painter.setRenderHint(QPainter::Antialiasing);
    brush.painter.drawConvexPolygon(points, 3);
    brush.painter.setRenderHint(QPainter::Antialiasing, false);
    brush.painter.setPen(pen);
}

/// Connector that runs across, down and across, from one box's right side to another's left side.
void connectBoxes(const Brush& brush, const QRectF& from, const QRectF& to)
{
    const double middle = std::round((from.right() + to.left()) / 2.0);
    const double y0 = std::round(from.center().y());
    const double y1 = std::round(to.center().y());
    brush.painter.drawLine(QPointF(from.right() + 1.0, y0), QPointF(middle, y0));
    brush.painter.drawLine(QPointF(middle, y0), QPointF(middle, y1));
    brush.painter.drawLine(QPointF(middle, y1), QPointF(to.left() - 1.0, y1));
    arrowTo(brush, QPointF(to.left() - 1.0, y1), false);
}

void connectColumns(const Brush& brush, const Row& row, std::size_t column)
{
    const auto& from = row.columns[column];
    const auto& to = row.columns[column + 1];
    const bool intoChain = static_cast<int>(column) + 1 == row.chain;
    const bool fromChain = static_cast<int>(column) == row.chain;
    if (fromChain)
        return connectBoxes(brush, brush.rect(from.back()), brush.rect(to.front()));
    for (std::size_t index = 0; index < from.size(); ++index) {
        const bool last = index + 1 == from.size();
        if (intoChain) {
            if (!last || from.size() < 3)
                connectBoxes(brush, brush.rect(from[index]), brush.rect(to.front()));
            if (last)
                connectBoxes(brush, brush.rect(from[index]), brush.rect(to.back()));
        } else if (from.size() == to.size()) {
            connectBoxes(brush, brush.rect(from[index]), brush.rect(to[index]));
        } else {
            for (const int target : to)
                if (!(row.cross && target != to.front()))
                    connectBoxes(brush, brush.rect(from[index]), brush.rect(target));
        }
    }
}

void paintChain(const Brush& brush, const Row& row)
{
    if (row.chain < 0)
        return;
    const auto& chain = row.columns[static_cast<std::size_t>(row.chain)];
    for (std::size_t index = 0; index + 1 < chain.size(); ++index) {
        const QRectF from = brush.rect(chain[index]);
        const double x = std::round(from.center().x());
        const double y = brush.rect(chain[index + 1]).top();
        brush.painter.drawLine(QPointF(x, from.bottom()), QPointF(x, y));
        arrowTo(brush, QPointF(x, y - 1.0), true);
    }
}

void paintSum(const Brush& brush, QPointF centre)
{
    brush.painter.setRenderHint(QPainter::Antialiasing);
    brush.painter.setPen(QPen(brush.theme.text, 1.5));
    brush.painter.setBrush(brush.theme.surface);
    brush.painter.drawEllipse(centre, 8.0, 8.0);
    brush.painter.drawLine(centre - QPointF(4, 0), centre + QPointF(4, 0));
    brush.painter.drawLine(centre - QPointF(0, 4), centre + QPointF(0, 4));
    brush.painter.setRenderHint(QPainter::Antialiasing, false);
}

/// Height at which a branch leaves the stream.
double branchTop(const Brush& brush, const Row& row, const ArchitectureLayout::RowPosition& place)
{
    const auto& first = row.columns.front();
    return std::round(first.size() == 1 ? brush.rect(first.front()).center().y()
                                        : place.area.center().y());
}

/// The stream from the first box to the last, interrupted where a branch replaces it.
void paintSpine(const Brush& brush, const ArchitectureStack& stack,
                const ArchitectureLayout::StackPosition& place, double end)
{
    double from = place.top + 8.0;
    const auto paintTo = [&](double to) {
        if (to > from)
            brush.painter.fillRect(QRectF(place.spine - 2.0, from, 4.0, to - from),
                                   brush.theme.line2);
    };
    for (std::size_t row = 0; row < stack.rows.size(); ++row) {
        if (!stack.rows[row].replaces)
            continue;
        paintTo(branchTop(brush, stack.rows[row], place.rows[row]));
        from = place.rows[row].joint;
    }
    paintTo(end);
}

void paintBranch(const Brush& brush, const Row& row, const ArchitectureLayout::StackPosition& stack,
                 const ArchitectureLayout::RowPosition& place)
{
    QPainter& painter = brush.painter;
    const QRectF first = brush.rect(row.columns.front().front());
    const bool single = row.columns.front().size() == 1;
    const double y = std::round(row.parallel ? place.start : place.area.top() - 8.0);
    const double x = row.parallel ? stack.spine + 12.0 : stack.spine;
    const double in = branchTop(brush, row, place);
    painter.setPen(QPen(brush.theme.control, 1.0));
    if (row.parallel) {
        painter.drawLine(QPointF(stack.spine, y), QPointF(x, y));
        painter.drawLine(QPointF(x, y), QPointF(x, in));
    }
    const double turn = std::round(first.left() - 14.0);
    if (single) {
        painter.drawLine(QPointF(x, in), QPointF(first.left() - 1.0, in));
        arrowTo(brush, QPointF(first.left() - 1.0, in), false);
    } else {
        painter.drawLine(QPointF(x, in), QPointF(turn, in));
        for (const int box : row.columns.front()) {
            if (row.cross && box != row.columns.front().front())
                continue;
            const double to = std::round(brush.rect(box).center().y());
            painter.drawLine(QPointF(turn, in), QPointF(turn, to));
            painter.drawLine(QPointF(turn, to), QPointF(first.left() - 1.0, to));
            arrowTo(brush, QPointF(first.left() - 1.0, to), false);
        }
    }
    for (std::size_t column = 0; column + 1 < row.columns.size(); ++column)
        connectColumns(brush, row, column);
    paintChain(brush, row);
    const QRectF last = brush.rect(row.columns.back().front());
    const double out = std::round(last.center().x());
    painter.drawLine(QPointF(out, last.bottom() + 1.0), QPointF(out, place.joint));
    painter.drawLine(QPointF(out, place.joint),
                     QPointF(stack.spine + (row.replaces ? 0.0 : 9.0), place.joint));
    if (!row.replaces)
        paintSum(brush, QPointF(stack.spine, place.joint));
    painter.setFont(brush.theme.font(TextRole::Caption));
    painter.setPen(brush.theme.text3);
    painter.drawText(QRectF(first.left(), place.area.top() - 21.0 * brush.theme.scale(), 420.0,
                            18.0 * brush.theme.scale()),
                     Qt::AlignLeft | Qt::AlignVCenter, row.title);
}

void paintInput(const Brush& brush, const ArchitectureLayout::StackPosition& stack,
                const ArchitectureLayout::RowPosition& place)
{
    brush.painter.setPen(QPen(brush.theme.control, 1.0));
    const double x = std::round(place.area.center().x());
    const double y = std::round(place.joint);
    brush.painter.drawLine(QPointF(x, place.area.bottom()), QPointF(x, y));
    brush.painter.drawLine(QPointF(x, y), QPointF(stack.spine + 9.0, y));
    paintSum(brush, QPointF(stack.spine, y));
}

void paintBox(const Brush& brush, int index)
{
    const Box& box = brush.box(index);
    const QRectF rect = brush.rect(index).adjusted(0.5, 0.5, -0.5, -0.5);
    const Theme& theme = brush.theme;
    QPainter& painter = brush.painter;
    const bool free = box.role == Box::Role::Free;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.control, 1.0));
    painter.setBrush(theme.surface);
    for (int copy = box.copies > 1 ? 2 : 0; copy > 0; --copy)
        painter.drawRoundedRect(rect.translated(3.0 * copy, -3.0 * copy), 6, 6);
    painter.setPen(
        QPen(free ? theme.line2 : theme.control, 1.0, free ? Qt::DashLine : Qt::SolidLine));
    painter.setBrush(free ? theme.window : theme.surface);
    painter.drawRoundedRect(rect, 6, 6);
    if (brush.content.current == index) {
        painter.setPen(QPen(theme.accent, 2.0));
        painter.setBrush(theme.soft);
        painter.drawRoundedRect(rect, 6, 6);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    const bool role =
        box.role == Box::Role::Query || box.role == Box::Role::Key || box.role == Box::Role::Value;
    if (role)
        painter.fillRect(QRectF(rect.x() + 1.0, rect.y() + 6.0, 3.0, rect.height() - 12.0),
                         roleColourOf(box.role, theme));
    const QRectF inner = rect.adjusted(10, 5, -6, -5);
    const double line = 17.0 * theme.scale();
    const auto write = [&](int row, const QFont& font, const QColor& colour, const QString& text) {
        painter.setFont(font);
        painter.setPen(colour);
        painter.drawText(QRectF(inner.x(), inner.y() + row * line, inner.width(), line),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetricsF(font).elidedText(text, Qt::ElideRight, inner.width()));
    };
    write(0, theme.bold(TextRole::Body), role ? roleColourOf(box.role, theme) : theme.text,
          box.name);
    write(1, theme.font(TextRole::Caption), theme.text2, box.shape);
    if (!free)
        write(2, theme.font(TextRole::Caption), theme.text3, countText(box));
}

/// Connection from the first stack to the second stack's cross-attention.
void paintCrossLinks(const Brush& brush)
{
    const auto& stacks = brush.layout.stacks();
    if (stacks.size() < 2)
        return;
    const auto& decoder = brush.content.parts.stacks[1];
    const double exit = std::round(stacks[0].bottom + 10.0);
    const double lane = std::round(stacks[1].spine - 88.0 * brush.theme.scale() - 14.0);
    brush.painter.setPen(QPen(brush.theme.key, 1.5));
    bool linked = false;
    for (const Row& row : decoder.rows) {
        if (!row.cross)
            continue;
        for (const auto& column : row.columns) {
            for (const int box : column) {
                const bool key = brush.box(box).role == Box::Role::Key;
                if (!key && brush.box(box).role != Box::Role::Value)
                    continue;
                const QRectF to = brush.rect(box);
                const double y = std::round(to.center().y());
                brush.painter.drawLine(QPointF(lane, exit), QPointF(lane, y));
                brush.painter.drawLine(QPointF(lane, y), QPointF(to.left() - 1.0, y));
                arrowTo(brush, QPointF(to.left() - 1.0, y), false);
                linked = true;
            }
        }
    }
    if (linked)
        brush.painter.drawLine(QPointF(stacks[0].spine, exit), QPointF(lane, exit));
}

void paintStack(const Brush& brush, std::size_t index)
{
    const ArchitectureStack& stack = brush.content.parts.stacks[index];
    const auto& place = brush.layout.stacks()[index];
    if (!stack.title.isEmpty()) {
        brush.painter.setFont(brush.theme.font(TextRole::Heading));
        brush.painter.setPen(brush.theme.text);
        brush.painter.drawText(QRectF(place.spine - 88.0 * brush.theme.scale(), 0.0, 200.0,
                                      24.0 * brush.theme.scale()),
                               Qt::AlignLeft | Qt::AlignVCenter, stack.title);
    }
    const bool goesOn = index + 1 < brush.layout.stacks().size(); // Connector to the next stack.
    double end = goesOn ? place.bottom + 10.0 : place.top;
    for (std::size_t row = 0; row < stack.rows.size() && !goesOn; ++row)
        if (stack.rows[row].kind == Row::Kind::Spine)
            end = place.rows[row].area.center().y();
    paintSpine(brush, stack, place, end);
    for (std::size_t row = 0; row < stack.rows.size(); ++row) {
        if (stack.rows[row].kind == Row::Kind::Branch)
            paintBranch(brush, stack.rows[row], place, place.rows[row]);
        else if (stack.rows[row].kind == Row::Kind::Input)
            paintInput(brush, place, place.rows[row]);
    }
}

void paintSummary(const Brush& brush)
{
    const QRectF area = brush.layout.summary();
    const Theme& theme = brush.theme;
    QPainter& painter = brush.painter;
    const double scale = theme.scale();
    double y = area.y();
    const auto write = [&](const QFont& font, const QColor& colour, double height,
                           const QString& text) {
        painter.setFont(font);
        painter.setPen(colour);
        painter.drawText(QRectF(area.x(), y, area.width(), height * scale),
                         Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, text);
        y += height * scale;
    };
    write(theme.font(TextRole::Heading), theme.text, 24, tr("All parameters"));
    write(theme.font(TextRole::Figure), theme.text, 44, count(brush.content.parts.parameters()));
    const bool equal = brush.content.parts.parameters() == brush.content.counted;
    write(theme.bold(TextRole::Body), equal ? theme.ok : theme.error, 24,
          equal ? tr("\u2713  matches the model's own count")
                : tr("\u2717  the model reports %1").arg(count(brush.content.counted)));
    y += 16.0 * scale;
    std::vector<Bar> bars;
    for (const auto& [name, parameters] : brush.content.fractions)
        bars.push_back({name, static_cast<double>(parameters), {}, {}, Role::Plain, {}, false});
    BarsOptions options;
    options.decimals = 0;
    for (const Bar& bar : bars)
        options.labelWidth =
            std::max(options.labelWidth,
                     QFontMetricsF(theme.font(TextRole::Table)).horizontalAdvance(bar.label) + 4.0);
    paintBars(painter, QRectF(area.x(), y, area.width(), barsHeight(bars, theme)), bars, options,
              theme);
    y += barsHeight(bars, theme) + 12.0 * scale;
    const bool replaces = std::ranges::any_of(brush.content.parts.stacks, [](const auto& stack) {
        return std::ranges::any_of(stack.rows, &Row::replaces);
    });
    write(theme.font(TextRole::Caption), theme.text3, replaces ? 54 : 36,
          replaces
              ? tr("Without residual connections each sublayer replaces the stream (grey line). "
                   "Dashed boxes have no weights.")
              : tr("Grey line: the residual stream. Dashed boxes have no weights."));
}

} // namespace

void paintArchitecture(QPainter& painter, QPointF origin, const ArchitectureLayout& layout,
                       const ArchitectureContent& content, const Theme& theme)
{
    const Brush brush{painter, layout, content, theme};
    painter.save();
    painter.translate(origin);
    for (std::size_t stack = 0; stack < content.parts.stacks.size(); ++stack)
        paintStack(brush, stack);
    paintCrossLinks(brush);
    for (std::size_t box = 0; box < content.parts.boxes.size(); ++box)
        paintBox(brush, static_cast<int>(box));
    paintSummary(brush);
    painter.restore();
}

QString describeBox(const ArchitectureBox& box)
{
    QStringList parts{box.name};
    if (!box.spoken.isEmpty())
        parts << box.spoken;
    parts << tr("outputs %1").arg(box.shape);
    if (!box.note.isEmpty())
        parts << box.note;
    else if (box.role == ArchitectureBox::Role::Free)
        parts << tr("no parameters");
    else
        parts << tr("%1 parameters").arg(count(box.parameters));
    return parts.join(QStringLiteral("; "));
}

} // namespace headscope::ui
