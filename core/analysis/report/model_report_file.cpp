#include "core/analysis/report/model_report_file.h"

#include "core/analysis/report/model_report_json.h"
#include "core/base/atomic_write.h"

#include <nlohmann/json.hpp>

namespace headscope {

void saveReportJson(const ModelReport& report, const std::filesystem::path& path)
{
    constexpr int kIndent = 1;
    const auto replace = nlohmann::json::error_handler_t::replace;
    writeAtomically(path, toJson(report).dump(kIndent, ' ', false, replace) + "\n");
}

} // namespace headscope
