#include "ui/widgets/worked/worked_layout.h"

#include "ui/widgets/charts/share_bar.h"

#include <QFontMetricsF>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace headscope::ui {

namespace {

constexpr double kTitle = 30.0; // line of the large matrices' names
constexpr double kColumnLabels = 24.0;
constexpr double kBus = 18.0;     // below the cells: lines to the result
constexpr double kBetween = 10.0; // parts of the picture, one below the other
constexpr double kSign = 44.0;    // gutter with a sign in it
constexpr double kNoSign = 26.0;
constexpr double kWiderGutter = 44.0; // at most so much more, where there is room

double textWidth(const QFont& font, const QString& text)
{
    return QFontMetricsF(font).horizontalAdvance(text);
}

WorkedBlock blockOf(const WorkedPicture& picture, int matrix)
{
    WorkedBlock block;
    block.matrix = matrix;
    block.rows = picture.matrix(matrix).rows();
    block.columns = picture.matrix(matrix).columns();
    return block;
}

} // namespace

QFont stageFont(const Theme& theme, double pixels, bool isBold)
{
    QFont font = isBold ? theme.bold(TextRole::Body) : theme.font(TextRole::Body);
    font.setPointSizeF(pixels * 0.75 * theme.scale());
    return font;
}

double widestLabel(const std::vector<std::string>& labels, const QFont& font, const Theme& theme)
{
    double width = 0.0;
    for (const std::string& label : labels)
        width = std::max(width, textWidth(font, QString::fromStdString(label)));
    return std::min(std::ceil(width), WorkedLayout::kWidestLabel * theme.scale());
}

QRectF WorkedBlock::cell(int row, int column) const
{
    const double width = cells.width() / columns;
    const double height = cells.height() / rows;
    return {cells.x() + column * width, cells.y() + row * height, width, height};
}

/// What stands besides the large matrices.
struct WorkedLayout::Extras
{
    bool small = true;
    bool share = true;
};

struct WorkedLayout::Type
{
    double pixels = 20.0;
    int decimals = 4;
    int lines = 1;
};

/// Of a large matrix, before it has a place.
struct WorkedLayout::Measured
{
    double labels = 0.0; ///< width of the row labels with the gap
    double cell = 0.0;   ///< narrowest
    double wish = 0.0;   ///< width of a cell where there is room
    bool hasColumnLabels = false;
};

/// Large matrices beside each other: those from `begin` to before `end`.
struct WorkedLayout::Line
{
    std::size_t begin = 0;
    std::size_t end = 0;
    double width = 0.0; ///< with the narrowest cells
    int rows = 0;       ///< of the tallest
    bool hasColumnLabels = false;
};

WorkedLayout::WorkedLayout(QRectF area, const WorkedPicture& picture, const Theme& theme)
    : m_area(area)
    , m_scale(theme.scale())
{
    if (picture.isEmpty())
        return;
    WorkedPicture whole = picture; // nothing moves while cells fill
    whole.done = picture.example->steps.size();
    whole.isAsking = false;
    const std::vector<int> largest = picture.largeMatrices();
    m_theme = &theme;
    m_picture = &picture;
    m_equation.formula = liveFormula(picture);
    breakEquation();
    for (const int matrix : largest)
        m_large.push_back(blockOf(picture, matrix));
    m_picture = &whole;
    std::vector<int> finished = picture.finishedMatrices();
    for (const int matrix : finished)
        m_small.push_back(blockOf(picture, matrix));
    const bool shares = hasShareBar(picture);
    const std::vector<WorkedBlock> all = m_small;
    const std::array<Extras, 4> choices{
        {{true, shares}, {false, shares}, {true, false}, {false, false}}};
    for (const Extras& extras : choices) {
        m_small = extras.small ? all : std::vector<WorkedBlock>();
        m_fits = tryLayout(extras, false);
        if (m_fits)
            break;
    }
    if (!m_fits) {
        m_small.clear();
        m_fits = tryLayout({false, false}, true);
    }
    if (!m_fits) { // rather cut off below than not at all
        constexpr double kEndless = 1e4;
        m_area.setHeight(kEndless);
        tryLayout({false, false}, true);
        m_area.setHeight(area.height());
    }
    m_picture = nullptr;
    m_theme = nullptr;
}

double WorkedLayout::smallHeight() const
{
    int rows = 0;
    for (const WorkedBlock& block : m_small)
        rows = std::max(rows, block.rows);
    return m_small.empty() ? 0.0 : (kSmallTitle + rows * kSmallRow) * m_scale;
}

