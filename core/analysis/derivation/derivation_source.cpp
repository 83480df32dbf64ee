#include "core/analysis/derivation/derivation_source.h"

#include "core/analysis/derivation/derivation_made.h"
#include "core/analysis/derivation/derivation_terms.h"
#include "core/analysis/derivation/pair_explanation.h"
#include "core/analysis/flow/contributions.h"
#include "core/analysis/lens/lens_head.h"
#include "core/base/error.h"
#include "core/model/config/mask_choice.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace headscope::derive_detail {

namespace {

void checkCell(const Shape& shape, const std::vector<std::int64_t>& index, const std::string& name)
{
    bool inside = static_cast<int>(index.size()) == shape.rank();
    for (std::size_t axis = 0; inside && axis < index.size(); ++axis)
        inside = index[axis] >= 0 && index[axis] < shape[static_cast<int>(axis)];
    if (!inside)
        throw ShapeError(
            fmt::format("cell [{}] in {} {}", fmt::join(index, ", "), name, shape.toString()),
            "derive");
}

double cellOf(TensorView view, const std::vector<std::int64_t>& index)
{
    std::int64_t offset = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis)
        offset = offset * view.shape[static_cast<int>(axis)] + index[axis];
    return double{view.data[offset]};
}

TraceKey patternOf(TraceKey scores)
{
    return {scores.site == Site::CrossScores ? Site::CrossPattern : Site::Pattern, scores.layer,
            scores.stack};
}

/// True for what one number reads of many tokens; of other sites it reads one row.
bool isReadAcrossTokens(Site site)
{
    return hasQueryRowsPerHead(site) || site == Site::Key || site == Site::RotatedKey ||
           site == Site::Value || hasSourceRows(site);
}

/// True for the residual stream at any point of a block.
bool isStream(Site site)
{
    return site == Site::ResidPre || site == Site::ResidMid || site == Site::ResidMidCross ||
           site == Site::ResidPost;
}

} // namespace

bool isLens(const NumberRef& number)
{
    return number.key.site != Site::Logits;
}

Source::Source(const Trace& shown, const Model& loaded)
    : trace(shown)
    , model(loaded)
    , config(loaded.config())
    , positions(config.positions)
    , base(config.positions == Positions::Rope ? config.rope.theta : config.sinusoidalBase)
{
    const auto settings = nlohmann::json::parse(trace.info().settings, nullptr, false);
    if (!settings.is_object() || !settings.contains("positions"))
        return;
    const PositionsChoice choice = parsePositions(settings["positions"].get<std::string>());
    positions = choice.kind;
    base = choice.base;
    replaced = true;
}

bool Source::hasParameter(const std::string& name) const
{
    return model.parameters().find(name) != nullptr;
}

std::optional<Shape> Source::shapeOf(TraceKey key) const
{
    const auto recorded = trace.shapeOf(key);
    if (recorded || !isScores(key.site))
        return recorded;
    const Site queries = key.site == Site::CrossScores ? Site::CrossQuery : Site::Query;
    return trace.has({queries, key.layer, key.stack}) ? trace.shapeOf(patternOf(key))
                                                      : std::nullopt;
}

const std::vector<double>& Source::scoreRow(TraceKey scores, std::int64_t head,
                                            std::int64_t query) const
{
    std::vector<double>& row = m_scores[{scores, head, query}];
    if (!row.empty())
        return row;
    if (const auto recorded = trace.find(scores)) {
        const TensorView values = recorded->view()[head][query];
        row.assign(values.data, values.data + values.shape[0]);
        return row;
    }
    const AttentionCell cell{.layer = scores.layer,
                             .head = static_cast<int>(head),
                             .query = query,
                             .stack = scores.stack,
                             .cross = scores.site == Site::CrossScores};
    const auto explained = explainRow(trace, cell, &model);
    if (!explained)
        throw Error("the trace does not contain " + toString(scores), "derive",
                    "Trace the text again with every site");
    for (const ScoreSteps& steps : explained->steps)
        row.push_back(steps.masked ? -std::numeric_limits<double>::infinity() : steps.score);
    return row;
}

