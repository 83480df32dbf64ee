#include "core/analysis/report/model_report_json.h"

#include "core/model/config/model_config_json.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace headscope {

namespace {

using Json = nlohmann::json;

Json numberOrNull(double value)
{
    return std::isfinite(value) ? Json(value) : Json();
}

Json describe(const ReportToken& token)
{
    return {{"id", token.id}, {"token", token.text}};
}

Json describe(const std::vector<ReportToken>& tokens)
{
    Json list = Json::array();
    for (const ReportToken& token : tokens)
        list.push_back(describe(token));
    return list;
}

Json headJson(HeadId head)
{
    Json json{{"layer", head.layer}, {"head", head.head}};
    if (const std::string name = toString(head.attention); !name.empty())
        json["part"] = name;
    return json;
}

/// The value's own JSON, or {"missing": why}; null where it was not requested.
template<class Value, class Make>
Json partJson(const ReportPart<Value>& part, const Make& make)
{
    if (part)
        return make(*part.value);
    return part.missing.empty() ? Json() : Json{{"missing", part.missing}};
}

Json describe(const ReportSettings& settings)
{
    Json seeds = Json::object();
    for (const auto& [name, seed] : settings.seeds)
        seeds[name] = seed;
    Json thresholds = Json::object();
    for (const auto& [name, threshold] : settings.thresholds)
        thresholds[name] = threshold;
    Json json{{"program", settings.program}, {"command", settings.command},
              {"model", settings.model},     {"fingerprint", settings.fingerprint},
              {"device", settings.device},   {"text", settings.text},
              {"mask", settings.mask},       {"cut_tokens", settings.cutTokens},
              {"seeds", std::move(seeds)},   {"thresholds", std::move(thresholds)}};
    if (!settings.source.empty())
        json["source"] = settings.source;
    return json;
}

Json architecture(const ModelConfig& config, const SizeReport& sizes)
{
    return {{"config", toJson(config)},
            {"parameters",
             {{"embeddings", sizes.embeddings},
              {"attention", sizes.attention},
              {"feed_forward", sizes.feedForward},
              {"norms", sizes.norms},
              {"heads", sizes.heads},
              {"block", sizes.block},
              {"active", sizes.active},
              {"total", sizes.total()}}}};
}

Json describe(const HeadLabel& label)
{
    Json measures = Json::array();
    for (const LabelMeasure& measure : label.measures)
        measures.push_back({{"name", measure.name},
                            {"value", numberOrNull(measure.value)},
                            {"baseline", numberOrNull(measure.baseline)},
                            {"baseline_name", measure.baselineName}});
    Json cells = Json::array();
    for (const EvidenceCell& cell : label.cells)
        cells.push_back(
            {{"query", cell.query}, {"key", cell.key}, {"weight", numberOrNull(cell.weight)}});
    return {{"label", ruleOf(label.kind).key}, {"strength", numberOrNull(label.strength)},
            {"sentence", label.sentence},      {"measured_on", label.measuredOn},
            {"measures", std::move(measures)}, {"cells", std::move(cells)}};
}

Json rulesJson()
{
    Json rules = Json::array();
    for (const LabelRule& rule : labelRules())
        rules.push_back({{"label", rule.key},
                         {"name", rule.name},
                         {"meaning", rule.meaning},
                         {"measure", rule.measure},
                         {"threshold", rule.threshold},
                         {"at_most", rule.isUpper},
                         {"reason", rule.reason}});
    return rules;
}

Json describe(const HeadSurvey& survey)
{
    Json json{{"scores", toJson(survey.tables)}, {"samples", survey.samples.size()}};
    if (survey.repeats)
        json["repeats"] = {{"period", survey.repeats->period},
                           {"texts", survey.repeats->texts},
                           {"prefix_matching_period", survey.repeats->prefixPeriod},
                           {"prefix_matching_texts", survey.repeats->prefixTexts},
                           {"scores", toJson(survey.repeats->tables)}};
    else
        json["repeats"] = {{"missing", survey.whyNoRepeats}};
    if (!survey.whyNoSamples.empty())
        json["samples_missing"] = survey.whyNoSamples;
    if (!survey.whyNoCopying.empty())
        json["copying_missing"] = survey.whyNoCopying;
    return json;
}

Json timesJson(const std::vector<ReportTime>& times)
{
    Json json = Json::object();
    for (const ReportTime& time : times)
        json[time.part] = time.ms;
    return json;
}

} // namespace

Json toJson(const HeadScoreTables& scores)
{
    Json heads = Json::array();
    Json undefined = Json::object();
    for (const auto& [attention, table] : scores) {
        for (const HeadId head : table.measuredHeads()) {
            Json one = headJson(head);
            for (const HeadScoreInfo& info : headScoreInfos())
                if (table.has(info.score))
                    one[std::string(info.key)] = numberOrNull(table.at(head, info.score));
            heads.push_back(std::move(one));
        }
        for (const HeadScoreInfo& info : headScoreInfos())
            if (const std::string why = table.why(info.score); !why.empty())
                undefined[toString(attention)][std::string(info.key)] = why;
    }
    return {{"heads", std::move(heads)}, {"undefined", std::move(undefined)}};
}

