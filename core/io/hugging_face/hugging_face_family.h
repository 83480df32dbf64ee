#pragma once

#include "core/io/hugging_face/config_reader.h"
#include "core/io/hugging_face/parameter_name.h"
#include "core/io/stored_model.h"
#include "core/model/weights/parameters.h"

#include <set>
#include <span>
#include <string_view>

namespace headscope {

/// What determines where a parameter is stored.
struct WeightContext
{
    const ModelConfig& config;
    const ParameterSpec& spec;
    const ParameterName& name;
    const std::set<std::string>& tensors; ///< Names in the file, without the prefix; may be empty.
};

/// How models with one model_type are stored. A new family is a file in families/ with such an
/// object, and its row in families.cpp.
struct HuggingFaceFamily
{
    std::string_view modelType;
    /// Prefix such as "model." of model.layers.0...: a file saved without a head lacks it.
    std::string_view prefix = "model.";
    ModelConfig (*readConfig)(const ConfigReader& json);
    const PartNames& names;
    /// Changes what the names alone do not say (fused matrices, offsets); null: nothing.
    void (*describe)(const WeightContext& context, StoredWeight& weight) = nullptr;
    /// True for tensors of this family without information of their own, besides a tied
    /// unembedding; null: none.
    bool (*isRedundant)(const ModelConfig& config, std::string_view name) = nullptr;
    /// What config.json of the best-known models sets off the family's defaults, as JSON.
    std::string_view typical = "{}";
};

/// All families, by model_type.
std::span<const HuggingFaceFamily* const> huggingFaceFamilies();

/// The family of this model_type; null for an unknown one.
const HuggingFaceFamily* findHuggingFaceFamily(std::string_view modelType);

} // namespace headscope