double Source::activation(TraceKey key, const std::vector<std::int64_t>& index) const
{
    const auto shape = shapeOf(key);
    if (!shape)
        throw Error("the trace does not contain " + toString(key), "derive",
                    "Trace the text again with every site");
    checkCell(*shape, index, toString(key));
    if (isScores(key.site))
        return scoreRow(key, index[0], index[1])[static_cast<std::size_t>(index[2])];
    if (trace.retainedPatterns().contains(key)) // computed on demand: one head, not the layer
        return double{trace.findHead(key, static_cast<int>(index[0]))->view()(index[1], index[2])};
    if (isReadAcrossTokens(key.site))
        return cellOf(trace.find(key)->view(), index);
    const ActivationRows row = trace.findRows(key, index.front());
    std::vector<std::int64_t> inRow = index;
    inRow.front() = 0;
    return cellOf(row.view, inRow);
}

double Source::parameter(const std::string& name, const std::vector<std::int64_t>& index) const
{
    const TensorView values = model.parameters().view(name);
    checkCell(values.shape, index, name);
    return cellOf(values, index);
}

double Source::value(const NumberRef& number) const
{
    switch (number.kind) {
    case NumberRef::Kind::Activation:
        return activation(number.key, number.index);
    case NumberRef::Kind::Parameter:
        return parameter(number.name, number.index);
    case NumberRef::Kind::NormInput: {
        double total = 0.0;
        for (const Factor& part : normSummands(number))
            total += part.value;
        return total;
    }
    case NumberRef::Kind::Normed:
        return deriveNorm(*this, number).recomputed;
    case NumberRef::Kind::Constant:
        return number.scale;
    default:
        break;
    }
    return valueOfMade(*this, number);
}

Factor Source::factor(const std::string& name, NumberRef of) const
{
    const double known = value(of);
    return {name, known, std::move(of)};
}

Factor Source::at(const std::string& name, TraceKey key, std::vector<std::int64_t> index) const
{
    return factor(name, {NumberRef::Kind::Activation, key, {}, std::move(index)});
}

Factor Source::weight(const std::string& name, const std::string& parameterName,
                      std::vector<std::int64_t> index) const
{
    return factor(name, {NumberRef::Kind::Parameter, {}, parameterName, std::move(index)});
}

Factor Source::constant(const std::string& name, double value)
{
    NumberRef of{NumberRef::Kind::Constant, {}, name, {}};
    of.scale = value;
    return {name, value, std::move(of)};
}

std::string Source::prefix(TraceKey key) const
{
    const char* const name =
        key.stack == Stack::Blocks ? "h" : (key.stack == Stack::Encoder ? "enc" : "dec");
    return fmt::format("{}.{}", name, key.layer);
}

std::int64_t Source::tokenCount(TraceKey key) const
{
    return static_cast<std::int64_t>(key.stack == Stack::Encoder ? trace.sourceTokens().size()
                                                                 : trace.tokens().size());
}

