#include "ui/workers/training/measured_heads.h"

#include "core/base/error.h"
#include "core/runs/series/series_scores.h"

#include <QStandardPaths>

#include <utility>

namespace headscope::ui {

namespace {

namespace fs = std::filesystem;

fs::file_time_type timeOf(const fs::path& path)
{
    std::error_code error;
    const auto time = fs::last_write_time(path, error);
    return error ? fs::file_time_type::min() : time;
}

} // namespace

fs::path seriesCache()
{
    const QString cache = QStandardPaths::writableLocation(QStandardPaths::CacheLocation);
    return fs::path(cache.toStdString()) / "series";
}

MeasuredHeads::MeasuredHeads() : m_cache(seriesCache()) {}

const HeadCurves& MeasuredHeads::of(const fs::path& series)
{
    Times times{timeOf(SeriesScores::fileOf(m_cache, series)), timeOf(series)};
    Known& known = m_known[series];
    if (known.times != times)
        known = {std::move(times), read(series)};
    return known.curves;
}

HeadCurves MeasuredHeads::read(const fs::path& series) const
{
    std::error_code error;
    if (!fs::exists(SeriesScores::fileOf(m_cache, series), error))
        return {};
    try {
        Progress progress;
        const CheckpointSeries opened = CheckpointSeries::open(series, progress);
        const HeadProbe probe(opened.config(), *opened.loadTokenizer());
        return SeriesScores(m_cache, opened, probe).curves();
    } catch (const Error&) {
        return {}; // the list of runs says what is wrong with the series
    }
}

} // namespace headscope::ui
