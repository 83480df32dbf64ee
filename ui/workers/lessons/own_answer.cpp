#include "ui/workers/lessons/own_answer.h"

#include "core/generate/generator.h"

#include <algorithm>

namespace headscope::ui {

namespace {

/// Maximum length in tokens, so that generating does not delay typing.
constexpr std::int64_t kLongest = 64;
constexpr std::size_t kRemembered = 8;

} // namespace

std::string OwnAnswer::of(const LoadedModel& model, AttentionBackend& backend,
                          const TokenSequence& source, const std::stop_token& stop)
{
    std::vector<TokenId> ids = source.ids();
    const auto longest = static_cast<std::size_t>(model.model->config().maxLen);
    ids.resize(std::min(ids.size(), longest));
    const auto known = std::find_if(m_known.begin(), m_known.end(), [&](const Known& entry) {
        return entry.model == model.model && entry.source == ids;
    });
    if (known != m_known.end())
        return known->answer;
    GenerationSettings settings;
    settings.maxTokens = std::min<std::int64_t>(kLongest, model.model->config().maxLen - 1);
    settings.sampling.temperature = 0.0;
    settings.topCandidates = 0;
    m_known.push_back({model.model, ids, generate(model, backend, ids, settings, {}, stop).text});
    if (m_known.size() > kRemembered)
        m_known.pop_front();
    return m_known.back().answer;
}

} // namespace headscope::ui
