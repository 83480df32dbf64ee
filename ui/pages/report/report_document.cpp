#include "ui/pages/report/report_document.h"

#include "core/model/config/model_config_json.h"
#include "ui/widgets/text/message_text.h"
#include "ui/widgets/tr.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr std::size_t kNamed = 3; ///< Number of heads in a summary.

/// Size text: "2 layers of 4 heads".
QString shapeSummary(const ModelConfig& config)
{
    return tr("%1 layers of %2 heads, %3 parameters")
        .arg(config.layers)
        .arg(config.heads)
        .arg(count(sizeReport(config).total()));
}

QString labelText(const HeadLabelTables& tables)
{
    QStringList kinds;
    for (const LabelRule& rule : labelRules()) {
        int heads = 0;
        for (const auto& [attention, table] : tables)
            heads += table.count(rule.kind);
        if (heads > 0)
            kinds << tr("%1 %2").arg(heads).arg(reportText(rule.name));
    }
    return kinds.join(QStringLiteral(", "));
}

/// Heads with the largest effect; if only increases count, those that raise the metric.
QString effectText(const ReportAblation& ablation, bool rising)
{
    QStringList words;
    for (const ReportEffect& effect : ablation.ranked()) {
        if (words.size() == qsizetype{kNamed} || !std::isfinite(effect.effect))
            break;
        if (rising && effect.effect <= 0.0)
            continue;
        words << QStringLiteral("%1 (%2)").arg(reportText(toString(effect.head)),
                                               signedNumber(effect.effect, 3));
    }
    return words.join(QStringLiteral(", "));
}

QString lensSummary(const ReportLens& lens)
{
    const int last = lens.lens.stageCount() - 1;
    if (lens.settled < 0)
        return tr("At token %1, %2 is not the top-1 token at any stage.")
            .arg(lens.lens.positions.front())
            .arg(quotedToken(lens.target));
    const double probability = std::exp(lens.lens.logProbabilities[lens.lens.at(0, last)]);
    return tr("At token %1 the answer %2 (probability %3) is the top-1 token from "
              "\u201C%4\u201D on.")
        .arg(lens.lens.positions.front())
        .arg(quotedToken(lens.target), number(probability, 3),
             reportText(nameOf(lens.lens.stages[static_cast<std::size_t>(lens.settled)])));
}

/// Configuration with all its fields, as in a checkpoint.
QString configurationText(const ModelConfig& config)
{
    QStringList fields;
    const nlohmann::json json = toJson(config);
    for (const auto& [name, value] : json.items())
        fields << QStringLiteral("%1\u00A0%2")
                      .arg(reportText(name),
                           reportText(value.is_string() ? value.get<std::string>() : value.dump()));
    return fields.join(QStringLiteral(", "));
}

} // namespace

QString reportText(const std::string& text)
{
    return messageText(text);
}

QString reportText(std::string_view text)
{
    return messageText(text);
}

QString sentenceCase(const QString& text)
{
    return text.left(1).toUpper() + text.mid(1);
}

QString ended(const QString& text)
{
    return text.endsWith(QLatin1Char('.')) ? text : text + QLatin1Char('.');
}

QString headNames(const std::vector<HeadId>& heads)
{
    constexpr std::size_t kMost = 48;
    QStringList names;
    for (std::size_t index = 0; index < std::min(heads.size(), kMost); ++index)
        names << reportText(toString(heads[index]));
    const QString all = names.join(QStringLiteral(", "));
    return heads.size() <= kMost
               ? all
               : tr("%1 and %2 more, in the JSON form").arg(all).arg(heads.size() - kMost);
}

QString quotedToken(const ReportToken& token)
{
    return QStringLiteral("\u201C%1\u201D").arg(reportText(token.text));
}

void addReportOpening(Document& document, const ModelReport& report)
{
    document.addTitle(tr("Report on %1").arg(reportText(report.settings.model)));
    if (report.config)
        document.addText(shapeSummary(*report.config));
    document.addHeading(tr("Summary"));
    if (report.labels && !labelText(report.labels->tables).isEmpty())
        document.addText(tr("Heads by role: %1.").arg(labelText(report.labels->tables)));
    if (report.ablation)
        document.addText(tr("Ablating these heads changes the metric most (%1): %2.")
                             .arg(reportText(report.ablation->metric),
                                  effectText(*report.ablation.value, false)));
    if (report.probeAblation && !effectText(*report.probeAblation.value, true).isEmpty())
        document.addText(tr("On random repeats, which only copying can predict, the loss rises "
                            "most when ablating %1.")
                             .arg(effectText(*report.probeAblation.value, true)));
    if (report.lens)
        document.addText(lensSummary(*report.lens.value));
    if (report.sinkRate)
        document.addText(tr("%1 of all heads give the first token more than %2 of their "
                            "attention (sink rate).")
                             .arg(number(*report.sinkRate.value * 100.0, 0) + QStringLiteral(" %"),
                                  number(kSinkThreshold, 1)));
    if (report.audit && !report.audit->warnings.empty())
        document.addText(tr("Loading the model raised warnings, listed below: %1.")
                             .arg(report.audit->warnings.size()));
}

