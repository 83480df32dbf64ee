#pragma once

#include "core/model/model.h"

#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace headscope {

/// One text that grows token by token, and what the model remembers of it. A copy goes on by itself
/// from the same place: that is how a search forks. Not for two threads at once.
class DecodingState
{
public:
    /// `source` is what an encoder-decoder reads, encoded here once for all copies; other models
    /// have none. Throws Error for a model that predicts no next token. `backend` must outlive the
    /// state and its copies.
    DecodingState(std::shared_ptr<const Model> model, AttentionBackend& backend,
                  std::span<const TokenId> source = {}, const std::stop_token& stop = {});

    const ModelConfig& config() const { return m_model->config(); }

    /// How many tokens can follow a text of this length: the last one needs no position of its own.
    std::int64_t room(std::size_t tokens) const;

    /// Logits [V] of what follows `ids`. Positions that the last call computed already, up to the
    /// first token that differs, are not computed again, and of the others only the last one's
    /// logits. Throws as Model::forward does.
    std::vector<float> logitsAfter(std::span<const TokenId> ids, const std::stop_token& stop = {});

private:
    std::shared_ptr<const Model> m_model;
    AttentionBackend* m_backend;
    KvCache m_cache;
    std::vector<TokenId> m_ids; ///< whose keys and values are in the cache
};

} // namespace headscope
