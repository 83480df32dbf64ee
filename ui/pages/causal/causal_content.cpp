#include "ui/pages/causal/causal_content.h"

#include "core/analysis/causal/causal_cone.h"
#include "core/analysis/report/rank_correlation.h"
#include "ui/pages/shared/figures/overview_figure.h"
#include "ui/pages/shared/maps/shown_pattern.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace headscope::ui {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("Causal", text);
}

bool showsCross(const Looking& looking)
{
    return looking.selection.part == AttentionPart::Cross;
}

/// A square of one value: the middle of the map is 0.
ThumbnailPtr squareOf(double value, double full)
{
    if (!std::isfinite(value))
        return std::make_shared<const HeadThumbnail>(HeadThumbnail{1, 1, {HeadThumbnail::kMasked}});
    const double place = 127.0 + 127.0 * std::clamp(full > 0.0 ? value / full : 0.0, -1.0, 1.0);
    return std::make_shared<const HeadThumbnail>(
        HeadThumbnail{1, 1, {static_cast<std::uint8_t>(std::lround(place))}});
}

double largestOf(const std::vector<HeadEffect>& effects)
{
    double largest = 0.0;
    for (const HeadEffect& effect : effects)
        if (std::isfinite(effect.effect))
            largest = std::max(largest, std::abs(effect.effect));
    return largest;
}

void fillGrid(const Looking& looking, SweepContent& content, int layers, int heads)
{
    const double full = largestOf(content.effects);
    content.grid.layers = layers;
    content.grid.heads = heads;
    content.grid.map = MapName::Balance;
    content.grid.outlined = true;
    content.grid.selected = HeadIndex{looking.selection.layer, looking.selection.head};
    content.grid.thumbnails.assign(
        static_cast<std::size_t>(layers) * static_cast<std::size_t>(heads), nullptr);
    for (const HeadEffect& effect : content.effects)
        content.grid
            .thumbnails[static_cast<std::size_t>(effect.head.layer * heads + effect.head.head)] =
            squareOf(effect.effect, full);
    content.legend.scale = ColourScale::difference(static_cast<float>(full > 0.0 ? full : 1.0));
    content.legend.title = tr("Metric without the head minus with it");
}

QString nameOfHead(HeadIndex head)
{
    return QStringLiteral("%1.%2").arg(head.layer).arg(head.head);
}

void fillScatter(const CausalChoice& choice, const Looking& looking, const HeadScoreTable& scores,
                 SweepContent& content)
{
    const HeadScore score = comparedScore(choice, scores);
    std::vector<double> looks, effects;
    for (const HeadEffect& effect : content.effects) {
        const HeadIndex head{effect.head.layer, effect.head.head};
        looks.push_back(scores.at(placeOf(head), score));
        effects.push_back(std::abs(effect.effect));
        if (head == HeadIndex{looking.selection.layer, looking.selection.head})
            content.scatter.current = static_cast<int>(content.points.size());
        content.scatter.points.push_back({nameOfHead(head), looks.back(), effects.back()});
        content.points.push_back(head);
    }
    content.scatter.xName = tr("looks important: %1").arg(scoreTitle(score).toLower());
    content.scatter.yName = tr("is important: size of the effect");
    content.correlation = rankCorrelation(looks, effects);
    const bool none =
        std::all_of(looks.begin(), looks.end(), [](double value) { return std::isnan(value); });
    if (none)
        content.words = tr("%1 is not defined on this text.").arg(scoreTitle(score));
    else if (std::isnan(content.correlation))
        content.words = tr("Rank correlation is not defined: it needs three heads that differ.");
    else
        content.words = tr("Rank correlation of score and effect: %1")
                            .arg(signedNumber(content.correlation, 2));
}

