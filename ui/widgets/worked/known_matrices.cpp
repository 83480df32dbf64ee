#include "ui/widgets/worked/known_matrices.h"

#include "ui/widgets/style/colour_map.h"
#include "ui/widgets/tr.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kTitle = 22.0;
constexpr double kSmallTitle = 20.0;
constexpr double kShapeGap = 8.0;
constexpr double kAcross = 28.0; // between matrices
constexpr double kDown = 14.0;
constexpr double kSmallAcross = 18.0; // between matrices with colours alone
constexpr double kSmallDown = 8.0;
constexpr int kMostNumbers = 8; // rows or columns with numbers in their cells
constexpr double kPadding = 12.0;
constexpr int kDecimals = 3;

QString earlierText(int count)
{
    return count > 0 ? tr("%1 earlier").arg(count) : QString();
}

QString shapeText(const WorkedMatrix& matrix)
{
    return QStringLiteral("%1 × %2").arg(matrix.rows()).arg(matrix.columns());
}

QFont titleFont(bool isSmall, const Theme& theme)
{
    return theme.bold(isSmall ? TextRole::Caption : TextRole::Body);
}

double titleWidth(const WorkedMatrix& matrix, bool isSmall, const Theme& theme)
{
    const double title = QFontMetricsF(titleFont(isSmall, theme))
                             .horizontalAdvance(QString::fromStdString(matrix.title));
    const double shape =
        QFontMetricsF(theme.font(TextRole::Caption)).horizontalAdvance(shapeText(matrix));
    return std::ceil(title + kShapeGap * theme.scale() + shape) + 2.0;
}

bool canShowNumbers(const WorkedBlock& block)
{
    return std::max(block.rows, block.columns) <= kMostNumbers;
}

double numbersWidth(const QStringList& samples, double pixels, const Theme& theme)
{
    return std::ceil(widestText(samples, stageFont(theme, pixels, true)) +
                     kPadding * theme.scale());
}

float largestOf(const WorkedMatrix& matrix)
{
    double largest = 0.0;
    for (const double value : matrix.values)
        if (std::isfinite(value))
            largest = std::max(largest, std::abs(value));
    return largest > 0.0 ? static_cast<float>(largest) : 1.0F;
}

} // namespace

struct KnownMatrices::Type
{
    double row = 25.0;   ///< Height of a row with numbers.
    double pixels = 0.0; ///< Type size of the numbers; 0: colours alone.
    double side = 120.0; ///< Longest side of a matrix without numbers.

    bool isSmall() const { return pixels <= 0.0; }
};

KnownMatrices::KnownMatrices(QRectF area, const WorkedDiagram& diagram, const Theme& theme)
{
    static constexpr std::array<Type, 17> kTypes{{{128, 26, 800},
                                                  {116, 24, 760},
                                                  {104, 20, 700},
                                                  {92, 20, 640},
                                                  {80, 20, 560},
                                                  {68, 20, 480},
                                                  {56, 20, 420},
                                                  {50, 20, 360},
                                                  {44, 18, 300},
                                                  {38, 17, 250},
                                                  {32, 15, 200},
                                                  {28, 14, 160},
                                                  {24, 13, 130},
                                                  {20, 12, 100},
                                                  {16, 0, 80},
                                                  {12, 0, 64},
                                                  {9, 0, 48}}};
    if (diagram.isEmpty())
        return;
    WorkedDiagram whole = diagram; // complete, so that nothing moves while cells fill
    whole.done = diagram.example->steps.size();
    whole.isAsking = false;
    const std::vector<int> known = knownMatrices(diagram);
    std::vector<QStringList> samples;
    for (const WorkedBlock& block : workedBlocks(diagram, known))
        samples.push_back(canShowNumbers(block) ? widthSamples(whole, block.matrix, kDecimals)
                                                : QStringList());
    for (const Type& type : kTypes) {
        m_blocks = workedBlocks(diagram, known);
        measure(whole, theme, type, samples);
        if (place(area, theme, type))
            return;
    }
    while (m_blocks.size() > 1 && !place(area, theme, kTypes.back())) {
        m_blocks.erase(m_blocks.begin());
        ++m_left;
    }
}

