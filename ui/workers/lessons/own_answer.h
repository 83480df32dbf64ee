#pragma once

#include "core/model/pass/tracer.h"

#include <deque>
#include <stop_token>
#include <string>

namespace headscope::ui {

/// An encoder-decoder's own output by greedy decoding: its target while the user has typed none.
/// The last few are cached. Used on one thread.
class OwnAnswer
{
public:
    /// The model's own output for a source. Throws Cancelled when `stop` is requested.
    std::string of(const LoadedModel& model, AttentionBackend& backend, const TokenSequence& source,
                   const std::stop_token& stop);

private:
    struct Known
    {
        std::shared_ptr<const Model> model;
        std::vector<TokenId> source;
        std::string answer;
    };

    std::deque<Known> m_known; ///< Cached outputs, newest last.
};

} // namespace headscope::ui
