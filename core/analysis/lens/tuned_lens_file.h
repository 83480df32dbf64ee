#pragma once

#include "core/analysis/lens/tuned_lens.h"
#include "core/model/pass/tracer.h"

#include <filesystem>

namespace headscope {

/// A safetensors file: `STAGE.weight` [d, d] ([out, in]) and `STAGE.bias` [d] by the names of trace
/// sites, and in its metadata format=headscope-tuned-lens, version, model, layers, d_model,
/// vocabulary, fingerprint (16 hexadecimal digits), steps, seed, tokens, held_out_tokens, stages,
/// kl_before and kl_after (JSON arrays). Written atomically; throws Error.
void saveTunedLens(const std::filesystem::path& path, const TunedLens& lens, const Model& model);

/// Throws FormatError, one sentence, for a file that is damaged, of another kind or version, and
/// for one that was trained for other weights than the model's.
TunedLens loadTunedLens(const std::filesystem::path& path, const Model& model);

/// Where the lens of a model lies: beside a model that is a file or folder, and in `userFolder` for
/// one that has no place of its own (built in) or whose folder cannot be written to.
struct TunedLensPlaces
{
    std::filesystem::path beside; ///< empty for a built-in model
    std::filesystem::path own;    ///< in the user's folder; its name holds the fingerprint
};

TunedLensPlaces tunedLensPlaces(const LoadedModel& model, const std::filesystem::path& userFolder);

/// Of both places the first that exists; nothing where neither does.
std::optional<std::filesystem::path> findTunedLens(const TunedLensPlaces& places);

/// Beside the model where that can be written, else the user's own (its folder is made): returns
/// where. Throws Error when neither can.
std::filesystem::path keepTunedLens(const TunedLensPlaces& places, const TunedLens& lens,
                                    const Model& model);

} // namespace headscope
