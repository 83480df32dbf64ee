#include "ui/pages/positions/positions_plot.h"

#include "ui/pages/positions/positions_paint.h"
#include "ui/widgets/readable.h"
#include "ui/widgets/style/focus_frame.h"

#include <QElapsedTimer>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <utility>

namespace headscope::ui {

PositionsPlot::PositionsPlot(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Waves, matrix and similarity of positions"));
    makeReadable(*this, QAccessible::Chart);
}

void PositionsPlot::setContent(PositionsContent content)
{
    m_content = std::move(content);
    setAccessibleDescription(tr("position %1, offset %2, %3 dimensions")
                                 .arg(m_content.position)
                                 .arg(m_content.offset)
                                 .arg(m_content.table.dimensions));
    update();
}

PositionsLayout PositionsPlot::layoutNow() const
{
    return PositionsLayout(QRectF(rect()), m_content, Theme::of(*this), devicePixelRatioF());
}

QSize PositionsPlot::sizeHint() const
{
    return {712, 640};
}

QSize PositionsPlot::minimumSizeHint() const
{
    return {360, 380};
}

std::optional<HeatmapCell> PositionsPlot::entryAt(QPointF point) const
{
    const PositionsLayout layout = layoutNow();
    const auto column = layout.positionAt(point.x());
    const bool split = !layout.lowerTable().isEmpty();
    for (const bool upper : {true, false}) {
        const QRectF block = upper ? layout.upperTable() : layout.lowerTable();
        if (!column || block.isEmpty() || !block.contains(point))
            continue;
        const int rows = split ? m_content.table.dimensions / 2 : m_content.table.dimensions;
        const int row = std::clamp(
            static_cast<int>((point.y() - block.y()) / block.height() * rows), 0, rows - 1);
        return HeatmapCell{split ? 2 * row + (upper ? 0 : 1) : row, *column};
    }
    return std::nullopt;
}

/// Matrix cell under the pointer: "dimension 14, position 9: 0.841".
QString PositionsPlot::valueAt(QPointF position) const
{
    const PositionsLayout layout = layoutNow();
    const auto column = layout.positionAt(position.x());
    if (!column)
        return {};
    if (const auto entry = entryAt(position))
        return tr("dimension %1, position %2: %3")
            .arg(entry->row)
            .arg(entry->column)
            .arg(number(m_content.table.at(entry->column, entry->row), 4));
    if (!layout.similarity().contains(position))
        return {};
    const auto values = similarityTo(m_content.table, m_content.position);
    return tr("PE(%1) · PE(%2) = %3")
        .arg(m_content.position)
        .arg(*column)
        .arg(number(values[static_cast<std::size_t>(*column)], 3));
}

bool PositionsPlot::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), valueAt(help->pos()), this);
        return true;
    }
    return QWidget::event(event);
}

void PositionsPlot::paintEvent(QPaintEvent*)
{
    QElapsedTimer timer;
    timer.start();
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.surface);
    paintPositions(painter, layoutNow(), m_content, theme);
    paintFocusFrame(painter, *this);
    painter.end();
    emit painted(static_cast<double>(timer.nsecsElapsed()) / 1e6);
}

void PositionsPlot::drag(QPointF position)
{
    if (const auto column = layoutNow().positionAt(position.x()))
        emit positionDragged(*column);
}

void PositionsPlot::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        drag(event->position());
}

void PositionsPlot::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons().testFlag(Qt::LeftButton))
        drag(event->position());
}

} // namespace headscope::ui
