#include "ui/widgets/attention/alignment_widget.h"

#include "ui/widgets/attention/alignment_paint.h"
#include "ui/widgets/style/focus_frame.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace headscope::ui {

AlignmentWidget::AlignmentWidget(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Alignment of source and target"));
    makeReadable(*this, [this] { return readable(); });
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void AlignmentWidget::setContent(AlignmentContent content)
{
    m_content = std::move(content);
    update();
}

void AlignmentWidget::setDescription(const QString& sentence)
{
    if (sentence == accessibleDescription())
        return;
    setAccessibleDescription(sentence);
    if (hasFocus())
        announceCurrent(*this);
}

/// One row per token below, one column per token above; the current cell is the strongest of its
/// row.
ReadableTable AlignmentWidget::readable() const
{
    const HeatmapMatrix& matrix = m_content.matrix;
    const auto valueAt = [this, &matrix](HeatmapCell cell) {
        const double value = double{matrix.at(cell)};
        return m_content.isSigned ? signedNumber(value, 3) : number(value, 3);
    };
    ReadableTable table;
    table.rows = matrix.rows;
    table.columns = matrix.columns;
    table.rowName = [this](int below) { return m_content.below.value(below); };
    table.columnName = [this](int above) { return m_content.above.value(above); };
    table.words = [this, valueAt](HeatmapCell cell) {
        return tr("%1 at %2: %3")
            .arg(m_content.below.value(cell.row), m_content.above.value(cell.column),
                 valueAt(cell));
    };
    table.value = valueAt;
    table.place = [this](HeatmapCell cell) { return layoutNow().column(cell.row, false); };
    for (int above = 0; m_content.current && above < matrix.columns; ++above)
        if (above == 0 || matrix.at({*m_content.current, above}) >
                              matrix.at({*m_content.current, table.current->column}))
            table.current = {*m_content.current, above};
    return table;
}

AlignmentLayout AlignmentWidget::layoutNow() const
{
    return {QRectF(rect()).adjusted(4, 4, -4, -4), m_content, Theme::of(*this)};
}

QSize AlignmentWidget::sizeHint() const
{
    return {640, qRound(AlignmentLayout::height(Theme::of(*this))) + 8};
}

QSize AlignmentWidget::minimumSizeHint() const
{
    return {320, sizeHint().height()};
}

void AlignmentWidget::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.surface);
    paintAlignment(painter, layoutNow(), m_content, theme);
    paintFocusFrame(painter, *this);
}

void AlignmentWidget::mousePressEvent(QMouseEvent* event)
{
    const auto token = layoutNow().belowAt(event->position());
    if (!token || event->button() != Qt::LeftButton)
        return QWidget::mousePressEvent(event);
    if (m_content.current == token)
        emit released();
    else
        emit tokenActivated(*token);
}

void AlignmentWidget::keyPressEvent(QKeyEvent* event)
{
    const int last = static_cast<int>(m_content.below.size()) - 1;
    const int step = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if (step == 0 || last < 0)
        return QWidget::keyPressEvent(event);
    const int start = step > 0 ? -1 : last + 1;
    emit tokenActivated(std::clamp(m_content.current.value_or(start) + step, 0, last));
}

} // namespace headscope::ui
