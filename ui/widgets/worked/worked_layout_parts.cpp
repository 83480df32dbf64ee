// What stands around the large matrices: the small ones above, the equation beneath.
#include "ui/widgets/formula/formula_latex.h"
#include "ui/widgets/worked/worked_layout.h"

#include <QFontMetricsF>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace headscope::ui {

namespace {

constexpr double kSmallCell = 56.0;
constexpr double kSmallGap = 64.0; // with an arrow in it
constexpr double kSmallPixels = 13.0;
constexpr double kSmallFormula = 168.0;
constexpr double kResultGap = 40.0; // "=" and the padding of the result
constexpr double kGeneralPixels = 17.0;

double textWidth(const QFont& font, const QString& text)
{
    return QFontMetricsF(font).horizontalAdvance(text);
}

struct EquationType
{
    double pixels;
    std::size_t lines;
};

constexpr std::array<EquationType, 9> kEquationTypes{
    {{24, 1}, {22, 1}, {20, 1}, {18, 1}, {17, 2}, {15, 2}, {14, 2}, {13, 3}, {12, 4}}};

} // namespace

double WorkedLayout::smallWidth(const WorkedBlock& block) const
{
    const QFont font = stageFont(*m_theme, kSmallPixels);
    double text = kSmallCell * m_scale - 12.0;
    for (int row = 0; row < block.rows; ++row)
        for (int column = 0; column < block.columns; ++column)
            text = std::max(text, textWidth(font, m_picture->text({block.matrix, row, column}, 3)));
    return std::ceil(text + 12.0) * block.columns;
}

double WorkedLayout::smallNameWidth(const WorkedBlock& block) const
{
    const WorkedMatrix& matrix = m_picture->matrix(block.matrix);
    const double title =
        textWidth(m_theme->bold(TextRole::Body), QString::fromStdString(matrix.title));
    if (matrix.formula.empty())
        return title;
    const Math formula = mathOrText(QString::fromStdString(matrix.formula));
    const double beside = formulaSize(formula, kSmallPixels, *m_theme).width() + 14.0;
    return title + std::min(beside, kSmallFormula * m_scale);
}

double WorkedLayout::smallLabels(const WorkedBlock& block) const
{
    const double labels = widestLabel(m_picture->matrix(block.matrix).rowLabels,
                                      m_theme->font(TextRole::Body), *m_theme);
    return labels > 0.0 ? labels + kLabelGap * m_scale : 0.0;
}

/// From the newest back, as many as there is room for.
void WorkedLayout::placeSmall(QPointF corner)
{
    double width = 0.0;
    std::size_t first = m_small.size();
    while (first > 0) {
        const WorkedBlock& block = m_small[first - 1];
        const double needed = std::max(smallWidth(block), smallNameWidth(block)) +
                              (first == m_small.size() ? 0.0 : kSmallGap * m_scale);
        if (width + needed + smallLabels(block) > m_area.width())
            break;
        width += needed;
        --first;
    }
    m_left = static_cast<int>(first);
    m_small.erase(m_small.begin(), m_small.begin() + m_left);
    double x = corner.x();
    for (std::size_t i = 0; i < m_small.size(); ++i) {
        WorkedBlock& block = m_small[i];
        const double labels = i == 0 ? smallLabels(block) : 0.0;
        const double top = corner.y() + kSmallTitle * m_scale;
        const double cells = smallWidth(block);
        block.pixels = kSmallPixels;
        block.decimals = 3;
        block.cells = QRectF(x + labels, top, cells, kSmallRow * m_scale * block.rows);
        block.rowLabels = labels > 0.0
                              ? QRectF(x, top, labels - kLabelGap * m_scale, block.cells.height())
                              : QRectF();
        block.bus = block.cells.bottom();
        const double reach = std::max(cells, smallNameWidth(block));
        block.title = QRectF(block.cells.x(), corner.y(), reach, kSmallTitle * m_scale);
        x = block.cells.x() + reach + kSmallGap * m_scale;
    }
}

// --------------------------------------------------------------------------------- the equation

/// Breaks the terms into as few lines as the largest type allows.
void WorkedLayout::breakEquation()
{
    const double width = m_area.width() - (kWidestLabel * 0.6) * m_scale;
    for (const EquationType& type : kEquationTypes) {
        m_equation.pixels = type.pixels;
        m_equation.lines = brokenTerms(width, type.pixels);
        if (m_equation.lines.size() <= type.lines)
            break;
    }
    const double line = m_equation.lines.size() > 1 ? 1.45 * m_equation.pixels : 44.0;
    const double lines = static_cast<double>(std::max<std::size_t>(m_equation.lines.size(), 1));
    m_equation.area = QRectF(0.0, 0.0, width, line * lines * m_scale);
    m_equation.general = QRectF(0.0, 0.0, width, beneathHeight());
}

/// Of the line with the general formula and the exact form, the same for all steps of a stage, so
/// that nothing moves: a reason takes two lines, an exact form may be a tall fraction.
double WorkedLayout::beneathHeight() const
{
    constexpr double kTallest = 56.0;
    constexpr std::size_t kMeasured = 32; // steps
    const LiveFormula& formula = m_equation.formula;
    double height = 28.0 * m_scale;
    if (formula.general)
        height =
            std::max(height, formulaSize(formula.general, kGeneralPixels, *m_theme).height() + 6.0);
    std::size_t measured = 0;
    for (const WorkedStep& step : m_picture->example->steps) {
        if (step.stage != m_picture->stage() || ++measured > kMeasured)
            continue;
        if (!step.reason.empty())
            height = std::max(height, 44.0 * m_scale);
        if (const Math exact = exactForm(step))
            height = std::max(height, std::min(formulaSize(exact, 13.0, *m_theme).height() + 4.0,
                                               kTallest * m_scale));
    }
    return std::ceil(height);
}

std::vector<Math> WorkedLayout::brokenTerms(double width, double pixels) const
{
    const LiveFormula& formula = m_equation.formula;
    const double result = textWidth(stageFont(*m_theme, pixels, true), formula.result) +
                          kResultGap * m_scale + pixels * m_scale;
    std::vector<Math> broken;
    std::vector<Math> line;
    double taken = 0.0;
    for (std::size_t i = 0; i < formula.terms.size(); ++i) {
        const double term = formulaSize(formula.terms[i], pixels, *m_theme).width();
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

void WorkedLayout::placeEquation(double top)
{
    const double left = m_large.empty() ? m_area.x() : m_large.front().cells.x();
    const double width = m_area.right() - left;
    m_equation.area = QRectF(left, top, width, m_equation.area.height());
    m_equation.general = QRectF(left, m_equation.area.bottom(), width, m_equation.general.height());
}

} // namespace headscope::ui
