#pragma once

#include "core/model/pass/tracer.h"

#include <filesystem>
#include <map>

namespace headscope {

/// Saves a Headscope checkpoint: parameters, `format=headscope-checkpoint`, `version`, the model
/// configuration as JSON under `config`; the tokenizer beside it as tokenizer.json. `extra`
/// metadata (training step, task, command) is stored as given.
void saveCheckpoint(const std::filesystem::path& path, const Model& model,
                    const std::map<std::string, std::string>& extra = {});

/// Checks format, version, configuration, every name and shape, and that all values are finite.
/// Throws FormatError. `tokenizerPath` defaults to tokenizer.json in the same folder; where that
/// does not exist, texts are ids (IdTokenizer).
LoadedModel loadCheckpoint(const std::filesystem::path& path,
                           const std::filesystem::path& tokenizerPath = {});

/// Loads a checkpoint from memory (shipped models). `name` becomes LoadedModel::name and appears in
/// errors.
LoadedModel loadCheckpoint(std::span<const std::byte> checkpoint, std::string_view tokenizerJson,
                           const std::string& name);

} // namespace headscope
