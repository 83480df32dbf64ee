#include "core/model/layers/latent_layer.h"

#include "core/model/run/run.h"

#include <algorithm>

namespace headscope {

namespace {

MutableTensorView fromRow(MutableTensorView view, std::int64_t first)
{
    view.data += first * view.stride(0);
    Shape shape{view.shape[0] - first};
    for (int axis = 1; axis < view.shape.rank(); ++axis)
        shape.append(view.shape[axis]);
    view.shape = shape;
    return view;
}

} // namespace

HeadColumns LatentKeysLayer::keyColumns(const Run& run) const
{
    const std::int64_t width = run.config.queryDim();
    return {m_values.keys, 0, run.config.heads, width, width};
}

HeadColumns LatentKeysLayer::valueColumns(const Run& run) const
{
    const LatentSettings& latent = run.config.latent;
    return {m_values.expanded, latent.nopeDim, run.config.heads, latent.valueDim,
            latent.nopeDim + latent.valueDim};
}

void LatentKeysLayer::appendToCache(Run& run) const
{
    const std::int64_t first = run.texts.firstPosition;
    const auto append = [&](ValueRef value, MutableTensorView cached) {
        const MutableTensorView fresh = run.value(value);
        std::copy_n(fresh.data, fresh.shape.elementCount(), &cached(0, first, 0));
    };
    append(m_values.latent, run.cache->keys(m_place.layer));
    if (m_values.rotaryKey)
        append(m_values.rotaryKey, run.cache->values(m_place.layer));
}

void LatentKeysLayer::assembleKeys(Run& run, TensorView rotaryKeys) const
{
    const LatentSettings& latent = run.config.latent;
    const MutableTensorView expanded = run.value(m_values.expanded);
    const MutableTensorView keys = headsOf(run.value(m_values.keys), keyColumns(run));
    for (std::int64_t row = 0; row < keys.shape[0]; ++row)
        for (std::int64_t head = 0; head < keys.shape[1]; ++head) {
            const float* nope = &expanded(row, head * (latent.nopeDim + latent.valueDim));
            float* end = std::copy_n(nope, latent.nopeDim, &keys(row, head, 0));
            if (m_values.rotaryKey)
                std::copy_n(rotaryKeys[row].data, latent.ropeDim, end);
        }
}

void LatentKeysLayer::noteKeys(Run& run) const
{
    const std::int64_t first = run.texts.firstPosition;
    run.note(m_place.key(Site::Key),
             fromRow(headsOf(run.value(m_values.keys), keyColumns(run)), first));
    run.note(m_place.key(Site::Value),
             fromRow(headsOf(run.value(m_values.expanded), valueColumns(run)), first));
}

void LatentKeysLayer::forward(Run& run) const
{
    const LatentSettings& settings = run.config.latent;
    TensorView latents = run.value(m_values.latent);
    TensorView rotaryKeys = m_values.rotaryKey ? run.value(m_values.rotaryKey) : TensorView();
    if (run.cache != nullptr) {
        appendToCache(run);
        const std::int64_t tokens = run.texts.keyTokens();
        latents = {run.cache->keys(m_place.layer).data, {tokens, settings.keyValueRank}};
        rotaryKeys = {run.cache->values(m_place.layer).data, {tokens, settings.ropeDim}};
    }
    run.linear(m_up, latents, run.value(m_values.expanded));
    assembleKeys(run, rotaryKeys);
    if (run.inspects())
        noteKeys(run);
}

void LatentKeysLayer::backward(Run& run) const
{
    // forward: expanded = up(latent); keys of a head = [its nope part of expanded, rotaryKey]
    const LatentSettings& latent = run.config.latent;
    const MutableTensorView dKeys = headsOf(run.gradient(m_values.keys), keyColumns(run));
    const MutableTensorView dExpanded = run.gradient(m_values.expanded);
    if (run.inspects()) {
        run.noteGradient(m_place.key(Site::Key), dKeys);
        run.noteGradient(m_place.key(Site::Value), headsOf(dExpanded, valueColumns(run)));
    }
    const MutableTensorView dRotary =
        m_values.rotaryKey ? run.gradient(m_values.rotaryKey) : MutableTensorView();
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
    run.linearBackward(m_up, run.value(m_values.latent), dExpanded, run.gradient(m_values.latent),
                       false);
}

} // namespace headscope
