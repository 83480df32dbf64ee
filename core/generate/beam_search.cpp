#include "core/generate/beam_search.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <utility>

namespace headscope {

namespace {

constexpr const char* kWhere = "beamSearch";
constexpr int kMaxBeams = 256;
constexpr double kMaxLengthPenalty = 10.0;

struct Beam
{
    DecodingState state;
    std::vector<TokenId> ids;
    int node = -1;
    double sum = 0.0;
};

/// A continuation of one of the beams.
struct Continuation
{
    std::size_t beam = 0;
    BeamNode node;
};

bool isBetter(const Continuation& a, const Continuation& b)
{
    return a.node.sum > b.node.sum;
}

/// Logarithm of the softmax, in double.
std::vector<double> logProbabilities(std::span<const float> logits)
{
    const auto largest = static_cast<double>(*std::max_element(logits.begin(), logits.end()));
    if (!std::isfinite(largest) ||
        std::any_of(logits.begin(), logits.end(), [](float x) { return std::isnan(x); }))
        throw Error("a logit is not a finite number", kWhere, "The model's weights may be damaged");
    double sum = 0.0;
    for (const float logit : logits)
        sum += std::exp(static_cast<double>(logit) - largest);
    std::vector<double> result(logits.begin(), logits.end());
    for (double& value : result)
        value -= largest + std::log(sum);
    return result;
}

class Search
{
public:
    Search(const DecodingState& start, std::span<const TokenId> prompt,
           const BeamSettings& settings, std::stop_token stop)
        : m_settings(settings)
        , m_width(static_cast<std::size_t>(settings.beams))
        , m_promptSize(prompt.size())
        , m_stop(std::move(stop))
    {
        m_beams.push_back({start, {prompt.begin(), prompt.end()}, -1, 0.0});
    }

    BeamSearch run(const std::function<void(std::span<const BeamNode>)>& onStep)
    {
        const std::int64_t room = m_beams.front().state.room(m_promptSize);
        const std::int64_t limit = std::min(m_settings.maxTokens, room);
        m_result.end =
            room < m_settings.maxTokens ? GenerationEnd::MaxLen : GenerationEnd::MaxTokens;
        for (std::int64_t made = 1; made <= limit; ++made) {
            const std::size_t first = m_result.nodes.size();
            select(bestContinuations(static_cast<int>(made - 1)), made == limit);
            if (onStep)
                onStep(std::span(m_result.nodes).subspan(first));
            if (made < limit && !canImprove(made)) {
                m_result.end = GenerationEnd::EndOfText;
                break;
            }
        }
        return std::move(m_result);
    }

private:
    /// Selects the 2 K continuations with the largest sums; of equal ones the better beam's and the
    /// lower id first.
    std::vector<Continuation> bestContinuations(int step)
    {
        std::vector<Continuation> best;
        for (std::size_t beam = 0; beam < m_beams.size(); ++beam) {
            std::vector<Continuation> more = continuationsOf(beam, step);
            const auto middle = best.insert(best.end(), more.begin(), more.end());
            std::inplace_merge(best.begin(), middle, best.end(), isBetter);
            best.resize(std::min(best.size(), 2 * m_width));
        }
        return best;
    }

    std::vector<Continuation> continuationsOf(std::size_t beam, int step)
    {
        Beam& parent = m_beams[beam];
        std::vector<double> scores =
            logProbabilities(parent.state.logitsAfter(parent.ids, m_stop).values());
        if (m_settings.repetitionPenalty != 1.0)
            penaliseRepetition(scores, parent.ids, m_settings.repetitionPenalty);
        std::vector<TokenId> order(scores.size());
        std::iota(order.begin(), order.end(), 0);
        const auto wanted = static_cast<std::ptrdiff_t>(std::min(2 * m_width, order.size()));
        const auto scoreOf = [&](TokenId id) { return scores[static_cast<std::size_t>(id)]; };
        std::partial_sort(order.begin(), order.begin() + wanted, order.end(),
                          [&](TokenId a, TokenId b) {
                              return std::pair(-scoreOf(a), a) < std::pair(-scoreOf(b), b);
                          });
        std::vector<Continuation> continuations;
        for (const TokenId id : std::span(order).first(static_cast<std::size_t>(wanted)))
            if (std::isfinite(scoreOf(id))) // a token of probability 0 is never sampled
                continuations.push_back(
                    {beam, {id, parent.node, step, scoreOf(id), parent.sum + scoreOf(id)}});
        return continuations;
    }

