#pragma once

#include "core/attention/attention_backend.h"
#include "core/model/edits/weight_edit.h"
#include "core/model/pass/interventions.h"
#include "core/model/pass/kv_cache.h"
#include "core/model/weights/parameters.h"
#include "core/model/weights/products.h"
#include "core/model/weights/weight_precision.h"
#include "core/text/tokenizers/tokenizer.h"
#include "core/trace/activation_observer.h"

#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace headscope {

struct ModelProgram;
struct PackedModel;
class ModelPass;

/// Optional features of a forward pass.
struct ForwardOptions
{
    ActivationObserver* observer = nullptr;
    const Interventions* interventions = nullptr;
    std::stop_token stop = {};
    std::span<const std::int32_t> segments = {}; ///< Segment of each token (BERT's token types).
    /// Computes the last token's logits only; they are not observed then.
    bool lastLogitsOnly = false;
    Products products = Products::Exact;
};

/// A trained or freshly initialised transformer. Forward passes are const: any number of threads
/// may use one Model, each with its own backend, cache and observer.
class Model
{
public:
    Model(ModelConfig config, ParameterSet parameters); ///< Throws ShapeError when they do not fit.

    /// Random parameters as configured. The same seed gives the same numbers.
    static Model initialised(const ModelConfig& config, std::uint64_t seed);

    /// Model that differs from `base` in the replaced parameters and shares all others with it.
    /// `edits` describes how they came about.
    static Model replaced(const std::shared_ptr<const Model>& base,
                          std::vector<ReplacedParameter> parameters, std::vector<WeightEdit> edits);

    /// The same model, whose forward passes multiply with weights of this precision. Shares the
    /// parameters, which keep their values: views, edits and files show those.
    static Model rounded(const std::shared_ptr<const Model>& base, WeightPrecision precision);

    const ModelConfig& config() const { return m_config; }

    WeightPrecision precision() const { return m_precision; }

    /// Edits that made this model of the opened one; empty: none.
    const std::vector<WeightEdit>& edits() const { return m_edits; }

    const ParameterSet& parameters() const { return m_parameters; }

    const ModelProgram& program() const { return *m_program; }

    /// Prepares the weights for forward(), which does so itself on first use: copies the matrices
    /// in the order in which they are read. Stored ones (ParameterSet) are used in place.
    void pack() const;

    /// Computes the positions [cache.size(), ids.size()) and appends what later ones need to
    /// `cache`; an empty cache computes everything. Returns the logits [ids.size() - old cache
    /// size, V], or the final hidden states [..., d] of a model without a language head. Encoders
    /// use no cache and compute everything; decoders of encoder-decoders need a cache that encode()
    /// has filled. Throws ShapeError (ids out of range or beyond maxLen), BackendError, and
    /// Cancelled between layers once `stop` is requested; the cache then keeps its old size. Cached
    /// positions must have been computed under the same interventions and a mask that hides later
    /// keys: with any other mask start with an empty cache.
    Tensor forward(std::span<const TokenId> ids, AttentionBackend& backend, KvCache& cache,
                   const ForwardOptions& options) const;
    Tensor forward(std::span<const TokenId> ids, AttentionBackend& backend, KvCache& cache,
                   ActivationObserver* observer = nullptr, const Interventions& interventions = {},
                   std::stop_token stop = {}) const;

    /// Gives a pass over a part of program() the weights and these options.
    void prepare(ModelPass& pass, const ForwardOptions& options) const;

    /// Throws ShapeError for ids, segments or interventions that this model does not support.
    void checkText(std::span<const TokenId> ids, const ForwardOptions& options,
                   std::int64_t sourceTokens = 0) const;

    /// Encoder-decoders: encodes a source, which the cache stores for forward().
    void encode(std::span<const TokenId> source, AttentionBackend& backend, KvCache& cache,
                const ForwardOptions& options = {}) const;

private:
    struct Packed;
    Model(const std::shared_ptr<const Model>& base, ParameterSet parameters,
          std::vector<WeightEdit> edits);
    const PackedModel& packed() const;
    Tensor resultOf(const ModelPass& pass, std::int64_t rows) const;

    ModelConfig m_config;
    WeightPrecision m_precision = WeightPrecision::Float32;
    ParameterSet m_parameters;
    std::vector<WeightEdit> m_edits;
    std::shared_ptr<const ModelProgram> m_program;
    std::shared_ptr<Packed> m_packed;
};

} // namespace headscope
