#include "ui/widgets/style/theme.h"

#include "ui/widgets/style/style_sheet.h"

#include <QApplication>
#include <QFontDatabase>
#include <QRegularExpression>
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
    double pixels;
    QFont::Weight weight;
};

TypeEntry typeEntry(TextRole role)
{
    switch (role) {
    case TextRole::Figure:
        return {32.0, QFont::Medium};
    case TextRole::Title:
        return {20.0, QFont::DemiBold};
    case TextRole::Stage:
        return {20.0, QFont::Normal};
    case TextRole::Sentence:
        return {18.0, QFont::Normal};
    case TextRole::ArcToken:
        return {17.0, QFont::Normal};
    case TextRole::StripToken:
    case TextRole::Lesson:
        return {15.0, QFont::Normal};
    case TextRole::Heading:
        return {15.0, QFont::DemiBold};
    case TextRole::MapToken:
    case TextRole::Table:
        return {14.0, QFont::Normal};
    case TextRole::SmallToken:
    case TextRole::Body:
        return {kBodyPixels, QFont::Normal};
    case TextRole::Caption:
        return {12.0, QFont::Normal};
    }
    return {kBodyPixels, QFont::Normal};
}

void setLightColours(Theme& theme)
{
    theme.window = 0xF4F5F8;
    theme.surface = 0xFFFFFF;
    theme.masked = 0xEDEFF3;
    theme.hover = 0xECEFF6;
    theme.track = 0xE3E6EC;
    theme.line = 0xDCE0E8;
    theme.line2 = 0xB9C0CD;
    theme.control = 0x848DA0;
    theme.text = 0x171C28;
    theme.text2 = 0x434C5E;
    theme.text3 = 0x5E6779;
    theme.accent = 0x2B50C4;
    theme.onAccent = 0xFFFFFF;
    theme.soft = 0xE5EBFB;
    theme.key = 0x9A5300;
    theme.keySoft = 0xFBEEDD;
    theme.value = 0x0B7566;
    theme.valueSoft = 0xDDF2EE;
    theme.bar = 0x828CA0;
    theme.ok = 0x1B7340;
    theme.warn = 0x835500;
    theme.warnSoft = 0xFDF3DC;
    theme.error = 0xB3261E;
    theme.less = 0x6B3FA0;
    theme.more = 0xB35400;
    theme.heads = {QColor(0x1A8FFF), QColor(0xF66708), QColor(0x1C5253), QColor(0xC17BA7),
                   QColor(0x9B5608), QColor(0x0E57D6), QColor(0x262537), QColor(0x511988)};
}

void setDarkColours(Theme& theme)
{
    theme.window = 0x13161C;
    theme.surface = 0x1B1F27;
    theme.masked = 0x0E1115;
    theme.hover = 0x252B36;
    theme.track = 0x2C333F;
    theme.line = 0x2E3542;
    theme.line2 = 0x4A5464;
    theme.control = 0x6C778B;
    theme.text = 0xE9ECF2;
    theme.text2 = 0xBBC3D1;
    theme.text3 = 0x959FB1;
    theme.accent = 0x94ACFF;
    theme.onAccent = 0x0E1430;
    theme.soft = 0x28335A;
    theme.key = 0xF0A95A;
    theme.keySoft = 0x3B2C18;
    theme.value = 0x4FC9B2;
    theme.valueSoft = 0x16352F;
    theme.bar = 0x7C879B;
    theme.ok = 0x6CCB8E;
    theme.warn = 0xE6B450;
    theme.warnSoft = 0x3A3018;
    theme.error = 0xFF8A80;
    theme.less = 0xB99AEC;
    theme.more = 0xF0A05A;
    theme.heads = {QColor(0x3283FA), QColor(0xD47459), QColor(0x5CEE9D), QColor(0xD0AFFF),
                   QColor(0xFFC307), QColor(0xE4D9FF), QColor(0xFDFFE9), QColor(0x8C6FB0)};
}

QString grouped(QString digits)
{
    const auto point = digits.indexOf(QLatin1Char('.'));
    for (auto place = (point < 0 ? digits.size() : point) - 3; place > 0; place -= 3)
        digits.insert(place, QChar(0x202F));
    return digits;
}

} // namespace

Theme Theme::named(bool isDark, QFont base)
{
    Theme theme;
    theme.dark = isDark;
    if (isDark)
        setDarkColours(theme);
    else
        setLightColours(theme);
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
    const TypeEntry entry = typeEntry(role);
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
    // The TeX Gyre face has no italic letters at their usual places; a slanted serif reads better.
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

QString number(double value, int decimals)
{
    if (std::isnan(value))
        return QStringLiteral("not a number");
    if (std::isinf(value))
        return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
    const QString digits = grouped(QString::number(std::abs(value), 'f', decimals));
    const bool isZero = digits.indexOf(QRegularExpression(QStringLiteral("[1-9]"))) < 0;
    return value < 0 && !isZero ? QChar(0x2212) + digits : digits;
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
