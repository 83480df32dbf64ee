#pragma once

#include "ui/widgets/heatmap/heatmap.h"

#include <compare>

namespace headscope::ui {

/// A square of a grid of heads: a row is a layer.
struct GridCell
{
    int layer = 0;
    int head = 0;

    friend auto operator<=>(const GridCell&, const GridCell&) = default;
};

/// A pattern shrunk by maximum, made by the worker while the pattern is hot. Levels 0..254 are
/// weights 0..1 (or -1..1 for differences); 255 is a cell that cannot be attended to.
struct HeadThumbnail
{
    static constexpr std::uint8_t kMasked = 255;

    int rows = 0;
    int columns = 0;
    std::vector<std::uint8_t> levels;
};

using ThumbnailPtr = std::shared_ptr<const HeadThumbnail>;

/// At most `largestSide` rows and columns; a lone bright cell survives, whatever its neighbours.
HeadThumbnail makeThumbnail(const HeatmapMatrix& pattern, const HeatmapMask& mask,
                            bool isSigned = false, int largestSide = 64);

/// Makes a thumbnail from blocks of rows, so that the whole pattern need not be there at once, and
/// of a text that grew only the blocks that changed.
class ThumbnailBuilder
{
public:
    ThumbnailBuilder(int rows, int columns, const HeatmapMask& mask, bool isSigned = false,
                     int largestSide = 64);

    /// Takes over what `before`, of a pattern of beforeRows x beforeColumns, shows of the rows
    /// before `changed`, whose queries see none of the keys that are new. Returns the first row
    /// that add() must be given.
    int takeOver(const HeadThumbnail& before, int beforeRows, int beforeColumns, int changed);

    /// Rows from `first` on, dense.
    void add(const float* values, int first, int count);

    HeadThumbnail take();

private:
    void addRow(const float* values, int row);
    void addCell(float value, float& best) const;

    HeatmapMatrix m_pattern; ///< its extents alone
    HeatmapMask m_mask;
    bool m_isSigned;
    int m_rowBlock;
    int m_columnBlock;
    int m_rows; ///< of the thumbnail
    int m_columns;
    std::vector<float> m_best;         ///< [rows, columns], -inf: nothing to be seen yet
    std::vector<std::uint8_t> m_taken; ///< levels of the first rows
};

QImage thumbnailImage(const HeadThumbnail& thumbnail, const ColourLookup& lookup, int pixels);

/// The same straight into a larger RGB32 image; for grids of many heads.
void writeThumbnail(QImage& sheet, QPoint corner, const HeadThumbnail& thumbnail,
                    const ColourLookup& lookup, int pixels);

} // namespace headscope::ui
