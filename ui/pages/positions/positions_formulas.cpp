#include "ui/pages/positions/positions_formulas.h"

#include "ui/widgets/tr.h"

#include <cmath>

namespace headscope::ui {

namespace {

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

QString schemeText(Positions scheme, const QString& model, const Theme& theme)
{
    if (scheme == Positions::Sinusoidal)
        return tr("Every pair of dimensions is a clock hand. An offset of %1 rotates each hand "
                  "by a fixed angle, whatever %2 is. Drag %2: the shaded angles do not change.")
            .arg(coloured(QStringLiteral("k"), theme.key),
                 coloured(QStringLiteral("p"), theme.accent));
    if (scheme == Positions::Learned)
        return tr("These are the learned position embeddings of %1, one row per position. "
                  "Nothing forces them to be waves, yet neighbouring rows become similar.")
            .arg(model.toHtmlEscaped());
    return tr("Without position encoding all positions look the same: the model cannot tell "
              "\u201Cdog bites man\u201D from \u201Cman bites dog\u201D.");
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
