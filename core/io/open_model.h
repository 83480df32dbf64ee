#pragma once

#include "core/base/progress.h"
#include "core/io/load_audit.h"
#include "core/model/pass/tracer.h"

#include <filesystem>

namespace headscope {

/// An opened model, with its tokenizer and the audit of its load.
struct OpenedModel
{
    LoadedModel model;
    LoadAudit audit;
};

/// Opens a folder in the layout of Hugging Face transformers, with a tokenizer in any form that
/// loadTokenizer reads. Without one, texts are ids. Every weight is read once and must be finite;
/// progress counts their bytes. Throws FormatError, and Cancelled when `progress` is told to stop.
OpenedModel openHuggingFaceModel(const std::filesystem::path& folder, Progress& progress);

/// Opens a GGUF file, with the tokenizer of its metadata; otherwise the same.
OpenedModel openGgufModel(const std::filesystem::path& path, Progress& progress);

/// Detects the format of `path`: a folder with config.json, or a file that begins as GGUF files do.
bool isHuggingFaceFolder(const std::filesystem::path& path);
bool isGgufFile(const std::filesystem::path& path);

} // namespace headscope
