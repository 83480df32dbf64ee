#include "ui/widgets/worked/worked_overview.h"

#include "ui/widgets/formula/formula.h"
#include "ui/widgets/formula/formula_text.h"

#include <QPainter>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr double kMargin = 8.0;
constexpr double kTop = 14.0;             // below the hairline
constexpr double kAcross = 40.0;          // between formulas
constexpr double kDown = 12.0;            // between lines of formulas
constexpr double kBetween = 16.0;         // formulas to matrices
constexpr double kFormulaPart = 0.45;     // maximum part of the height
constexpr double kLeastFormulaPart = 0.3; // where the matrices need the room
constexpr double kLargest = 24.0;
constexpr double kSmallest = 11.0;

/// Leaves out the formula that is farthest from the lit one: first or last.
void leaveOneOut(std::vector<Math>& formulas)
{
    const auto lit = std::ranges::find_if(formulas, isLit);
    const bool isInFront = lit - formulas.begin() < formulas.end() - lit;
    formulas.erase(isInFront ? formulas.end() - 1 : formulas.begin());
}

} // namespace

WorkedOverview::WorkedOverview(QWidget* parent)
    : DrawnWidget(Items::Plane, tr("Whole formula and matrices so far"), parent)
{
    setMouseTracking(true);
    leaveKeysWith(~Qt::KeyboardModifiers(Qt::KeypadModifier));
}

void WorkedOverview::setDiagram(WorkedDiagram diagram, Shows shows)
{
    m_shows = shows;
    diagram.cursor.reset();
    m_diagram = std::move(diagram);
    m_formulas = wholeFormula(m_diagram);
    m_isOld = true;
    itemsChanged();
}

const std::vector<WorkedOverview::Line>& WorkedOverview::formulas() const
{
    layOut();
    return m_lines;
}

const KnownMatrices& WorkedOverview::matrices() const
{
    layOut();
    return m_matrices;
}

void WorkedOverview::layOut() const
{
    if (!m_isOld)
        return;
    m_isOld = false;
    const Theme theme = Theme::of(*this);
    const QRectF area = QRectF(rect()).adjusted(kMargin, kTop * theme.scale(), -kMargin, -4.0);
    if (m_shows == Shows::Formula)
        return layOutWith(1.0, area, theme);
    layOutWith(kFormulaPart, area, theme);
    if (m_matrices.left() == 0 && m_matrices.hasNumbers())
        return;
    const int left = m_matrices.left();
    layOutWith(kLeastFormulaPart, area, theme);
    if (m_matrices.left() == left && !m_matrices.hasNumbers())
        layOutWith(kFormulaPart, area, theme); // A smaller formula does not help.
}

/// Lays out with the formula in at most that part of the height.
void WorkedOverview::layOutWith(double part, QRectF area, const Theme& theme) const
{
    const double scale = theme.scale();
    double pixels = kLargest;
    const double highest = area.y() + std::max(kSmallest * scale, area.height() * part);
    while ((!placeFormulas(m_formulas, area, pixels, theme) || m_formulaBottom > highest) &&
           pixels > kSmallest)
        pixels -= 1.0;
    const double ofMatrices =
        m_shows == Shows::Formula ? 0.0 : KnownMatrices::smallestHeight(theme) + kBetween * scale;
    std::vector<Math> shown = m_formulas;
    while (m_formulaBottom > area.bottom() - ofMatrices && shown.size() > 1) {
        leaveOneOut(shown);
        placeFormulas(shown, area, pixels, theme);
    }
    const double top = m_lines.empty() ? 0.0 : m_formulaBottom + kBetween * scale - area.y();
    m_matrices = m_shows == Shows::Formula
                     ? KnownMatrices()
                     : KnownMatrices(area.adjusted(0.0, top, 0.0, 0.0), m_diagram, theme);
}

/// Places the formulas in lines; false if one is wider than the area and was made smaller.
bool WorkedOverview::placeFormulas(const std::vector<Math>& formulas, QRectF area, double pixels,
                                   const Theme& theme) const
{
    m_lines.clear();
    bool fits = true;
    double x = area.x();
    double y = area.y();
    double tallest = 0.0;
    for (const Math& formula : formulas) {
        const double size = fittingPixels(formula, pixels, area.width(), theme);
        fits = fits && size == pixels;
        const QSizeF needed = formulaSize(formula, size, theme);
        if (x > area.x() && x + needed.width() > area.right()) {
            x = area.x();
            y += tallest + kDown * theme.scale();
            tallest = 0.0;
        }
        m_lines.push_back({formula, {x, y}, size});
        x += needed.width() + kAcross * theme.scale();
        tallest = std::max(tallest, needed.height() + 3.0); // with the line under an operation
    }
    m_formulaBottom = y + tallest;
    return fits;
}

int WorkedOverview::smallestHeight(Shows shows) const
{
    const Theme theme = Theme::of(*this);
    constexpr double kFormula = 44.0;
    const double formula = (kTop + kFormula) * theme.scale() + 4.0;
    const double matrices = KnownMatrices::smallestHeight(theme) + kBetween * theme.scale();
    return qRound(shows == Shows::Formula ? formula : formula + matrices);
}

