#include "core/model/pass/tracer.h"

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/model/config/mask_choice.h"
#include "core/model/pass/layer_replay.h"
#include "core/model/pass/recording_plan.h"
#include "core/text/text_pair.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace headscope {

namespace {

constexpr std::size_t kWindowBudget = std::size_t{512} << 20;
constexpr int kSiteCount = static_cast<int>(Site::Logits) + 1;

std::vector<TraceKey> wantedKeys(const TraceRequest& request, const ModelConfig& config)
{
    std::vector<TraceKey> keys;
    for (int site = 0; site < kSiteCount; ++site) {
        for (const Stack stack : {Stack::Blocks, Stack::Encoder, Stack::Decoder}) {
            const bool perLayer = isPerLayer(static_cast<Site>(site));
            const std::int64_t count =
                perLayer ? layerCount(config, stack) : (stack == Stack::Decoder ? 0 : 1);
            for (int layer = 0; layer < count; ++layer) {
                const TraceKey key{static_cast<Site>(site), layer, stack};
                if (request.wants(key))
                    keys.push_back(key);
            }
        }
    }
    std::sort(keys.begin(), keys.end());
    return keys;
}

const Model& modelOf(const LoadedModel& loaded)
{
    if (!loaded.model)
        throw Error("a tracer without a model", "Tracer");
    return *loaded.model;
}

bool hasTwoStacks(const LoadedModel& loaded)
{
    return loaded.model->config().isEncoderDecoder();
}

bool sameIds(const TokenSequence& a, const TokenSequence& b)
{
    return std::equal(a.tokens.begin(), a.tokens.end(), b.tokens.begin(), b.tokens.end(),
                      [](const Token& one, const Token& other) { return one.id == other.id; });
}

std::int64_t commonPrefix(const TokenSequence& a, const TokenSequence& b)
{
    const auto [end, other] =
        std::mismatch(a.tokens.begin(), a.tokens.end(), b.tokens.begin(), b.tokens.end(),
                      [](const Token& one, const Token& two) { return one.id == two.id; });
    return end - a.tokens.begin();
}

/// Reports the number of completed layers to a listener.
class LayerCounter : public ActivationObserver
{
public:
    LayerCounter(TraceRecorder& recorder, const ModelConfig& config,
                 const std::function<void(double)>& listener)
        : m_recorder(recorder)
        , m_listener(listener)
        , m_encoderLayers(headscope::layerCount(config, Stack::Encoder))
        , m_layers(m_encoderLayers + headscope::layerCount(config, Stack::Blocks) +
                   headscope::layerCount(config, Stack::Decoder))
    {
    }

    bool wants(TraceKey key) const override { return m_recorder.wants(key); }

    void record(TraceKey key, TensorView activation, std::int64_t firstRow) override
    {
        tell(key);
        m_recorder.record(key, activation, firstRow);
    }

    bool keepsOperands(TraceKey key) const override { return m_recorder.keepsOperands(key); }

    void recordOperands(TraceKey key, const AttentionInputs& inputs, std::int64_t firstRow) override
    {
        tell(key);
        m_recorder.recordOperands(key, inputs, firstRow);
    }

private:
    void tell(TraceKey key)
    {
        const std::int64_t before = key.stack == Stack::Decoder ? m_encoderLayers : 0;
        const std::int64_t passed = before + key.layer;
        if (!m_listener || !isPerLayer(key.site) || passed <= m_passed)
            return;
        m_passed = passed;
        m_listener(static_cast<double>(passed) / static_cast<double>(m_layers));
    }

    TraceRecorder& m_recorder;
    const std::function<void(double)>& m_listener;
    std::int64_t m_encoderLayers;
    std::int64_t m_layers;
    std::int64_t m_passed = 0;
};

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
    return {{"*attn.hook_q", "*attn.hook_k", "*attn.hook_rot_q", "*attn.hook_rot_k", "*attn.hook_v",
             "*attn.hook_z", "*attn.hook_pattern", "*hook_embed", "*hook_pos_embed",
             "*.hook_resid_*", "*.hook_*_out", "*mlp.hook_router_probs", "*mlp.hook_expert_weights",
             "logits", "next_sentence_logits"}};
}

TraceRequest TraceRequest::forWindow()
{
    TraceRequest request = forViews();
    request.patternBudget = kWindowBudget;
    request.activationBudget = kWindowBudget;
    return request;
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
    if (hasTwoStacks(m_model))
        throw Error("an encoder-decoder needs two texts", "Tracer::trace",
                    "Provide a source and a target");
    TraceInfo info;
    info.textTokens = std::ssize(tokens);
    ForwardOptions options;
    options.interventions = &interventions;
    options.stop = std::move(stop);
    return run({{}, runnable(tokens)}, std::move(info), request, options);
}

