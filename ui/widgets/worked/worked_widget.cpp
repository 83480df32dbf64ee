#include "ui/widgets/worked/worked_widget.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kMotionMs = 180.0;
constexpr int kFrameMs = 16;

double easeOut(double share)
{
    const double left = 1.0 - std::clamp(share, 0.0, 1.0);
    return 1.0 - left * left * left;
}

/// What begins a number.
bool beginsNumber(const QString& typed)
{
    return typed.size() == 1 && (typed.at(0).isDigit() || QStringLiteral("-+.").contains(typed));
}

} // namespace

WorkedWidget::WorkedWidget(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Worked example"));
    makeReadableList(*this, [this] { return readable(); });
    m_motion.setInterval(kFrameMs);
    connect(&m_motion, &QTimer::timeout, this, [this] {
        if (static_cast<double>(m_since.elapsed()) >= kMotionMs)
            m_motion.stop();
        update();
    });
}

void WorkedWidget::setPicture(WorkedPicture picture)
{
    const bool stepped = picture.done != m_picture.done || picture.isAsking != m_picture.isAsking;
    const std::vector<WorkedRing> before =
        stepped && isVisible() ? workedRings(layoutNow(), m_picture, Theme::of(*this))
                               : std::vector<WorkedRing>();
    picture.cursor = m_picture.cursor;
    m_picture = std::move(picture);
    m_isOld = true;
    if (m_picture.cursor && !layoutNow().block(m_picture.cursor->matrix))
        m_picture.cursor.reset();
    if (m_picture.cursor &&
        (m_picture.cursor->row >= m_picture.matrix(m_picture.cursor->matrix).rows() ||
         m_picture.cursor->column >= m_picture.matrix(m_picture.cursor->matrix).columns()))
        m_picture.cursor.reset();
    if (stepped)
        startMotion(before);
    describe();
    update();
}

void WorkedWidget::startMotion(const std::vector<WorkedRing>& from)
{
    m_from = from;
    m_motion.stop();
    if (m_reduced || m_from.empty() || !isVisible())
        return;
    m_since.start();
    m_motion.start();
}

const WorkedLayout& WorkedWidget::layoutNow() const
{
    if (m_isOld) {
        m_layout = WorkedLayout(QRectF(rect()).adjusted(8.0, 4.0, -8.0, -2.0), m_picture,
                                Theme::of(*this));
        m_isOld = false;
    }
    return m_layout;
}

QSize WorkedWidget::sizeHint() const
{
    const double scale = Theme::of(*this).scale();
    return {qRound(760 * scale), qRound(480 * scale)};
}

QSize WorkedWidget::minimumSizeHint() const
{
    return {320, 240};
}

void WorkedWidget::placeCursor(std::optional<CellAddress> cell)
{
    m_picture.cursor = cell;
    describe();
    update();
}

/// Inputs, and in "let me try" the cell that is asked for.
bool WorkedWidget::isOpenable(CellAddress cell) const
{
    return (m_picture.isEditable && m_picture.matrix(cell.matrix).isInput) ||
           (m_picture.isAsking && m_picture.isNext(cell));
}

// ------------------------------------------------------------------------------------------ words

std::vector<CellAddress> WorkedWidget::readableCells() const
{
    std::vector<CellAddress> cells;
    for (const WorkedBlock& block : layoutNow().large())
        for (int row = 0; row < block.rows; ++row)
            for (int column = 0; column < block.columns; ++column)
                cells.push_back({block.matrix, row, column});
    return cells;
}

ReadableTable WorkedWidget::readable() const
{
    const std::vector<CellAddress> cells = readableCells();
    const WorkedStep* step = m_picture.isEmpty() ? nullptr : m_picture.step();
    std::optional<CellAddress> current = m_picture.cursor;
    if (!current && step)
        current = step->result;
    const auto found = current ? std::find(cells.begin(), cells.end(), *current) : cells.end();
    const auto at = [cells](HeatmapCell cell) { return cells[static_cast<std::size_t>(cell.row)]; };
    return {.rows = static_cast<int>(cells.size()),
            .columns = 1,
            .rowName = {},
            .columnName = {},
            .words = [this, at](HeatmapCell cell) { return describeCell(m_picture, at(cell)); },
            .value = [this, at](HeatmapCell cell) { return m_picture.text(at(cell), 4); },
            .place = [this, at](HeatmapCell cell) { return layoutNow().cellRect(at(cell)); },
            .current =
                found == cells.end()
                    ? std::nullopt
                    : std::optional(HeatmapCell{static_cast<int>(found - cells.begin()), 0})};
}

void WorkedWidget::describe()
{
    const QString text = m_picture.isEmpty() ? QString()
                         : m_picture.cursor  ? describeCell(m_picture, *m_picture.cursor)
                                             : describeStep(m_picture);
    if (text == accessibleDescription())
        return;
    setAccessibleDescription(text);
    if (!QAccessible::isActive())
        return;
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
    if (hasFocus())
        announceCurrent(*this);
}