std::vector<Factor> Source::normSummands(const NumberRef& input) const
{
    const std::string& norm = input.name;
    const std::int64_t token = input.index.at(0);
    const std::int64_t channel = input.index.at(1);
    const auto ending = [&norm](std::string_view end) { return norm.ends_with(end); };
    const TraceKey place = input.key;
    const auto site = [&](Site which) { return TraceKey{which, place.layer, place.stack}; };
    const bool post = config.normPosition == NormPosition::Post;
    std::vector<std::pair<const char*, TraceKey>> parts;
    if (ending("ln_emb")) {
        const Stack stack = place.stack == Stack::Encoder ? Stack::Encoder : Stack::Blocks;
        parts = {{"embedding", {Site::Embed, 0, stack}}, {"position", {Site::PosEmbed, 0, stack}}};
    } else if (ending("ln_f") && isStream(place.site)) { // a lens
        parts = {{"x", place}};
    } else if (ending("ln_f")) {
        const bool decoder = config.isEncoderDecoder() && place.stack != Stack::Encoder;
        const auto layers = static_cast<int>(decoder ? config.decoderLayerCount() : config.layers);
        parts = {{"x", {Site::ResidPost, layers - 1, decoder ? Stack::Decoder : place.stack}}};
        if (layers == 0)
            parts = {{"embedding", {Site::Embed, 0, decoder ? Stack::Blocks : place.stack}},
                     {"position", {Site::PosEmbed, 0, decoder ? Stack::Blocks : place.stack}}};
    } else if (ending("ln1")) {
        parts = {{"x", site(Site::ResidPre)}};
        if (post)
            parts.push_back({"attention", site(Site::AttnOut)});
    } else if (ending("ln_cross")) {
        parts = {{"x", site(Site::ResidMid)}};
        if (post)
            parts.push_back({"cross-attention", site(Site::CrossOut)});
    } else {
        const bool crosses = place.stack == Stack::Decoder;
        const bool parallel = config.isParallel();
        parts = {{"x", site(parallel  ? Site::ResidPre
                            : crosses ? Site::ResidMidCross
                                      : Site::ResidMid)}};
        if (post)
            parts.push_back({"feed-forward", site(Site::MlpOut)});
    }
    if (post && parts.size() > 1 && !config.hasResidual() && isStream(parts.front().second.site))
        parts.erase(parts.begin());
    std::vector<Factor> summands;
    for (const auto& [name, key] : parts) {
        if (has(key))
            summands.push_back(at(name, key, {token, channel}));
    }
    if (parts.front().second.site == Site::Embed && hasParameter("type_emb.weight"))
        summands.push_back(weight("segment 0", "type_emb.weight", {0, channel}));
    return summands;
}

std::vector<double> Source::normInputRow(const NumberRef& norm) const
{
    std::vector<double> row;
    NumberRef input = norm;
    input.kind = NumberRef::Kind::NormInput;
    const bool isEmbedding = norm.name.ends_with("ln_emb");
    const std::int64_t width = isEmbedding ? config.embeddingDim() : config.dModel;
    for (std::int64_t channel = 0; channel < width; ++channel) {
        input.index[1] = channel;
        row.push_back(value(input));
    }
    return row;
}

NumberRef Source::sublayerInput(TraceKey key, const char* norm, Site stream,
                                std::int64_t token) const
{
    const bool shared = config.sharedNorm && std::string_view(norm) == "ln2";
    const bool readsStream = std::string_view(norm) == "ln1" && key.stack == Stack::Blocks &&
                             !config.normsAttentionInput(key.layer);
    if (config.normsInput() && !readsStream)
        return {NumberRef::Kind::Normed,
                key,
                prefix(key) + (shared ? ".ln1" : "." + std::string(norm)),
                {token, 0}};
    return {NumberRef::Kind::Activation, {stream, key.layer, key.stack}, {}, {token, 0}};
}

std::vector<double> Source::logitsOf(const NumberRef& probability) const
{
    const std::int64_t token = probability.index.at(0);
    activation(probability.key, {token, 0}); // throws where the trace has none
    const ActivationRows row = trace.findRows(probability.key, token);
    if (!isLens(probability))
        return {row[0].begin(), row[0].end()};
    const Tensor logits = lensLogits(model, row.view);
    return {logits.values().begin(), logits.values().end()};
}

double Source::contribution(const NumberRef& number) const
{
    const std::int64_t query = number.index.at(0);
    const auto found = m_contributions.find({number.key, query});
    if (found == m_contributions.end()) {
        Tensor parts = tokenParts(trace, model, {number.key.stack, number.key.layer, false}, query);
        m_contributions.emplace(std::pair(number.key, query), std::move(parts));
        return contribution(number);
    }
    const TensorView view = found->second.view();
    const std::int64_t key = number.index.at(1);
    const std::int64_t channel = number.index.at(2);
    if (key < 0 || channel < 0 || key >= view.shape[0] || channel >= view.shape[1])
        throw ShapeError(fmt::format("channel {} of token {}", channel, key), "derive");
    return double{view(key, channel)};
}

} // namespace headscope::derive_detail
