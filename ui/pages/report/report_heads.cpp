#include "ui/pages/report/report_document.h"
#include "ui/pages/report/report_maps.h"
#include "ui/widgets/tr.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>

namespace headscope::ui {

namespace {

constexpr std::size_t kEvidence = 3; ///< Heads per label shown with evidence.

QString attentionTitle(AttentionKind attention)
{
    if (attention == AttentionKind::Cross)
        return tr("Decoder on source");
    return attention == AttentionKind::EncoderSelf   ? tr("Encoder")
           : attention == AttentionKind::DecoderSelf ? tr("Decoder")
                                                     : QString();
}

int keyValueHeadsOf(const ModelReport& report)
{
    return report.config ? static_cast<int>(report.config->keyHeadCount()) : 0;
}

void addScoreMaps(Document& document, const ModelReport& report, const HeadScoreTables& tables,
                  const std::vector<HeadScore>& scores)
{
    for (const auto& [attention, table] : tables) {
        std::vector<ReportMap> maps;
        QStringList missing;
        for (const HeadScore score : scores) {
            if (table.has(score))
                maps.push_back(scoreMap(table, score, keyValueHeadsOf(report)));
            else
                missing << tr("%1: %2").arg(reportText(infoOf(score).title),
                                            ended(reportText(table.why(score))));
        }
        if (const QString title = attentionTitle(attention); !title.isEmpty())
            document.addSubheading(title);
        addMaps(document, maps);
        if (!missing.isEmpty())
            document.addCaption(tr("Not defined here. %1").arg(missing.join(QStringLiteral(" "))));
    }
}

/// A head with a label, ordered by strength.
struct Labelled
{
    HeadId head;
    const HeadLabel* label = nullptr;
};

std::vector<Labelled> headsWith(const HeadLabelTables& tables, HeadLabelKind kind)
{
    std::vector<Labelled> heads;
    for (const auto& [attention, table] : tables)
        for (int layer = 0; layer < table.layers; ++layer)
            for (int head = 0; head < table.heads; ++head)
                if (const HeadLabel* label = table.find({layer, head}, kind))
                    heads.push_back({{attention, layer, head}, label});
    const bool isUpper = ruleOf(kind).isUpper;
    std::stable_sort(heads.begin(), heads.end(), [isUpper](const Labelled& a, const Labelled& b) {
        return isUpper ? a.label->strength < b.label->strength
                       : a.label->strength > b.label->strength;
    });
    return heads;
}

void addLabel(Document& document, const HeadLabelTables& tables, const LabelRule& rule)
{
    const std::vector<Labelled> heads = headsWith(tables, rule.kind);
    if (heads.empty())
        return;
    std::vector<HeadId> names;
    for (const Labelled& one : heads)
        names.push_back(one.head);
    document.addSubheading(
        tr("%1 (%2)").arg(sentenceCase(reportText(rule.name))).arg(heads.size()));
    document.addText(tr("%1 Assigned where this is %2 %3: %4.")
                         .arg(reportText(rule.meaning),
                              rule.isUpper ? tr("at most") : tr("at least"),
                              number(rule.threshold, 2), reportText(rule.measure)));
    document.addText(tr("Strongest first: %1.").arg(headNames(names)));
    std::vector<DocumentRow> rows;
    for (std::size_t index = 0; index < std::min(heads.size(), kEvidence); ++index)
        rows.push_back({reportText(toString(heads[index].head)), heads[index].label->strength,
                        sentenceCase(reportText(heads[index].label->sentence))});
    document.addTable({{tr("Head"), 96.0},
                       {tr("Strength"), 64.0, DocumentColumn::Kind::Number},
                       {tr("Evidence"), 0.0}},
                      rows);
}

QString notMeasured(const HeadLabelTables& tables)
{
    std::map<QString, QStringList> byReason;
    for (const auto& [attention, table] : tables) {
        for (const auto& [kind, why] : table.notMeasured) {
            QStringList& names = byReason[reportText(why)];
            if (const QString name = reportText(ruleOf(kind).name); !names.contains(name))
                names << name;
        }
    }
    QStringList sentences;
    for (const auto& [why, names] : byReason)
        sentences << tr("%1: %2").arg(sentenceCase(names.join(QStringLiteral(", "))), ended(why));
    return sentences.join(QStringLiteral(" "));
}

/// Scores that fit on the page; the others are in the JSON form.
constexpr std::array kOnText{
    HeadScore::Entropy,    HeadScore::PreviousToken,     HeadScore::Self,
    HeadScore::FirstToken, HeadScore::DuplicateFraction, HeadScore::InductionOnText,
    HeadScore::Distance};
constexpr std::array kOnProbe{HeadScore::InductionStripe, HeadScore::DuplicateStripe,
                              HeadScore::PrefixMatching,  HeadScore::PreviousToken,
                              HeadScore::FirstToken,      HeadScore::Variability,
                              HeadScore::Copying};

/// One table of the appendix: heads of one kind of attention as rows, defined scores as columns.
void addScoreTable(Document& document, const HeadScoreTable& table, AttentionKind attention,
                   std::span<const HeadScore> scores)
{
    std::vector<DocumentColumn> columns{{tr("Head"), 92.0}};
    for (const HeadScore score : scores)
        if (table.has(score))
            columns.push_back({reportText(infoOf(score).title), 0.0, DocumentColumn::Kind::Number});
    std::vector<DocumentRow> rows;
    for (int layer = 0; layer < table.layers; ++layer) {
        for (int head = 0; head < table.heads; ++head) {
            rows.push_back({reportText(toString(HeadId{attention, layer, head}))});
            for (const HeadScore score : scores)
                if (table.has(score))
                    rows.back().emplace_back(table.at(layer, head, score));
        }
    }
    document.addSmallTable(columns, rows);
}

} // namespace

void addReportScores(Document& document, const ModelReport& report)
{
    document.addHeading(tr("Scores of all heads"));
    document.addSubheading(tr("On the text"));
    addScoreMaps(document, report, report.scores,
                 {HeadScore::PreviousToken, HeadScore::FirstToken, HeadScore::NormalisedEntropy,
                  HeadScore::InductionOnText, HeadScore::Self, HeadScore::Distance});
    document.addCaption(
        tr("Layers down, heads across, one square each; white is the low end of the scale. "
           "Measured on the %1 tokens of the text.")
            .arg(report.tokens.size()));
    if (report.sinkRate)
        document.addText(tr("Sink rate (Gu et al. 2024): %1 of the heads give the first token "
                            "on average more than %2 of their attention.")
                             .arg(number(*report.sinkRate.value, 3), number(kSinkThreshold, 1)));
    else
        document.addText(reportText(report.sinkRate.missing));
    if (report.inContext)
        document.addText(
            tr("In-context-learning score (Olsson et al. 2022): %1 nats, the loss of the "
               "token at position %2 minus that at position %3; below 0, context helps.")
                .arg(number(report.inContext->score(), 3))
                .arg(report.inContext->positions.late)
                .arg(report.inContext->positions.early));
    else
        document.addText(reportText(report.inContext.missing));
    document.addSubheading(tr("On the probe"));
    if (!report.survey) {
        document.addText(reportText(report.survey.missing));
        return;
    }
    const HeadSurvey& survey = **report.survey.value;
    if (!survey.repeats) {
        document.addText(reportText(survey.whyNoRepeats));
        return;
    }
    addScoreMaps(document, report, survey.repeats->tables,
                 {HeadScore::InductionStripe, HeadScore::DuplicateStripe, HeadScore::PrefixMatching,
                  HeadScore::PreviousToken, HeadScore::FirstToken, HeadScore::NormalisedEntropy});
    document.addCaption(
        tr("The mean over %1 sequences of %2 random tokens, each shown twice; prefix matching "
           "over %3 sequences of %4 tokens shown four times. The tokens are sampled with a "
           "fixed seed.")
            .arg(survey.repeats->texts)
            .arg(survey.repeats->period)
            .arg(survey.repeats->prefixTexts)
            .arg(survey.repeats->prefixPeriod));
}

void addReportLabels(Document& document, const ModelReport& report)
{
    document.addHeading(tr("Roles of heads, with evidence"));
    if (!report.labels) {
        document.addText(reportText(report.labels.missing));
        return;
    }
    document.addText(tr("A head may have several labels, or none. They come from %1, not from "
                        "the typed text, and describe behaviour, not importance: see the "
                        "ablated heads for that.")
                         .arg(reportText(report.labels->measuredOn)));
    for (const LabelRule& rule : labelRules())
        addLabel(document, report.labels->tables, rule);
    if (const QString missing = notMeasured(report.labels->tables); !missing.isEmpty())
        document.addText(tr("Not measured here. %1").arg(missing));
}

void addReportTables(Document& document, const ModelReport& report)
{
    document.addHeading(tr("Appendix: the scores in numbers"));
    document.addSubheading(tr("On the text"));
    for (const auto& [attention, table] : report.scores)
        addScoreTable(document, table, attention, kOnText);
    if (report.survey) {
        const HeadSurvey& survey = **report.survey.value;
        document.addSubheading(tr("On random repeats, sample sentences and weights"));
        for (const auto& [attention, table] : survey.tables)
            addScoreTable(document, table, attention, kOnProbe);
    }
    document.addSubheading(tr("Definitions"));
    for (const HeadScoreInfo& info : headScoreInfos()) {
        const bool isShown =
            std::find(kOnText.begin(), kOnText.end(), info.score) != kOnText.end() ||
            std::find(kOnProbe.begin(), kOnProbe.end(), info.score) != kOnProbe.end();
        if (isShown)
            document.addText(tr("%1: %2 (%3)")
                                 .arg(reportText(info.title), reportText(info.meaning),
                                      reportText(info.source)));
    }
    document.addText(tr("Every other score is in the JSON form of this report."));
}

} // namespace headscope::ui
