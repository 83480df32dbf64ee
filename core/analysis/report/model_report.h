#pragma once

#include "core/analysis/labels/head_labels.h"
#include "core/analysis/lens/logit_attribution.h"
#include "core/analysis/lens/stream_lens.h"
#include "core/analysis/scores/in_context_score.h"
#include "core/io/load_audit.h"
#include "core/model/config/size_report.h"

#include <optional>
#include <string>
#include <vector>

namespace headscope {

/// A part of a report, or one sentence why this model or text has none.
template<class Value>
struct ReportPart
{
    std::optional<Value> value;
    std::string missing; ///< Empty where there is a value, or where the part was not requested.

    const Value* operator->() const { return &*value; }

    explicit operator bool() const { return value.has_value(); }
};

/// A token as stored in the vocabulary and as displayed.
struct ReportToken
{
    TokenId id = 0;
    std::string text;
};

/// Settings that determine the numbers: with the same program and model they reproduce everything
/// but times.
struct ReportSettings
{
    std::string program;     ///< For example "headscope 0.9.0".
    std::string command;     ///< Command line that makes the same report.
    std::string model;       ///< Name by which the model was opened.
    std::string fingerprint; ///< weightFingerprint in hexadecimal; empty without a model.
    std::string device;      ///< Device that computed attention.
    std::string text;
    std::string source; ///< Source text of an encoder-decoder; `text` is then the decoder's.
    std::string mask;   ///< For example "causal", "none".
    std::int64_t cutTokens = 0; ///< Number of tokens of the text beyond the context length.
    std::vector<std::pair<std::string, std::int64_t>> seeds;
    std::vector<std::pair<std::string, double>> thresholds;
};

/// Effect of ablating one head.
struct ReportEffect
{
    HeadId head;
    double effect = 0.0; ///< Metric after - metric before; NaN: not defined.
};

/// How well a score predicts which heads matter.
struct ReportPrediction
{
    std::string key;
    std::string title;
    double correlation = 0.0;   ///< Spearman's rank correlation with |effect|; NaN: not defined.
    std::vector<HeadId> first;  ///< The heads that the score ranks first.
    std::vector<double> values; ///< Score of each effect's head; NaN: not defined.
};

/// Every head ablated, one at a time.
struct ReportAblation
{
    std::string metric; ///< For example "mean loss in nats of the text".
    std::string method; ///< For example "output set to 0".
    std::string measuredOn;
    double before = 0.0; ///< Metric of the whole model.
    std::vector<ReportEffect> effects;
    std::vector<ReportPrediction> predictions;

    /// Sorted by |effect|, largest first; undefined ones last.
    std::vector<ReportEffect> ranked() const;
};

/// The residual stream read as a prediction, at one position.
struct ReportLens
{
    StreamLens lens;               ///< One row.
    std::vector<std::string> tops; ///< Most probable token of each stage, [stages].
    ReportToken target;
    /// Stage from which the target is the top-1 token; -1: not even at the end.
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

/// Duration of the parts: the only values of a report that a repetition changes.
struct ReportTime
{
    std::string part;
    double ms = 0.0;
};

/// All results about one model and one text, as a plain value: printed as JSON, as PDF and on the
/// command line.
struct ModelReport
{
    ReportSettings settings;
    std::optional<ModelConfig> config; ///< None for a captured trace.
    SizeReport sizes;
    ReportPart<LoadAudit> audit;
    TracePtr trace; ///< Trace of the text.
    std::vector<ReportToken> tokens;
    std::vector<ReportToken> sourceTokens;
    HeadScoreTables scores; ///< Scores on the text.
    ReportPart<double> sinkRate;
    ReportPart<InContextScore> inContext;
    ReportPart<HeadSurveyPtr> survey;
    ReportPart<ReportLabels> labels;
    ReportPart<ReportAblation> ablation;      ///< Ablation on the text.
    ReportPart<ReportAblation> probeAblation; ///< Ablation on random repeats.
    ReportPart<ReportLens> lens;
    ReportPart<ReportAttribution> attribution;
    std::vector<ReportTime> times;
};

/// Name of one part of a logit: "L1H3", "MLP 4", "token embedding", ...
std::string nameOf(const LogitPart& part);
/// For example "embeddings", "layer 3, after attention".
std::string nameOf(const LensStage& stage);

} // namespace headscope