void fillTable(const CausalChoice& choice, const HeadScoreTable& scores, SweepContent& content)
{
    const HeadScore score = comparedScore(choice, scores);
    const double full = largestOf(content.effects);
    content.columns = {
        {tr("Size"), tr("How much the metric changes, up or down"), 3, choice.byScore ? 0.0 : full},
        {tr("Effect"), tr("The metric without the head minus the metric with it"), 3, 0.0},
        {tr("Without"), tr("The metric when the head is off"), 3, 0.0},
        {scoreTitle(score), scoreMeaning(score), 3, choice.byScore ? 1.0 : 0.0}};
    std::vector<std::size_t> order(content.effects.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto rank = [&](std::size_t index) {
        const HeadEffect& effect = content.effects[index];
        const double value =
            choice.byScore ? scores.at(HeadAt{effect.head.layer, effect.head.head}, score)
                           : std::abs(effect.effect);
        return std::isnan(value) ? -std::numeric_limits<double>::infinity() : value;
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return rank(a) > rank(b); });
    for (const std::size_t index : order) {
        const HeadEffect& effect = content.effects[index];
        const HeadIndex head{effect.head.layer, effect.head.head};
        content.order.push_back(head);
        ScoreRow row;
        row.name = nameOfHead(head);
        row.values = {std::abs(effect.effect), effect.effect, effect.metric,
                      scores.at(placeOf(head), score)};
        content.rows.push_back(std::move(row));
    }
}

/// The site of a grid as the cone knows it.
std::optional<Site> coneSite(PatchSite site)
{
    constexpr Site kSites[] = {Site::ResidPre, Site::AttnOut, Site::MlpOut, Site::Z,
                               Site::Query,    Site::Key,     Site::Value,  Site::Pattern};
    if (site == PatchSite::Cell)
        return std::nullopt;
    return kSites[static_cast<int>(site)];
}

/// Of heads, all tokens are changed at once: every later layer is reached.
std::vector<bool> coneOf(const ModelConfig& config, const PatchGrid& grid, HeatmapCell from)
{
    const auto site = coneSite(grid.site);
    if (!site || from.row >= grid.rows || from.column >= grid.columns)
        return {};
    std::vector<bool> cone;
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column) {
            const bool itself = row == from.row && column == from.column;
            cone.push_back(
                isByPosition(grid.site)
                    ? canReach(config, {*site, from.row, from.column}, {*site, row, column})
                    : itself || row > from.row);
        }
    return cone;
}

QStringList numbersTo(int count)
{
    QStringList labels;
    for (int index = 0; index < count; ++index)
        labels << QString::number(index);
    return labels;
}

QStringList tokensOf(const Looking& looking, int count)
{
    QStringList labels = labelsOf(looking.a->tokens(), looking.modelA);
    while (labels.size() < count)
        labels << QString();
    return labels.mid(0, count);
}

MarkedMap gridMap(const Looking& looking, const PatchGrid& grid)
{
    MarkedMap shown;
    std::vector<float> values;
    for (const double metric : grid.metrics)
        values.push_back(static_cast<float>(grid.normalised(metric)));
    shown.map.matrix = HeatmapMatrix::copyOf(std::move(values), grid.rows, grid.columns);
    shown.map.scale = ColourScale::difference();
    shown.map.valueName = tr("restored");
    const bool cells = grid.site == PatchSite::Cell;
    shown.map.rowsName = cells ? tr("query") : tr("layer");
    shown.map.columnsName = cells ? tr("key") : isByPosition(grid.site) ? tr("token") : tr("head");
    shown.map.rowLabels = cells ? tokensOf(looking, grid.rows) : numbersTo(grid.rows);
    shown.map.columnLabels = cells || isByPosition(grid.site) ? tokensOf(looking, grid.columns)
                                                              : numbersTo(grid.columns);
    shown.legend.scale = shown.map.scale;
    shown.legend.title = tr("Restored: 0 as corrupted, 1 as clean");
    return shown;
}

