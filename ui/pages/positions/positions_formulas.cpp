#include "ui/pages/positions/positions_formulas.h"

#include <QCoreApplication>

#include <cmath>

namespace headscope::ui {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("Positions", text);
}

QString coloured(const QString& text, const QColor& colour)
{
    return QStringLiteral("<b style=\"color:%1\">%2</b>").arg(colour.name(), text);
}

} // namespace

Math rotationFormula()
{
    using namespace math;
    return row({variable("PE"), text("("), variable("p"), text("+"), variable("k"), text(") = "),
                scripts(variable("A"), nullptr, variable("k")), text(" · "), variable("PE"),
                text("("), variable("p"), text(")")});
}

QString schemeWords(Positions scheme, const QString& model, const Theme& theme)
{
    if (scheme == Positions::Sinusoidal)
        return tr("Every pair of dimensions is a clock hand. Moving on by %1 turns each hand by a "
                  "fixed angle, whatever %2 is. Drag %2: the shaded angles stay.")
            .arg(coloured(QStringLiteral("k"), theme.key),
                 coloured(QStringLiteral("p"), theme.accent));
    if (scheme == Positions::Learned)
        return tr("These are the trained numbers of %1, one row a position. Nothing forces them "
                  "to be waves; neighbours still grow alike.")
            .arg(model.toHtmlEscaped());
    return tr("Without positions every place looks the same: to the model \u201Cdog bites "
              "man\u201D and \u201Cman bites dog\u201D are one bag of words.");
}

QString rotationErrorText(double error)
{
    if (error <= 0.0)
        return QStringLiteral("0");
    const int exponent = static_cast<int>(std::floor(std::log10(error)));
    static constexpr char16_t kDigits[] = u"⁰¹²³⁴⁵⁶⁷⁸⁹";
    QString power;
    for (QChar digit : QString::number(std::abs(exponent)))
        power += QChar(kDigits[digit.digitValue()]);
    if (exponent < 0)
        power.prepend(QChar(0x207B));
    return number(error / std::pow(10.0, exponent), 1) + QStringLiteral("·10") + power;
}

} // namespace headscope::ui
