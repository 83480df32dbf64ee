#include "ui/widgets/worked/large_matrices.h"

#include <QFontMetricsF>

#include <algorithm>
#include <array>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kTitle = 30.0; // line of the matrices' names
constexpr double kColumnLabels = 24.0;
constexpr double kBus = 18.0;  // below the cells: lines to the result
constexpr double kSign = 44.0; // gutter with a sign
constexpr double kNoSign = 26.0;
constexpr double kWiderGutter = 44.0; // maximum extra width of a gutter

double textWidth(const QFont& font, const QString& text)
{
    return QFontMetricsF(font).horizontalAdvance(text);
}

} // namespace

struct LargeMatrices::Type
{
    double pixels = 20.0;
    int decimals = 4;
    int lines = 1;

    /// Relative spacing, which is smaller for small type.
    double tightness() const { return pixels < 14.0 ? 0.78 : 1.0; }
};

/// Line of large matrices from `begin` to before `end`.
struct LargeMatrices::Line
{
    std::size_t begin = 0;
    std::size_t end = 0;
    double width = 0.0; ///< Width with the narrowest cells.
    int rows = 0;       ///< Rows of the tallest matrix.
    bool hasColumnLabels = false;
};

LargeMatrices::LargeMatrices(const WorkedDiagram& diagram, const std::vector<int>& matrices,
                             const Theme& theme)
    : m_diagram(diagram)
    , m_theme(theme)
    , m_scale(theme.scale())
    , m_blocks(workedBlocks(diagram, matrices))
{
}

bool LargeMatrices::place(QRectF room)
{
    static constexpr std::array<Type, 13> kTypes{{{20, 4, 1},
                                                  {19, 4, 1},
                                                  {18, 4, 1},
                                                  {17, 4, 1},
                                                  {16, 4, 1},
                                                  {20, 4, 2},
                                                  {18, 4, 2},
                                                  {16, 4, 2},
                                                  {15, 4, 1},
                                                  {15, 4, 2},
                                                  {14, 4, 2},
                                                  {14, 4, 1},
                                                  {14, 4, 3}}};
    return std::any_of(kTypes.begin(), kTypes.end(),
                       [&](const Type& type) { return placeAs(room, type); });
}

bool LargeMatrices::placeTiny(QRectF room)
{
    static constexpr std::array<Type, 11> kTypes{{{13, 4, 1},
                                                  {13, 4, 2},
                                                  {13, 4, 3},
                                                  {12, 4, 2},
                                                  {12, 4, 3},
                                                  {12, 3, 2},
                                                  {12, 3, 3},
                                                  {12, 2, 3},
                                                  {12, 2, 4},
                                                  {12, 3, 5},
                                                  {12, 2, 5}}};
    return std::any_of(kTypes.begin(), kTypes.end(),
                       [&](const Type& type) { return placeAs(room, type); });
}

double LargeMatrices::bottom() const
{
    double bottom = 0.0;
    for (const WorkedBlock& block : m_blocks)
        bottom = std::max(bottom, block.cells.bottom());
    return bottom;
}

LargeMatrices::Measured LargeMatrices::measured(int index, const Type& type) const
{
    const WorkedMatrix& matrix = m_diagram.matrix(index);
    Measured result;
    const QFont labelFont = m_theme.font(type.pixels < 16.0 ? TextRole::Body : TextRole::Table);
    result.labels = widestLabel(matrix.rowLabels, labelFont, m_theme);
    if (result.labels > 0.0)
        result.labels += WorkedBlock::kLabelGap * m_scale;
    const double columnLabels = widestLabel(matrix.columnLabels, labelFont, m_theme);
    result.hasColumnLabels = columnLabels > 0.0;
    const double text = std::max(textWidth(stageFont(m_theme, type.pixels), QStringLiteral("00")),
                                 widestText(widthSamples(m_diagram, index, type.decimals),
                                            stageFont(m_theme, type.pixels, true)));
    result.cell = std::ceil(text + 10.0 * m_scale);
    result.request = std::max({std::ceil(text + 20.0 * m_scale), 3.8 * type.pixels * m_scale,
                               columnLabels + 12.0 * m_scale});
    return result;
}

const std::vector<LargeMatrices::Measured>& LargeMatrices::sizesOf(const Type& type)
{
    std::vector<Measured>& sizes = m_sizes[{type.pixels, type.decimals}];
    for (std::size_t i = sizes.size(); i < m_blocks.size(); ++i)
        sizes.push_back(measured(m_blocks[i].matrix, type));
    return sizes;
}

QString LargeMatrices::signBefore(std::size_t block) const
{
    const auto stage = static_cast<std::size_t>(m_diagram.stage());
    const std::vector<std::string>& signs = m_diagram.example->stages[stage].signs;
    return block == 0 || block > signs.size() ? QString()
                                              : QString::fromStdString(signs[block - 1]);
}