QString cellWords(const Looking& looking, const PatchGrid& grid, HeatmapCell cell)
{
    const double metric = grid.metric(cell.row, cell.column);
    const QString numbers =
        tr("metric %1, restored %2").arg(number(metric, 3), number(grid.normalised(metric), 3));
    if (grid.site == PatchSite::Cell) {
        const QStringList tokens = tokensOf(looking, std::max(grid.rows, grid.columns));
        return tr("Weight from \u201C%1\u201D (token %2) to \u201C%3\u201D (token %4) put back: "
                  "%5.")
            .arg(tokens[cell.row])
            .arg(cell.row)
            .arg(tokens[cell.column])
            .arg(cell.column)
            .arg(numbers);
    }
    if (!isByPosition(grid.site))
        return tr("%1 of head %2.%3 put back at all tokens: %4. Outlined: what that can reach.")
            .arg(patchSiteName(grid.site))
            .arg(cell.row)
            .arg(cell.column)
            .arg(numbers);
    return tr("%1 of layer %2 put back at \u201C%3\u201D (token %4): %5. Outlined: what that can "
              "reach.")
        .arg(patchSiteName(grid.site))
        .arg(cell.row)
        .arg(tokensOf(looking, grid.columns)[cell.column])
        .arg(cell.column)
        .arg(numbers);
}

} // namespace

QString metricName(GradientTarget::Kind kind)
{
    switch (kind) {
    case GradientTarget::Kind::Logit:
        return tr("Logit");
    case GradientTarget::Kind::LogitDifference:
        return tr("Logit difference");
    default:
        return tr("Mean loss");
    }
}

QString replacementName(Replacement replacement)
{
    switch (replacement) {
    case Replacement::Zero:
        return tr("Zero");
    case Replacement::Mean:
        return tr("Mean");
    default:
        return tr("Another token");
    }
}

QString patchSiteName(PatchSite site)
{
    switch (site) {
    case PatchSite::ResidPre:
        return tr("Residual stream");
    case PatchSite::AttnOut:
        return tr("Attention output");
    case PatchSite::MlpOut:
        return tr("Feed-forward output");
    case PatchSite::HeadOut:
        return tr("Output of heads");
    case PatchSite::Query:
        return tr("Queries of heads");
    case PatchSite::Key:
        return tr("Keys of heads");
    case PatchSite::Value:
        return tr("Values of heads");
    case PatchSite::Pattern:
        return tr("Patterns of heads");
    default:
        return tr("Cells of the chosen head");
    }
}

QString metricWords(const Looking& looking, const GradientTarget& metric)
{
    if (watchesStates(looking))
        return tr("turn of the last hidden states: 1 \u2212 cosine, mean over the tokens");
    if (metric.kind == GradientTarget::Kind::Loss)
        return tr("mean loss of the text in nats");
    const QString token = labelOf(metric.token, looking.modelA);
    if (metric.kind == GradientTarget::Kind::Logit)
        return tr("logit of \u201C%1\u201D after token %2").arg(token).arg(metric.position);
    return tr("logit of \u201C%1\u201D minus \u201C%2\u201D after token %3")
        .arg(token, labelOf(metric.other, looking.modelA))
        .arg(metric.position);
}

const HeadEffect* SweepContent::find(HeadIndex head) const
{
    const auto found = std::find_if(effects.begin(), effects.end(), [&](const HeadEffect& one) {
        return one.head.layer == head.layer && one.head.head == head.head;
    });
    return found == effects.end() ? nullptr : &*found;
}

SweepContent sweepContent(const Looking& looking, const CausalChoice& choice,
                          const AblationSweep& sweep, const HeadScoreTable& scores)
{
    SweepContent content;
    const Stack stack = mainStack(looking.modelA.model->config());
    const int layers = looking.a->layerCount(stack);
    const int heads = looking.a->headCount(stack);
    for (const HeadEffect& effect : sweep.heads) {
        const bool inside = effect.head.layer >= 0 && effect.head.layer < layers &&
                            effect.head.head >= 0 && effect.head.head < heads;
        if (inside && effect.head.cross == showsCross(looking))
            content.effects.push_back(effect);
    }
    if (content.effects.empty())
        return content;
    fillGrid(looking, content, layers, heads);
    fillScatter(choice, looking, scores, content);
    fillTable(choice, scores, content);
    return content;
}

