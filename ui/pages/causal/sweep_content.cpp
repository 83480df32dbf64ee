#include "ui/pages/causal/sweep_content.h"

#include "core/analysis/report/rank_correlation.h"
#include "ui/widgets/tr.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace headscope::ui {

namespace {

bool showsCross(const ViewSnapshot& view)
{
    return view.selection.part == AttentionKind::Cross;
}

/// Bounds symmetric around 0, so that 0 is the middle of the map.
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

void fillGrid(const ViewSnapshot& view, SweepContent& content, int layers, int heads)
{
    const double full = largestOf(content.effects);
    content.grid.layers = layers;
    content.grid.heads = heads;
    content.grid.map = MapName::Balance;
    content.grid.outlined = true;
    content.grid.selected = GridCell{view.selection.layer, view.selection.head};
    content.grid.thumbnails.assign(
        static_cast<std::size_t>(layers) * static_cast<std::size_t>(heads), nullptr);
    for (const HeadEffect& effect : content.effects)
        content.grid
            .thumbnails[static_cast<std::size_t>(effect.head.layer * heads + effect.head.head)] =
            squareOf(effect.effect, full);
    content.legend.scale = ColourScale::difference(static_cast<float>(full > 0.0 ? full : 1.0));
    content.legend.title = tr("Ablated minus clean metric");
}

QString nameOfHead(GridCell head)
{
    return QStringLiteral("%1.%2").arg(head.layer).arg(head.head);
}

void fillScatter(const CausalChoice& choice, const ViewSnapshot& view, const HeadScoreTable& scores,
                 SweepContent& content)
{
    const HeadScore score = comparedScore(choice, scores);
    std::vector<double> looks, effects;
    for (const HeadEffect& effect : content.effects) {
        const GridCell head{effect.head.layer, effect.head.head};
        looks.push_back(scores.at(effect.head, score));
        effects.push_back(std::abs(effect.effect));
        if (head == GridCell{view.selection.layer, view.selection.head})
            content.scatter.current = static_cast<int>(content.points.size());
        content.scatter.points.push_back({nameOfHead(head), looks.back(), effects.back()});
        content.points.push_back(head);
    }
    content.scatter.xName = tr("%1 score").arg(scoreTitle(score).toLower());
    content.scatter.yName = tr("causal effect (magnitude)");
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
        {tr("Magnitude"), tr("Magnitude of the change in the metric"), 3,
         choice.byScore ? 0.0 : full},
        {tr("Effect"), tr("The metric with the head ablated minus the clean metric"), 3, 0.0},
        {tr("Ablated"), tr("The metric with the head ablated"), 3, 0.0},
        {scoreTitle(score), scoreMeaning(score), 3, choice.byScore ? 1.0 : 0.0}};
    std::vector<std::size_t> order(content.effects.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto rank = [&](std::size_t index) {
        const HeadEffect& effect = content.effects[index];
        const double value =
            choice.byScore ? scores.at(effect.head, score) : std::abs(effect.effect);
        return std::isnan(value) ? -std::numeric_limits<double>::infinity() : value;
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return rank(a) > rank(b); });
    for (const std::size_t index : order) {
        const HeadEffect& effect = content.effects[index];
        const GridCell head{effect.head.layer, effect.head.head};
        content.order.push_back(head);
        ScoreRow row;
        row.name = nameOfHead(head);
        row.values = {std::abs(effect.effect), effect.effect, effect.metric,
                      scores.at(effect.head, score)};
        content.rows.push_back(std::move(row));
    }
}

} // namespace

const HeadEffect* SweepContent::find(GridCell head) const
{
    const auto found = std::find_if(effects.begin(), effects.end(), [&](const HeadEffect& one) {
        return one.head.layer == head.layer && one.head.head == head.head;
    });
    return found == effects.end() ? nullptr : &*found;
}

SweepContent sweepContent(const ViewSnapshot& view, const CausalChoice& choice,
                          const AblationSweep& sweep, const HeadScoreTable& scores)
{
    SweepContent content;
    const Stack stack = view.modelA.model->config().mainStack();
    const int layers = view.a->layerCount(selfAttentionOf(stack));
    const int heads = view.a->headCount(selfAttentionOf(stack));
    for (const HeadEffect& effect : sweep.heads) {
        const bool inside = effect.head.layer >= 0 && effect.head.layer < layers &&
                            effect.head.head >= 0 && effect.head.head < heads;
        if (inside && (effect.head.attention == AttentionKind::Cross) == showsCross(view))
            content.effects.push_back(effect);
    }
    if (content.effects.empty())
        return content;
    fillGrid(view, content, layers, heads);
    fillScatter(choice, view, scores, content);
    fillTable(choice, scores, content);
    return content;
}

} // namespace headscope::ui
