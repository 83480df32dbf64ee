#pragma once

#include "core/model/model.h"

#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace headscope {

/// One text that grows token by token, with the model's cache for it. A copy continues
/// independently from the same position: that is how a search forks. Not for two threads at once.
class DecodingState
{
public:
    /// Takes the `source` that an encoder-decoder reads, encoded here once for all copies; other
    /// models have none. Throws Error for a model that predicts no next token. `backend` must
    /// outlive the state and its copies.
    DecodingState(std::shared_ptr<const Model> model, AttentionBackend& backend,
                  std::span<const TokenId> source = {}, const std::stop_token& stop = {},
                  Products products = Products::Exact);

    const ModelConfig& config() const { return m_model->config(); }

    /// Number of tokens that can follow a text of this length: the last one needs no position of
    /// its own.
    std::int64_t room(std::size_t tokens) const;

    /// Logits [1, V] of the token after `ids`. Positions computed by the last call, up to the first
    /// token that differs, are reused, and of the others only the last one's logits are computed.
    /// Throws as Model::forward does.
    Tensor logitsAfter(std::span<const TokenId> ids, const std::stop_token& stop = {});

private:
    std::shared_ptr<const Model> m_model;
    AttentionBackend* m_backend;
    KvCache m_cache;
    Products m_products;
    std::vector<TokenId> m_ids; ///< Tokens whose keys and values are cached.
};

} // namespace headscope
