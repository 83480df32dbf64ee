#pragma once

#include "tests/support/tiny_model.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

namespace headscope::test {

inline std::string bytesOfFile(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline void writeBytes(const std::filesystem::path& path, const std::string& bytes)
{
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
}

/// A checkpoint in the layout of Hugging Face: a golden model with all its weights multiplied by
/// `factor`, so that each of a series is another model. `withTokenizer`: with a byte tokenizer.
inline void writeHuggingFaceCheckpoint(const std::filesystem::path& folder, float factor,
                                       bool withTokenizer = true,
                                       const std::string& golden = "gpt_neox")
{
    const auto from = std::filesystem::path(HEADSCOPE_TEST_DATA) / "golden" / "hf" / golden;
    std::filesystem::create_directories(folder);
    std::filesystem::copy_file(from / "config.json", folder / "config.json");
    std::string bytes = bytesOfFile(from / "model.safetensors");
    std::uint64_t header = 0;
    std::memcpy(&header, bytes.data(), sizeof(header));
    for (std::size_t at = 8 + header; at + 4 <= bytes.size(); at += 4) { // all F32
        float value = 0.0F;
        std::memcpy(&value, &bytes[at], sizeof(value));
        value *= factor;
        std::memcpy(&bytes[at], &value, sizeof(value));
    }
    writeBytes(folder / "model.safetensors", bytes);
    if (withTokenizer)
        writeBytes(folder / "tokenizer.json", tinyTokenizerJson());
}

} // namespace headscope::test