// ----------------------------------------------------------------------------------------- events

bool WorkedWidget::event(QEvent* event)
{
    const bool restyled = event->type() == QEvent::ApplicationFontChange ||
                          event->type() == QEvent::PaletteChange ||
                          event->type() == QEvent::FontChange;
    if (restyled) {
        m_isOld = true;
        updateGeometry();
    }
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto cell = layoutNow().cellAt(help->pos());
        QToolTip::showText(help->globalPos(), cell ? describeCell(m_picture, *cell) : QString(),
                           this);
        return true;
    }
    return QWidget::event(event);
}

void WorkedWidget::paintEvent(QPaintEvent*)
{
    if (m_picture.isEmpty())
        return;
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    const WorkedLayout& layout = layoutNow();
    std::vector<WorkedRing> rings = workedRings(layout, m_picture, theme);
    if (m_motion.isActive())
        rings = ringsBetween(m_from, rings,
                             easeOut(static_cast<double>(m_since.elapsed()) / kMotionMs));
    WorkedPicture shown = m_picture;
    if (!hasFocus())
        shown.cursor.reset();
    paintWorked(painter, layout, shown, rings, theme);
    if (hasFocus() && !shown.cursor) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.accent, 2.0));
        painter.setRenderHint(QPainter::Antialiasing);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1.0, 1.0, -1.0, -1.0), 6.0, 6.0);
    }
}

void WorkedWidget::resizeEvent(QResizeEvent* event)
{
    m_isOld = true;
    QWidget::resizeEvent(event);
}

void WorkedWidget::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || m_picture.isEmpty())
        return QWidget::mousePressEvent(event);
    const auto cell = layoutNow().cellAt(event->position());
    placeCursor(cell);
    if (cell && isOpenable(*cell))
        emit cellOpened(*cell, {});
}

void WorkedWidget::mouseMoveEvent(QMouseEvent* event)
{
    const auto cell = m_picture.isEmpty() ? std::nullopt : layoutNow().cellAt(event->position());
    setCursor(cell && isOpenable(*cell) ? Qt::IBeamCursor : Qt::ArrowCursor);
}

void WorkedWidget::enterCells()
{
    const WorkedStep* step = m_picture.step();
    const WorkedStep* next = m_picture.nextStep();
    const auto& large = layoutNow().large();
    if (step && layoutNow().block(step->result.matrix))
        placeCursor(step->result);
    else if (next && layoutNow().block(next->result.matrix))
        placeCursor(next->result);
    else if (!large.empty())
        placeCursor(CellAddress{large.front().matrix, 0, 0});
}

/// To the cell that lies next in that direction, also of another matrix.
bool WorkedWidget::moveCursor(int key)
{
    const QPointF from = layoutNow().cellRect(*m_picture.cursor).center();
    const QPointF way = key == Qt::Key_Left    ? QPointF(-1, 0)
                        : key == Qt::Key_Right ? QPointF(1, 0)
                        : key == Qt::Key_Up    ? QPointF(0, -1)
                                               : QPointF(0, 1);
    std::optional<CellAddress> nearest;
    double least = 1e9;
    std::vector<CellAddress> cells = readableCells();
    for (const WorkedBlock& block : layoutNow().small())
        if (layoutNow().block(block.matrix) == &block)
            for (int row = 0; row < block.rows; ++row)
                for (int column = 0; column < block.columns; ++column)
                    cells.push_back({block.matrix, row, column});
    for (const CellAddress& cell : cells) {
        const QPointF to = layoutNow().cellRect(cell).center() - from;
        const double along = QPointF::dotProduct(to, way);
        const double beside = std::abs(to.x() * way.y()) + std::abs(to.y() * way.x());
        if (along < 4.0)
            continue;
        const double distance = along + 3.0 * beside;
        if (distance < least) {
            least = distance;
            nearest = cell;
        }
    }
    if (nearest)
        placeCursor(nearest);
    return nearest.has_value();
}

void WorkedWidget::keyPressEvent(QKeyEvent* event)
{
    const bool isPlain = (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    if (m_picture.isEmpty() || !isPlain)
        return QWidget::keyPressEvent(event);
    const int key = event->key();
    const bool isArrow =
        key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down;
    const bool opens = key == Qt::Key_Return || key == Qt::Key_Enter;
    if (!m_picture.cursor) {
        if (key == Qt::Key_Up || key == Qt::Key_Down || opens)
            return enterCells();
        return QWidget::keyPressEvent(event);
    }
    const CellAddress cell = *m_picture.cursor;
    if (isArrow)
        moveCursor(key);
    else if (key == Qt::Key_Escape)
        placeCursor({});
    else if (isOpenable(cell) && (opens || beginsNumber(event->text())))
        emit cellOpened(cell, opens ? QString() : event->text());
    else
        QWidget::keyPressEvent(event);
}

void WorkedWidget::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    describe();
}

} // namespace headscope::ui
