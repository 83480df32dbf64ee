#include "core/model/layers/latent_layer.h"

#include "core/model/pass/model_pass.h"

#include <algorithm>

namespace headscope {

namespace {

MutableTensorView fromRow(MutableTensorView view, std::int64_t first)
{
    view.data += first * view.stride(0);
    view.shape = view.shape.withRows(view.shape[0] - first);
    return view;
}

} // namespace

HeadColumns LatentKeysLayer::keyColumns(const ModelPass& pass) const
{
    const std::int64_t width = pass.config.queryDim();
    return {m_values.keys, 0, pass.config.heads, width, width};
}

HeadColumns LatentKeysLayer::valueColumns(const ModelPass& pass) const
{
    const LatentSettings& latent = pass.config.latent;
    return {m_values.expanded, latent.nopeDim, pass.config.heads, latent.valueDim,
            latent.nopeDim + latent.valueDim};
}

void LatentKeysLayer::appendToCache(ModelPass& pass) const
{
    const std::int64_t first = pass.texts.firstPosition;
    const auto append = [&](ValueRef value, MutableTensorView cached) {
        const MutableTensorView fresh = pass.value(value);
        std::copy_n(fresh.data, fresh.shape.elementCount(), &cached(0, first, 0));
    };
    append(m_values.latent, pass.cache->keys(m_place.layer));
    if (m_values.rotaryKey)
        append(m_values.rotaryKey, pass.cache->values(m_place.layer));
}

void LatentKeysLayer::assembleKeys(ModelPass& pass, TensorView rotaryKeys) const
{
    const LatentSettings& latent = pass.config.latent;
    const MutableTensorView expanded = pass.value(m_values.expanded);
    const MutableTensorView keys = headsOf(pass.value(m_values.keys), keyColumns(pass));
    for (std::int64_t row = 0; row < keys.shape[0]; ++row)
        for (std::int64_t head = 0; head < keys.shape[1]; ++head) {
            const float* nope = &expanded(row, head * (latent.nopeDim + latent.valueDim));
            float* end = std::copy_n(nope, latent.nopeDim, &keys(row, head, 0));
            if (m_values.rotaryKey)
                std::copy_n(rotaryKeys[row].data, latent.ropeDim, end);
        }
}

void LatentKeysLayer::noteKeys(ModelPass& pass) const
{
    const std::int64_t first = pass.texts.firstPosition;
    pass.note(m_place.key(Site::Key),
              fromRow(headsOf(pass.value(m_values.keys), keyColumns(pass)), first));
    pass.note(m_place.key(Site::Value),
              fromRow(headsOf(pass.value(m_values.expanded), valueColumns(pass)), first));
}

void LatentKeysLayer::forward(ModelPass& pass) const
{
    const LatentSettings& settings = pass.config.latent;
    TensorView latents = pass.value(m_values.latent);
    TensorView rotaryKeys = m_values.rotaryKey ? pass.value(m_values.rotaryKey) : TensorView();
    if (pass.cache != nullptr) {
        appendToCache(pass);
        const std::int64_t tokens = pass.texts.keyTokens();
        latents = {pass.cache->keys(m_place.layer).data, {tokens, settings.keyValueRank}};
        rotaryKeys = {pass.cache->values(m_place.layer).data, {tokens, settings.ropeDim}};
    }
    pass.linear(m_up, latents, pass.value(m_values.expanded));
    assembleKeys(pass, rotaryKeys);
    if (pass.inspects())
        noteKeys(pass);
}

void LatentKeysLayer::backward(ModelPass& pass) const
{
    // forward: expanded = up(latent); keys of a head = [its nope part of expanded, rotaryKey]
    const LatentSettings& latent = pass.config.latent;
    const MutableTensorView dKeys = headsOf(pass.gradient(m_values.keys), keyColumns(pass));
    const MutableTensorView dExpanded = pass.gradient(m_values.expanded);
    if (pass.inspects()) {
        pass.noteGradient(m_place.key(Site::Key), dKeys);
        pass.noteGradient(m_place.key(Site::Value), headsOf(dExpanded, valueColumns(pass)));
    }
    const MutableTensorView dRotary =
        m_values.rotaryKey ? pass.gradient(m_values.rotaryKey) : MutableTensorView();
    if (dRotary)
        std::fill_n(dRotary.data, dRotary.shape.elementCount(), 0.0F);
    for (std::int64_t row = 0; row < dKeys.shape[0]; ++row)
        for (std::int64_t head = 0; head < dKeys.shape[1]; ++head) {
            const float* from = &dKeys(row, head, 0);
            std::copy_n(from, latent.nopeDim,
                        &dExpanded(row, head * (latent.nopeDim + latent.valueDim)));
            for (std::int64_t c = 0; dRotary && c < latent.ropeDim; ++c)
                dRotary(row, c) += from[latent.nopeDim + c];
        }
    pass.linearBackward(m_up, pass.value(m_values.latent), dExpanded,
                        pass.gradient(m_values.latent), false);
}

} // namespace headscope
