#pragma once

#include "core/model/config/model_config.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headscope {

struct HuggingFaceFamily;

/// One architecture that opens.
struct ArchitectureCoverage
{
    std::string architecture; ///< model_type, or general.architecture of GGUF files.
    bool huggingFace = false;
    bool gguf = false;
    std::vector<std::string> mechanisms; ///< Of its best-known models (mechanismsOf).
};

/// All architectures that open, by name.
std::vector<ArchitectureCoverage> architectureCoverage();

/// A small model with what config.json of a family's best-known models sets.
ModelConfig typicalConfig(const HuggingFaceFamily& family);

/// What one config.json asks for.
struct ConfigCoverage
{
    std::string architecture;            ///< model_type; empty if there is none.
    std::vector<std::string> mechanisms; ///< Empty unless the configuration is read.
    std::vector<std::string> missing;    ///< What keeps it from opening; empty: it opens.
};

/// Reads a config.json, or that of a folder, without its weights. Throws FormatError for a file
/// that is not a JSON object.
ConfigCoverage configCoverage(const std::filesystem::path& path);

} // namespace headscope
