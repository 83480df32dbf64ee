#pragma once

#include "ui/widgets/style/theme.h"

#include <QFrame>
#include <QLabel>

namespace headscope::ui {

/// Label whose font and colour follow the theme by its role.
class TextLabel : public QLabel
{
    Q_OBJECT

public:
    enum class Tone { Text, Text2, Text3, Accent, Key, Value, Ok, Warn, Error };

    TextLabel(const QString& text, TextRole role, Tone tone = Tone::Text,
              QWidget* parent = nullptr);

    void setTone(Tone tone);
    void setStrong(bool strong);

protected:
    void changeEvent(QEvent* event) override;

private:
    void restyle();

    TextRole m_role;
    Tone m_tone;
    bool m_strong = false;
    bool m_restyling = false;
};

TextLabel* heading(const QString& text, QWidget* parent = nullptr);
TextLabel* caption(const QString& text, QWidget* parent = nullptr);
/// A label that breaks its lines.
TextLabel* paragraph(const QString& text, TextRole role,
                     TextLabel::Tone tone = TextLabel::Tone::Text, QWidget* parent = nullptr);

/// Line of one pixel in the colour `line`, horizontal or vertical.
class Hairline : public QWidget
{
    Q_OBJECT

public:
    explicit Hairline(Qt::Orientation orientation = Qt::Horizontal, QWidget* parent = nullptr);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Qt::Orientation m_orientation;
};

} // namespace headscope::ui
