#include "ui/widgets/style/theme.h"

#include "ui/widgets/style/style_sheet.h"

#include <QApplication>
#include <QCoreApplication>
#include <QFontDatabase>
#include <QStyle>
#include <QWidget>

#include <algorithm>
#include <cmath>

namespace headscope::ui {
namespace {

constexpr double kPointsPerPixel = 0.75; // at 96 dpi
constexpr double kBodyPixels = 13.0;

struct TypeEntry
{
    TextRole role;
    double pixels;
    QFont::Weight weight = QFont::Normal;
};

constexpr TypeEntry kTypes[] = {
    {TextRole::Figure, 32.0, QFont::Medium},
    {TextRole::Title, 20.0, QFont::DemiBold},
    {TextRole::Stage, 20.0},
    {TextRole::Sentence, 18.0},
    {TextRole::ArcToken, 17.0},
    {TextRole::StripToken, 15.0},
    {TextRole::MapToken, 14.0},
    {TextRole::SmallToken, 13.0},
    {TextRole::Heading, 15.0, QFont::DemiBold},
    {TextRole::Lesson, 15.0},
    {TextRole::Table, 14.0},
    {TextRole::Body, kBodyPixels},
    {TextRole::Caption, 12.0},
};

struct ColourEntry
{
    QColor Theme::*colour;
    QRgb light;
    QRgb dark;
};

constexpr ColourEntry kColours[] = {
    {&Theme::window, 0xF4F5F8, 0x13161C},   {&Theme::surface, 0xFFFFFF, 0x1B1F27},
    {&Theme::masked, 0xEDEFF3, 0x0E1115},   {&Theme::hover, 0xECEFF6, 0x252B36},
    {&Theme::track, 0xE3E6EC, 0x2C333F},    {&Theme::line, 0xDCE0E8, 0x2E3542},
    {&Theme::line2, 0xB9C0CD, 0x4A5464},    {&Theme::control, 0x848DA0, 0x6C778B},
    {&Theme::text, 0x171C28, 0xE9ECF2},     {&Theme::text2, 0x434C5E, 0xBBC3D1},
    {&Theme::text3, 0x5E6779, 0x959FB1},    {&Theme::accent, 0x2B50C4, 0x94ACFF},
    {&Theme::onAccent, 0xFFFFFF, 0x0E1430}, {&Theme::soft, 0xE5EBFB, 0x28335A},
    {&Theme::key, 0x9A5300, 0xF0A95A},      {&Theme::keySoft, 0xFBEEDD, 0x3B2C18},
    {&Theme::value, 0x0B7566, 0x4FC9B2},    {&Theme::valueSoft, 0xDDF2EE, 0x16352F},
    {&Theme::bar, 0x828CA0, 0x7C879B},      {&Theme::ok, 0x1B7340, 0x6CCB8E},
    {&Theme::warn, 0x835500, 0xE6B450},     {&Theme::warnSoft, 0xFDF3DC, 0x3A3018},
    {&Theme::error, 0xB3261E, 0xFF8A80},    {&Theme::less, 0x6B3FA0, 0xB99AEC},
    {&Theme::more, 0xA94F00, 0xF0A05A},
};

constexpr QRgb kLightHeads[] = {0x1A8FFF, 0xF66708, 0x1C5253, 0xC17BA7,
                                0x9B5608, 0x0E57D6, 0x262537, 0x511988};
constexpr QRgb kDarkHeads[] = {0x3283FA, 0xD47459, 0x5CEE9D, 0xD0AFFF,
                               0xFFC307, 0xE4D9FF, 0xFDFFE9, 0x8C6FB0};

QString grouped(QString digits)
{
    const auto point = digits.indexOf(QLatin1Char('.'));
    for (auto place = (point < 0 ? digits.size() : point) - 3; place > 0; place -= 3)
        digits.insert(place, QChar(0x202F));
    return digits;
}

/// An exponent in superscript digits.
QString superscript(int exponent)
{
    const QString digits = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
    QString text = exponent < 0 ? QStringLiteral("⁻") : QString();
    for (const QChar digit : QString::number(std::abs(exponent)))
        text += digits[digit.digitValue()];
    return text;
}

} // namespace

Theme Theme::named(bool isDark, QFont base)
{
    Theme theme;
    theme.dark = isDark;
    for (const ColourEntry& entry : kColours)
        theme.*entry.colour = isDark ? entry.dark : entry.light;
    std::ranges::copy(isDark ? kDarkHeads : kLightHeads, theme.heads.begin());
    theme.baseFont = std::move(base);
    return theme;
}

Theme Theme::light()
{
    return named(false, bodyFont());
}

Theme Theme::darkTheme()
{
    return named(true, bodyFont());
}

Theme Theme::of(const QWidget& widget)
{
    return named(widget.palette().color(QPalette::Window).lightness() < 128, QApplication::font());
}

double Theme::scale() const
{
    return baseFont.pointSizeF() / (kBodyPixels * kPointsPerPixel);
}

QFont Theme::font(TextRole role) const
{
    const TypeEntry& entry = *std::ranges::find(kTypes, role, &TypeEntry::role);
    QFont result = baseFont;
    result.setPointSizeF(entry.pixels * kPointsPerPixel * scale());
    result.setWeight(entry.weight);
    return result;
}

QFont Theme::bold(TextRole role) const
{
    QFont result = font(role);
    result.setWeight(QFont::DemiBold);
    return result;
}

QFont Theme::formulaFont(double pixels, bool italic) const
{
    QFont result;
    // The TeX Gyre face has no italic letters at their usual code points; a slanted serif reads
    // better.
    result.setFamilies({QStringLiteral("DejaVu Serif"), QStringLiteral("DejaVu Math TeX Gyre"),
                        QStringLiteral("serif")});
    result.setPointSizeF(pixels * kPointsPerPixel * scale());
    result.setItalic(italic);
    return result;
}

QColor Theme::waveHue(int index) const
{
    static constexpr std::array<std::size_t, 8> kOrder = {0, 1, 2, 3, 7, 6, 4, 5};
    return heads[kOrder[static_cast<std::size_t>(index) % kOrder.size()]];
}

QPalette Theme::palette() const
{
    QPalette result;
    result.setColor(QPalette::Window, window);
    result.setColor(QPalette::Base, surface);
    result.setColor(QPalette::Button, surface);
    result.setColor(QPalette::AlternateBase, hover);
    result.setColor(QPalette::ToolTipBase, surface);
    result.setColor(QPalette::ToolTipText, text);
    for (auto role : {QPalette::Text, QPalette::WindowText, QPalette::ButtonText})
        result.setColor(role, text);
    result.setColor(QPalette::BrightText, onAccent);
    result.setColor(QPalette::Highlight, accent);
    result.setColor(QPalette::Link, accent);
    result.setColor(QPalette::LinkVisited, accent);
    result.setColor(QPalette::HighlightedText, onAccent);
    result.setColor(QPalette::PlaceholderText, text3);
    result.setColor(QPalette::Light, surface);
    result.setColor(QPalette::Midlight, line);
    result.setColor(QPalette::Mid, line2);
    result.setColor(QPalette::Dark, control);
    result.setColor(QPalette::Shadow, line2);
    for (auto role : {QPalette::Text, QPalette::WindowText, QPalette::ButtonText})
        result.setColor(QPalette::Disabled, role, text3);
    result.setColor(QPalette::Disabled, QPalette::Highlight, track);
    result.setColor(QPalette::Disabled, QPalette::HighlightedText, text3);
    return result;
}

QFont bodyFont(double presenterScale)
{
    QFont result = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
    QStringList families = result.families();
    families.append({QStringLiteral("Noto Sans"), QStringLiteral("DejaVu Sans")});
    families.removeDuplicates();
    result.setFamilies(families);
    result.setPointSizeF(kBodyPixels * kPointsPerPixel * presenterScale);
    result.setWeight(QFont::Normal);
    return result;
}

void applyTheme(QApplication& application, const Theme& theme)
{
    application.setFont(theme.baseFont);
    application.setPalette(theme.palette());
    application.setStyleSheet(styleSheetOf(theme));
}

bool systemWantsReducedMotion()
{
    const QStyle* style = QApplication::style();
    return style != nullptr &&
           style->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, nullptr) == 0;
}

