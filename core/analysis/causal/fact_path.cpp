#include "core/analysis/causal/fact_path.h"

#include "core/analysis/lens/lens_head.h"
#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace headscope {

namespace {

constexpr double kWorthSaying = 0.1; ///< Restored fraction below which a position is left out.
constexpr std::size_t kPlaces = 5;

std::vector<double> softmax(TensorView logits)
{
    std::vector<double> result;
    double largest = static_cast<double>(logits(0));
    for (std::int64_t id = 1; id < logits.shape[0]; ++id)
        largest = std::max(largest, static_cast<double>(logits(id)));
    double sum = 0.0;
    for (std::int64_t id = 0; id < logits.shape[0]; ++id) {
        result.push_back(std::exp(static_cast<double>(logits(id)) - largest));
        sum += result.back();
    }
    for (double& value : result)
        value /= sum;
    return result;
}

FactAnswer answerIn(TensorView logits, TokenId answer)
{
    const std::vector<double> fractions = softmax(logits);
    const auto top = std::ranges::max_element(fractions);
    const double own = fractions[static_cast<std::size_t>(answer)];
    FactAnswer result;
    result.top = static_cast<TokenId>(top - fractions.begin());
    result.topProbability = *top;
    result.answer = answer;
    result.answerProbability = own;
    result.answerRank =
        1 + static_cast<int>(std::ranges::count_if(fractions, [&](double s) { return s > own; }));
    return result;
}

/// Keeps the best of each column, largest first; small ones are left out, except for the first.
void keepBest(std::vector<FactPosition>& places)
{
    std::erase_if(places, [](const FactPosition& place) { return std::isnan(place.restored); });
    std::ranges::stable_sort(places, std::greater<>(), &FactPosition::restored);
    const auto end = std::ranges::find_if(
        places, [](const FactPosition& place) { return place.restored < kWorthSaying; });
    const auto kept = std::min(kPlaces, static_cast<std::size_t>(end - places.begin()));
    places.resize(std::min(places.size(), std::max<std::size_t>(1, kept)));
}

/// For each token, the layer of the first half in which patching it restores most.
std::vector<FactPosition> tokenPlaces(const PatchGrid& grid)
{
    std::vector<FactPosition> places;
    for (int position = 0; position < grid.columns; ++position) {
        FactPosition best{0, position, -1, grid.normalised(grid.metric(0, position))};
        for (int layer = 1; layer < (grid.rows + 1) / 2; ++layer) {
            const double restored = grid.normalised(grid.metric(layer, position));
            if (restored > best.restored)
                best = {layer, position, -1, restored};
        }
        places.push_back(best);
    }
    keepBest(places);
    return places;
}

/// For each layer, the token at which patching it restores most.
std::vector<FactPosition> layerPlaces(const PatchGrid& grid)
{
    std::vector<FactPosition> places;
    for (int layer = 0; layer < grid.rows; ++layer) {
        FactPosition best{layer, 0, -1, grid.normalised(grid.metric(layer, 0))};
        for (int position = 1; position < grid.columns; ++position) {
            const double restored = grid.normalised(grid.metric(layer, position));
            if (restored > best.restored)
                best = {layer, position, -1, restored};
        }
        places.push_back(best);
    }
    keepBest(places);
    return places;
}

std::vector<FactPosition> headPlaces(const PatchGrid& grid, const BasePass& clean, std::int64_t row)
{
    std::vector<FactPosition> places;
    for (int layer = 0; layer < grid.rows; ++layer)
        for (int head = 0; head < grid.columns; ++head)
            places.push_back({layer, -1, head, grid.normalised(grid.metric(layer, head))});
    keepBest(places);
    for (FactPosition& place : places) {
        const auto pattern = clean.find(Site::Pattern, place.layer);
        if (!pattern)
            continue;
        const TensorView weights = pattern->view()[place.head][row];
        const float* const end = weights.data + weights.shape[0];
        const float* const most = std::max_element(weights.data, end);
        place.attendsTo = static_cast<int>(most - weights.data);
        place.weight = static_cast<double>(*most);
    }
    return places;
}

/// Predictions of the clean residual stream by layer; `topFrom` is the layer from which the answer
/// stays top-1.
FactStep lensStep(const BasePass& clean, std::int64_t row, TokenId answer, int& topFrom)
{
    FactStep step;
    step.kind = FactStep::Kind::Lens;
    topFrom = -1;
    for (int layer = 0; clean.find(Site::ResidPost, layer); ++layer) {
        const TensorView stream = clean.at(Site::ResidPost, layer).view();
        const TensorView last(stream[row].data, {1, stream.shape[1]});
        const Tensor logits = lensLogits(clean.model(), last);
        const FactAnswer said = answerIn(logits.view()[0], answer);
        if (said.answerRank > 1)
            topFrom = -1;
        else if (topFrom < 0)
            topFrom = layer;
        step.places.push_back({layer, static_cast<int>(row), -1, said.answerProbability});
    }
    return step;
}

} // namespace

const PatchGrid* FactPath::grid(PatchSite site) const
{
    const auto found = std::ranges::find(grids, site, &PatchGrid::site);
    return found == grids.end() ? nullptr : &*found;
}

FactPath factPath(const ActivationPatching& patching, const GradientTarget& metric,
                  Progress& progress)
{
    const BasePass& clean = patching.clean();
    const auto row = metricRow(metric, clean.tokens());
    if (!row)
        throw Error("a loss depends on many tokens, a fact is a single answer", "causal trace",
                    "Choose a logit or a logit difference");
    FactPath path;
    path.row = *row;
    path.clean = clean.metric();
    path.corrupted = patching.corrupted().metric();
    const std::int64_t place = *row - (clean.tokens() - clean.logits().shape()[0]);
    path.cleanAnswer = answerIn(clean.logits().view()[place], metric.token);
    path.corruptedAnswer = answerIn(patching.corrupted().logits().view()[place], metric.token);
    path.steps.push_back({FactStep::Kind::Answer, {}, std::nullopt});
    const auto add = [&](PatchSite site, FactStep::Kind kind, const auto& placesOf) {
        path.grids.push_back(patching.grid(site, progress));
        path.steps.push_back({kind, placesOf(path.grids.back()), site});
    };
    add(PatchSite::ResidPre, FactStep::Kind::Tokens, tokenPlaces);
    if (clean.config().dFf > 0)
        add(PatchSite::MlpOut, FactStep::Kind::MlpLayers, layerPlaces);
    add(PatchSite::AttnOut, FactStep::Kind::AttnLayers, layerPlaces);
    add(PatchSite::HeadOut, FactStep::Kind::Heads,
        [&](const PatchGrid& grid) { return headPlaces(grid, clean, *row); });
    path.steps.push_back(lensStep(clean, *row, metric.token, path.topFrom));
    return path;
}

} // namespace headscope
