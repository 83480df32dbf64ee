#include "core/train/measures/ngram_baseline.h"

#include "core/base/error.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace headscope {

namespace {

std::uint64_t childKey(std::uint32_t parent, TokenId token)
{
    return static_cast<std::uint64_t>(parent) << 32 | static_cast<std::uint32_t>(token);
}

} // namespace

NgramBaseline::NgramBaseline(std::span<const TokenId> tokens, int order,
                             std::int64_t vocabularySize)
    : m_order(order)
    , m_vocabularySize(vocabularySize)
    , m_nodes(2)
    , m_discounts(static_cast<std::size_t>(kHighestOrder) + 1, 0.0)
{
    if (order < 1 || order > kHighestOrder)
        throw Error(fmt::format("n-grams of order {}", order), "NgramBaseline",
                    "Use an order from 1 to 5");
    const auto outside = [&](TokenId id) { return id < 0 || id >= vocabularySize; };
    if (std::any_of(tokens.begin(), tokens.end(), outside))
        throw Error(fmt::format("a token is not in the vocabulary of {}", vocabularySize),
                    "NgramBaseline");
    countTokens(tokens);
    summarise();
}

void NgramBaseline::countTokens(std::span<const TokenId> tokens)
{
    m_children.reserve(tokens.size());
    std::vector<std::uint32_t> suffixes{kRoot};
    for (const TokenId token : tokens)
        countToken(token, suffixes);
}

/// `suffixes` contains the nodes of the last 0, 1, 2 ... tokens, before and after the call.
void NgramBaseline::countToken(TokenId token, std::vector<std::uint32_t>& suffixes)
{
    std::vector<std::uint32_t> extended{kRoot};
    const std::size_t longest = std::min(suffixes.size(), static_cast<std::size_t>(m_order));
    for (std::size_t length = 0; length < longest; ++length) {
        const auto created = static_cast<std::uint32_t>(m_nodes.size());
        const auto [entry, isNew] =
            m_children.try_emplace(childKey(suffixes[length], token), created);
        const auto depth = static_cast<std::int32_t>(length) + 1;
        if (isNew) {
            m_nodes.push_back({suffixes[length], depth, 0, 0, 0});
            if (length > 0)
                ++m_nodes[extended[length]].count; // a predecessor that is new
        }
        if (depth == m_order)
            ++m_nodes[entry->second].count;
        extended.push_back(entry->second);
    }
    suffixes = std::move(extended);
}

void NgramBaseline::summarise()
{
    std::array<std::array<double, 3>, kHighestOrder + 1> seenTimes{};
    for (const Node& node : m_nodes) {
        if (node.depth == 0 || node.count == 0)
            continue;
        m_nodes[node.parent].following += node.count;
        ++m_nodes[node.parent].kinds;
        if (node.count <= 2)
            ++seenTimes[node.depth][node.count];
    }
    for (std::size_t depth = 1; depth <= kHighestOrder; ++depth) {
        const double once = seenTimes[depth][1];
        const double twice = seenTimes[depth][2];
        m_discounts[depth] = once > 0.0 ? once / (once + 2.0 * twice) : 0.5; // 0 would leave gaps
    }
}

std::uint32_t NgramBaseline::find(std::uint32_t parent, TokenId token) const
{
    const auto found = m_children.find(childKey(parent, token));
    return found == m_children.end() ? kNone : found->second;
}

std::uint32_t NgramBaseline::findContext(std::span<const TokenId> context) const
{
    std::uint32_t node = kRoot;
    for (const TokenId token : context) {
        node = find(node, token);
        if (node == kNone)
            break;
    }
    return node;
}

double NgramBaseline::probability(std::span<const TokenId> context, TokenId token) const
{
    if (token < 0 || token >= m_vocabularySize)
        throw Error(fmt::format("token {} is not in the vocabulary of {}", token, m_vocabularySize),
                    "NgramBaseline::probability");
    double probability = 1.0 / static_cast<double>(m_vocabularySize);
    const std::size_t longest = std::min(context.size(), static_cast<std::size_t>(m_order) - 1);
    for (std::size_t length = 0; length <= longest; ++length) {
        const std::uint32_t index = findContext(context.last(length));
        if (index == kNone || m_nodes[index].following == 0)
            break; // a longer context was not seen either
        const Node& node = m_nodes[index];
        const std::uint32_t gram = find(index, token);
        const double discount = m_discounts[length + 1];
        const double count = gram == kNone ? 0.0 : static_cast<double>(m_nodes[gram].count);
        probability = (std::max(count - discount, 0.0) +
                       discount * static_cast<double>(node.kinds) * probability) /
                      static_cast<double>(node.following);
    }
    return probability;
}

double NgramBaseline::validationLoss(const BatchSource& batches) const
{
    double sum = 0.0;
    std::int64_t count = 0;
    for (std::int64_t index = 0; index < batches.validationBatchCount(); ++index) {
        const Batch batch = batches.validationBatch(index);
        const std::span<const TokenId> inputs(batch.inputs);
        for (std::size_t i = 0; i < batch.targets.size(); ++i) {
            if (batch.targets[i] == kIgnoredTarget)
                continue;
            const std::size_t inRow = i % static_cast<std::size_t>(batch.length) + 1;
            sum -= std::log(probability(inputs.subspan(i + 1 - inRow, inRow), batch.targets[i]));
            ++count;
        }
    }
    return count == 0 ? std::nan("") : sum / static_cast<double>(count);
}

} // namespace headscope
