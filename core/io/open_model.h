#pragma once

#include "core/base/progress.h"
#include "core/io/load_audit.h"
#include "core/model/pass/tracer.h"

#include <filesystem>
#include <memory>
#include <optional>

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

/// Opens a model of any supported format: a folder of Hugging Face, a GGUF file, a Headscope
/// checkpoint, or a folder with one of these files (see modelPath). `tokenizer` serves a model that
/// comes without one; null: texts are ids. Throws FormatError and Cancelled.
OpenedModel openModelAt(const std::filesystem::path& path, Progress& progress,
                        std::shared_ptr<const Tokenizer> tokenizer = {});

/// Path of the model at `path`: the folder of a weight file of Hugging Face, the only weight file
/// of any other folder, or the path itself. None where there is no model.
std::optional<std::filesystem::path> modelPath(const std::filesystem::path& path);

/// Facts about a model from the headers of its files.
struct ModelFacts
{
    ModelConfig config;
    std::uint64_t bytes = 0; ///< Size of its weight files.
    bool hasTokenizer = false;
};

/// Reads the facts of a model that openModelAt opens; no weight is read. Throws FormatError.
ModelFacts readModelFacts(const std::filesystem::path& path);

/// Loads the tokenizer of such a model, without its weights; null where it has none.
std::shared_ptr<const Tokenizer> loadModelTokenizer(const std::filesystem::path& path);

/// Detects the format of `path`: a folder with config.json, or a file that begins as GGUF files do.
bool isHuggingFaceFolder(const std::filesystem::path& path);
bool isGgufFile(const std::filesystem::path& path);

} // namespace headscope