    /// Decides which of them finish and which become the next beams.
    void select(const std::vector<Continuation>& ranked, bool isLast)
    {
        std::vector<std::pair<std::size_t, int>> kept; // beam, node
        for (std::size_t rank = 0; rank < ranked.size(); ++rank) {
            const int node = static_cast<int>(m_result.nodes.size());
            m_result.nodes.push_back(ranked[rank].node);
            const bool ends = ranked[rank].node.token == m_settings.endOfText;
            BeamNode::Fate& fate = m_result.nodes.back().fate;
            if (ends || isLast) {
                if (rank < m_width) {
                    fate = BeamNode::Fate::Finished;
                    finish(m_beams[ranked[rank].beam].ids, node, ends);
                }
            } else if (kept.size() < m_width) {
                fate = BeamNode::Fate::Kept;
                kept.emplace_back(ranked[rank].beam, node);
            }
        }
        advance(kept);
    }

    void finish(const std::vector<TokenId>& parentIds, int node, bool endOfText)
    {
        const BeamNode& last = m_result.nodes[static_cast<std::size_t>(node)];
        BeamHypothesis done;
        done.ids = parentIds;
        done.ids.push_back(last.token);
        done.newTokens = last.step + 1;
        done.sum = last.sum;
        done.score = scoreAfter(last.sum, done.newTokens);
        done.node = node;
        done.endOfText = endOfText;
        std::vector<BeamHypothesis>& all = m_result.hypotheses;
        const auto place = std::upper_bound(
            all.begin(), all.end(), done.score,
            [](double score, const BeamHypothesis& other) { return score > other.score; });
        all.insert(place, std::move(done));
        all.resize(std::min(all.size(), m_width));
    }

    /// Moves a beam's state to its last child and copies it for the others.
    void advance(const std::vector<std::pair<std::size_t, int>>& kept)
    {
        std::vector<std::size_t> children(m_beams.size());
        for (const auto& [beam, node] : kept)
            ++children[beam];
        std::vector<Beam> next;
        next.reserve(kept.size());
        for (const auto& [beam, node] : kept) {
            Beam& parent = m_beams[beam];
            next.push_back(--children[beam] == 0 ? std::move(parent) : parent);
            const BeamNode& taken = m_result.nodes[static_cast<std::size_t>(node)];
            next.back().ids.push_back(taken.token);
            next.back().node = node;
            next.back().sum = taken.sum;
        }
        m_beams = std::move(next);
    }

    bool canImprove(std::int64_t made) const
    {
        if (m_beams.empty())
            return false;
        return m_result.hypotheses.size() < m_width ||
               scoreAfter(m_beams.front().sum, made) > m_result.hypotheses.back().score;
    }

    double scoreAfter(double sum, std::int64_t newTokens) const
    {
        return sum / std::pow(static_cast<double>(newTokens), m_settings.lengthPenalty);
    }

    const BeamSettings& m_settings;
    const std::size_t m_width;
    const std::size_t m_promptSize;
    const std::stop_token m_stop;
    std::vector<Beam> m_beams; ///< Best first.
    BeamSearch m_result;
};

} // namespace

void validate(const BeamSettings& settings)
{
    if (settings.beams < 1 || settings.beams > kMaxBeams)
        throw Error(fmt::format("{} beams", settings.beams), kWhere,
                    fmt::format("Use {}", settings.beams < 1 ? 1 : kMaxBeams));
    if (settings.maxTokens < 0)
        throw Error(fmt::format("{} new tokens", settings.maxTokens), kWhere, "Use 0 or more");
    const double penalty = settings.lengthPenalty;
    if (!(std::abs(penalty) <= kMaxLengthPenalty))
        throw Error(fmt::format("a length penalty of {}", penalty), kWhere,
                    fmt::format("Use {}", std::isnan(penalty)
                                              ? 1.0
                                              : std::copysign(kMaxLengthPenalty, penalty)));
    SamplingSettings sampling;
    sampling.repetitionPenalty = settings.repetitionPenalty;
    validate(sampling);
}

std::span<const BeamNode> BeamSearch::candidates(int step) const
{
    const auto [first, last] =
        std::equal_range(nodes.begin(), nodes.end(), BeamNode{.step = step},
                         [](const BeamNode& a, const BeamNode& b) { return a.step < b.step; });
    return {first, last};
}

std::vector<TokenId> BeamSearch::tokensTo(int node) const
{
    std::vector<TokenId> tokens;
    for (; node >= 0; node = nodes.at(static_cast<std::size_t>(node)).parent)
        tokens.push_back(nodes.at(static_cast<std::size_t>(node)).token);
    std::reverse(tokens.begin(), tokens.end());
    return tokens;
}

BeamSearch beamSearch(const DecodingState& start, std::span<const TokenId> prompt,
                      const BeamSettings& settings,
                      const std::function<void(std::span<const BeamNode>)>& onStep,
                      const std::stop_token& stop)
{
    validate(settings);
    if (prompt.empty())
        throw ShapeError("no tokens to start from", kWhere);
    return Search(start, prompt, settings, stop).run(onStep);
}

} // namespace headscope
