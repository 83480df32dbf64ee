#pragma once

#include "ui/widgets/worked/worked_block.h"

#include <cstddef>
#include <vector>

namespace headscope::ui {

/// The matrices of the stage that is shown: beside each other in one line or a few, in the largest
/// type that fits, with room for signs between them. Picture and theme must outlive it.
class LargeMatrices
{
public:
    LargeMatrices(const WorkedPicture& picture, const std::vector<int>& matrices,
                  const Theme& theme);

    bool place(QRectF room);     ///< false: they do not fit, and stay where they are
    bool placeTiny(QRectF room); ///< the same in type that is harder to read

    const std::vector<WorkedBlock>& blocks() const { return m_blocks; }

    const std::vector<QRectF>& signs() const { return m_signs; } ///< between the matrices

    double bottom() const; ///< of the lowest cells

private:
    struct Type;
    struct Measured;
    struct Line;

    bool placeAs(QRectF room, const Type& type);
    void placeLine(const Line& line, const std::vector<Measured>& sizes, QRectF room,
                   const Type& type);
    void placeTitles(const Line& line, QRectF room, const Type& type);
    std::vector<Line> lines(const std::vector<Measured>& sizes, double width) const;
    Measured measured(int matrix, const Type& type) const;
    QString signBefore(std::size_t block) const;
    double gutter(std::size_t block) const;
    double besideCells(const Line& line, const Type& type) const;

    const WorkedPicture& m_picture;
    const Theme& m_theme;
    double m_scale;
    std::vector<WorkedBlock> m_blocks;
    std::vector<QRectF> m_signs;
};

} // namespace headscope::ui
