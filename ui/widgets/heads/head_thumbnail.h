#pragma once

#include "ui/widgets/heatmap/heatmap.h"

#include <compare>

namespace headscope::ui {

/// Position in a grid of heads: a row is a layer.
struct GridCell
{
    int layer = 0;
    int head = 0;

    friend auto operator<=>(const GridCell&, const GridCell&) = default;
};

/// A pattern downsampled by maximum, built on the worker while the pattern is in the cache. Levels
/// 0..254 are weights 0..1 (or -1..1 for differences); 255 is a masked cell.
struct HeadThumbnail
{
    static constexpr std::uint8_t kMasked = 255;
    static constexpr int kSide =
        64; ///< Largest number of rows and columns, unless asked otherwise.

    int rows = 0;
    int columns = 0;
    std::vector<std::uint8_t> levels;
    /// Largest weight of each row on an attention sink, drawn as a column at the right; or empty.
    std::vector<std::uint8_t> sink = {};
};

using ThumbnailPtr = std::shared_ptr<const HeadThumbnail>;

/// Thumbnail with at most `largestSide` rows and columns; a single bright cell stays visible. `sink`:
/// weight of each row on an attention sink, NaN where it is not defined.
HeadThumbnail makeThumbnail(const HeatmapMatrix& pattern, const HeatmapMask& mask,
                            bool isSigned = false, int largestSide = HeadThumbnail::kSide,
                            const std::vector<float>& sink = {});

/// Builds a thumbnail from blocks of rows, so that the whole pattern need not be in memory, and
/// after an edit only from the changed blocks.
class ThumbnailBuilder
{
public:
    ThumbnailBuilder(int rows, int columns, const HeatmapMask& mask, bool isSigned = false,
                     int largestSide = HeadThumbnail::kSide);

    /// Reuses rows of `before`, a pattern of beforeRows x beforeColumns, above `changed`, whose
    /// queries attend to none of the new keys. Returns the first row that add() must be given.
    int takeOver(const HeadThumbnail& before, int beforeRows, int beforeColumns, int changed);

    /// Adds dense rows from `first` on.
    void add(const float* values, int first, int count);

    /// Adds the weights on an attention sink of the rows from `first` on.
    void addSink(const std::vector<float>& weights, int first);

    HeadThumbnail take();

private:
    void addRow(const float* values, int row);
    void addCell(float value, float& best) const;
    void appendLevels(std::vector<std::uint8_t>& levels, const std::vector<float>& best) const;

    HeatmapMatrix m_pattern; ///< Only its extents are used.
    HeatmapMask m_mask;
    bool m_isSigned;
    int m_rowBlock;
    int m_columnBlock;
    int m_rows; ///< Rows of the thumbnail.
    int m_columns;
    std::vector<float> m_best;     ///< Largest value of each cell [rows, columns]; -inf: none yet.
    std::vector<float> m_bestSink; ///< Same for the sink [rows]; empty: no sink.
    std::vector<std::uint8_t> m_taken; ///< Levels of the first rows.
    std::vector<std::uint8_t> m_takenSink;
};

/// Pixels from which on a thumbnail has room for the strip of an attention sink.
constexpr int kLeastPixelsWithStrip = 7;

QImage thumbnailImage(const HeadThumbnail& thumbnail, const ColourLookup& lookup, int pixels);

/// Writes a thumbnail directly into a larger RGB32 image; for grids of many heads.
void writeThumbnail(QImage& page, QPoint corner, const HeadThumbnail& thumbnail,
                    const ColourLookup& lookup, int pixels);

} // namespace headscope::ui