PatchContent patchContent(const Looking& looking, const CausalChoice& choice, const PatchGrid& grid)
{
    PatchContent content;
    content.shown = gridMap(looking, grid);
    content.title = patchSiteName(grid.site);
    if (std::isnan(grid.normalised(grid.clean))) {
        content.problem =
            tr("Not defined: both texts give the same number, %1, so there is nothing "
               "to bring back.")
                .arg(number(grid.clean, 3));
        return content;
    }
    const auto cell = choice.cell;
    if (!cell || !content.shown.map.matrix.contains(*cell)) {
        content.words = tr("Clean %1, corrupted %2. Choose a cell.")
                            .arg(number(grid.clean, 3), number(grid.corrupted, 3));
        return content;
    }
    content.shown.map.current = cell;
    content.shown.marks = coneOf(looking.modelA.model->config(), grid, *cell);
    content.words = cellWords(looking, grid, *cell);
    return content;
}

int stepCount(const FactPath& path)
{
    return static_cast<int>(path.steps.size());
}

QStringList stepTitles(const FactPath& path)
{
    const QString titles[] = {tr("The answer"), tr("Tokens"), tr("Feed-forward"),
                              tr("Attention"),  tr("Heads"),  tr("Layer by layer")};
    QStringList result;
    for (const FactStep& step : path.steps)
        result << titles[static_cast<int>(step.kind)];
    return result;
}

