#pragma once

#include "core/analysis/report/model_report.h"

#include <nlohmann/json_fwd.hpp>

namespace headscope {

nlohmann::json toJson(const ModelReport& report);

// Its parts, as `headscope inspect` gives them one by one. Undefined numbers are null.
nlohmann::json toJson(const ReportAblation& ablation);
nlohmann::json toJson(const ReportLens& lens);
nlohmann::json toJson(const ReportAttribution& attribution);
nlohmann::json toJson(const HeadLabelTables& labels);
nlohmann::json toJson(const HeadScoreTables& scores);

} // namespace headscope
