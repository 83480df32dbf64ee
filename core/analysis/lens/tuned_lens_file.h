#pragma once

#include "core/analysis/lens/tuned_lens.h"
#include "core/model/pass/tracer.h"

#include <filesystem>

namespace headscope {

/// Writes a safetensors file: `STAGE.weight` [d, d] ([out, in]) and `STAGE.bias` [d] by the names
/// of trace sites, and in its metadata format=headscope-tuned-lens, version, model, layers,
/// d_model, vocabulary, fingerprint (16 hexadecimal digits), steps, seed, tokens, held_out_tokens,
/// stages, kl_before and kl_after (JSON arrays). Written atomically; throws Error.
void saveTunedLens(const std::filesystem::path& path, const TunedLens& lens, const Model& model);

/// Throws a one-sentence FormatError for a file that is damaged, of another kind or version, or
/// trained for other weights than the model's.
TunedLens loadTunedLens(const std::filesystem::path& path, const Model& model);

/// Possible locations of a model's tuned lens: next to a model that is a file or folder, and in
/// `userFolder` for one without a folder of its own (built in) or whose folder is read-only.
struct TunedLensFolders
{
    std::filesystem::path beside; ///< Empty for a built-in model.
    std::filesystem::path own;    ///< Path in the user's folder; its name includes the fingerprint.
};

TunedLensFolders tunedLensFolders(const LoadedModel& model,
                                  const std::filesystem::path& userFolder);

/// The first of the two paths that exists; empty if neither does.
std::optional<std::filesystem::path> findTunedLens(const TunedLensFolders& places);

/// Saves next to the model if that folder is writable, else in the user's folder (which is
/// created); returns the path. Throws Error if neither is writable.
std::filesystem::path keepTunedLens(const TunedLensFolders& places, const TunedLens& lens,
                                    const Model& model);

} // namespace headscope
