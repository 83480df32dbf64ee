#include "ui/pages/next_token/next_token_strip.h"

#include "ui/widgets/style/theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <cstddef>
#include <utility>

namespace headscope::ui {

namespace {

constexpr double kHeight = 28.0;
constexpr double kGap = 4.0;
constexpr int kTextShown = 40; ///< Characters of the preceding text.

} // namespace

GeneratedStrip::GeneratedStrip(QWidget* parent)
    : DrawnWidget(Items::Row, tr("Generated tokens"), parent)
{
    setItemToolTips(false);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void GeneratedStrip::setTokens(const QString& text, QStringList generated)
{
    m_text = text.size() > kTextShown ? QStringLiteral("\u2026") + text.right(kTextShown) : text;
    m_generated = std::move(generated);
    itemsChanged();
    setFixedHeight(sizeHint().height());
}

QString GeneratedStrip::description() const
{
    return currentItem() ? itemText(*currentItem()) : m_generated.join(QLatin1Char(' '));
}

QString GeneratedStrip::itemText(int index) const
{
    return tr("token %1 of %2: %3; press Enter to return to the text before it")
        .arg(index + 1)
        .arg(m_generated.size())
        .arg(m_generated[index]);
}

std::vector<QRectF> GeneratedStrip::places() const
{
    const Theme theme = Theme::of(*this);
    const QFontMetricsF metrics(theme.font(TextRole::StripToken));
    const double height = kHeight * theme.scale();
    double x = 0.0;
    double y = 0.0;
    std::vector<QRectF> result;
    const auto place = [&](double wanted) {
        if (x > 0.0 && x + wanted > width()) {
            x = 0.0;
            y += height + kGap;
        }
        result.emplace_back(x, y, wanted, height);
        x += wanted + kGap;
    };
    place(metrics.horizontalAdvance(m_text) + 8.0);
    for (const QString& token : m_generated)
        place(metrics.horizontalAdvance(token) + 16.0);
    return result;
}

QRectF GeneratedStrip::chipRect(int index) const
{
    return places()[static_cast<std::size_t>(index) + 1];
}

QSize GeneratedStrip::sizeHint() const
{
    return {600, qRound(places().back().bottom()) + 2};
}

QSize GeneratedStrip::minimumSizeHint() const
{
    return {200, sizeHint().height()};
}

void GeneratedStrip::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    setFixedHeight(sizeHint().height());
}

void GeneratedStrip::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    painter.setFont(theme.font(TextRole::StripToken));
    const std::vector<QRectF> rects = places();
    painter.setPen(theme.text);
    painter.drawText(rects.front(), static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter), m_text);
    painter.setRenderHint(QPainter::Antialiasing);
    for (int index = 0; index < static_cast<int>(m_generated.size()); ++index) {
        const QRectF rect =
            rects[static_cast<std::size_t>(index) + 1].adjusted(0.5, 0.5, -0.5, -0.5);
        const bool here = hasFocus() && index == currentItem();
        painter.setPen(QPen(here ? theme.accent : theme.control, here ? 2.0 : 1.0, Qt::DashLine));
        painter.setBrush(theme.masked);
        painter.drawRoundedRect(rect, 4, 4);
        painter.setPen(theme.text2);
        painter.drawText(rect, static_cast<int>(Qt::AlignCenter), m_generated[index]);
    }
}

bool GeneratedStrip::openItem(int index)
{
    emit rewindWanted(index);
    return true;
}

void GeneratedStrip::focusInEvent(QFocusEvent* event)
{
    DrawnWidget::focusInEvent(event);
    if (!currentItem() && itemCount() > 0)
        setCurrentItem(itemCount() - 1);
    else
        announceCurrent(*this);
}

} // namespace headscope::ui
