#pragma once

#include "core/runs/head_curves.h"

#include <map>
#include <vector>

namespace headscope::ui {

/// Scores of the heads of series, as far as a SeriesMeter left them in its cache. Keeps what it has
/// read until the cache or the series changes. Used on one thread at a time.
class MeasuredHeads
{
public:
    MeasuredHeads();

    /// Empty where nothing was measured, or the series cannot be opened.
    const HeadCurves& of(const std::filesystem::path& series);

private:
    using Times = std::vector<std::filesystem::file_time_type>;

    struct Known
    {
        Times times;
        HeadCurves curves;
    };

    HeadCurves read(const std::filesystem::path& series) const;

    std::filesystem::path m_cache;
    std::map<std::filesystem::path, Known> m_known;
};

/// Folder of the cache, in the user's cache folder.
std::filesystem::path seriesCache();

} // namespace headscope::ui
