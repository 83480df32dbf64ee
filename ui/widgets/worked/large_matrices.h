#pragma once

#include "ui/widgets/worked/worked_block.h"

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace headscope::ui {

/// Matrices of the current stage: side by side in one line or a few, in the largest type that fits,
/// with space for signs between them. References its picture and theme, which must outlive it.
class LargeMatrices
{
public:
    LargeMatrices(const WorkedDiagram& diagram, const std::vector<int>& matrices,
                  const Theme& theme);

    bool place(QRectF room);     ///< Places the matrices; false: they do not fit and are unchanged.
    bool placeTiny(QRectF room); ///< Like place(), in smaller type that is harder to read.

    const std::vector<WorkedBlock>& blocks() const { return m_blocks; }

    /// Areas of the signs between the matrices.
    const std::vector<QRectF>& signs() const { return m_signs; }

    double bottom() const; ///< Bottom of the lowest cells.

private:
    struct Type;
    struct Line;

    /// Measures of a large matrix before it is placed.
    struct Measured
    {
        double labels = 0.0;  ///< Width of the row labels with the gap.
        double cell = 0.0;    ///< Minimum width of a cell.
        double request = 0.0; ///< Preferred width of a cell.
        bool hasColumnLabels = false;
    };

    bool placeAs(QRectF room, const Type& type);
    void placeLine(const Line& line, const std::vector<Measured>& sizes, QRectF room,
                   const Type& type);
    void placeTitles(const Line& line, QRectF room, const Type& type);
    std::vector<Line> lines(const std::vector<Measured>& sizes, double width) const;
    Measured measured(int matrix, const Type& type) const;
    const std::vector<Measured>& sizesOf(const Type& type);
    QString signBefore(std::size_t block) const;
    double gutter(std::size_t block) const;
    double besideCells(const Line& line, const Type& type) const;

    const WorkedDiagram& m_diagram;
    const Theme& m_theme;
    double m_scale;
    std::vector<WorkedBlock> m_blocks;
    std::vector<QRectF> m_signs;
    /// Measures of the matrices by type size and decimals, which no place changes.
    std::map<std::pair<double, int>, std::vector<Measured>> m_sizes;
};

} // namespace headscope::ui
