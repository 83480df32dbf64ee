#pragma once

#include "core/base/progress.h"
#include "core/io/load_audit.h"
#include "core/model/pass/tracer.h"

#include <filesystem>

namespace headscope {

/// A model that opened, with its tokenizer, and what opening it found out.
struct OpenedModel
{
    LoadedModel model;
    LoadAudit audit;
};

/// A folder in the layout of Hugging Face transformers, its tokenizer in any form that
/// loadTokenizer reads. Without one, texts are ids. Every weight is read once and must be finite;
/// progress counts their bytes. Throws FormatError, and Cancelled when `progress` is told to stop.
OpenedModel openHuggingFaceModel(const std::filesystem::path& folder, Progress& progress);

/// A GGUF file, its tokenizer from its metadata; otherwise the same.
OpenedModel openGgufModel(const std::filesystem::path& path, Progress& progress);

/// Whether `path` looks like one of the two: a folder with config.json, or a file that begins as
/// GGUF files do.
bool isHuggingFaceFolder(const std::filesystem::path& path);
bool isGgufFile(const std::filesystem::path& path);

} // namespace headscope
