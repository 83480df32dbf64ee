#pragma once

#include "ui/widgets/worked/worked_formula.h"

#include <QRectF>

#include <vector>

namespace headscope::ui {

/// One matrix as it lies in the picture.
struct WorkedBlock
{
    int matrix = 0;
    QRectF title;
    QRectF rowLabels;    ///< beside the cells; empty without
    QRectF columnLabels; ///< above the cells; empty without
    QRectF cells;
    int rows = 0;
    int columns = 0;
    double pixels = 20.0; ///< of the numbers' type, at scale 1
    int decimals = 4;
    double bus = 0.0; ///< y below the cells on which lines run to the result

    QRectF cell(int row, int column) const;
};

/// Lines of the live equation.
struct WorkedEquation
{
    LiveFormula formula;
    double pixels = 24.0;
    std::vector<Math> lines;
    QRectF area;    ///< of the lines with the result
    QRectF general; ///< of the line beneath

    static constexpr double kExactPixels = 15.0; ///< of the exact form in that line, at most
};

/// Where everything of a worked example lies. The present stage's matrices stand large, in one line
/// or a few; what earlier stages ended with is small above them, where there is room.
class WorkedLayout
{
public:
    WorkedLayout() = default;
    WorkedLayout(QRectF area, const WorkedPicture& picture, const Theme& theme);

    const std::vector<WorkedBlock>& small() const { return m_small; }

    const std::vector<WorkedBlock>& large() const { return m_large; }

    const std::vector<QRectF>& signs() const { return m_signs; } ///< between large ones

    int left() const { return m_left; } ///< finished matrices that there is no room for

    const WorkedEquation& equation() const { return m_equation; }

    QRectF shareBar() const { return m_shareBar; }

    double hairline() const { return m_hairline; } ///< y between small and large; 0: none

    QRectF area() const { return m_area; }

    const WorkedBlock* block(int matrix) const; ///< the large one, else the small one, else null
    QRectF cellRect(CellAddress cell) const;
    std::optional<CellAddress> cellAt(QPointF position) const;

    double height() const { return m_height; } ///< that it takes up

    bool fits() const { return m_fits; }

    static constexpr double kWidestLabel = 88.0; ///< logical pixels at scale 1
    static constexpr double kLabelGap = 10.0;    ///< between a label and its row

private:
    static constexpr double kSmallRow = 25.0;
    static constexpr double kSmallTitle = 26.0;

    struct Extras;
    struct Type;
    struct Measured;
    struct Line;

    bool tryLayout(const Extras& extras, bool isLast);
    bool placeLarge(QRectF room, const Type& type);
    void placeLine(const Line& line, const std::vector<Measured>& sizes, QRectF room,
                   const Type& type);
    std::vector<Line> lines(const std::vector<Measured>& sizes, double width) const;
    Measured measured(int matrix, const Type& type) const;
    QString signBefore(std::size_t block) const;
    double gutter(std::size_t block) const;
    double besideCells(const Line& line, const Type& type) const;
    static double tightness(const Type& type);
    void placeSmall(QPointF corner);
    double smallWidth(const WorkedBlock& block) const;
    double smallNameWidth(const WorkedBlock& block) const;
    double smallLabels(const WorkedBlock& block) const;
    void placeEquation(double top);
    void breakEquation();
    double beneathHeight() const;
    std::vector<Math> brokenTerms(double width, double pixels) const;
    double smallHeight() const;
    double equationHeight() const;

    QRectF m_area;
    const WorkedPicture* m_picture = nullptr; ///< while it is made
    const Theme* m_theme = nullptr;           ///< while it is made
    double m_scale = 1.0;
    std::vector<WorkedBlock> m_small, m_large;
    std::vector<QRectF> m_signs;
    WorkedEquation m_equation;
    QRectF m_shareBar;
    double m_hairline = 0.0;
    double m_height = 0.0;
    int m_left = 0;
    bool m_fits = false;
};

/// The type of numbers in cells: the theme's face in any size.
QFont stageFont(const Theme& theme, double pixels, bool isBold = false);

/// Labels wider than WorkedLayout::kWidestLabel are shortened.
double widestLabel(const std::vector<std::string>& labels, const QFont& font, const Theme& theme);

} // namespace headscope::ui
