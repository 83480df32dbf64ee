#include "ui/widgets/worked/finished_matrices.h"

#include "ui/widgets/formula/formula.h"
#include "ui/widgets/formula/formula_latex.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace headscope::ui {

namespace {

constexpr double kRow = 25.0;
constexpr double kTitle = 26.0;
constexpr double kCell = 56.0;
constexpr double kGap = 64.0; // gap that contains an arrow
constexpr double kPixels = 13.0;
constexpr int kDecimals = 3;
constexpr double kFormula = 168.0;

double textWidth(const QFont& font, const QString& text)
{
    return QFontMetricsF(font).horizontalAdvance(text);
}

double cellsWidth(const WorkedBlock& block, const WorkedDiagram& diagram, const Theme& theme)
{
    const QFont font = stageFont(theme, kPixels);
    const double text = std::max(kCell * theme.scale() - 12.0,
                                 widestText(widthSamples(diagram, block.matrix, kDecimals), font));
    return std::ceil(text + 12.0) * block.columns;
}

double titleWidth(const WorkedMatrix& matrix, const Theme& theme)
{
    const double title =
        textWidth(theme.bold(TextRole::Body), QString::fromStdString(matrix.title));
    if (matrix.formula.empty())
        return title;
    const Math formula = mathOrText(QString::fromStdString(matrix.formula));
    const double beside = formulaSize(formula, kPixels, theme).width() + 14.0;
    return title + std::min(beside, kFormula * theme.scale());
}

double labelsWidth(const WorkedMatrix& matrix, const Theme& theme)
{
    const double labels = widestLabel(matrix.rowLabels, theme.font(TextRole::Body), theme);
    return labels > 0.0 ? labels + WorkedBlock::kLabelGap * theme.scale() : 0.0;
}

} // namespace

FinishedMatrices::FinishedMatrices(const WorkedDiagram& diagram, const std::vector<int>& matrices,
                                   const Theme& theme)
    : m_scale(theme.scale())
    , m_blocks(workedBlocks(diagram, matrices))
{
    for (WorkedBlock& block : m_blocks) {
        const WorkedMatrix& matrix = diagram.matrix(block.matrix);
        block.pixels = kPixels;
        block.decimals = kDecimals;
        const double cells = cellsWidth(block, diagram, theme);
        m_widths.push_back(
            {labelsWidth(matrix, theme), cells, std::max(cells, titleWidth(matrix, theme))});
    }
}

double FinishedMatrices::height() const
{
    int rows = 0;
    for (const WorkedBlock& block : m_blocks)
        rows = std::max(rows, block.rows);
    return m_blocks.empty() ? 0.0 : (kTitle + rows * kRow) * m_scale;
}

void FinishedMatrices::place(QRectF area)
{
    double width = 0.0;
    std::size_t first = m_blocks.size();
    while (first > 0) {
        const Widths& widths = m_widths[first - 1];
        const double needed = widths.reach + (first == m_blocks.size() ? 0.0 : kGap * m_scale);
        if (width + needed + widths.labels > area.width())
            break;
        width += needed;
        --first;
    }
    const auto left = static_cast<std::ptrdiff_t>(first);
    m_blocks.erase(m_blocks.begin(), m_blocks.begin() + left);
    m_widths.erase(m_widths.begin(), m_widths.begin() + left);
    double x = area.x();
    const double top = area.y() + kTitle * m_scale;
    for (std::size_t i = 0; i < m_blocks.size(); ++i) {
        WorkedBlock& block = m_blocks[i];
        const double labels = i == 0 ? m_widths[i].labels : 0.0;
        block.cells = QRectF(x + labels, top, m_widths[i].cells, kRow * m_scale * block.rows);
        block.rowLabels = labels > 0.0 ? QRectF(x, top, labels - WorkedBlock::kLabelGap * m_scale,
                                                block.cells.height())
                                       : QRectF();
        block.bus = block.cells.bottom();
        block.title = QRectF(block.cells.x(), area.y(), m_widths[i].reach, kTitle * m_scale);
        x = block.title.right() + kGap * m_scale;
    }
}

} // namespace headscope::ui
