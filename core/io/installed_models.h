#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headscope {

/// A model on this machine.
struct InstalledModel
{
    std::filesystem::path path; ///< Value of --model.
    std::string kind;           ///< Kind such as "GGUF" or "Hugging Face".
    std::string found;          ///< Origin: "Python package", "Hugging Face cache", "folder".
    std::uint64_t bytes = 0;    ///< Size of its weights.
};

/// A model that the user can install with pip alone.
struct ModelRecipe
{
    std::string name;
    std::string package;
    std::filesystem::path path; ///< Path below a site-packages folder.
    std::string command;        ///< Command to type.
};

std::vector<ModelRecipe> modelRecipes();

/// Folders to search. Empty lists search nothing.
struct ModelFolders
{
    std::vector<std::filesystem::path> sitePackages;
    /// Folders with models--ORG--NAME/snapshots/REVISION.
    std::vector<std::filesystem::path> hubCaches;
    /// Folders with .gguf files and model folders, two levels deep.
    std::vector<std::filesystem::path> folders;
};

/// Folders of this user: HEADSCOPE_REAL_MODELS, the active Python environment, Python's folders for
/// the user and for all users; HF_HUB_CACHE, HF_HOME and ~/.cache/huggingface; HEADSCOPE_MODELS
/// (several with colons), ~/models and ~/.cache/headscope/models.
ModelFolders usualModelFolders();

/// Models sorted by path, each once. Folders that cannot be read are skipped.
std::vector<InstalledModel> installedModels(const ModelFolders& places);

/// Path of a recipe's model in the first of these folders that has it.
std::optional<std::filesystem::path> findRecipe(const ModelRecipe& recipe,
                                                const ModelFolders& places);

} // namespace headscope
