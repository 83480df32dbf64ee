#include "ui/pages/shared/maps/head_map_source.h"

namespace headscope::ui {

void HeadMapSource::want(const ViewSnapshot& view, const MapChoice& choice)
{
    const AttributedRuns runs = choice.attributed ? *choice.attributed : AttributedRuns();
    m_maps.want(
        {ViewKey(view), choice.variant, choice.kind, choice.scale, choice.sums, runs.a, runs.b},
        !isLongText(view), [view, choice, runs](const std::stop_token&) {
            MapChoice own = choice;
            own.attributed = choice.attributed ? &runs : nullptr;
            return headMap(view, own);
        });
    if (waits())
        m_maps.content().map.stale = true;
    else
        markPair(m_maps.content(), view, choice.variant);
}

} // namespace headscope::ui
