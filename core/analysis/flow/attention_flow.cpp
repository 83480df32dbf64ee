#include "core/analysis/flow/attention_flow.h"

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/base/stop.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace headscope {

namespace {

constexpr double kNothing = 1e-12; ///< Rounding error of fractions that sum to 1.

/// Dinic's algorithm on the layered graph. The remaining capacity of an edge from (level + 1, i) to
/// (level, j) and the flow that may be returned along it are in two matrices per layer, so that no
/// edge lists are needed. Node (level, token) has the number level * n + token; flow runs from the
/// highest level down.
class LayeredFlow
{
public:
    LayeredFlow(std::span<const Tensor> mixing, std::int64_t query, std::int64_t key,
                const std::stop_token& stop)
        : m_layers(mixing.size())
        , m_tokens(static_cast<std::size_t>(mixing.front().shape()[0]))
        , m_source(m_layers * m_tokens + static_cast<std::size_t>(query))
        , m_sink(static_cast<std::size_t>(key))
        , m_stop(stop)
    {
        const std::size_t cells = m_tokens * m_tokens;
        m_forward.resize(m_layers * cells);
        m_back.resize(m_layers * cells);
        for (std::size_t layer = 0; layer < m_layers; ++layer)
            std::copy_n(mixing[layer].data(), cells, &m_forward[layer * cells]);
    }

    double largest()
    {
        double flow = 0.0;
        while (findDepths()) {
            m_next.assign((m_layers + 1) * m_tokens, 0);
            while (const double sent = sendAlongOnePath())
                flow += sent;
        }
        return flow;
    }

private:
    /// Edges of a node: the first n go down a level, the others back up.
    bool goesDown(std::size_t edge) const { return edge < m_tokens; }

    bool exists(std::size_t node, std::size_t edge) const
    {
        const std::size_t level = node / m_tokens;
        return goesDown(edge) ? level > 0 : level < m_layers;
    }

    std::size_t target(std::size_t node, std::size_t edge) const
    {
        const std::size_t level = node / m_tokens;
        return goesDown(edge) ? (level - 1) * m_tokens + edge
                              : (level + 1) * m_tokens + (edge - m_tokens);
    }

    /// Index of an edge's cell in both matrices.
    std::size_t cellOf(std::size_t node, std::size_t edge) const
    {
        const std::size_t level = node / m_tokens;
        const std::size_t token = node % m_tokens;
        return goesDown(edge) ? ((level - 1) * m_tokens + token) * m_tokens + edge
                              : (level * m_tokens + (edge - m_tokens)) * m_tokens + token;
    }

    double& leftOf(std::size_t node, std::size_t edge)
    {
        return (goesDown(edge) ? m_forward : m_back)[cellOf(node, edge)];
    }

    double& reverseOf(std::size_t node, std::size_t edge)
    {
        return (goesDown(edge) ? m_back : m_forward)[cellOf(node, edge)];
    }

    /// Breadth first from the source; false when the sink is out of reach.
    bool findDepths()
    {
        throwIfStopped(m_stop);
        m_depth.assign((m_layers + 1) * m_tokens, kUnreached);
        m_depth[m_source] = 0;
        std::vector<std::size_t> queue{m_source};
        for (std::size_t done = 0; done < queue.size() && m_depth[m_sink] == kUnreached; ++done) {
            const std::size_t node = queue[done];
            for (std::size_t edge = 0; edge < 2 * m_tokens; ++edge) {
                if (!exists(node, edge) || leftOf(node, edge) <= kNothing)
                    continue;
                const std::size_t to = target(node, edge);
                if (m_depth[to] == kUnreached) {
                    m_depth[to] = m_depth[node] + 1;
                    queue.push_back(to);
                }
            }
        }
        return m_depth[m_sink] != kUnreached;
    }

    /// Moves m_next of a node on to an edge that leads one deeper; false when there is none left.
    bool findEdge(std::size_t node)
    {
        for (std::size_t& edge = m_next[node]; edge < 2 * m_tokens; ++edge)
            if (exists(node, edge) && m_depth[target(node, edge)] == m_depth[node] + 1 &&
                leftOf(node, edge) > kNothing)
                return true;
        return false;
    }

    /// The capacity of one more augmenting path; 0 when this phase has none.
    double sendAlongOnePath()
    {
        std::vector<std::size_t> path{m_source};
        while (path.back() != m_sink) {
            if (findEdge(path.back())) {
                path.push_back(target(path.back(), m_next[path.back()]));
                continue;
            }
            path.pop_back(); // a dead end
            if (path.empty())
                return 0.0;
            ++m_next[path.back()];
        }
        path.pop_back();
        double least = std::numeric_limits<double>::infinity();
        for (const std::size_t node : path)
            least = std::min(least, leftOf(node, m_next[node]));
        for (const std::size_t node : path) {
            leftOf(node, m_next[node]) -= least;
            reverseOf(node, m_next[node]) += least;
        }
        return least;
    }

    static constexpr std::size_t kUnreached = std::numeric_limits<std::size_t>::max();

    std::size_t m_layers;
    std::size_t m_tokens;
    std::size_t m_source;
    std::size_t m_sink;
    std::stop_token m_stop;
    std::vector<double>
        m_forward; ///< [layers, n, n]: remaining capacity of the edge (layer + 1, i) -> (layer, j).
    std::vector<double> m_back; ///< Current flow along the edge.
    std::vector<std::size_t> m_depth;
    std::vector<std::size_t> m_next; ///< Next edge of each node in this phase.
};

void requireLayers(std::span<const Tensor> mixing, std::int64_t largest)
{
    if (mixing.empty())
        throw ShapeError("no layers", "attentionFlow", "Give at least one matrix");
    const Shape shape = mixing.front().shape();
    for (const Tensor& layer : mixing)
        if (layer.shape().rank() != 2 || layer.shape()[0] != layer.shape()[1] ||
            layer.shape() != shape)
            throw ShapeError(
                fmt::format("matrix {} next to {}", layer.shape().toString(), shape.toString()),
                "attentionFlow", "Give [tokens, tokens] for every layer");
    if (shape[0] > largest)
        throw Error(fmt::format("a text of {} tokens", shape[0]), "attentionFlow",
                    fmt::format("Its exact flow would take too long: shorten the text to {} tokens "
                                "or use attention rollout",
                                largest));
}

} // namespace

std::vector<double> attentionFlowToAll(std::span<const Tensor> mixing, std::int64_t query,
                                       const std::stop_token& stop, std::int64_t largest)
{
    requireLayers(mixing, largest);
    const std::int64_t tokens = mixing.front().shape()[0];
    if (query < 0 || query >= tokens)
        throw ShapeError(fmt::format("token {} of {}", query, tokens), "attentionFlow");
    std::vector<double> flows(static_cast<std::size_t>(tokens));
    parallelFor(
        flows.size(), std::min(flows.size(), 8 * workerCount()),
        [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t key = begin; key < end; ++key)
                flows[key] =
                    LayeredFlow(mixing, query, static_cast<std::int64_t>(key), stop).largest();
        });
    return flows;
}

} // namespace headscope
