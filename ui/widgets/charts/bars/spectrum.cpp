#include "ui/widgets/charts/bars/spectrum.h"

#include "ui/widgets/readable.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

void paintSpectrum(QPainter& painter, const QRectF& area, const std::vector<double>& values,
                   const Theme& theme)
{
    painter.fillRect(QRectF(area.x(), area.bottom() - 1.0, area.width(), 1.0), theme.line2);
    if (values.empty())
        return;
    const double largest = std::max(*std::max_element(values.begin(), values.end()), 1e-300);
    const double step = area.width() / static_cast<double>(values.size());
    const double width = std::max(std::floor(step) - 1.0, 1.0);
    for (std::size_t index = 0; index < values.size(); ++index) {
        const double height = std::max(values[index], 0.0) / largest * (area.height() - 1.0);
        painter.fillRect(QRectF(std::floor(area.x() + static_cast<double>(index) * step),
                                area.bottom() - 1.0 - height, width, height),
                         theme.accent);
    }
}

SpectrumWidget::SpectrumWidget(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    makeReadable(*this, QAccessible::Graphic);
}

void SpectrumWidget::setValues(std::vector<double> values)
{
    m_values = std::move(values);
    setAccessibleDescription(
        m_values.empty() ? QString()
                         : tr("%1 values, maximum %2, minimum %3")
                               .arg(m_values.size())
                               .arg(number(m_values.front(), 3), number(m_values.back(), 3)));
    setToolTip(accessibleDescription());
    update();
}

QSize SpectrumWidget::sizeHint() const
{
    return {200, qRound(56 * Theme::of(*this).scale())};
}

void SpectrumWidget::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    paintSpectrum(painter, QRectF(rect()), m_values, Theme::of(*this));
}

} // namespace headscope::ui
