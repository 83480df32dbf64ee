#include "core/model/layers/attention_builder.h"

#include "core/model/layers/cross_keys_layer.h"
#include "core/model/layers/head_norm_layer.h"
#include "core/model/layers/latent_layer.h"

namespace headscope {

ValueRef AttentionBuilder::self(const Sublayer& at, ValueRef in)
{
    return m_config.isLatent() ? overLatent(at, in) : overStack(at, in);
}

/// Adds the attention layer itself and the values that it computes.
ValueRef AttentionBuilder::attention(AttentionLayer::Values values,
                                     AttentionLayer::Settings settings)
{
    const std::int64_t width = values.queries.heads * values.values.width;
    values.context = {m_parts.query(width), 0, values.queries.heads, values.values.width,
                      values.values.width};
    values.logSumExp = m_parts.query(values.queries.heads);
    settings.scale = static_cast<float>(m_config.scoreScale());
    settings.dropoutSite = m_parts.counters.dropoutSites++;
    Uses uses;
    uses.reads = {values.queries.value, values.keys.value, values.values.value};
    uses.keeps = {values.queries.value, values.keys.value, values.values.value,
                  values.context.value, values.logSumExp};
    uses.writes = {values.context.value, values.logSumExp};
    m_parts.builder.add(std::make_unique<AttentionLayer>(values, settings), std::move(uses));
    return values.context.value;
}

/// Normalises queries or keys where the model does, before the rotation that may follow.
HeadColumns AttentionBuilder::normed(const std::string& name, HeadColumns heads, TraceKey site,
                                     RotaryLayer::When rotation)
{
    const QueryKeyNorm kind = m_config.queryKeyNorm;
    if (kind == QueryKeyNorm::None)
        return heads;
    const std::int64_t groups = HeadNormLayer::groups(kind, heads.heads);
    const HeadNormLayer::Values values{heads, m_parts.query(heads.heads * heads.width),
                                       m_parts.query(groups), m_parts.query(groups)};
    m_parts.builder.add(
        std::make_unique<HeadNormLayer>(m_parts.normRef(name), kind, values, site, rotation),
        {{heads.value},
         {values.out, values.mean, values.deviation},
         {heads.value, values.mean, values.deviation},
         {}});
    return {values.out, 0, heads.heads, heads.width, heads.width};
}

ValueRef AttentionBuilder::overStack(const Sublayer& at, ValueRef in)
{
    const std::int64_t heads = m_config.heads;
    const std::int64_t keyHeads = m_config.keyHeadCount();
    const std::int64_t width = m_config.queryDim();
    const std::int64_t valueWidth = m_config.valueDim();
    const std::int64_t total = (heads + keyHeads) * width + keyHeads * valueWidth;
    const ValueRef qkv = m_parts.query(total);
    const HeadColumns queries{qkv, 0, heads, width, width};
    const HeadColumns keys{qkv, heads * width, keyHeads, width, width};
    const HeadColumns values{qkv, (heads + keyHeads) * width, keyHeads, valueWidth, valueWidth};
    const Place& place = at.place;
    m_parts.builder.add(std::make_unique<LinearLayer>(
                            m_parts.fused(at.prefix + ".attn.q", total), in, qkv,
                            std::vector<LinearLayer::Part>{{place.key(Site::Query), queries},
                                                           {place.key(Site::Key), keys},
                                                           {place.key(Site::Value), values}}),
                        {{in}, {qkv}, {in}, {}});
    const RotaryLayer::When rotation = m_config.layer(place.layer).rotates
                                           ? RotaryLayer::When::Rotary
                                           : RotaryLayer::When::Replaced;
    const HeadColumns used[2] = {
        normed(at.prefix + ".attn.q_norm", queries, place.key(Site::RotatedQuery), rotation),
        normed(at.prefix + ".attn.k_norm", keys, place.key(Site::RotatedKey), rotation)};
    if (width % 2 == 0)
        rotate(at, used, rotation);
    AttentionLayer::Settings settings;
    settings.place = place;
    settings.cached = m_config.hasDecoder() && m_parts.stack != Stack::Encoder;
    settings.sinks = m_parts.parameter(at.prefix + ".attn.sinks.bias");
    return attention({used[0], used[1], values, {}, {}}, settings);
}

void AttentionBuilder::rotate(const Sublayer& at, const HeadColumns (&queriesAndKeys)[2],
                              RotaryLayer::When when)
{
    const auto& [queries, keys] = queriesAndKeys;
    std::vector<ValueRef> turned{queries.value};
    if (keys.value != queries.value)
        turned.push_back(keys.value);
    m_parts.builder.add(
        std::make_unique<RotaryLayer>(
            std::vector<RotaryLayer::Part>{{at.place.key(Site::RotatedQuery), queries, queries},
                                           {at.place.key(Site::RotatedKey), keys, keys}},
            when),
        {turned, {}, {}, {}});
}

/// Queries of latent attention, directly from the residual stream or through a low rank.
HeadColumns AttentionBuilder::latentQueries(const Sublayer& at, ValueRef in)
{
    const LatentSettings& latent = m_config.latent;
    const std::int64_t width = m_config.queryDim();
    const HeadColumns queries{m_parts.query(m_config.heads * width), 0, m_config.heads, width,
                              width};
    const std::vector<LinearLayer::Part> part{{at.place.key(Site::Query), queries}};
    ValueRef source = in;
    std::string name = at.prefix + ".attn.q";
    if (latent.queryRank > 0) {
        const ValueRef down = m_parts.query(latent.queryRank);
        m_parts.builder.add(
            std::make_unique<LinearLayer>(m_parts.linear(at.prefix + ".attn.q_down"), in, down),
            {{in}, {down}, {in}, {}});
        NormRef rms = m_parts.normRef(at.prefix + ".attn.q_norm");
        rms.kind = NormKind::Rms;
        source = m_parts.norm(rms, down);
        name += "_up";
    }
    m_parts.builder.add(
        std::make_unique<LinearLayer>(m_parts.linear(name), source, queries.value, part),
        {{source}, {queries.value}, {source}, {}});
    if (latent.ropeDim > 0) {
        HeadColumns turning = queries;
        turning.first = latent.nopeDim;
        turning.width = latent.ropeDim;
        m_parts.builder.add(std::make_unique<RotaryLayer>(
                                std::vector<RotaryLayer::Part>{
                                    {at.place.key(Site::RotatedQuery), turning, queries}},
                                RotaryLayer::When::Always),
                            {{queries.value}, {}, {}, {}});
    }
    return queries;
}

ValueRef AttentionBuilder::overLatent(const Sublayer& at, ValueRef in)
{
    const LatentSettings& latent = m_config.latent;
    const std::int64_t rank = latent.keyValueRank;
    const HeadColumns queries = latentQueries(at, in);

    // Rows of kv_down: first those of the latent, then those of the shared rotary key.
    const ParameterRef down = m_parts.parameter(at.prefix + ".attn.kv_down.weight");
    const auto downRows = [&](std::int64_t first, std::int64_t count) {
        ParameterRef part = down;
        part.offset += first * m_config.dModel;
        part.shape = {count, m_config.dModel};
        return m_parts.linear(part, {});
    };
    const ValueRef raw = m_parts.query(rank);
    m_parts.builder.add(std::make_unique<LinearLayer>(downRows(0, rank), in, raw),
                        {{in}, {raw}, {in}, {}});
    NormRef rms = m_parts.normRef(at.prefix + ".attn.kv_norm");
    rms.kind = NormKind::Rms;
    LatentKeysLayer::Values values;
    values.latent = m_parts.norm(rms, raw, at.place.key(Site::Latent));
    if (latent.ropeDim > 0) {
        values.rotaryKey = m_parts.query(latent.ropeDim);
        m_parts.builder.add(
            std::make_unique<LinearLayer>(downRows(rank, latent.ropeDim), in, values.rotaryKey),
            {{in}, {values.rotaryKey}, {in}, {}});
        const HeadColumns whole{values.rotaryKey, 0, 1, latent.ropeDim, latent.ropeDim};
        m_parts.builder.add(
            std::make_unique<RotaryLayer>(
                std::vector<RotaryLayer::Part>{{at.place.key(Site::RotaryKey), whole, {}}},
                RotaryLayer::When::Always),
            {{values.rotaryKey}, {}, {}, {}});
    }
    const std::int64_t perHead = latent.nopeDim + latent.valueDim;
    const std::int64_t keyWidth = m_config.queryDim();
    values.expanded = m_parts.builder.value(Rows::Key, m_config.heads * perHead);
    values.keys = m_parts.builder.value(Rows::Key, m_config.heads * keyWidth);
    std::vector<ValueRef> reads{values.latent};
    if (values.rotaryKey)
        reads.push_back(values.rotaryKey);
    m_parts.builder.add(std::make_unique<LatentKeysLayer>(m_parts.linear(at.prefix + ".attn.kv_up"),
                                                          values, at.place),
                        {reads, {values.expanded, values.keys}, {values.latent}, {}});
    AttentionLayer::Settings settings;
    settings.place = at.place;
    return attention({queries,
                      {values.keys, 0, m_config.heads, keyWidth, keyWidth},
                      {values.expanded, latent.nopeDim, m_config.heads, latent.valueDim, perHead},
                      {},
                      {}},
                     settings);
}

ValueRef AttentionBuilder::overMemory(const Sublayer& at, ValueRef in, ValueRef memory)
{
    const std::int64_t heads = m_config.heads;
    const std::int64_t keyHeads = m_config.keyHeadCount();
    const std::int64_t width = m_config.queryDim();
    const std::int64_t valueWidth = m_config.valueDim();
    const Place& place = at.place;
    const HeadColumns queries{m_parts.query(heads * width), 0, heads, width, width};
    m_parts.builder.add(std::make_unique<LinearLayer>(
                            m_parts.linear(at.prefix + ".cross.q"), in, queries.value,
                            std::vector<LinearLayer::Part>{{place.key(Site::CrossQuery), queries}}),
                        {{in}, {queries.value}, {in}, {}});
    const std::int64_t total = keyHeads * (width + valueWidth);
    const ValueRef keyValue = m_parts.builder.crossValue(total, place.layer);
    const HeadColumns keys{keyValue, 0, keyHeads, width, width};
    const HeadColumns values{keyValue, keyHeads * width, keyHeads, valueWidth, valueWidth};
    m_parts.builder.add(std::make_unique<CrossKeysLayer>(
                            m_parts.fused(at.prefix + ".cross.k", total), memory, keyValue,
                            std::vector<LinearLayer::Part>{{place.key(Site::CrossKey), keys},
                                                           {place.key(Site::CrossValue), values}}),
                        {{memory}, {keyValue}, {memory}, {}});
    AttentionLayer::Settings settings;
    settings.place = place;
    settings.cross = true;
    return attention({queries, keys, values, {}, {}}, settings);
}

} // namespace headscope
