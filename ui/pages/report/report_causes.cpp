#include "ui/pages/report/report_document.h"
#include "ui/pages/report/report_maps.h"
#include "ui/widgets/charts/points/scatter_plot.h"
#include "ui/widgets/tr.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace headscope::ui {

namespace {

constexpr std::size_t kListed = 12; ///< Number of heads, or of parts of a logit.

// ------------------------------------------------------------------------------------- ablation

QString labelsOf(const ModelReport& report, const HeadId& head)
{
    if (!report.labels)
        return {};
    const auto table = report.labels->tables.find(head.attention);
    if (table == report.labels->tables.end())
        return {};
    QStringList names;
    for (const HeadLabel& label : table->second.at(head))
        names << reportText(ruleOf(label.kind).name);
    return names.join(QStringLiteral(", "));
}

double largestEffect(const std::vector<ReportEffect>& effects)
{
    double largest = 0.0;
    for (const ReportEffect& effect : effects)
        if (std::isfinite(effect.effect))
            largest = std::max(largest, std::abs(effect.effect));
    return largest > 0.0 ? largest : 1.0;
}

void addEffectMaps(Document& document, const ReportAblation& ablation)
{
    std::set<AttentionKind> kinds;
    for (const ReportEffect& effect : ablation.effects)
        kinds.insert(effect.head.attention);
    std::vector<ReportMap> maps;
    for (const AttentionKind attention : kinds) {
        const QString name = reportText(toString(attention));
        maps.push_back(effectMap(ablation, attention,
                                 name.isEmpty() ? tr("Effect") : tr("Effect, %1").arg(name)));
    }
    addMaps(document, maps);
}

void addEffects(Document& document, const ModelReport& report, const ReportAblation& ablation)
{
    const std::vector<ReportEffect> ranked = ablation.ranked();
    const double largest = largestEffect(ranked);
    std::vector<DocumentRow> rows;
    for (std::size_t index = 0; index < std::min(ranked.size(), kListed); ++index)
        rows.push_back({reportText(toString(ranked[index].head)), ranked[index].effect,
                        labelsOf(report, ranked[index].head)});
    document.addTable({{tr("Head"), 96.0},
                       {tr("Effect"), 240.0, DocumentColumn::Kind::SignedBar, 4, largest},
                       {tr("Labels"), 0.0}},
                      rows);
    document.addCaption(tr("The %1 of %2 heads with the largest effect; without ablation the "
                           "metric is %3.")
                            .arg(rows.size())
                            .arg(ranked.size())
                            .arg(number(ablation.before, 4)));
}

ScatterContent scatterOf(const ReportAblation& ablation, const ReportPrediction& prediction)
{
    ScatterContent content;
    content.xName = reportText(prediction.title);
    content.yName = tr("effect (magnitude)");
    content.named = 2;
    for (std::size_t index = 0; index < ablation.effects.size(); ++index)
        content.points.push_back({reportText(toString(ablation.effects[index].head)),
                                  prediction.values[index],
                                  std::abs(ablation.effects[index].effect)});
    return content;
}

/// The first three scores: one dot per head, score across, magnitude of the causal effect upwards.
void addScatters(Document& document, const ReportAblation& ablation)
{
    constexpr std::size_t kMost = 3;
    constexpr double kApart = 20.0;
    const Theme theme = document.theme();
    const double side = (document.width() - (kMost - 1) * kApart) / static_cast<double>(kMost);
    std::vector<ScatterContent> plots;
    for (std::size_t index = 0; index < std::min(ablation.predictions.size(), kMost); ++index)
        plots.push_back(scatterOf(ablation, ablation.predictions[index]));
    if (plots.empty())
        return;
    const double height = side * 0.85;
    document.addImage({document.width(), height}, [=](QPainter& painter, const QRectF& area) {
        painter.setRenderHint(QPainter::Antialiasing);
        for (std::size_t index = 0; index < plots.size(); ++index) {
            const QRectF place(area.x() + static_cast<double>(index) * (side + kApart), area.y(),
                               side, height);
            painter.save();
            paintScatter(painter, place, plots[index], theme);
            painter.restore();
        }
    });
    document.addCaption(
        tr("One dot per head: the score across, the magnitude of the causal effect upwards. "
           "Important heads that the score misses are at the upper left."));
}

void addPredictions(Document& document, const ReportAblation& ablation)
{
    if (ablation.predictions.empty())
        return;
    std::vector<DocumentRow> rows;
    for (const ReportPrediction& prediction : ablation.predictions)
        rows.push_back(
            {reportText(prediction.title), prediction.correlation, headNames(prediction.first)});
    document.addTable({{tr("Score"), 190.0},
                       {tr("Rank correlation"), 190.0, DocumentColumn::Kind::SignedBar, 2, 1.0},
                       {tr("Top heads by score"), 0.0}},
                      rows);
    document.addCaption(
        tr("Spearman's rank correlation between a score and the magnitude of the effect, over "
           "all heads: 1 means the same order, 0 no relation."));
}

void addSweep(Document& document, const ModelReport& report, const QString& title,
              const ReportPart<ReportAblation>& part)
{
    document.addSubheading(title);
    if (!part) {
        document.addText(reportText(part.missing));
        return;
    }
    const ReportAblation& ablation = *part.value;
    document.addText(
        tr("Each head ablated in turn: %1. Measured on %2: %3. The effect is the metric with "
           "the head ablated minus the clean metric.")
            .arg(reportText(ablation.method), reportText(ablation.measuredOn),
                 reportText(ablation.metric)));
    addEffectMaps(document, ablation);
    addEffects(document, report, ablation);
    addScatters(document, ablation);
    addPredictions(document, ablation);
}

// ------------------------------------------------------------------------------------ attribution

struct NamedValue
{
    QString name;
    double value = 0.0;
};

/// Summary by layer: the embeddings, then each layer's attention and MLP.
std::vector<NamedValue> byLayer(const LogitAttribution& parts)
{
    std::vector<NamedValue> sums;
    const auto add = [&](const QString& name, double value) {
        const auto found = std::find_if(sums.begin(), sums.end(),
                                        [&](const NamedValue& one) { return one.name == name; });
        if (found == sums.end())
            sums.push_back({name, value});
        else
            found->value += value;
    };
    for (const LogitPart& part : parts.parts) {
        const bool isAttention =
            part.kind == LogitPartKind::Head || part.kind == LogitPartKind::AttentionBias;
        if (part.layer < 0)
            add(reportText(nameOf(part)), part.value);
        else if (isAttention)
            add(part.cross ? tr("layer %1, cross-attention").arg(part.layer)
                           : tr("layer %1, attention").arg(part.layer),
                part.value);
        else
            add(reportText(nameOf(part)), part.value);
    }
    return sums;
}

double largestOf(const std::vector<NamedValue>& values)
{
    double largest = 0.0;
    for (const NamedValue& one : values)
        largest = std::max(largest, std::abs(one.value));
    return largest > 0.0 ? largest : 1.0;
}

void addValues(Document& document, const QString& title, const std::vector<NamedValue>& values)
{
    const double largest = largestOf(values);
    std::vector<DocumentRow> rows;
    for (const NamedValue& one : values)
        rows.push_back({one.name, one.value});
    document.addTable(
        {{title, 240.0},
         {tr("Contribution to the logit"), 0.0, DocumentColumn::Kind::SignedBar, 3, largest}},
        rows);
}

std::vector<NamedValue> largestHeads(const LogitAttribution& parts)
{
    std::vector<NamedValue> heads;
    for (const LogitPart& part : parts.parts)
        if (part.kind == LogitPartKind::Head)
            heads.push_back({reportText(nameOf(part)), part.value});
    std::stable_sort(heads.begin(), heads.end(), [](const NamedValue& a, const NamedValue& b) {
        return std::abs(a.value) > std::abs(b.value);
    });
    heads.resize(std::min(heads.size(), kListed));
    return heads;
}

} // namespace

