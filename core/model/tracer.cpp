#include "core/model/tracer.h"

#include "core/base/error.h"
#include "core/model/mask_choice.h"
#include "core/trace/trace_recorder.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

namespace headscope {

namespace {

constexpr int kSiteCount = static_cast<int>(Site::Logits) + 1;

std::vector<TraceKey> wantedKeys(const TraceRequest& request, int layers)
{
    std::vector<TraceKey> keys;
    for (int site = 0; site < kSiteCount; ++site) {
        const int count = isPerLayer(static_cast<Site>(site)) ? layers : 1;
        for (int layer = 0; layer < count; ++layer) {
            const TraceKey key{static_cast<Site>(site), layer};
            if (request.wants(key))
                keys.push_back(key);
        }
    }
    return keys;
}

const Model& modelOf(const LoadedModel& loaded)
{
    if (!loaded.model)
        throw Error("a tracer without a model", "Tracer");
    return *loaded.model;
}

std::int64_t commonPrefix(const std::vector<TokenId>& a, const std::vector<TokenId>& b)
{
    const auto [end, other] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    return end - a.begin();
}

} // namespace

bool TraceRequest::wants(TraceKey key) const
{
    const std::string name = toString(key);
    return std::any_of(sites.begin(), sites.end(),
                       [&](const std::string& glob) { return matchesGlob(glob, name); });
}

TraceRequest TraceRequest::everything()
{
    return {{"*"}};
}

TraceRequest TraceRequest::forViews()
{
    return {{"blocks.*.attn.hook_q", "blocks.*.attn.hook_k", "blocks.*.attn.hook_v",
             "blocks.*.attn.hook_pattern", "blocks.*.hook_resid_*", "logits"}};
}

Tracer::Tracer(LoadedModel model, std::unique_ptr<AttentionBackend> backend)
    : m_model(std::move(model))
    , m_backend(std::move(backend))
    , m_cache(modelOf(m_model).config())
{
    if (!m_backend)
        throw Error("a tracer without an attention backend", "Tracer");
}

TracePtr Tracer::trace(const TokenSequence& tokens, const TraceRequest& request,
                       const Interventions& interventions, std::stop_token stop)
{
    TraceInfo info;
    info.model = m_model.name;
    info.textTokens = static_cast<std::int64_t>(tokens.size());
    TokenSequence shown = runnable(tokens);
    std::vector<TokenId> ids = shown.ids();
    nlohmann::json settings =
        settingsJson(m_model.model->config(), static_cast<std::int64_t>(ids.size()), interventions);

    reusePrefix(ids, request, interventions, settings.dump());
    info.newTokens = static_cast<std::int64_t>(ids.size()) - m_cache.size();
    TraceRecorder recorder(m_wanted, static_cast<std::int64_t>(ids.size()),
                           m_cache.size() > 0 ? m_last : nullptr);
    const auto start = std::chrono::steady_clock::now();
    m_model.model->forward(ids, *m_backend, m_cache, &recorder, interventions, std::move(stop));
    Trace::Activations activations = recorder.take();
    info.forwardMs =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    info.device = m_backend->describe();
    m_lastSettings = settings.dump();
    settings["device"] = info.device;
    info.settings = settings.dump();
    m_lastIds = std::move(ids);
    m_last =
        std::make_shared<const Trace>(std::move(shown), std::move(activations), std::move(info));
    return m_last;
}

void Tracer::forget()
{
    m_cache.truncate(0);
    m_last.reset();
}

TokenSequence Tracer::runnable(const TokenSequence& tokens) const
{
    TokenSequence shown = tokens;
    const auto most = static_cast<std::size_t>(m_model.model->config().maxLen);
    if (shown.tokens.size() > most)
        shown.tokens.resize(most);
    if (shown.tokens.empty()) {
        const auto end = m_model.tokenizer ? m_model.tokenizer->endOfText() : std::nullopt;
        shown.tokens.push_back({end.value_or(0), {0, 0}, true});
    }
    return shown;
}

/// Leaves in the cache what the last trace and this one have in common.
void Tracer::reusePrefix(const std::vector<TokenId>& ids, const TraceRequest& request,
                         const Interventions& interventions, const std::string& settings)
{
    if (!m_last || request.sites != m_lastSites) {
        m_wanted = wantedKeys(request, static_cast<int>(m_model.model->config().layers));
        const bool recorded =
            m_last && std::all_of(m_wanted.begin(), m_wanted.end(),
                                  [&](TraceKey key) { return m_last->find(key); });
        m_lastSites = request.sites;
        if (!recorded)
            forget();
    }
    if (!m_last || !keepsPrefixes(m_model.model->config(), interventions) ||
        settings != m_lastSettings)
        m_cache.truncate(0);
    else
        m_cache.truncate(std::min(m_cache.size(), commonPrefix(m_lastIds, ids)));
}

} // namespace headscope