TracePtr Tracer::trace(const SourceAndTarget& texts, const TraceRequest& request,
                       const Interventions& interventions, std::stop_token stop)
{
    if (!hasTwoStacks(m_model))
        throw Error("a source and a target were given, but the model has one stack",
                    "Tracer::trace", "Provide one text");
    TraceInfo info;
    info.textTokens = std::ssize(texts.target);
    info.sourceTextTokens = std::ssize(texts.source);
    ForwardOptions options;
    options.interventions = &interventions;
    options.stop = std::move(stop);
    return run({runnable(texts.source), runnable(texts.target)}, std::move(info), request, options);
}

TracePtr Tracer::run(SourceAndTarget shown, TraceInfo info, const TraceRequest& request,
                     const ForwardOptions& options)
{
    const Model& model = *m_model.model;
    const std::vector<TokenId> ids = shown.target.ids();
    const std::vector<std::int32_t> segments =
        model.config().tokenTypes > 1 ? segmentsOf(shown.target) : std::vector<std::int32_t>();
    const auto tokens = std::ssize(ids);
    const Interventions& interventions = *options.interventions;
    nlohmann::json settings = settingsJson(model.config(), tokens, interventions);
    for (const WeightEdit& edit : model.edits())
        settings["weights"].push_back(toJson(edit));
    if (model.precision() != WeightPrecision::Float32)
        settings["precision"] = nameOf(model.precision());

    want(request);
    const RecordingPlan plan = recordingPlan(m_wanted, request, model.config(),
                                             {tokens, std::ssize(shown.source)}, interventions);
    const bool reuses = reusePrefix(shown, plan, interventions, settings.dump());
    TraceRecorder recorder(plan.recorded, tokens, reuses ? m_last : nullptr, plan.patterns);
    LayerCounter observer(recorder, model.config(), m_listener);
    ForwardOptions observed = options;
    observed.observer = &observer;
    observed.segments = segments;
    observed.lastLogitsOnly = !recorder.wants({Site::Logits, 0});
    const Stopwatch watch;
    if (!reuses)
        m_last.reset(); // the cache may belong to these texts from here on
    if (!reuses && hasTwoStacks(m_model))
        model.encode(shown.source.ids(), *m_backend, m_cache, observed);
    info.newTokens = tokens - m_cache.size();
    model.forward(ids, *m_backend, m_cache, observed);
    Trace::Activations activations = recorder.take();
    info.forwardMs = watch.milliseconds();
    info.model = m_model.name;
    info.device = m_backend->describe();
    m_lastSettings = settings.dump();
    settings["device"] = info.device;
    info.settings = settings.dump();
    Trace::RetainedPatterns kept = recorder.takeKept();
    OmittedActivationsPtr omitted;
    if (!plan.omitted.empty())
        omitted = std::make_shared<const LayerReplay>(
            RetainedPass{m_model.model, interventions, tokens, activations, kept}, plan.omitted);
    m_last = std::make_shared<const Trace>(std::move(shown.target), std::move(activations),
                                           std::move(info), std::move(shown.source),
                                           std::move(kept), std::move(omitted));
    return m_last;
}

void Tracer::setListener(std::function<void(double)> listener)
{
    m_listener = std::move(listener);
}

void Tracer::forget()
{
    m_cache.truncate(0);
    m_last.reset();
}

TokenSequence Tracer::runnable(const TokenSequence& tokens) const
{
    TokenSequence shown = tokens;
    const std::size_t most = m_model.model->config().maxLen;
    if (shown.tokens.size() > most)
        shown.tokens.resize(most);
    if (shown.tokens.empty()) {
        const auto end = m_model.tokenizer ? m_model.tokenizer->endOfText() : std::nullopt;
        shown.tokens.push_back({end.value_or(0), {0, 0}, true});
    }
    return shown;
}

void Tracer::want(const TraceRequest& request)
{
    if (m_last && request.sites == m_lastSites)
        return;
    std::vector<TraceKey> wanted = wantedKeys(request, m_model.model->config());
    if (!std::includes(m_wanted.begin(), m_wanted.end(), wanted.begin(), wanted.end()))
        m_last.reset();
    m_wanted = std::move(wanted);
    m_lastSites = request.sites;
}

/// Keeps in the cache what the last trace and this one have in common. False when that is nothing,
/// not even the source.
bool Tracer::reusePrefix(const SourceAndTarget& shown, const RecordingPlan& plan,
                         const Interventions& interventions, const std::string& settings)
{
    const ModelConfig& config = m_model.model->config();
    const bool grewTooLarge = m_last && m_last->retainedPatterns().empty() &&
                              plan.patterns != TraceRecorder::Patterns::Whole;
    const bool crossed = m_last && (m_last->omitted() != nullptr) == plan.omitted.empty();
    const bool reuses = m_last && !grewTooLarge && !crossed &&
                        keepsPrefixes(config, interventions) && settings == m_lastSettings &&
                        sameIds(m_last->sourceTokens(), shown.source);
    const std::int64_t common = reuses ? commonPrefix(m_last->tokens(), shown.target) : 0;
    m_cache.truncate(std::min(m_cache.size(), common));
    return reuses;
}

} // namespace headscope