bool KnownMatrices::hasNumbers() const
{
    return std::ranges::any_of(m_blocks,
                               [](const WorkedBlock& block) { return block.pixels > 0.0; });
}

QString KnownMatrices::leftText() const
{
    return earlierText(m_left);
}

/// Width of that text with its gap, at the start of the first line.
double KnownMatrices::leftWidth(const Theme& theme) const
{
    if (m_left == 0)
        return 0.0;
    return QFontMetricsF(theme.font(TextRole::Caption)).horizontalAdvance(leftText()) +
           kSmallAcross * theme.scale();
}

/// Sets the sizes of title and cells.
void KnownMatrices::measure(const WorkedDiagram& diagram, const Theme& theme, const Type& type,
                            const std::vector<QStringList>& samples)
{
    const double scale = theme.scale();
    for (std::size_t i = 0; i < m_blocks.size(); ++i) {
        WorkedBlock& block = m_blocks[i];
        const int longest = std::max(block.rows, block.columns);
        const bool hasNumbers = type.pixels > 0.0 && canShowNumbers(block);
        block.pixels = hasNumbers ? type.pixels : 0.0;
        block.decimals = kDecimals;
        const double side =
            std::max(3.0, std::floor(std::min(type.row, type.side / longest) * scale));
        const double width =
            hasNumbers ? std::max(numbersWidth(samples[i], block.pixels, theme), type.row * scale)
                       : side;
        const double height = hasNumbers ? type.row * scale : side;
        block.cells = QRectF(0.0, 0.0, width * block.columns, height * block.rows);
        const bool isSmall = type.isSmall();
        block.title = QRectF(
            0.0, 0.0,
            std::max(block.cells.width(), titleWidth(diagram.matrix(block.matrix), isSmall, theme)),
            (isSmall ? kSmallTitle : kTitle) * scale);
    }
}

/// Places the blocks in lines; false if they are taller or wider than the area.
bool KnownMatrices::place(QRectF area, const Theme& theme, const Type& type)
{
    const double scale = theme.scale();
    const double across = (type.isSmall() ? kSmallAcross : kAcross) * scale;
    const double down = (type.isSmall() ? kSmallDown : kDown) * scale;
    double x = area.x() + leftWidth(theme);
    double y = area.y();
    double tallest = 0.0;
    bool fits = true;
    for (WorkedBlock& block : m_blocks) {
        if (x > area.x() && x + block.title.width() > area.right()) {
            x = area.x();
            y += tallest + down;
            tallest = 0.0;
        }
        block.title.moveTopLeft({x, y});
        block.cells.moveTopLeft({x, block.title.bottom()});
        tallest = std::max(tallest, block.cells.bottom() - y);
        fits = fits && block.title.right() <= area.right() + 1.0;
        x = block.title.right() + across;
    }
    return fits && y + tallest <= area.bottom();
}

double KnownMatrices::smallestHeight(const Theme& theme)
{
    constexpr double kRows = 4.0;
    constexpr double kSmallRow = 16.0;
    return (kTitle + kRows * kSmallRow) * theme.scale();
}

std::vector<int> knownMatrices(const WorkedDiagram& diagram)
{
    std::vector<int> known;
    if (diagram.isEmpty())
        return known;
    std::vector<bool> computed(diagram.example->matrices.size(), false);
    for (const WorkedStep& step : diagram.example->steps)
        if (diagram.step() && step.stage <= diagram.stage())
            computed[static_cast<std::size_t>(step.result.matrix)] = true;
    for (std::size_t i = 0; i < computed.size(); ++i)
        if (computed[i] || diagram.example->matrices[i].isInput)
            known.push_back(static_cast<int>(i));
    return known;
}

QString titleAndShape(const WorkedMatrix& matrix)
{
    return QStringLiteral("%1, %2").arg(QString::fromStdString(matrix.title), shapeText(matrix));
}

namespace {

class KnownPainter
{
public:
    KnownPainter(QPainter& painter, const WorkedDiagram& diagram, const Theme& theme)
        : m_painter(painter)
        , m_diagram(diagram)
        , m_theme(theme)
    {
    }

