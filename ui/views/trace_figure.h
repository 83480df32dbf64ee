#pragma once

#include "core/text/tokenizer.h"
#include "core/trace/trace.h"
#include "ui/views/positions_plot.h"
#include "ui/widgets/heatmap.h"

#include <QImage>
#include <QSize>

#include <filesystem>
#include <string_view>

namespace headscope::ui {

enum class FigureView { Grid, Head, Positions, Mask };

/// "grid", "head", "positions", "mask". Throws Error that names the known ones.
FigureView figureViewNamed(std::string_view name);

/// One picture of a trace, drawn by the painters of the window.
struct FigureRequest
{
    FigureView view = FigureView::Head;
    TracePtr trace;                             ///< positions need none
    std::shared_ptr<const Tokenizer> tokenizer; ///< null: tokens are read from the trace's text
    int layer = 0;
    int head = 0;
    int query = -1;                  ///< -1: the last token
    int key = -1;                    ///< -1: the key with the largest weight
    std::optional<HeatmapMask> mask; ///< unset: the one that the trace's settings name
    MapName colourMap = MapName::Depth;
    PositionsContent positions; ///< an empty table: 64 positions of 64 sinusoids
    bool dark = false;
    double scale = 1.0; ///< device pixels a logical pixel, PNG only
    QSize size;         ///< logical pixels; empty: as large as the content wants
};

/// Writes PNG, SVG or PDF, by the ending of `path`, atomically, with title, model, sentence and
/// version in the file's metadata. Needs a QGuiApplication. Throws Error.
void renderFigure(const FigureRequest& request, const std::filesystem::path& path);

/// The same picture in memory: "Copy image".
QImage figureImage(const FigureRequest& request);

} // namespace headscope::ui
