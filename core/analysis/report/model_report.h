#pragma once

#include "core/analysis/labels/head_labels.h"
#include "core/analysis/lens/logit_attribution.h"
#include "core/analysis/lens/stream_lens.h"
#include "core/io/load_audit.h"
#include "core/model/config/size_report.h"

#include <optional>
#include <string>
#include <vector>

namespace headscope {

/// A part of a report, or in one sentence why this model or text has none.
template<class Value>
struct ReportPart
{
    std::optional<Value> value;
    std::string missing; ///< empty where there is a value, or where the part was not asked for

    const Value* operator->() const { return &*value; }

    explicit operator bool() const { return value.has_value(); }
};

/// A token as it stands in the vocabulary and as a person reads it.
struct ReportToken
{
    TokenId id = 0;
    std::string text;
};

/// What decides the numbers: given again, with the same program and model, all but times return.
struct ReportSettings
{
    std::string program;     ///< "headscope 0.9.0"
    std::string command;     ///< what to type for the same report
    std::string model;       ///< as it was opened
    std::string fingerprint; ///< weightFingerprint in hexadecimal; empty without a model
    std::string device;      ///< what attention ran on
    std::string text;
    std::string source; ///< what an encoder-decoder's encoder read; `text` is the decoder's then
    std::string mask;   ///< "causal", "none", ...
    std::int64_t cutTokens = 0; ///< of the text, beyond what the model takes
    std::vector<std::pair<std::string, std::int64_t>> seeds;
    std::vector<std::pair<std::string, double>> thresholds;
};

/// What one switched off head changes.
struct ReportEffect
{
    HeadId head;
    double effect = 0.0; ///< metric after - metric before; NaN: not defined
};

/// How well a score tells beforehand which heads matter.
struct ReportPrediction
{
    std::string key;
    std::string title;
    double correlation = 0.0;   ///< Spearman's rank correlation with |effect|; NaN: not defined
    std::vector<HeadId> first;  ///< the heads that it puts first
    std::vector<double> values; ///< of each effect's head; NaN: not defined
};

/// Every head switched off, one at a time.
struct ReportAblation
{
    std::string metric; ///< "mean loss in nats of the text", ...
    std::string method; ///< "output set to 0"
    std::string measuredOn;
    double before = 0.0; ///< the metric with all heads on
    std::vector<ReportEffect> effects;
    std::vector<ReportPrediction> predictions;

    std::vector<ReportEffect> ranked() const; ///< by |effect|, largest first; undefined ones last
};

/// The residual stream read as a prediction, at one position.
struct ReportLens
{
    StreamLens lens;               ///< one row
    std::vector<std::string> tops; ///< [stages] the most probable token of each
    ReportToken target;
    /// From this stage on the target is the most probable token; -1: not even at the end.
    int settled = -1;
};

struct ReportAttribution
{
    LogitAttribution parts;
    ReportToken token;
    std::optional<ReportToken> other;
};

struct ReportLabels
{
    HeadLabelTables tables;
    std::string measuredOn;
};

/// How long the parts took: the only thing in a report that a second run changes.
struct ReportTime
{
    std::string part;
    double ms = 0.0;
};

/// Everything that is said about one model and one text, as a plain value: what JSON, PDF and the
/// command line print.
struct ModelReport
{
    ReportSettings settings;
    std::optional<ModelConfig> config; ///< none for a captured trace
    SizeReport sizes;
    ReportPart<LoadAudit> audit;
    TracePtr trace; ///< of the text
    std::vector<ReportToken> tokens;
    std::vector<ReportToken> sourceTokens;
    HeadScoreTables scores; ///< on the text
    ReportPart<double> sinkRate;
    ReportPart<HeadSurveyPtr> survey;
    ReportPart<ReportLabels> labels;
    ReportPart<ReportAblation> ablation;      ///< on the text
    ReportPart<ReportAblation> probeAblation; ///< on random repeats
    ReportPart<ReportLens> lens;
    ReportPart<ReportAttribution> attribution;
    std::vector<ReportTime> times;
};

/// "L1H3", "MLP 4", "token embedding", ...: what one part of a logit is.
std::string nameOf(const LogitPart& part);
std::string nameOf(const LensStage& stage); ///< "embeddings", "layer 3, after attention"

} // namespace headscope
