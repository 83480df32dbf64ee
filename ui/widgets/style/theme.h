#pragma once

#include <QColor>
#include <QFont>
#include <QPalette>
#include <QString>

#include <array>

class QApplication;
class QWidget;

namespace headscope::ui {

/// What a text is, not how large: sizes stand in one table in theme.cpp.
enum class TextRole {
    Figure,     ///< 32 medium, the one number of a page
    Title,      ///< 20 semibold
    Stage,      ///< 20
    Sentence,   ///< 18: sentence field, slider values, reading pair
    ArcToken,   ///< 17
    StripToken, ///< 15
    MapToken,   ///< 14
    SmallToken, ///< 13, labels of small maps
    Heading,    ///< 15 semibold
    Lesson,     ///< 15
    Table,      ///< 14
    Body,       ///< 13
    Caption,    ///< 12
};

/// All colours and type sizes of the window, light or dark. A plain value: painting functions take
/// it, nothing draws with a colour of its own.
struct Theme
{
    bool dark = false;

    QColor window, surface, masked, hover, track, line, line2, control;
    QColor text, text2, text3;
    QColor accent; ///< also the query's colour
    QColor onAccent, soft;
    QColor key, keySoft, value, valueSoft, bar;
    QColor ok, warn, warnSoft, error, less, more;
    std::array<QColor, 8> heads; ///< in order of pinning

    QFont baseFont; ///< body size (13 px at scale 1); every other size is relative to it

    static Theme light();
    static Theme darkTheme();
    static Theme of(const QWidget& widget);      ///< by the lightness of its palette, its font
    static Theme named(bool isDark, QFont base); ///< base: family and body size

    QFont font(TextRole role) const;
    QFont bold(TextRole role) const; ///< the same size, semibold
    QFont formulaFont(double pixels, bool italic) const;

    /// 1 as drawn in the design; larger with the desktop's or the presenter's font size.
    double scale() const;

    /// Hue of a pinned head where query and key marks share the picture (slots 1 2 3 4 8 7 5 6).
    QColor waveHue(int index) const;

    QPalette palette() const;
};

/// The system's family, or DejaVu Sans, at the body size times `presenterScale`.
QFont bodyFont(double presenterScale = 1.0);

/// Palette, font and style sheet of the whole application. Widgets follow by PaletteChange.
void applyTheme(QApplication& application, const Theme& theme);

/// True when the system asks for no animation (QStyle::SH_Widget_Animation_Duration is 0).
bool systemWantsReducedMotion();

/// U+2212 for the sign and a narrow space between thousands; `decimals` digits after the point.
QString number(double value, int decimals);
QString signedNumber(double value, int decimals); ///< with + for positive values
QString count(long long value);                   ///< "1 310"
QString cellNumber(double value, bool isSigned);  ///< ".81", "1.00", "+.76"
QString readoutNumber(double value);              ///< "0.810"

} // namespace headscope::ui