namespace {

/// "1.50" as "1.5", "2.00" as "2".
QString withoutTrailingZeros(QString digits)
{
    while (digits.endsWith(u'0'))
        digits.chop(1);
    if (digits.endsWith(u'.'))
        digits.chop(1);
    return digits;
}

} // namespace

QString number(double value, int decimals)
{
    if (std::isnan(value))
        return QCoreApplication::translate("Theme", "not a number");
    if (std::isinf(value))
        return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
    const QString digits = grouped(QString::number(std::abs(value), 'f', decimals));
    const bool isZero = std::ranges::none_of(
        digits, [](QChar digit) { return digit >= QLatin1Char('1') && digit <= QLatin1Char('9'); });
    return value < 0 && !isZero ? QChar(0x2212) + digits : digits;
}

QString scientific(double value, int digits)
{
    if (!std::isfinite(value) || value == 0.0)
        return number(value, 0);
    const QStringList parts = QString::number(std::abs(value), 'e', digits - 1).split(u'e');
    QString factor = parts[0];
    if (factor.contains(u'.'))
        factor = withoutTrailingZeros(factor);
    const QString power = QStringLiteral("10") + superscript(parts[1].toInt());
    const QString size = factor == QStringLiteral("1") ? power : factor + QChar(0x00D7) + power;
    return value < 0 ? QChar(0x2212) + size : size;
}

QString signedNumber(double value, int decimals)
{
    const QString plain = number(value, decimals);
    const bool isPositive = value > 0 && plain != number(0.0, decimals);
    return isPositive ? QLatin1Char('+') + plain : plain;
}

QString count(long long value)
{
    const QString digits = grouped(QString::number(std::abs(value)));
    return value < 0 ? QChar(0x2212) + digits : digits;
}

QString cellNumber(double value, bool isSigned)
{
    QString result = isSigned ? signedNumber(value, 2) : number(value, 2);
    const auto zero = result.indexOf(QStringLiteral("0."));
    if (zero >= 0 && zero <= 1 && (zero == 0 || !result.at(zero - 1).isDigit()))
        result.remove(zero, 1);
    return result;
}

QString readoutNumber(double value)
{
    return number(value, 3);
}

} // namespace headscope::ui
