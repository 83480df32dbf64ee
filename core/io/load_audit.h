#pragma once

#include "core/io/logits_error.h"
#include "core/io/stored_model.h"
#include "core/text/tokenizers/tokenizer.h"
#include "core/trace/trace.h"

#include <map>
#include <nlohmann/json_fwd.hpp>

namespace headscope {

/// A warning about a loaded model, and what to do about it.
struct LoadWarning
{
    std::string what;
    std::string advice;
};

/// One tensor of the files.
struct AuditedTensor
{
    std::string name;
    std::string type;
    std::vector<std::int64_t> shape;
    std::uint64_t bytes = 0;
    std::vector<std::string> parameters;  ///< Parameters read from it; empty: unused.
    std::optional<TensorNumbers> numbers; ///< Numbers of the tensors that were read.
};

/// Facts of one load: what was found and how it was interpreted. Plain data.
struct LoadAudit
{
    std::string path;
    std::string format;    ///< Format such as "GGUF version 3".
    std::string family;    ///< Family such as "llama".
    std::string tokenizer; ///< Tokenizer, "bpe of 49152 tokens", or what is used instead.
    ModelConfig config;
    std::int64_t parameterCount = 0;
    std::uint64_t tensorBytes = 0; ///< Bytes of all tensors in the files.
    std::vector<AuditedTensor> tensors;
    std::vector<std::string> zeros; ///< Parameters without a tensor.
    std::vector<LoadWarning> warnings;
    /// Effect of integer products on generated text; set once measured, where there is one.
    std::optional<LogitsError> productsError;
    WeightPrecision precision = WeightPrecision::Float32; ///< Precision that the model runs with.
    std::optional<LogitsError> precisionError;            ///< Its effect; set once measured.

    std::size_t unusedCount() const;
    std::map<std::string, std::int64_t> countByType() const; ///< Number of tensors of each type.
};

/// Takes `numbers` as returned by readNumbers; `tokenizer` may be null.
LoadAudit auditModel(const StoredModel& model, const std::vector<TensorNumbers>& numbers,
                     const Tokenizer* tokenizer);

/// Audits a model whose weights are floats in memory: one tensor per parameter.
LoadAudit auditParameters(const Model& model, const Tokenizer* tokenizer);

/// Adds a warning when the patterns of most heads are nearly uniform (a sign of weights that were
/// never loaded), or contain NaN. Any trace of the model with patterns of at least four tokens is
/// sufficient; others add nothing.
void auditPatterns(LoadAudit& audit, const Trace& trace);

/// Facts for display, one line each: keys, queries, tied, grouped.
std::vector<std::pair<std::string, std::string>> factsOf(const LoadAudit& audit);

/// Complete audit as JSON, tensors included on request.
nlohmann::json toJson(const LoadAudit& audit, bool withTensors);

} // namespace headscope
