#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

struct HuggingFaceFamily;

/// Models of a list that have one architecture.
struct ListedArchitecture
{
    std::string name; ///< A class of transformers such as "GPT2LMHeadModel".
    std::int64_t models = 0;
    bool opens = false; ///< The settings of one of its models may still be refused.
};

/// What a list of models asks for.
struct ModelListCoverage
{
    std::int64_t models = 0;
    std::int64_t opening = 0;
    std::vector<ListedArchitecture> architectures; ///< The most frequent first.
};

/// The family that a class of transformers belongs to ("GPTNeoXForCausalLM": gpt_neox), by its name
/// and by what it does with the stacks; null for an unknown one.
const HuggingFaceFamily* familyOfClass(std::string_view className);

/// Reads a JSON list of objects with "architecture_id" or "architectures" and, so that none counts
/// twice, "model_id"; or an object with such a list in "records" or "models". None for other JSON.
/// Throws FormatError for a file that is not JSON.
std::optional<ModelListCoverage> modelListCoverage(const std::filesystem::path& path);

} // namespace headscope
