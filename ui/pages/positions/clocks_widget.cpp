#include "ui/pages/positions/clocks_widget.h"

#include "ui/pages/positions/positions_clocks.h"
#include "ui/widgets/readable.h"

#include <QPainter>

#include <utility>

namespace headscope::ui {

ClocksWidget::ClocksWidget(QWidget* parent) : QWidget(parent)
{
    setAccessibleName(tr("Pairs of dimensions as clock hands"));
    makeReadable(*this, QAccessible::Chart);
}

void ClocksWidget::setContent(PositionsContent content)
{
    m_content = std::move(content);
    update();
}

QSize ClocksWidget::sizeHint() const
{
    const double scale = Theme::of(*this).scale();
    return {qRound(280 * scale), qRound(3 * 158 * scale)};
}

QSize ClocksWidget::minimumSizeHint() const
{
    return {180, 270};
}

void ClocksWidget::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    paintClocks(painter, rect(), m_content, Theme::of(*this));
}

} // namespace headscope::ui