QSize WorkedOverview::sizeHint() const
{
    return {qRound(760 * Theme::of(*this).scale()), smallestHeight(Shows::FormulaAndMatrices)};
}

QSize WorkedOverview::minimumSizeHint() const
{
    return {320, 0};
}

const WorkedMatrix& WorkedOverview::matrixOf(int item) const
{
    return m_diagram.matrix(matrices().blocks()[static_cast<std::size_t>(item)].matrix);
}

/// Steps done when the matrix has its first number; inputs: 0.
std::size_t WorkedOverview::firstStepOf(int matrix) const
{
    const std::vector<std::size_t>& filled = m_diagram.matrix(matrix).filledAfter;
    return filled.empty() ? 0 : *std::ranges::min_element(filled);
}

// ------------------------------------------------------------------------------------------ words

QRectF WorkedOverview::itemRect(int item) const
{
    const WorkedBlock& block = matrices().blocks()[static_cast<std::size_t>(item)];
    return block.title.united(block.cells);
}

QString WorkedOverview::itemText(int item) const
{
    const WorkedBlock& block = matrices().blocks()[static_cast<std::size_t>(item)];
    const WorkedMatrix& matrix = matrixOf(item);
    const std::size_t first = firstStepOf(block.matrix);
    if (matrix.isInput || first == 0)
        return tr("%1, input").arg(titleAndShape(matrix));
    const auto stage = static_cast<std::size_t>(m_diagram.example->steps[first - 1].stage);
    return tr("%1, computed in step %2, %3")
        .arg(titleAndShape(matrix))
        .arg(stage + 1)
        .arg(QString::fromStdString(m_diagram.example->stages[stage].title));
}

/// The numbers, row by row.
QString WorkedOverview::itemToolTip(int item) const
{
    constexpr int kMost = 12;
    const WorkedBlock& block = matrices().blocks()[static_cast<std::size_t>(item)];
    const WorkedMatrix& matrix = matrixOf(item);
    QStringList lines{itemText(item)};
    for (int row = 0; row < std::min(block.rows, kMost); ++row) {
        QStringList numbers;
        for (int column = 0; column < std::min(block.columns, kMost); ++column) {
            const QString number = m_diagram.text({block.matrix, row, column}, 4);
            numbers << (number.isEmpty() ? QStringLiteral("?") : number);
        }
        if (block.columns > kMost)
            numbers << QStringLiteral("…");
        const QString name =
            QString::fromStdString(matrix.rowLabels[static_cast<std::size_t>(row)]);
        lines << (name.isEmpty() ? QString() : name + QStringLiteral(": ")) +
                     numbers.join(QStringLiteral("  "));
    }
    if (block.rows > kMost)
        lines << QStringLiteral("…");
    return lines.join(QLatin1Char('\n'));
}

QString WorkedOverview::description() const
{
    QStringList parts;
    if (currentItem())
        parts << itemToolTip(*currentItem());
    else
        for (const Math& formula : m_formulas)
            parts << spokenText(formula);
    if (!currentItem() && m_diagram.step()) {
        const auto stage = static_cast<std::size_t>(m_diagram.stage());
        parts << tr("Current operation: %1")
                     .arg(QString::fromStdString(m_diagram.example->stages[stage].title));
    }
    return parts.join(QStringLiteral(". "));
}

// ----------------------------------------------------------------------------------------- events

void WorkedOverview::clickItem(int item)
{
    goToItem(item);
    openItem(item);
}

bool WorkedOverview::openItem(int item)
{
    const auto index = static_cast<std::size_t>(item);
    emit stepWanted(firstStepOf(matrices().blocks()[index].matrix));
    return true;
}

bool WorkedOverview::event(QEvent* event)
{
    if (event->type() == QEvent::ApplicationFontChange || event->type() == QEvent::PaletteChange ||
        event->type() == QEvent::FontChange) {
        m_isOld = true;
        itemsChanged();
        updateGeometry();
    }
    return DrawnWidget::event(event);
}

void WorkedOverview::resizeEvent(QResizeEvent* event)
{
    m_isOld = true;
    itemsChanged(); // Another number of matrices may fit.
    DrawnWidget::resizeEvent(event);
}

void WorkedOverview::paintEvent(QPaintEvent*)
{
    if (m_diagram.isEmpty())
        return;
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    painter.fillRect(QRectF(kMargin, 0.0, width() - 2.0 * kMargin, 1.0), theme.line);
    for (const Line& line : formulas())
        paintFormula(painter, line.corner, line.formula, line.pixels, theme);
    paintKnownMatrices(painter, matrices(), m_diagram, theme);
    if (!hasFocus())
        return;
    const QRectF ring = currentItem() ? itemRect(*currentItem()).adjusted(-5.0, -3.0, 5.0, 5.0)
                                      : QRectF(rect()).adjusted(1.0, 1.0, -1.0, -1.0);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.accent, 2.0));
    painter.drawRoundedRect(ring, 4.0, 4.0);
}

} // namespace headscope::ui
