#include "ui/window/actions/command_palette_button.h"

#include "ui/widgets/style/theme.h"

#include <QFontMetrics>
#include <QPainter>

namespace headscope::ui {

namespace {

constexpr int kMargin = 8;
constexpr int kRight = 24;  // right margin of the row below
constexpr int kHeight = 32; // height of the menu bar
constexpr int kGap = 8;
constexpr int kCapPadding = 6;
constexpr int kBetweenCaps = 4;
constexpr int kCapHeight = 20;

int capWidth(const QFontMetrics& metrics, const QString& key)
{
    return metrics.horizontalAdvance(key) + 2 * kCapPadding;
}

} // namespace

CommandPaletteButton::CommandPaletteButton(const QString& text, const QKeySequence& keys,
                                           QWidget* parent)
    : QToolButton(parent)
    , m_keys(keys.toString(QKeySequence::NativeText).split(QLatin1Char('+')))
{
    setText(text);
    setAccessibleName(text);
    setFocusPolicy(Qt::TabFocus);
}

QSize CommandPaletteButton::sizeHint() const
{
    const Theme theme = Theme::of(*this);
    const QFontMetrics caps(theme.font(TextRole::Caption));
    int width =
        kMargin + kRight + QFontMetrics(theme.font(TextRole::Body)).horizontalAdvance(text());
    for (const QString& key : m_keys)
        width += capWidth(caps, key) + kBetweenCaps;
    return {width + kGap - kBetweenCaps, kHeight};
}

void CommandPaletteButton::paintEvent(QPaintEvent*)
{
    // a menu bar's own palette comes from the style sheet
    const Theme theme = Theme::of(*window());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (underMouse() || hasFocus()) {
        painter.setPen(hasFocus() ? QPen(theme.accent, 2.0) : QPen(Qt::NoPen));
        painter.setBrush(underMouse() ? QBrush(theme.hover) : QBrush(Qt::NoBrush));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 3, 8 - kRight, -3), 4, 4);
    }
    painter.setFont(theme.font(TextRole::Body));
    painter.setPen(theme.text2);
    painter.drawText(rect().adjusted(kMargin, 0, 0, 0), Qt::AlignVCenter, text());
    double x = kMargin + painter.fontMetrics().horizontalAdvance(text()) + kGap;
    painter.setFont(theme.font(TextRole::Caption));
    const double height = kCapHeight * theme.scale();
    for (const QString& key : m_keys) {
        const QRectF cap(x, (this->height() - height) / 2.0, capWidth(painter.fontMetrics(), key),
                         height);
        painter.setPen(QPen(theme.line2, 1.0));
        painter.setBrush(theme.surface);
        painter.drawRoundedRect(cap.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
        painter.setPen(theme.text2);
        painter.drawText(cap, Qt::AlignCenter, key);
        x += cap.width() + kBetweenCaps;
    }
}

} // namespace headscope::ui
