#pragma once

#include "core/analysis/report/model_report.h"

#include <filesystem>

namespace headscope {

/// Saves the report as JSON, written atomically. Throws Error.
void saveReportJson(const ModelReport& report, const std::filesystem::path& path);

} // namespace headscope