void addReportModel(Document& document, const ModelReport& report)
{
    document.addHeading(tr("Architecture and load audit"));
    if (!report.audit) {
        document.addText(reportText(report.audit.missing));
        return;
    }
    std::vector<std::pair<QString, QString>> facts;
    for (const auto& [name, text] : factsOf(*report.audit.value))
        facts.emplace_back(reportText(name), reportText(text));
    facts.emplace_back(tr("fingerprint"), reportText(report.settings.fingerprint));
    facts.emplace_back(tr("configuration"), configurationText(*report.config));
    document.addFacts(facts);
    for (const LoadWarning& warning : report.audit->warnings)
        document.addText(
            tr("Warning: %1. %2").arg(reportText(warning.what), reportText(warning.advice)));
    if (report.audit->warnings.empty())
        document.addText(tr("Loading raised no warnings: no parameter is missing, all numbers "
                            "are finite, and heads differ."));
    const SizeReport& sizes = report.sizes;
    const auto total = static_cast<double>(std::max<std::int64_t>(sizes.total(), 1));
    std::vector<DocumentRow> rows;
    for (const auto& [name, parameters] :
         {std::pair(tr("Embeddings"), sizes.embeddings),
          std::pair(tr("Attention"), sizes.attention),
          std::pair(tr("Feed-forward"), sizes.feedForward), std::pair(tr("Norms"), sizes.norms),
          std::pair(tr("Language and sentence-pair heads"), sizes.heads)})
        rows.push_back(
            {name, ui::count(parameters), static_cast<double>(parameters) / total * 100.0});
    rows.push_back({tr("All"), ui::count(sizes.total()), 100.0});
    document.addTable({{tr("Part"), 240.0, DocumentColumn::Kind::Text},
                       {tr("Parameters"), 130.0, DocumentColumn::Kind::Number},
                       {tr("Percentage"), 0.0, DocumentColumn::Kind::Bar, 1, 100.0}},
                      rows);
}

void addReportText(Document& document, const ModelReport& report)
{
    document.addHeading(tr("Text and tokens"));
    const auto list = [&](const std::vector<ReportToken>& tokens) {
        QStringList words;
        for (std::size_t index = 0; index < tokens.size(); ++index)
            words << QStringLiteral("%1\u00A0%2").arg(index).arg(reportText(tokens[index].text));
        document.addText(words.join(QStringLiteral("  \u00B7  ")));
    };
    if (!report.settings.source.empty()) {
        document.addSubheading(tr("Source, read by the encoder"));
        document.addText(QStringLiteral("\u201C%1\u201D").arg(reportText(report.settings.source)));
        list(report.sourceTokens);
        document.addSubheading(tr("Target, read by the decoder"));
    }
    document.addText(QStringLiteral("\u201C%1\u201D").arg(reportText(report.settings.text)));
    list(report.tokens);
    if (report.settings.cutTokens > 0)
        document.addText(tr("The text has %1 tokens more than the model accepts; they were "
                            "truncated.")
                             .arg(count(report.settings.cutTokens)));
}

void addReportSettings(Document& document, const ModelReport& report)
{
    const ReportSettings& settings = report.settings;
    document.addHeading(tr("How to reproduce this report"));
    document.addText(reportText(settings.command));
    QStringList seeds;
    for (const auto& [name, seed] : settings.seeds)
        seeds << tr("%1 %2").arg(reportText(name)).arg(seed);
    QStringList thresholds;
    for (const auto& [name, value] : settings.thresholds)
        thresholds << tr("%1 %2").arg(reportText(name), number(value, 3));
    QStringList times;
    double sum = 0.0;
    for (const ReportTime& time : report.times) {
        times << tr("%1 %2 s").arg(reportText(time.part), number(time.ms / 1000.0, 2));
        sum += time.ms / 1000.0;
    }
    document.addFacts(
        {{tr("program"), reportText(settings.program)},
         {tr("model"), reportText(settings.model)},
         {tr("fingerprint"), reportText(settings.fingerprint)},
         {tr("attention computed on"), reportText(settings.device)},
         {tr("mask"), reportText(settings.mask)},
         {tr("seeds"), seeds.isEmpty() ? tr("random texts use fixed seeds of the program")
                                       : seeds.join(QStringLiteral(", "))},
         {tr("thresholds"), thresholds.join(QStringLiteral(", "))},
         {tr("time"), tr("%1 s: %2").arg(number(sum, 1), times.join(QStringLiteral(", ")))}});
    document.addText(tr("The JSON form of this report has every number in full precision. "
                        "Repeated runs of the command differ only in the times."));
}

void setReport(Document& document, const ModelReport& report)
{
    addReportOpening(document, report);
    addReportModel(document, report);
    addReportText(document, report);
    addReportScores(document, report);
    addReportLabels(document, report);
    addReportAblation(document, report);
    addReportLens(document, report);
    addReportAttribution(document, report);
    addReportSettings(document, report);
    addReportTables(document, report);
}

} // namespace headscope::ui
