#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace headscope {

/// A checkpoint of a series by its name; what is at the path was not looked at.
struct SeriesEntry
{
    std::int64_t step = 0;
    std::filesystem::path path;
};

/// True for what listSeries reads, whether or not its checkpoints can be opened. Quick.
bool isSeries(const std::filesystem::path& path);

/// The checkpoints that a series names, by ascending step. `path` is one of
/// - a folder of folders or of .safetensors and .gguf files with a step in their names
///   (stepInName);
/// - a text file with the path of a checkpoint a line, relative to the file, and comments after
///   "#". Without a step in its name a checkpoint has the number of its line;
/// - a model's folder in the cache of Hugging Face, for its revisions with a step in their names.
/// Throws FormatError for fewer than two checkpoints, more than 4096, and two of the same step.
std::vector<SeriesEntry> listSeries(const std::filesystem::path& path);

} // namespace headscope
