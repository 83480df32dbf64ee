#include "core/generate/decoding_state.h"

#include "core/base/error.h"

#include <algorithm>
#include <utility>

namespace headscope {

namespace {

constexpr const char* kWhere = "DecodingState";

std::shared_ptr<const Model> generative(std::shared_ptr<const Model> model)
{
    if (!model)
        throw Error("no model to generate with", kWhere, "Open a model first");
    if (!model->config().hasDecoder())
        throw Error("an encoder predicts no next token", kWhere,
                    "Choose a decoder or an encoder-decoder");
    if (!model->config().languageHead)
        throw Error("this model has no language head", kWhere, "Choose a model that has one");
    return model;
}

} // namespace

DecodingState::DecodingState(std::shared_ptr<const Model> model, AttentionBackend& backend,
                             std::span<const TokenId> source, const std::stop_token& stop,
                             Products products)
    : m_model(generative(std::move(model)))
    , m_backend(&backend)
    , m_cache(m_model->config())
    , m_products(products)
{
    const bool readsSource = config().isEncoderDecoder();
    if (readsSource == source.empty())
        throw ShapeError(readsSource ? "an encoder-decoder needs a source"
                                     : "a source was given, but the model has no encoder",
                         kWhere);
    ForwardOptions options;
    options.stop = stop;
    if (readsSource)
        m_model->encode(source, backend, m_cache, options);
}

std::int64_t DecodingState::room(std::size_t tokens) const
{
    return std::max<std::int64_t>(config().maxLen + 1 - static_cast<std::int64_t>(tokens), 0);
}

Tensor DecodingState::logitsAfter(std::span<const TokenId> ids, const std::stop_token& stop)
{
    if (ids.empty())
        throw ShapeError("no tokens", "DecodingState::logitsAfter");
    const auto reusable = std::mismatch(m_ids.begin(), m_ids.end(), ids.begin(), ids.end() - 1);
    const auto reused = reusable.first - m_ids.begin();
    m_cache.truncate(reused);
    m_ids.resize(static_cast<std::size_t>(reused));
    ForwardOptions options;
    options.stop = stop;
    options.lastLogitsOnly = true;
    options.products = m_products;
    Tensor logits = m_model->forward(ids, *m_backend, m_cache, options);
    m_ids.assign(ids.begin(), ids.end());
    return logits;
}

} // namespace headscope
