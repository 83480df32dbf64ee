#include "core/base/error.h"
#include "ui/pages/qk/origin_model.h"
#include "ui/pages/qk/origin_page.h"
#include "ui/pages/shared/figures/number_rows.h"
#include "ui/widgets/charts/bars/bars.h"
#include "ui/widgets/text/message_text.h"
#include "ui/widgets/tr.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr std::size_t kShownTerms = 24;

NumberTable tableOf(const Derivation& derivation)
{
    NumberRows rows;
    for (const Term& term : derivation.terms) {
        QStringList names;
        std::vector<double> values;
        for (int column = 0; column < OriginModel::kFactors; ++column) {
            const bool there = column < static_cast<int>(term.factors.size());
            const auto index = static_cast<std::size_t>(column);
            values.push_back(there ? term.factors[index].value : 1.0);
            if (there)
                names << nameOf(term.factors[index].of);
        }
        values.push_back(term.value);
        rows.add(names.join(QStringLiteral(" \u00D7 ")), values);
    }
    return rows.table(tr("operands"), {tr("operand"), tr("times"), tr("times"), tr("term")});
}

std::vector<Bar> barsOf(const Derivation& derivation)
{
    std::vector<Term> terms = derivation.terms;
    std::stable_sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) {
        return std::abs(a.value) > std::abs(b.value);
    });
    terms.resize(std::min<std::size_t>(terms.size(), kShownTerms));
    std::vector<Bar> bars;
    for (const Term& term : terms) {
        QStringList factors;
        for (const Factor& factor : term.factors)
            factors << QString::fromStdString(factor.name);
        Bar bar;
        bar.label = factors.join(QStringLiteral(" \u00D7 "));
        bar.value = term.value;
        bars.push_back(std::move(bar));
    }
    return bars;
}

} // namespace

Figure originFigure(const ViewSnapshot& view, const QJsonObject& options)
{
    OriginPath path = originPathFrom(options);
    if (path.numbers.empty()) {
        if (const auto selected = pairNumber(view))
            path = {{selected->number}, selected->variant};
    }
    if (path.numbers.empty())
        throw Error("there is no number to trace", "origin", "Run a text through a model first");
    const NumberRef& number = path.numbers.back();
    const Derivation derivation =
        derivationOf(view, path.variant.value_or(variantOf(view)), number);
    Figure figure = figureOf(view, nameOf(number));
    figure.caption =
        tr("%1 = %2: %3. Operands by magnitude; bars are terms of the sum.")
            .arg(nameOf(number), exactNumber(derivation.recorded),
                 messageText(derivation.end.empty() ? derivation.formula : derivation.end));
    figure.numbers = {tableOf(derivation)};
    const std::vector<Bar> bars = barsOf(derivation);
    figure.size = [bars](const Theme& theme) {
        return QSizeF(560.0 * theme.scale(), barsHeight(bars, theme) + 56.0 * theme.scale());
    };
    figure.paint = [bars, derivation](QPainter& painter, const QRectF& area, const Theme& theme,
                                      const FigureTarget&) {
        painter.setFont(theme.font(TextRole::Body));
        painter.setPen(theme.text);
        painter.drawText(QRectF(area.x(), area.y(), area.width(), 24.0 * theme.scale()),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         QStringLiteral("%1 = %2").arg(messageText(derivation.formula),
                                                       exactNumber(derivation.recorded)));
        paintBars(painter, area.adjusted(0, 40.0 * theme.scale(), 0, 0), bars, {0.0, 4, 0.0, {}},
                  theme);
    };
    return figure;
}

} // namespace headscope::ui
