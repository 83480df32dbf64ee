#pragma once

#include "core/model/pass/tracer.h"

#include <deque>
#include <stop_token>
#include <string>

namespace headscope::ui {

/// What an encoder-decoder answers by itself, token by token the most probable: its target while
/// nobody typed one. The last few are remembered. For one thread.
class OwnAnswer
{
public:
    /// Throws Cancelled when `stop` asks.
    std::string of(const LoadedModel& model, AttentionBackend& backend, const TokenSequence& source,
                   const std::stop_token& stop);

private:
    struct Known
    {
        std::shared_ptr<const Model> model;
        std::vector<TokenId> source;
        std::string answer;
    };

    std::deque<Known> m_known; ///< newest last
};

} // namespace headscope::ui
