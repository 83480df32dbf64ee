#include "ui/widgets/worked/worked_equation.h"

#include "ui/widgets/formula/formula.h"
#include "ui/widgets/tr.h"
#include "ui/widgets/worked/worked_block.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace headscope::ui {

namespace {

constexpr double kResultGap = 40.0; // "=" and the padding of the result
constexpr double kGeneral = 17.0;
constexpr double kExact = 15.0; // maximum

struct EquationType
{
    double pixels;
    std::size_t lines;
};

constexpr std::array<EquationType, 9> kEquationTypes{
    {{24, 1}, {22, 1}, {20, 1}, {18, 1}, {17, 2}, {15, 2}, {14, 2}, {13, 3}, {12, 4}}};

/// Height of the line with the general formula and the exact form, the same for all steps of a
/// stage, so that nothing moves: a reason takes two lines, an exact form may be a tall fraction.
double beneathHeight(const LiveFormula& formula, const WorkedDiagram& diagram, const Theme& theme)
{
    constexpr double kTallest = 56.0;
    constexpr std::size_t kMeasured = 32; // maximum number of measured steps
    const double scale = theme.scale();
    double height = 28.0 * scale;
    if (formula.general)
        height = std::max(height, formulaSize(formula.general, kGeneral, theme).height() + 6.0);
    std::size_t measured = 0;
    for (const WorkedStep& step : diagram.example->steps) {
        if (step.stage != diagram.stage() || ++measured > kMeasured)
            continue;
        if (!step.reason.empty())
            height = std::max(height, 44.0 * scale);
        if (const Math exact = exactForm(step))
            height = std::max(
                height, std::min(formulaSize(exact, 13.0, theme).height() + 4.0, kTallest * scale));
    }
    return std::ceil(height);
}

std::vector<Math> brokenTerms(const LiveFormula& formula, double width, double pixels,
                              const Theme& theme)
{
    const QFontMetricsF bold(stageFont(theme, pixels, true));
    const double result =
        bold.horizontalAdvance(formula.result) + (kResultGap + pixels) * theme.scale();
    std::vector<Math> broken;
    std::vector<Math> line;
    double taken = 0.0;
    for (std::size_t i = 0; i < formula.terms.size(); ++i) {
        const double term = formulaSize(formula.terms[i], pixels, theme).width();
        const double after = i + 1 == formula.terms.size() ? result : 0.0;
        if (!line.empty() && taken + term + after > width) {
            broken.push_back(math::row(std::exchange(line, {})));
            taken = 0.0;
        }
        line.push_back(formula.terms[i]);
        taken += term;
    }
    if (!line.empty())
        broken.push_back(math::row(std::move(line)));
    return broken;
}

void paintResult(QPainter& painter, QPointF baseline, const WorkedEquation& equation,
                 const Theme& theme)
{
    const double scale = theme.scale();
    painter.setFont(theme.formulaFont(equation.pixels, false));
    painter.setPen(theme.text);
    const double sign = equation.lines.empty() ? 0.0 : 0.5 * equation.pixels * scale;
    if (!equation.lines.empty())
        painter.drawText(baseline + QPointF(sign, 0.0), QStringLiteral("="));
    const double after =
        equation.lines.empty()
            ? 0.0
            : 2.0 * sign + QFontMetricsF(painter.font()).horizontalAdvance(QLatin1Char('='));
    QFont bold = theme.formulaFont(equation.pixels, false);
    bold.setBold(true);
    const QFontMetricsF metrics(bold);
    const double width = metrics.horizontalAdvance(equation.formula.result);
    const double height = 1.15 * equation.pixels * scale;
    const QRectF box(baseline.x() + after, baseline.y() - 0.92 * equation.pixels * scale,
                     width + 18.0, height);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.soft);
    painter.drawRoundedRect(box, 4.0, 4.0);
    painter.restore();
    painter.setFont(bold);
    painter.setPen(theme.text);
    painter.drawText(QPointF(box.x() + 9.0, baseline.y()), equation.formula.result);
}

void paintLines(QPainter& painter, const WorkedEquation& equation, const Theme& theme)
{
    const std::size_t count = std::max<std::size_t>(equation.lines.size(), 1);
    const double step = equation.area.height() / static_cast<double>(count);
    QPointF end(equation.area.x(), equation.area.center().y() + 0.3 * equation.pixels);
    for (std::size_t i = 0; i < equation.lines.size(); ++i) {
        const QSizeF size = formulaSize(equation.lines[i], equation.pixels, theme);
        const double top =
            equation.area.y() + step * static_cast<double>(i) + (step - size.height()) / 2.0;
        const double baseline = paintFormula(painter, {equation.area.x(), top}, equation.lines[i],
                                             equation.pixels, theme);
        end = {equation.area.x() + size.width(), baseline};
    }
    paintResult(painter, end, equation, theme);
}

