#include "ui/pages/shared/changes/mask_brush.h"

#include "ui/pages/shared/changes/what_if_content.h"
#include "ui/widgets/heatmap/heatmap_widget.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui {

MaskChange paintableMask(const ViewSnapshot& view)
{
    const AttentionKind part = view.selection.part;
    const TracePtr& trace = view.b ? view.b : view.a;
    if (!trace || part == AttentionKind::EncoderSelf || part == AttentionKind::Cross)
        return {};
    const auto side = static_cast<int>(trace->tokens().size());
    const MaskChange& own = view.changes.mask;
    if (own.kind == MaskChange::Kind::Painted && own.side == side)
        return own;
    const HeatmapMatrix pattern = patternOf(*trace, view.selection.headId());
    if (pattern.isEmpty())
        return {};
    const HeatmapMask mask = maskOf(*trace, view.selection.headId());
    MaskChange painted{MaskChange::Kind::Painted, own.window, {}, side};
    const auto width = static_cast<std::ptrdiff_t>(side);
    painted.cells.assign(static_cast<std::size_t>(width * width), 0);
    for (int query = 0; query < side; ++query) {
        const auto [first, last] = mask.visibleColumns(query, pattern);
        std::fill(painted.cells.begin() + query * width + std::min(first, side),
                  painted.cells.begin() + query * width + std::min(last, side), 1);
    }
    if (mask.kind == HeatmapMask::Kind::Cells && mask.allowed &&
        mask.allowed->size() == painted.cells.size())
        std::ranges::transform(*mask.allowed, painted.cells.begin(),
                               [](std::uint8_t allowed) { return allowed == 0 ? 0 : 1; });
    return painted;
}

MaskBrush::MaskBrush(HeatmapWidget& map, QObject* parent) : QObject(parent), m_map(map)
{
    m_map.installEventFilter(this);
}

void MaskBrush::setSubject(const MaskChange& mask, const ShownPattern& shown)
{
    m_mask = mask;
    m_shown = shown;
    m_causal = mask.isOnCausal();
    if (m_stroke && m_stroke->side != mask.side)
        m_stroke.reset(); // The text changed during the stroke.
    if (m_stroke)
        show(*m_stroke);
}

bool MaskBrush::cancel()
{
    if (!m_stroke)
        return false;
    m_stroke.reset();
    show(m_mask);
    return true;
}

bool MaskBrush::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != &m_map || m_mask.side == 0)
        return false;
    const auto* mouse = dynamic_cast<QMouseEvent*>(event);
    switch (event->type()) {
    case QEvent::MouseButtonPress:
        return mouse->button() == Qt::LeftButton && press(mouse->position(), mouse->modifiers());
    case QEvent::MouseButtonDblClick:
        return m_mode != Mode::Off && press(mouse->position(), mouse->modifiers());
    case QEvent::MouseMove:
        return move(mouse->position());
    case QEvent::MouseButtonRelease:
        return mouse->button() == Qt::LeftButton && finish();
    case QEvent::KeyPress: {
        const int key = static_cast<QKeyEvent*>(event)->key();
        return (key == Qt::Key_Escape && cancel()) || (key == Qt::Key_Space && toggleCurrent());
    }
    default:
        return false;
    }
}

bool MaskBrush::press(QPointF position, Qt::KeyboardModifiers modifiers)
{
    const auto cell = m_map.cellAt(position);
    if (m_mode == Mode::Off || !cell)
        return false;
    m_map.setFocus(Qt::MouseFocusReason);
    m_map.setCurrentCell(cell);
    m_stroke = m_mask;
    m_erases = modifiers.testFlag(Qt::ShiftModifier);
    m_last = position;
    paint(*cell, m_erases);
    show(*m_stroke);
    return true;
}

bool MaskBrush::move(QPointF position)
{
    if (!m_stroke)
        return false;
    const auto cell = m_map.cellAt(position);
    const QPointF from = std::exchange(m_last, position);
    if (cell && cell == m_map.cellAt(from))
        return true;
    paintLine(from, position);
    show(*m_stroke);
    return true;
}

bool MaskBrush::finish()
{
    if (!m_stroke)
        return false;
    const MaskChange painted = *std::exchange(m_stroke, std::nullopt);
    if (painted == m_mask) {
        show(m_mask);
        return true;
    }
    m_mask = painted;
    emit strokeEnded(painted);
    return true;
}

bool MaskBrush::toggleCurrent()
{
    const auto cell = m_map.content().current;
    if (!cell || m_stroke)
        return false;
    m_stroke = m_mask;
    const int query = m_shown.rowTokens.at(static_cast<std::size_t>(cell->row)).front();
    const int key = m_shown.columnTokens.at(static_cast<std::size_t>(cell->column)).front();
    const bool allowed = m_mask.cells[static_cast<std::size_t>(query * m_mask.side + key)] != 0;
    const Mode before = std::exchange(m_mode, allowed ? Mode::Block : Mode::Allow);
    paint(*cell, false);
    m_mode = before;
    return finish();
}

/// Every pair of tokens behind a cell.
void MaskBrush::paint(HeatmapCell cell, bool erase)
{
    for (const int query : m_shown.rowTokens.at(static_cast<std::size_t>(cell.row))) {
        for (const int key : m_shown.columnTokens.at(static_cast<std::size_t>(cell.column))) {
            const bool below = key <= query || !m_causal;
            const bool allowed = erase ? below : m_mode == Mode::Allow;
            m_stroke->cells[static_cast<std::size_t>(query * m_stroke->side + key)] =
                allowed ? 1 : 0;
        }
    }
}

/// Fast strokes skip cells: those in between are painted too, also where the pointer left the map
/// and came back.
void MaskBrush::paintLine(QPointF from, QPointF to)
{
    constexpr double kPointsPerCell = 2.0;
    const QSizeF cell = m_map.layoutNow().cellSize();
    if (cell.isEmpty())
        return;
    const QPointF way = to - from;
    const double cells =
        std::max(std::abs(way.x()) / cell.width(), std::abs(way.y()) / cell.height());
    const int steps = std::max(1, static_cast<int>(std::ceil(kPointsPerCell * cells)));
    for (int step = 1; step <= steps; ++step)
        if (const auto between = m_map.cellAt(from + way * step / steps))
            paint(*between, m_erases);
}

void MaskBrush::show(const MaskChange& mask)
{
    HeatmapContent content = m_map.content();
    content.painted = paintedCells(mask, m_shown);
    m_map.setContent(std::move(content));
}

} // namespace headscope::ui
