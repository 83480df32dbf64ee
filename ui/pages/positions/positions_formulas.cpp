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

Math waveFormula(const QString& function, const QString& index)
{
    using namespace math;
    return row({variable("PE"), text("("), variable("p"), text(", "), variable(index), text(") = "),
                text(function), text("("), variable("p"), text(" / "),
                scripts(variable("N"), row({text("2"), variable("i"), text("/"), variable("d")})),
                text(")")});
}

/// Su et al. 2021, equation 16.
Math ropeFormula()
{
    using namespace math;
    const auto turned = [](const char* letter, const char* position) {
        return row({scripts(variable("R"), nullptr, variable(position)), variable(letter)});
    };
    return row(
        {text("("), turned("q", "m"), text(") · ("), turned("k", "n"), text(") = "), variable("q"),
         text(" · "),
         scripts(variable("R"), nullptr, row({variable("n"), text("−"), variable("m")})),
         variable("k"), space(1.6), scripts(variable("θ"), nullptr, variable("i")), text(" = "),
         scripts(variable("N"), row({text("−2"), variable("i"), text("/"), variable("R")}))});
}

/// Press et al. 2022, section 3.
Math alibiFormula()
{
    using namespace math;
    return row({variable("score"), text(" = "), variable("q"), text("·"), variable("k"),
                text(" − "), scripts(variable("s"), nullptr, variable("h")), text(" · ("),
                variable("m"), text(" − "), variable("n"), text(")"), space(1.6),
                scripts(variable("s"), nullptr, variable("h")), text(" = "),
                scripts(text("2"), row({text("−8"), variable("h"), text("/"), variable("H")}))});
}

/// Raffel et al. 2020, section 2.1.
Math bucketFormula()
{
    using namespace math;
    return row({variable("score"), text(" = "), variable("q"), text("·"), variable("k"),
                text(" + "), scripts(variable("b"), nullptr, variable("h")), text("[bucket("),
                variable("n"), text(" − "), variable("m"), text(")]")});
}

} // namespace

Math schemeFormula(PositionScheme scheme)
{
    using namespace math;
    switch (scheme) {
    case PositionScheme::Sinusoidal:
        return row({waveFormula("sin", "2i"), space(1.6), waveFormula("cos", "2i+1")});
    case PositionScheme::Learned:
        return row({variable("PE"), text("("), variable("p"), text(") = row "), variable("p"),
                    text(" of a trained table")});
    case PositionScheme::Rope:
        return ropeFormula();
    case PositionScheme::Alibi:
        return alibiFormula();
    case PositionScheme::Buckets:
        return bucketFormula();
    case PositionScheme::None:
        break;
    }
    return row({variable("PE"), text("("), variable("p"), text(") = 0")});
}

Math rotationFormula()
{
    using namespace math;
    return row({variable("PE"), text("("), variable("p"), text("+"), variable("k"), text(") = "),
                scripts(variable("A"), nullptr, variable("k")), text(" · "), variable("PE"),
                text("("), variable("p"), text(")")});
}

QString schemeWords(PositionScheme scheme, const QString& model, const Theme& theme)
{
    if (scheme == PositionScheme::Sinusoidal)
        return tr("Every pair of dimensions is a clock hand. Moving on by %1 turns each hand by a "
                  "fixed angle, whatever %2 is. Drag %2: the shaded angles stay.")
            .arg(coloured(QStringLiteral("k"), theme.key),
                 coloured(QStringLiteral("p"), theme.accent));
    if (scheme == PositionScheme::Learned)
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
