#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headscope {

/// A model that lies on this machine.
struct InstalledModel
{
    std::filesystem::path path; ///< what --model takes
    std::string kind;           ///< "GGUF", "Hugging Face"
    std::string found;          ///< where: "Python package", "Hugging Face cache", "folder"
    std::uint64_t bytes = 0;    ///< of its weights
};

/// A model that a person can get with pip alone.
struct ModelRecipe
{
    std::string name;
    std::string package;
    std::filesystem::path path; ///< below a site-packages folder
    std::string command;        ///< what to type
};

std::vector<ModelRecipe> modelRecipes();

/// Where to look. Empty lists look nowhere.
struct ModelPlaces
{
    std::vector<std::filesystem::path> sitePackages;
    std::vector<std::filesystem::path> hubCaches; ///< with models--ORG--NAME/snapshots/REVISION
    std::vector<std::filesystem::path> folders;   ///< with .gguf files and model folders, two deep
};

/// Of this user: HEADSCOPE_REAL_MODELS, the Python environment that is active, Python's places for
/// a user and for all; HF_HUB_CACHE, HF_HOME and ~/.cache/huggingface; HEADSCOPE_MODELS (several
/// with colons), ~/models and ~/.cache/headscope/models.
ModelPlaces usualModelPlaces();

/// Sorted by path, each once. Folders that cannot be read are passed over.
std::vector<InstalledModel> installedModels(const ModelPlaces& places);

/// The path of a recipe's model in the first of these folders that has it.
std::optional<std::filesystem::path> findRecipe(const ModelRecipe& recipe,
                                                const ModelPlaces& places);

} // namespace headscope
