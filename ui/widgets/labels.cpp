#include "ui/widgets/labels.h"

#include <QEvent>
#include <QPainter>

namespace headscope::ui {
namespace {

QColor toneColour(TextLabel::Tone tone, const Theme& theme)
{
    switch (tone) {
    case TextLabel::Tone::Text:
        return theme.text;
    case TextLabel::Tone::Text2:
        return theme.text2;
    case TextLabel::Tone::Text3:
        return theme.text3;
    case TextLabel::Tone::Accent:
        return theme.accent;
    case TextLabel::Tone::Key:
        return theme.key;
    case TextLabel::Tone::Value:
        return theme.value;
    case TextLabel::Tone::Ok:
        return theme.ok;
    case TextLabel::Tone::Warn:
        return theme.warn;
    case TextLabel::Tone::Error:
        return theme.error;
    }
    return theme.text;
}

} // namespace

TextLabel::TextLabel(const QString& text, TextRole role, Tone tone, QWidget* parent)
    : QLabel(text, parent)
    , m_role(role)
    , m_tone(tone)
{
    restyle();
}

void TextLabel::setTone(Tone tone)
{
    m_tone = tone;
    restyle();
}

void TextLabel::setStrong(bool strong)
{
    m_strong = strong;
    restyle();
}

void TextLabel::changeEvent(QEvent* event)
{
    const auto type = event->type();
    const bool concernsUs = type == QEvent::PaletteChange ||
                            type == QEvent::ApplicationFontChange ||
                            type == QEvent::StyleChange; // a new style sheet resets the font
    if (!m_restyling && concernsUs)
        restyle();
    QLabel::changeEvent(event);
}

void TextLabel::restyle()
{
    m_restyling = true;
    const Theme theme = Theme::of(*this);
    setFont(m_strong ? theme.bold(m_role) : theme.font(m_role));
    QPalette colours;
    colours.setColor(QPalette::WindowText, toneColour(m_tone, theme));
    setPalette(colours);
    m_restyling = false;
}

TextLabel* heading(const QString& text, QWidget* parent)
{
    return new TextLabel(text, TextRole::Heading, TextLabel::Tone::Text, parent);
}

TextLabel* caption(const QString& text, QWidget* parent)
{
    return new TextLabel(text, TextRole::Caption, TextLabel::Tone::Text3, parent);
}

TextLabel* paragraph(const QString& text, TextRole role, TextLabel::Tone tone, QWidget* parent)
{
    auto* label = new TextLabel(text, role, tone, parent);
    label->setWordWrap(true);
    return label;
}

Hairline::Hairline(Qt::Orientation orientation, QWidget* parent)
    : QWidget(parent)
    , m_orientation(orientation)
{
    if (orientation == Qt::Horizontal)
        setFixedHeight(1);
    else
        setFixedWidth(1);
}

QSize Hairline::sizeHint() const
{
    return {1, 1};
}

void Hairline::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), Theme::of(*this).line);
}

} // namespace headscope::ui
