#include "ui/workers/patterns.h"

namespace headscope::ui {

HeatmapMask shownMask(const AttentionMask& mask)
{
    HeatmapMask shown;
    if (mask.causal)
        shown.kind = mask.window > 0 ? HeatmapMask::Kind::Window : HeatmapMask::Kind::Causal;
    shown.window = static_cast<int>(mask.window);
    return shown;
}

HeatmapMatrix patternOf(const std::shared_ptr<const Tensor>& pattern, int head)
{
    if (!pattern || head < 0 || head >= pattern->shape()[0])
        return {};
    HeatmapMatrix matrix;
    matrix.values = std::shared_ptr<const float>(pattern, pattern->view()[head].data);
    matrix.rows = static_cast<int>(pattern->shape()[1]);
    matrix.columns = static_cast<int>(pattern->shape()[2]);
    return matrix;
}

std::vector<ThumbnailPtr> thumbnailsOf(const Trace& trace, const AttentionMask& mask)
{
    std::vector<ThumbnailPtr> thumbnails;
    for (int layer = 0; layer < trace.layerCount(); ++layer) {
        const auto pattern = trace.find({Site::Pattern, layer});
        for (int head = 0; head < trace.headCount(); ++head) {
            const HeatmapMatrix matrix = patternOf(pattern, head);
            thumbnails.push_back(
                std::make_shared<const HeadThumbnail>(makeThumbnail(matrix, shownMask(mask))));
        }
    }
    return thumbnails;
}

} // namespace headscope::ui
