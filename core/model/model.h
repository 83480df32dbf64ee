#pragma once

#include "core/attention/attention_backend.h"
#include "core/model/interventions.h"
#include "core/model/kv_cache.h"
#include "core/model/parameters.h"
#include "core/text/tokenizer.h"
#include "core/trace/activation_observer.h"

#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace headscope {

struct PackedModel;

/// A trained or freshly initialised decoder. Forward passes are const: any number of threads may
/// run one Model, each with its own backend, cache and observer.
class Model
{
public:
    Model(ModelConfig config, ParameterSet parameters); ///< throws ShapeError when they do not fit

    /// Random parameters as the configuration says. Same seed, same numbers.
    static Model initialised(const ModelConfig& config, std::uint64_t seed);

    const ModelConfig& config() const { return m_config; }

    const ParameterSet& parameters() const { return m_parameters; }

    /// Runs the positions [cache.size(), ids.size()) and appends their keys and values to `cache`;
    /// an empty cache computes everything. Returns the logits [ids.size() - old cache size, V].
    /// `observer` may be null. Throws ShapeError (ids out of range or beyond maxLen),
    /// BackendError, and Cancelled between layers once `stop` is requested; the cache then keeps
    /// its old size. What lies in the cache must have been computed under the same interventions
    /// and a mask that hides later keys: with any other mask begin with an empty cache.
    Tensor forward(std::span<const TokenId> ids, AttentionBackend& backend, KvCache& cache,
                   ActivationObserver* observer = nullptr, const Interventions& interventions = {},
                   std::stop_token stop = {}) const;

private:
    struct Packed;
    const PackedModel& packed() const;

    ModelConfig m_config;
    ParameterSet m_parameters;
    std::shared_ptr<Packed> m_packed;
};

} // namespace headscope