Json toJson(const HeadLabelTables& labels)
{
    Json heads = Json::array();
    Json missing = Json::object();
    for (const auto& [attention, table] : labels) {
        for (int layer = 0; layer < table.layers; ++layer) {
            for (int head = 0; head < table.heads; ++head) {
                Json one = headJson({attention, layer, head});
                one["labels"] = Json::array();
                for (const HeadLabel& label : table.at({layer, head}))
                    one["labels"].push_back(describe(label));
                if (!one["labels"].empty())
                    heads.push_back(std::move(one));
            }
        }
        for (const auto& [kind, why] : table.notMeasured)
            missing[toString(attention)][std::string(ruleOf(kind).key)] = why;
    }
    return {
        {"heads", std::move(heads)}, {"not_measured", std::move(missing)}, {"rules", rulesJson()}};
}

Json toJson(const ReportAblation& ablation)
{
    Json heads = Json::array();
    for (const ReportEffect& effect : ablation.effects) {
        heads.push_back(headJson(effect.head));
        heads.back()["effect"] = numberOrNull(effect.effect);
    }
    Json predictions = Json::array();
    for (const ReportPrediction& prediction : ablation.predictions) {
        Json first = Json::array();
        for (const HeadId& head : prediction.first)
            first.push_back(headJson(head));
        Json values = Json::array();
        for (const double value : prediction.values)
            values.push_back(numberOrNull(value));
        predictions.push_back({{"score", prediction.key},
                               {"values", std::move(values)},
                               {"rank_correlation", numberOrNull(prediction.correlation)},
                               {"first", std::move(first)}});
    }
    return {{"metric", ablation.metric},          {"method", ablation.method},
            {"measured_on", ablation.measuredOn}, {"before", numberOrNull(ablation.before)},
            {"heads", std::move(heads)},          {"looks_important", std::move(predictions)}};
}

Json toJson(const ReportLens& report)
{
    const StreamLens& lens = report.lens;
    Json stages = Json::array();
    for (int stage = 0; stage < lens.stageCount(); ++stage) {
        const auto place = static_cast<std::size_t>(stage);
        stages.push_back(
            {{"stage", nameOf(lens.stages[place])},
             {"site", toString(lens.stages[place].key)},
             {"top_id", lens.ids[lens.topAt(0, stage)]},
             {"top", report.tops[place]},
             {"top_probability", lens.probabilities[lens.topAt(0, stage)]},
             {"rank", lens.ranks[lens.at(0, stage)]},
             {"log_probability", numberOrNull(lens.logProbabilities[lens.at(0, stage)])},
             {"entropy", numberOrNull(lens.entropies[lens.at(0, stage)])},
             {"kl", numberOrNull(lens.divergences[lens.at(0, stage)])}});
    }
    Json json{{"position", lens.positions.at(0)},
              {"target", describe(report.target)},
              {"stages", std::move(stages)}};
    json["settled_at"] = report.settled < 0
                             ? Json()
                             : Json(nameOf(lens.stages[static_cast<std::size_t>(report.settled)]));
    return json;
}

Json toJson(const ReportAttribution& report)
{
    const LogitAttribution& all = report.parts;
    Json parts = Json::array();
    for (const LogitPart& part : all.parts) {
        Json one{{"part", nameOf(part)}, {"value", part.value}};
        if (part.layer >= 0)
            one["layer"] = part.layer;
        if (part.head >= 0)
            one["head"] = part.head;
        parts.push_back(std::move(one));
    }
    Json json{{"position", all.target.position},
              {"target", describe(report.token)},
              {"logit", all.logit},
              {"sum", all.sum()},
              {"parts", std::move(parts)}};
    if (report.other)
        json["against"] = describe(*report.other);
    return json;
}

Json toJson(const InContextScore& score)
{
    return {{"nats", score.score()},
            {"early", {{"position", score.positions.early}, {"loss", score.earlyLoss}}},
            {"late", {{"position", score.positions.late}, {"loss", score.lateLoss}}}};
}

Json toJson(const ModelReport& report)
{
    Json json{{"format", "headscope-report"},
              {"version", 1},
              {"settings", describe(report.settings)},
              {"tokens", describe(report.tokens)},
              {"scores", toJson(report.scores)},
              {"sink_rate", partJson(report.sinkRate, numberOrNull)},
              {"times_ms", timesJson(report.times)}};
    const auto plain = [](const auto& value) { return toJson(value); };
    json["in_context_score"] = partJson(report.inContext, plain);
    if (!report.sourceTokens.empty())
        json["source_tokens"] = describe(report.sourceTokens);
    if (report.config)
        json["architecture"] = architecture(*report.config, report.sizes);
    json["audit"] =
        partJson(report.audit, [](const LoadAudit& audit) { return toJson(audit, false); });
    json["probe"] =
        partJson(report.survey, [](const HeadSurveyPtr& survey) { return describe(*survey); });
    json["labels"] = partJson(report.labels, [](const ReportLabels& labels) {
        Json one = toJson(labels.tables);
        one["measured_on"] = labels.measuredOn;
        return one;
    });
    json["ablation"] = partJson(report.ablation, plain);
    json["ablation_on_repeats"] = partJson(report.probeAblation, plain);
    json["lens"] = partJson(report.lens, plain);
    json["attribution"] = partJson(report.attribution, plain);
    return json;
}

} // namespace headscope
