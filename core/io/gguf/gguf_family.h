#pragma once

#include "core/io/gguf/gguf_keys.h"
#include "core/io/hugging_face/hugging_face_family.h"
#include "core/model/config/model_config.h"

#include <span>
#include <string_view>

namespace headscope {

/// How models with one general.architecture are stored. A new family is a file in families/ with
/// such an object, and its row in families.cpp.
struct GgufFamily
{
    std::string_view architecture;
    std::string_view modelType; ///< The same family's name in Hugging Face folders.
    ModelConfig (*readConfig)(const GgufKeys& keys);
    const PartNames& names;
    /// Changes what the names alone do not say (fused matrices); null: nothing.
    void (*describe)(const WeightContext& context, StoredWeight& weight) = nullptr;
};

/// All families, by architecture.
std::span<const GgufFamily* const> ggufFamilies();

/// The family of this architecture; null for an unknown one.
const GgufFamily* findGgufFamily(std::string_view architecture);

} // namespace headscope
