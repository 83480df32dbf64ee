#pragma once

#include "core/io/stored_model.h"
#include "core/text/tokenizers/tokenizer.h"
#include "core/trace/trace.h"

#include <map>
#include <nlohmann/json_fwd.hpp>

namespace headscope {

/// Something that a person should know about a model that opened, and what to do about it.
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
    std::vector<std::string> parameters;  ///< what it became; empty: unused
    std::optional<TensorNumbers> numbers; ///< of those that were read
};

/// The facts of one load: what was found and how it was understood. Plain data.
struct LoadAudit
{
    std::string path;
    std::string format;    ///< "GGUF version 3"
    std::string family;    ///< "llama"
    std::string tokenizer; ///< "bpe of 49152 tokens", or what is there in its place
    ModelConfig config;
    std::int64_t parameterCount = 0;
    std::uint64_t tensorBytes = 0; ///< of all tensors, in the files
    std::vector<AuditedTensor> tensors;
    std::vector<std::string> zeros; ///< parameters that no tensor holds
    std::vector<LoadWarning> warnings;

    std::size_t unusedCount() const;
    std::map<std::string, std::int64_t> countByType() const; ///< tensors of each type
};

/// `numbers` as readNumbers gave them; `tokenizer` may be null.
LoadAudit auditModel(const StoredModel& model, const std::vector<TensorNumbers>& numbers,
                     const Tokenizer* tokenizer);

/// Of a model whose weights are floats in memory: one tensor for every parameter.
LoadAudit auditParameters(const Model& model, const Tokenizer* tokenizer);

/// Adds a warning when the patterns of most heads are nearly uniform (weights that never loaded
/// look so), or hold numbers that are none. Any trace of the model with patterns of four tokens or
/// more tells; others say nothing.
void auditPatterns(LoadAudit& audit, const Trace& trace);

/// Keys, queries, tied, grouped: one line each, for people.
std::vector<std::pair<std::string, std::string>> factsOf(const LoadAudit& audit);

/// Everything, tensors included on request.
nlohmann::json toJson(const LoadAudit& audit, bool withTensors);

} // namespace headscope