double paintText(QPainter& painter, double x, const QRectF& line, const QString& text,
                 const Theme& theme)
{
    painter.setFont(theme.font(TextRole::Table));
    painter.setPen(theme.text3);
    painter.drawText(QRectF(x, line.y(), line.right() - x, line.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, text);
    return x + QFontMetricsF(painter.font()).horizontalAdvance(text);
}

/// Paints "exactly √2/2 = 0.707107", or the value with more digits.
void paintExact(QPainter& painter, double x, const QRectF& line, const LiveFormula& formula,
                const Theme& theme)
{
    if (formula.decimals.isEmpty())
        return;
    if (!formula.exact) {
        if (formula.decimals != formula.result && !formula.isWhole)
            paintText(painter, x, line, tr("exact value %1").arg(formula.decimals), theme);
        return;
    }
    Theme grey = theme;
    grey.text = theme.text2;
    const double words = paintText(painter, x, line, tr("exactly"), theme) + 8.0;
    double pixels = kExact;
    QSizeF size = formulaSize(formula.exact, pixels, theme);
    while (pixels > 12.0 &&
           (size.height() > line.height() + 2.0 || words + size.width() + 110.0 > line.right()))
        size = formulaSize(formula.exact, --pixels, theme);
    if (words + size.width() + 90.0 * theme.scale() > line.right()) {
        paintText(painter, words, line, QStringLiteral("≈ ") + formula.decimals, theme);
        return;
    }
    paintFormula(painter, {words, line.center().y() - size.height() / 2.0}, formula.exact, pixels,
                 grey);
    paintText(painter, words + size.width() + 8.0, line, QStringLiteral("≈ ") + formula.decimals,
              theme);
}

} // namespace

WorkedEquation::WorkedEquation(const WorkedDiagram& diagram, double room, const Theme& theme)
    : formula(liveFormula(diagram))
{
    const double width = room - (WorkedBlock::kWidestLabel * 0.6) * theme.scale();
    for (const EquationType& type : kEquationTypes) {
        pixels = type.pixels;
        lines = brokenTerms(formula, width, pixels, theme);
        if (lines.size() <= type.lines)
            break;
    }
    const double line = lines.size() > 1 ? 1.45 * pixels : 44.0;
    const double count = static_cast<double>(std::max<std::size_t>(lines.size(), 1));
    area = QRectF(0.0, 0.0, width, line * count * theme.scale());
    general = QRectF(0.0, 0.0, width, beneathHeight(formula, diagram, theme));
}

void WorkedEquation::place(QPointF corner, double right)
{
    const double width = right - corner.x();
    area = QRectF(corner, QSizeF(width, area.height()));
    general = QRectF(corner.x(), area.bottom(), width, general.height());
}

void paintEquation(QPainter& painter, const WorkedEquation& equation, const WorkedDiagram& diagram,
                   const Theme& theme)
{
    const WorkedStep* step = diagram.step();
    if (!step) {
        painter.setFont(theme.font(TextRole::Lesson));
        painter.setPen(theme.text2);
        painter.drawText(equation.area, Qt::AlignLeft | Qt::AlignVCenter,
                         tr("Press Space to compute the first number."));
        return;
    }
    paintLines(painter, equation, theme);
    const QRectF& line = equation.general;
    double x = line.x();
    if (equation.formula.general) {
        Theme grey = theme;
        grey.text = theme.text2;
        const QSizeF size = formulaSize(equation.formula.general, kGeneral, theme);
        paintFormula(painter, {x, line.center().y() - size.height() / 2.0},
                     equation.formula.general, kGeneral, grey);
        x += size.width() + 20.0 * theme.scale();
    }
    if (step->reason.empty() || !diagram.isFilled(step->result))
        return paintExact(painter, x, line, equation.formula, theme);
    painter.setFont(theme.font(TextRole::Body));
    painter.setPen(theme.text2);
    painter.drawText(QRectF(x, line.y(), line.right() - x, line.height()),
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap,
                     QString::fromStdString(step->reason));
}

} // namespace headscope::ui