double WorkedLayout::equationHeight() const
{
    return m_equation.area.height() + m_equation.general.height();
}

bool WorkedLayout::tryLayout(const Extras& extras, bool isLast)
{
    const double between = kBetween * m_scale;
    const double above = m_small.empty() ? 0.0 : smallHeight() + 2.0 * between + 8.0 * m_scale;
    const double share = extras.share ? shareBarHeight(*m_theme) + between : 0.0;
    const QRectF room = m_area.adjusted(0.0, above, 0.0, -(equationHeight() + between + share));
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
    static constexpr std::array<Type, 11> kSmallTypes{{{13, 4, 1},
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
    bool placed = std::any_of(kTypes.begin(), kTypes.end(),
                              [&](const Type& type) { return placeLarge(room, type); });
    if (!placed && isLast)
        placed = std::any_of(kSmallTypes.begin(), kSmallTypes.end(),
                             [&](const Type& type) { return placeLarge(room, type); });
    if (!placed)
        return false;
    placeSmall(m_area.topLeft());
    m_hairline = m_small.empty() ? 0.0 : m_area.y() + smallHeight() + between + 4.0 * m_scale;
    double bottom = 0.0;
    for (const WorkedBlock& block : m_large)
        bottom = std::max(bottom, block.cells.bottom());
    placeEquation(bottom + kBus * m_scale);
    const QRectF& last = m_equation.general;
    m_shareBar = extras.share
                     ? QRectF(last.x(), last.bottom() + between,
                              m_area.right() - last.x() - 24.0 * m_scale, shareBarHeight(*m_theme))
                     : QRectF();
    m_height = (extras.share ? m_shareBar.bottom() : last.bottom()) - m_area.y();
    return true;
}

WorkedLayout::Measured WorkedLayout::measured(int index, const Type& type) const
{
    const WorkedMatrix& matrix = m_picture->matrix(index);
    Measured result;
    const QFont labelFont = m_theme->font(type.pixels < 16.0 ? TextRole::Body : TextRole::Table);
    result.labels = widestLabel(matrix.rowLabels, labelFont, *m_theme);
    if (result.labels > 0.0)
        result.labels += kLabelGap * m_scale;
    const double columnLabels = widestLabel(matrix.columnLabels, labelFont, *m_theme);
    result.hasColumnLabels = columnLabels > 0.0;
    double text = textWidth(stageFont(*m_theme, type.pixels), QStringLiteral("00"));
    const QFont font = stageFont(*m_theme, type.pixels, true);
    for (int row = 0; row < matrix.rows(); ++row)
        for (int column = 0; column < matrix.columns(); ++column)
            text = std::max(text,
                            textWidth(font, m_picture->text({index, row, column}, type.decimals)));
    result.cell = std::ceil(text + 10.0 * m_scale);
    result.wish = std::max({std::ceil(text + 20.0 * m_scale), 3.8 * type.pixels * m_scale,
                            columnLabels + 12.0 * m_scale});
    return result;
}

QString WorkedLayout::signBefore(std::size_t block) const
{
    const auto stage = static_cast<std::size_t>(m_picture->stage());
    const std::vector<std::string>& signs = m_picture->example->stages[stage].signs;
    return block == 0 || block > signs.size() ? QString()
                                              : QString::fromStdString(signs[block - 1]);
}

double WorkedLayout::gutter(std::size_t block) const
{
    return block == 0 ? 0.0 : (signBefore(block).isEmpty() ? kNoSign : kSign) * m_scale;
}

/// The large matrices by lines, each as full as its narrowest cells allow; empty when one of them
/// is wider than a line.
std::vector<WorkedLayout::Line> WorkedLayout::lines(const std::vector<Measured>& sizes,
                                                    double width) const
{
    std::vector<Line> lines;
    for (std::size_t i = 0; i < m_large.size(); ++i) {
        const double needed = gutter(i) + sizes[i].labels + sizes[i].cell * m_large[i].columns;
        if (needed > width)
            return {};
        if (lines.empty() || lines.back().width + needed > width)
            lines.push_back({i, i, 0.0, 0, false});
        Line& line = lines.back();
        line.end = i + 1;
        line.width += needed;
        line.rows = std::max(line.rows, m_large[i].rows);
        line.hasColumnLabels = line.hasColumnLabels || sizes[i].hasColumnLabels;
    }
    return lines;
}

/// Small type has less around it.
double WorkedLayout::tightness(const Type& type)
{
    return type.pixels < 14.0 ? 0.78 : 1.0;
}

double WorkedLayout::besideCells(const Line& line, const Type& type) const
{
    return (kTitle + kBus + (line.hasColumnLabels ? kColumnLabels : 0.0)) * tightness(type) *
           m_scale;
}

bool WorkedLayout::placeLarge(QRectF room, const Type& type)
{
    std::vector<Measured> sizes;
    for (const WorkedBlock& block : m_large)
        sizes.push_back(measured(block.matrix, type));
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
        placeLine(line, sizes, QRectF(room.x(), top, room.width(), rowHeight), type);
        top += besideCells(line, type) + line.rows * rowHeight;
    }
    return true;
}

/// `room`: of the line, as tall as one row of cells.
void WorkedLayout::placeLine(const Line& line, const std::vector<Measured>& sizes, QRectF room,
                             const Type& type)
{
    const double scale = tightness(type) * m_scale; // of what stands around the cells
    double wished = 0.0;
    for (std::size_t i = line.begin; i < line.end; ++i) {
        wished += (sizes[i].wish - sizes[i].cell) * m_large[i].columns;
    }
    const double spare = room.width() - line.width;
    const double grown = wished > 0.0 ? std::min(1.0, spare / wished) : 0.0;
    const std::size_t gutters = line.end - line.begin - 1;
    const double more = gutters == 0
                            ? 0.0
                            : std::clamp((spare - grown * wished) / static_cast<double>(gutters),
                                         0.0, kWiderGutter * m_scale);
    const double cellsTop =
        room.y() + (kTitle + (line.hasColumnLabels ? kColumnLabels : 0.0)) * scale;
    double x = room.x();
    for (std::size_t i = line.begin; i < line.end; ++i) {
        WorkedBlock& block = m_large[i];
        const Measured& size = sizes[i];
        const double between = gutter(i) + (i > line.begin ? more : 0.0);
        if (i > 0)
            m_signs.push_back(QRectF(x, cellsTop, between,
                                     room.height() * std::min(block.rows, m_large[i - 1].rows)));
        x += between;
        const double width =
            std::floor(size.cell + grown * (size.wish - size.cell)) * block.columns;
        block.pixels = type.pixels;
        block.decimals = type.decimals;
        block.cells = QRectF(x + size.labels, cellsTop, width, room.height() * block.rows);
        block.rowLabels = QRectF(x, cellsTop, std::max(0.0, size.labels - kLabelGap * m_scale),
                                 block.cells.height());
        block.columnLabels = size.hasColumnLabels
                                 ? QRectF(block.cells.x(), cellsTop - kColumnLabels * scale, width,
                                          kColumnLabels * scale)
                                 : QRectF();
        block.bus = cellsTop + line.rows * room.height();
        x = block.cells.right();
    }
    for (std::size_t i = line.begin; i < line.end; ++i) { // a name may reach to the next one
        WorkedBlock& block = m_large[i];
        const double end =
            i + 1 < line.end ? m_large[i + 1].cells.x() - 12.0 * m_scale : m_area.right();
        block.title =
            QRectF(block.cells.x(), room.y(), std::max(0.0, end - block.cells.x()), kTitle * scale);
    }
}

// ----------------------------------------------------------------------------------- finding

const WorkedBlock* WorkedLayout::block(int matrix) const
{
    for (const auto* blocks : {&m_large, &m_small})
        for (const WorkedBlock& block : *blocks)
            if (block.matrix == matrix)
                return &block;
    return nullptr;
}

QRectF WorkedLayout::cellRect(CellAddress cell) const
{
    const WorkedBlock* of = block(cell.matrix);
    return of ? of->cell(cell.row, cell.column) : QRectF();
}

std::optional<CellAddress> WorkedLayout::cellAt(QPointF position) const
{
    for (const auto* blocks : {&m_large, &m_small})
        for (const WorkedBlock& block : *blocks) {
            if (!block.cells.contains(position) || block.rows == 0 || block.columns == 0)
                continue;
            const QPointF inside = position - block.cells.topLeft();
            const int row = static_cast<int>(inside.y() * block.rows / block.cells.height());
            const int column = static_cast<int>(inside.x() * block.columns / block.cells.width());
            return CellAddress{block.matrix, std::min(row, block.rows - 1),
                               std::min(column, block.columns - 1)};
        }
    return std::nullopt;
}

} // namespace headscope::ui
