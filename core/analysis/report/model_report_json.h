#pragma once

#include "core/analysis/report/model_report.h"

#include <nlohmann/json_fwd.hpp>

namespace headscope {

nlohmann::json toJson(const ModelReport& report);

// Parts of the report, as printed one by one by `headscope inspect`. Undefined numbers are null.
nlohmann::json toJson(const ReportAblation& ablation);
nlohmann::json toJson(const ReportLens& lens);
nlohmann::json toJson(const ReportAttribution& attribution);
nlohmann::json toJson(const HeadLabelTables& labels);
nlohmann::json toJson(const HeadScoreTables& scores);
nlohmann::json toJson(const InContextScore& score);

} // namespace headscope