void addReportAblation(Document& document, const ModelReport& report)
{
    document.addHeading(tr("Head ablation: scores vs. causal effects"));
    addSweep(document, report, tr("On the text"), report.ablation);
    addSweep(document, report, tr("On random repeats"), report.probeAblation);
}

void addReportLens(Document& document, const ModelReport& report)
{
    document.addHeading(tr("Logit lens: where the answer appears"));
    if (!report.lens) {
        document.addText(reportText(report.lens.missing));
        return;
    }
    const StreamLens& lens = report.lens->lens;
    document.addText(
        tr("The residual stream at token %1, read after every layer as a prediction: final "
           "norm, then unembedding (nostalgebraist 2020). The target is %2, among %3 tokens.")
            .arg(lens.positions.front())
            .arg(quotedToken(report.lens->target))
            .arg(count(report.config->vocabularySize)));
    std::vector<DocumentRow> rows;
    for (int stage = 0; stage < lens.stageCount(); ++stage) {
        const auto place = static_cast<std::size_t>(stage);
        const LensStage& at = lens.stages[place];
        if (at.kind == LensStage::Kind::AfterAttention || at.kind == LensStage::Kind::AfterCross)
            continue;
        rows.push_back({reportText(nameOf(at)),
                        QStringLiteral("\u201C%1\u201D").arg(reportText(report.lens->tops[place])),
                        static_cast<double>(lens.probabilities[lens.topAt(0, stage)]),
                        std::exp(lens.logProbabilities[lens.at(0, stage)]),
                        count(lens.ranks[lens.at(0, stage)]), lens.entropies[lens.at(0, stage)],
                        lens.divergences[lens.at(0, stage)]});
    }
    document.addTable({{tr("Stage"), 96.0},
                       {tr("Top-1 token"), 0.0},
                       {tr("Its probability"), 130.0, DocumentColumn::Kind::Bar, 3, 1.0},
                       {tr("Target's probability"), 130.0, DocumentColumn::Kind::Bar, 3, 1.0},
                       {tr("Target's rank"), 52.0, DocumentColumn::Kind::Number},
                       {tr("Entropy, nats"), 56.0, DocumentColumn::Kind::Number, 2},
                       {tr("KL to output, nats"), 56.0, DocumentColumn::Kind::Number, 2}},
                      rows);
    document.addCaption(
        tr("The last row is the model's output. Half steps between attention and MLP are in the "
           "JSON form."));
}

void addReportAttribution(Document& document, const ModelReport& report)
{
    document.addHeading(tr("Direct logit attribution: contributions to the logit"));
    if (!report.attribution) {
        document.addText(reportText(report.attribution.missing));
        return;
    }
    const ReportAttribution& all = *report.attribution.value;
    const QString what = all.other ? tr("The logit of %1 minus that of %2")
                                         .arg(quotedToken(all.token), quotedToken(*all.other))
                                   : tr("The logit of %1").arg(quotedToken(all.token));
    document.addText(
        tr("%1 at token %2 is %3. Every addition to the residual stream contributes to it, with "
           "the norms frozen; the %4 contributions sum to %5.")
            .arg(what)
            .arg(all.parts.target.position)
            .arg(number(all.parts.logit, 4))
            .arg(all.parts.parts.size())
            .arg(number(all.parts.sum(), 4)));
    addValues(document, tr("Part"), byLayer(all.parts));
    document.addCaption(tr("Heads of a layer are summed; bars start at 0 in the middle."));
    addValues(document, tr("Head"), largestHeads(all.parts));
    document.addCaption(tr("Heads with the largest contributions."));
}

} // namespace headscope::ui
