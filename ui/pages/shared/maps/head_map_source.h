#pragma once

#include "ui/pages/shared/maps/attributed_maps.h"
#include "ui/pages/shared/maps/content_source.h"
#include "ui/pages/shared/maps/map_content.h"

namespace headscope::ui {

/// Map of the selected head for a page, as a ContentSource. Used on the GUI thread.
class HeadMapSource
{
public:
    /// Source that calls `changed` when a map that had to be awaited is complete.
    explicit HeadMapSource(std::function<void()> changed) : m_maps(std::move(changed)) {}

    /// Requests a map. A different pair of the same map is only marked.
    void want(const ViewSnapshot& view, const MapChoice& choice);

    bool waits() const { return m_maps.waits(); }

    /// Requested map; the one before, marked as stale, while it waits.
    const MapWithLegend& map() const { return m_maps.content(); }

private:
    struct Key
    {
        ViewKey view;
        Variant variant = Variant::A;
        MapKind kind = MapKind::Weights;
        MapScale scale = MapScale::Absolute;
        bool sums = false;
        AttributedRunPtr runA, runB;

        friend bool operator==(const Key&, const Key&) = default;
    };

    ContentSource<MapWithLegend, Key> m_maps;
};

} // namespace headscope::ui
