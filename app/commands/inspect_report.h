#pragma once

#include "app/commands/command.h"
#include "core/analysis/report/model_report_maker.h"

#include <nlohmann/json_fwd.hpp>

namespace headscope::app {

/// Requests to `headscope inspect` beyond the scores of heads on a text.
struct InspectRequest
{
    bool labels = false;
    bool lens = false;
    bool attribution = false;
    bool ablateAll = false;
    std::string target;  ///< A token; empty: the most probable one.
    std::string against; ///< A token; empty: none.
    std::string decoderText;
    std::string replacement = "zero";
    std::vector<std::string> reports; ///< Files to write.
    std::int64_t position = -1;       ///< Position of the prediction; -1: tellingPosition.
    std::uint64_t seed = 0;

    bool sections() const { return labels || lens || attribution || ablateAll; }

    bool any() const { return sections() || !reports.empty(); }
};

void addInspectOptions(CLI::App& command, InspectRequest& requests);

/// Source of a report: a model and a text, or a captured trace.
struct InspectSource
{
    std::string model;
    std::string device = "auto";
    std::string text;
    std::string chat;               ///< File of a chat in place of the text; may be empty.
    std::vector<std::string> edits; ///< Edits of weights, applied first.
    std::string trace;              ///< File of `captured`; empty: a model and a text.
    TracePtr captured;
    std::shared_ptr<const Tokenizer> names; ///< Tokenizer of `captured`.
};

struct InspectResult
{
    ModelReport report;
    std::shared_ptr<const Tokenizer> tokenizer;
};

/// Makes the requested parts, with a progress bar; Ctrl+C stops it.
InspectResult inspectReport(const InspectSource& source, const InspectRequest& requests,
                            CommandContext& context);

std::string sectionsText(const ModelReport& report, const InspectRequest& requests);
void addSections(nlohmann::json& json, const ModelReport& report, const InspectRequest& requests);

/// Writes the files and returns their names.
std::vector<std::string> writeReports(const ModelReport& report, const InspectRequest& requests,
                                      CommandContext& context);

} // namespace headscope::app
