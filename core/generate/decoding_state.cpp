#include "core/generate/decoding_state.h"

#include "core/base/error.h"

#include <algorithm>
#include <utility>

namespace headscope {

namespace {

std::shared_ptr<const Model> generative(std::shared_ptr<const Model> model)
{
    const char* const where = "DecodingState";
    if (!model)
        throw Error("no model to generate with", where, "Open a model first");
    if (!model->config().hasDecoder())
        throw Error("an encoder predicts no next token", where,
                    "Choose a decoder or an encoder-decoder");
    if (!model->config().languageHead)
        throw Error("this model has no language head", where, "Choose a model that has one");
    return model;
}

} // namespace

DecodingState::DecodingState(std::shared_ptr<const Model> model, AttentionBackend& backend)
    : m_model(generative(std::move(model)))
    , m_backend(&backend)
    , m_cache(m_model->config())
{
}

std::int64_t DecodingState::room(std::size_t tokens) const
{
    return std::max<std::int64_t>(config().maxLen + 1 - static_cast<std::int64_t>(tokens), 0);
}

std::vector<float> DecodingState::logitsAfter(std::span<const TokenId> ids,
                                              const std::stop_token& stop)
{
    if (ids.empty())
        throw ShapeError("no tokens", "DecodingState::logitsAfter");
    const auto reusable = std::mismatch(m_ids.begin(), m_ids.end(), ids.begin(), ids.end() - 1);
    const auto reused = reusable.first - m_ids.begin();
    m_cache.truncate(reused);
    m_ids.resize(static_cast<std::size_t>(reused));
    const Tensor logits = m_model->forward(ids, *m_backend, m_cache, nullptr, {}, stop);
    m_ids.assign(ids.begin(), ids.end());
    const auto last = logits.values().last(static_cast<std::size_t>(logits.shape().back()));
    return {last.begin(), last.end()};
}

} // namespace headscope
