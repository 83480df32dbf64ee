#include "ui/widgets/arcs/arcs_bars.h"

#include "ui/widgets/arcs/arcs_paint.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace headscope::ui {
namespace {

double widthOfNumbers(const ArcsContent& content, const Theme& theme)
{
    const QFontMetricsF metrics(theme.bold(TextRole::Body));
    return metrics.horizontalAdvance(content.isSigned ? QStringLiteral("+0.00")
                                                      : QStringLiteral("0.00")) +
           8.0;
}

} // namespace

ArcBars::ArcBars(const ArcsLayout& layout, const ArcsContent& content, ArcEnd focus,
                 const Theme& theme)
    : m_layout(layout)
    , m_content(content)
    , m_focus(focus)
    , m_number(widthOfNumbers(content, theme))
{
    const QRectF place = layout.bars(focus.side);
    const double room = content.isSigned ? place.width() / 2.0 : place.width();
    m_zero = content.isSigned ? place.center().x() : place.left();
    m_full = std::max(room - m_number, 8.0);
    const auto heads = static_cast<double>(content.heads.size());
    // between two rows
    const double between = std::min(10.0 * theme.scale(), 0.25 * layout.pitch());
    m_step = std::min(8.0 * theme.scale(), (layout.pitch() - between) / heads);
    m_height = m_step - std::clamp(0.25 * m_step, std::min(1.0, 0.25 * m_step), 2.0);
}

QRectF ArcBars::bar(ArcEnd other, int head) const
{
    const auto heads = static_cast<double>(m_content.heads.size());
    const double weight = double{barWeight(m_content, m_focus, other, head)};
    const double length = std::clamp(std::abs(weight), 0.0, 1.0) * m_full;
    const double width = weight == 0.0 ? 0.0 : std::max(length, 1.0);
    const double top =
        m_layout.y(other) + (head - heads / 2.0) * m_step + (m_step - m_height) / 2.0;
    return {weight < 0.0 ? m_zero - width : m_zero, top, width, m_height};
}

ArcSide otherSide(ArcSide side)
{
    return side == ArcSide::Query ? ArcSide::Key : ArcSide::Query;
}

float barWeight(const ArcsContent& content, ArcEnd focus, ArcEnd other, int head)
{
    return focus.side == ArcSide::Query ? content.weight(head, focus.index, other.index)
                                        : content.weight(head, other.index, focus.index);
}

QRectF arcBar(const ArcsLayout& layout, const ArcsContent& content, ArcEnd other, int head,
              const Theme& theme)
{
    const ArcEnd focus = content.focus().value_or(ArcEnd{otherSide(other.side), 0});
    return ArcBars(layout, content, focus, theme).bar(other, head);
}

} // namespace headscope::ui