namespace {

QString quoted(const QString& token)
{
    return QStringLiteral("\u201C%1\u201D").arg(token);
}

QString tokenAt(const Looking& looking, int position)
{
    const QStringList tokens = labelsOf(looking.a->tokens(), looking.modelA);
    return tr("%1 (token %2)").arg(quoted(tokens.value(position))).arg(position);
}

QString answerWords(const Looking& looking, const FactPath& path)
{
    const auto said = [&](const FactAnswer& answer) {
        return tr("%1 (%2)").arg(quoted(labelOf(answer.top, looking.modelA)),
                                 number(answer.topProbability, 3));
    };
    return tr("On the clean text the model says %1, on the corrupted one %2. The answer %3 goes "
              "from %4 (place %5) to %6 (place %7). The metric falls from %8 to %9.")
        .arg(said(path.cleanAnswer), said(path.corruptedAnswer),
             quoted(labelOf(path.cleanAnswer.answer, looking.modelA)),
             number(path.cleanAnswer.answerProbability, 3),
             QString::number(path.cleanAnswer.answerRank),
             number(path.corruptedAnswer.answerProbability, 3),
             QString::number(path.corruptedAnswer.answerRank), number(path.clean, 2),
             number(path.corrupted, 2));
}

QString placeWords(const Looking& looking, const FactPlace& place)
{
    const QString restored = number(place.restored, 2);
    if (place.head < 0)
        return tr("layer %1 at %2 restores %3")
            .arg(QString::number(place.layer), tokenAt(looking, place.position), restored);
    QString words = tr("head %1.%2 restores %3").arg(place.layer).arg(place.head).arg(restored);
    if (place.looksAt >= 0)
        words += tr(" and looks at %1 with weight %2")
                     .arg(tokenAt(looking, place.looksAt), number(place.weight, 2));
    return words;
}

QString listed(const Looking& looking, const FactStep& step)
{
    QStringList words;
    for (const FactPlace& place : step.places)
        words << placeWords(looking, place);
    return words.join(QStringLiteral("; ")) + QLatin1Char('.');
}

QString intro(FactStep::Kind kind)
{
    switch (kind) {
    case FactStep::Kind::Tokens:
        return tr(
            "The clean stream is put back at one token of an early layer. Where the fact lies, "
            "the answer comes back:");
    case FactStep::Kind::MlpLayers:
        return tr("The same with the output of one feed-forward part:");
    case FactStep::Kind::AttnLayers:
        return tr("The same with the output of one layer's attention:");
    default:
        return tr(
            "The same with single heads. Those that carry the fact to the end look at it from "
            "the last token:");
    }
}

QString lensWords(const FactPath& path, const FactStep& step)
{
    QStringList shares;
    for (const FactPlace& place : step.places)
        shares << number(place.restored, 3);
    const QString list = shares.join(QStringLiteral(", "));
    if (path.topFrom < 0)
        return tr("Read with the final norm and the unembedding, no layer's stream keeps the "
                  "answer "
                  "on top. Its probability, layer by layer: %1.")
            .arg(list);
    return tr("Read with the final norm and the unembedding, the answer is on top from behind "
              "layer "
              "%1 on. Its probability, layer by layer: %2.")
        .arg(path.topFrom)
        .arg(list);
}

MarkedMap probabilities(std::vector<float> values, const QStringList& rows,
                        const QStringList& columns)
{
    MarkedMap shown;
    shown.map.matrix = HeatmapMatrix::copyOf(std::move(values), static_cast<int>(rows.size()),
                                             static_cast<int>(columns.size()));
    shown.map.rowLabels = rows;
    shown.map.columnLabels = columns;
    shown.map.valueName = tr("probability");
    shown.legend.scale = shown.map.scale;
    shown.legend.title = scaleTitle(tr("Probability"), shown.map.scale, false);
    return shown;
}

MarkedMap answerMap(const Looking& looking, const FactPath& path)
{
    const QStringList columns{labelOf(path.cleanAnswer.answer, looking.modelA)};
    std::vector<float> values{static_cast<float>(path.cleanAnswer.answerProbability),
                              static_cast<float>(path.corruptedAnswer.answerProbability)};
    MarkedMap shown = probabilities(std::move(values), {tr("clean"), tr("corrupted")}, columns);
    shown.map.rowsName = tr("text");
    shown.map.columnsName = tr("answer");
    return shown;
}

MarkedMap lensMap(const Looking& looking, const FactPath& path, const FactStep& step)
{
    std::vector<float> values;
    for (const FactPlace& place : step.places)
        values.push_back(static_cast<float>(place.restored));
    const int layers = static_cast<int>(values.size());
    MarkedMap shown = probabilities(std::move(values), numbersTo(layers),
                                    {labelOf(path.cleanAnswer.answer, looking.modelA)});
    shown.map.rowsName = tr("layer");
    shown.map.columnsName = tr("answer");
    return shown;
}

void mark(MarkedMap& shown, const FactStep& step)
{
    const HeatmapMatrix& matrix = shown.map.matrix;
    shown.marks.assign(
        static_cast<std::size_t>(matrix.rows) * static_cast<std::size_t>(matrix.columns), false);
    for (const FactPlace& place : step.places) {
        const HeatmapCell cell{place.layer, place.head >= 0 ? place.head : place.position};
        if (matrix.contains(cell))
            shown.marks[static_cast<std::size_t>(cell.row * matrix.columns + cell.column)] = true;
    }
}

} // namespace

StepContent stepContent(const Looking& looking, const FactPath& path, int index)
{
    StepContent content;
    if (index < 0 || index >= stepCount(path))
        return content;
    const FactStep& step = path.steps[static_cast<std::size_t>(index)];
    content.title = stepTitles(path)[index];
    if (step.kind == FactStep::Kind::Answer) {
        content.words = answerWords(looking, path);
        content.shown = answerMap(looking, path);
        return content;
    }
    if (step.kind == FactStep::Kind::Lens) {
        content.words = lensWords(path, step);
        content.shown = lensMap(looking, path, step);
        return content;
    }
    const PatchGrid* grid = step.shows ? path.grid(*step.shows) : nullptr;
    if (grid == nullptr)
        return content;
    content.shown = gridMap(looking, *grid);
    if (step.places.empty()) {
        content.words = tr("Not defined: both texts give the same number, so there is nothing to "
                           "bring back.");
        return content;
    }
    const bool little = step.places.front().restored < 0.1;
    content.words = intro(step.kind) + QLatin1Char(' ') + listed(looking, step);
    if (little)
        content.words += QLatin1Char(' ') + tr("None alone brings back a tenth.");
    mark(content.shown, step);
    return content;
}

} // namespace headscope::ui