    void paint(const WorkedBlock& block)
    {
        paintTitle(block);
        const WorkedMatrix& matrix = m_diagram.matrix(block.matrix);
        const ColourLookup colours(matrix.role == CellRole::Weight
                                       ? ColourScale::weights()
                                       : ColourScale::difference(largestOf(matrix)),
                                   m_theme);
        for (int row = 0; row < block.rows; ++row)
            for (int column = 0; column < block.columns; ++column)
                paintCell(block, {block.matrix, row, column}, colours);
        if (isCurrent(block.matrix))
            paintOutline(block);
    }

private:
    /// True for the matrix that the current step computes.
    bool isCurrent(int matrix) const
    {
        return m_diagram.step() && m_diagram.step()->result.matrix == matrix;
    }

    void paintTitle(const WorkedBlock& block)
    {
        const WorkedMatrix& matrix = m_diagram.matrix(block.matrix);
        const bool isSmall = block.title.height() < kTitle * m_theme.scale() - 1.0;
        const QFont font = titleFont(isSmall, m_theme);
        const QString title = QString::fromStdString(matrix.title);
        m_painter.setFont(font);
        m_painter.setPen(isCurrent(block.matrix) ? m_theme.accent : m_theme.text);
        m_painter.drawText(block.title, Qt::AlignLeft | Qt::AlignVCenter, title);
        const double beside =
            QFontMetricsF(font).horizontalAdvance(title) + kShapeGap * m_theme.scale();
        m_painter.setFont(m_theme.font(TextRole::Caption));
        m_painter.setPen(m_theme.text3);
        m_painter.drawText(block.title.adjusted(beside, 0.0, 4.0, 0.0),
                           Qt::AlignLeft | Qt::AlignVCenter, shapeText(matrix));
    }

    void paintCell(const WorkedBlock& block, CellAddress cell, const ColourLookup& colours)
    {
        const QRectF whole = block.cell(cell.row, cell.column);
        const bool hasGap = whole.width() >= 10.0 && whole.height() >= 10.0;
        const QRectF rect = hasGap ? whole.adjusted(0.5, 0.5, -0.5, -0.5) : whole;
        const bool isFilled = m_diagram.isFilled(cell);
        const bool isHidden = m_diagram.isMasked(cell);
        const QColor fill =
            !isFilled || isHidden ? m_theme.masked
            : isColoured(block)
                ? QColor::fromRgb(colours.colour(static_cast<float>(m_diagram.value(cell))))
                : m_theme.window;
        m_painter.fillRect(rect, fill);
        if (block.pixels <= 0.0 || !isFilled)
            return;
        m_painter.setFont(stageFont(m_theme, block.pixels));
        m_painter.setPen(isColoured(block) && !isHidden ? cellTextColour(fill.rgb())
                                                        : m_theme.text2);
        m_painter.drawText(rect, Qt::AlignCenter, m_diagram.text(cell, block.decimals));
    }

    /// Weights always have their colour; other numbers only where they are not written.
    bool isColoured(const WorkedBlock& block) const
    {
        return block.pixels <= 0.0 || m_diagram.matrix(block.matrix).role == CellRole::Weight;
    }

    void paintOutline(const WorkedBlock& block)
    {
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setPen(QPen(m_theme.accent, 2.0));
        m_painter.drawRect(block.cells.adjusted(-2.0, -2.0, 2.0, 2.0));
    }

    QPainter& m_painter;
    const WorkedDiagram& m_diagram;
    const Theme& m_theme;
};

} // namespace

void paintKnownMatrices(QPainter& painter, const KnownMatrices& matrices,
                        const WorkedDiagram& diagram, const Theme& theme)
{
    painter.save();
    KnownPainter known(painter, diagram, theme);
    for (const WorkedBlock& block : matrices.blocks())
        known.paint(block);
    if (matrices.left() > 0 && !matrices.blocks().empty()) {
        const QRectF& first = matrices.blocks().front().title;
        const double width = matrices.leftWidth(theme);
        painter.setFont(theme.font(TextRole::Caption));
        painter.setPen(theme.text3);
        painter.drawText(QRectF(first.x() - width, first.y(), width, first.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, matrices.leftText());
    }
    painter.restore();
}

} // namespace headscope::ui
