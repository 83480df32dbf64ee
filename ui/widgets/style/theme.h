#pragma once

#include <QColor>
#include <QFont>
#include <QPalette>
#include <QString>

#include <array>

class QApplication;
class QWidget;

namespace headscope::ui {

/// Roles of texts; sizes are in one table in theme.cpp.
enum class TextRole {
    Figure,     ///< Main number of a page, 32 px medium.
    Title,      ///< Title, 20 px semibold.
    Stage,      ///< Numbers of worked examples, 20 px.
    Sentence,   ///< Sentence field, slider values and reading pair, 18 px.
    ArcToken,   ///< Tokens of arcs, 17 px.
    StripToken, ///< Tokens of the token strip, 15 px.
    MapToken,   ///< Labels of maps, 14 px.
    SmallToken, ///< Labels of small maps, 13 px.
    Heading,    ///< Heading, 15 px semibold.
    Lesson,     ///< Text of lessons, 15 px.
    Table,      ///< Tables, 14 px.
    Body,       ///< Body text, 13 px.
    Caption,    ///< Captions, 12 px.
};

/// All colours and type sizes of the window, light or dark. A plain value: painting functions
/// receive it and use no colours of their own.
struct Theme
{
    bool dark = false;

    QColor window, surface, masked, hover, track, line, line2, control;
    QColor text, text2, text3;
    QColor accent; ///< Accent, which is also the query's colour.
    QColor onAccent, soft;
    QColor key, keySoft, value, valueSoft, bar;
    QColor ok, warn, warnSoft, error, less, more;
    std::array<QColor, 8> heads; ///< Hues of heads, in the order of pinning.

    QFont baseFont; ///< Font at body size (13 px at scale 1); all other sizes are relative to it.

    static Theme light();
    static Theme darkTheme();
    /// Theme of a widget, by the lightness of its palette and its font.
    static Theme of(const QWidget& widget);
    /// Theme by name; `base` gives family and body size.
    static Theme named(bool isDark, QFont base);

    QFont font(TextRole role) const;
    QFont bold(TextRole role) const; ///< Semibold font of the same size.
    QFont formulaFont(double pixels, bool italic) const;

    /// Type scale: 1 as designed; larger with the desktop's or the presenter's font size.
    double scale() const;

    /// Hue of a pinned head in plots with query and key marks (slots 1 2 3 4 8 7 5 6).
    QColor waveHue(int index) const;

    QPalette palette() const;
};

/// Font of the system, or DejaVu Sans, at the body size times `presenterScale`.
QFont bodyFont(double presenterScale = 1.0);

/// Applies palette, font and style sheet to the whole application. Widgets follow by PaletteChange.
void applyTheme(QApplication& application, const Theme& theme);

/// True when the system requests no animation (QStyle::SH_Widget_Animation_Duration is 0).
bool systemWantsReducedMotion();

/// Formatted number with U+2212 as the minus sign, a narrow space between thousands, and `decimals`
/// digits after the point.
QString number(double value, int decimals);
QString scientific(double value, int digits);     ///< Number such as "4.2×10⁹" or "10⁻⁵".
QString signedNumber(double value, int decimals); ///< Formatted number with + for positive values.
QString count(long long value);                   ///< Integer such as "1 310".
QString cellNumber(double value, bool isSigned);  ///< Cell text such as ".81", "1.00" or "+.76".
QString readoutNumber(double value);              ///< Number such as "0.810".

} // namespace headscope::ui
