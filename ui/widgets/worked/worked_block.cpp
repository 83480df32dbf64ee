#include "ui/widgets/worked/worked_block.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

QRectF WorkedBlock::cell(int row, int column) const
{
    const double width = cells.width() / columns;
    const double height = cells.height() / rows;
    return {cells.x() + column * width, cells.y() + row * height, width, height};
}

QRectF WorkedBlock::outline() const
{
    constexpr double kAir = 6.0;
    QRectF frame = cells.adjusted(-kAir, -kAir, kAir, kAir);
    if (!rowLabels.isEmpty())
        frame.setLeft(rowLabels.left() - kAir);
    if (!columnLabels.isEmpty())
        frame.setTop(columnLabels.top()); // between the labels and the title
    return frame;
}

std::vector<WorkedBlock> workedBlocks(const WorkedDiagram& diagram,
                                      const std::vector<int>& matrices)
{
    std::vector<WorkedBlock> blocks;
    for (const int matrix : matrices) {
        WorkedBlock& block = blocks.emplace_back();
        block.matrix = matrix;
        block.rows = diagram.matrix(matrix).rows();
        block.columns = diagram.matrix(matrix).columns();
    }
    return blocks;
}

QStringList widthSamples(const WorkedDiagram& diagram, int matrix, int decimals)
{
    QStringList samples;
    const WorkedMatrix& of = diagram.matrix(matrix);
    for (int row = 0; row < of.rows(); ++row)
        for (int column = 0; column < of.columns(); ++column) {
            QString text = diagram.text({matrix, row, column}, decimals);
            for (QChar& letter : text)
                letter = letter.isDigit() ? QLatin1Char('0') : letter;
            if (!samples.contains(text))
                samples << text;
        }
    return samples;
}

double widestText(const QStringList& texts, const QFont& font)
{
    const QFontMetricsF metrics(font);
    double width = 0.0;
    for (const QString& text : texts)
        width = std::max(width, metrics.horizontalAdvance(text));
    return width;
}

QFont stageFont(const Theme& theme, double pixels, bool isBold)
{
    QFont font = isBold ? theme.bold(TextRole::Body) : theme.font(TextRole::Body);
    font.setPointSizeF(pixels * 0.75 * theme.scale());
    return font;
}

double widestLabel(const std::vector<std::string>& labels, const QFont& font, const Theme& theme)
{
    const QFontMetricsF metrics(font);
    double width = 0.0;
    for (const std::string& label : labels)
        width = std::max(width, metrics.horizontalAdvance(QString::fromStdString(label)));
    return std::min(std::ceil(width), WorkedBlock::kWidestLabel * theme.scale());
}

} // namespace headscope::ui