double LargeMatrices::gutter(std::size_t block) const
{
    return block == 0 ? 0.0 : (signBefore(block).isEmpty() ? kNoSign : kSign) * m_scale;
}

/// Lines of large matrices, each as full as the minimum widths allow; empty when one matrix is
/// wider than a line.
std::vector<LargeMatrices::Line> LargeMatrices::lines(const std::vector<Measured>& sizes,
                                                      double width) const
{
    std::vector<Line> lines;
    for (std::size_t i = 0; i < m_blocks.size(); ++i) {
        const double needed = gutter(i) + sizes[i].labels + sizes[i].cell * m_blocks[i].columns;
        if (needed > width)
            return {};
        if (lines.empty() || lines.back().width + needed > width)
            lines.push_back({i, i, 0.0, 0, false});
        Line& line = lines.back();
        line.end = i + 1;
        line.width += needed;
        line.rows = std::max(line.rows, m_blocks[i].rows);
        line.hasColumnLabels = line.hasColumnLabels || sizes[i].hasColumnLabels;
    }
    return lines;
}

double LargeMatrices::besideCells(const Line& line, const Type& type) const
{
    return (kTitle + kBus + (line.hasColumnLabels ? kColumnLabels : 0.0)) * type.tightness() *
           m_scale;
}

bool LargeMatrices::placeAs(QRectF room, const Type& type)
{
    const std::vector<Measured>& sizes = sizesOf(type);
    const std::vector<Line> all = lines(sizes, room.width());
    if (all.empty() || static_cast<int>(all.size()) > type.lines)
        return false;
    double beside = 0.0;
    int rows = 0;
    for (const Line& line : all) {
        beside += besideCells(line, type);
        rows += line.rows;
    }
    const double high = std::floor((room.height() - beside) / std::max(rows, 1));
    if (high < std::ceil(1.6 * type.pixels * m_scale))
        return false;
    const double rowHeight = std::min(high, std::round(2.7 * type.pixels * m_scale));
    m_signs.clear();
    double top = room.top();
    for (const Line& line : all) {
        const QRectF row(room.x(), top, room.width(), rowHeight);
        placeLine(line, sizes, row, type);
        placeTitles(line, row, type);
        top += besideCells(line, type) + line.rows * rowHeight;
    }
    return true;
}

/// Places a line in `room`, which is one row of cells high.
void LargeMatrices::placeLine(const Line& line, const std::vector<Measured>& sizes, QRectF room,
                              const Type& type)
{
    const double scale = type.tightness() * m_scale; // scale of everything around the cells
    double requested = 0.0;
    for (std::size_t i = line.begin; i < line.end; ++i) {
        requested += (sizes[i].request - sizes[i].cell) * m_blocks[i].columns;
    }
    const double spare = room.width() - line.width;
    const double grown = requested > 0.0 ? std::min(1.0, spare / requested) : 0.0;
    const std::size_t gutters = line.end - line.begin - 1;
    const double more = gutters == 0
                            ? 0.0
                            : std::clamp((spare - grown * requested) / static_cast<double>(gutters),
                                         0.0, kWiderGutter * m_scale);
    const double cellsTop =
        room.y() + (kTitle + (line.hasColumnLabels ? kColumnLabels : 0.0)) * scale;
    double x = room.x();
    for (std::size_t i = line.begin; i < line.end; ++i) {
        WorkedBlock& block = m_blocks[i];
        const Measured& size = sizes[i];
        const double between = gutter(i) + (i > line.begin ? more : 0.0);
        if (i > 0)
            m_signs.push_back(QRectF(x, cellsTop, between,
                                     room.height() * std::min(block.rows, m_blocks[i - 1].rows)));
        x += between;
        const double width =
            std::floor(size.cell + grown * (size.request - size.cell)) * block.columns;
        block.pixels = type.pixels;
        block.decimals = type.decimals;
        block.cells = QRectF(x + size.labels, cellsTop, width, room.height() * block.rows);
        block.rowLabels =
            QRectF(x, cellsTop, std::max(0.0, size.labels - WorkedBlock::kLabelGap * m_scale),
                   block.cells.height());
        block.columnLabels = size.hasColumnLabels
                                 ? QRectF(block.cells.x(), cellsTop - kColumnLabels * scale, width,
                                          kColumnLabels * scale)
                                 : QRectF();
        block.bus = cellsTop + line.rows * room.height();
        x = block.cells.right();
    }
}

/// A title may extend to the next matrix.
void LargeMatrices::placeTitles(const Line& line, QRectF room, const Type& type)
{
    for (std::size_t i = line.begin; i < line.end; ++i) {
        WorkedBlock& block = m_blocks[i];
        const double end =
            i + 1 < line.end ? m_blocks[i + 1].cells.x() - 12.0 * m_scale : room.right();
        block.title = QRectF(block.cells.x(), room.y(), std::max(0.0, end - block.cells.x()),
                             kTitle * type.tightness() * m_scale);
    }
}

} // namespace headscope::ui
