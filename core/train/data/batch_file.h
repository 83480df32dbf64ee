#pragma once

#include "core/io/safetensors/safetensors_file.h"
#include "core/train/data/batch.h"

#include <filesystem>

namespace headscope {

/// Batches from a safetensors file: `inputs` and `targets`, int64 [steps, rows, length], used in
/// order whatever the seed; targets may be -100 (no loss). No held-out batches.
class BatchFile final : public BatchSource
{
public:
    /// Throws FormatError for missing tensors, other types or shapes, and ids outside the
    /// vocabulary.
    BatchFile(const std::filesystem::path& path, std::int64_t vocabularySize);

    std::int64_t steps() const { return m_steps; }

    std::int64_t length() const { return m_length; }

    /// Throws Error after the last step, and FormatError once the file was truncated or written to.
    Batch trainingBatch(std::uint64_t seed, std::int64_t step) const override;

    std::int64_t validationBatchCount() const override { return 0; }

    Batch validationBatch(std::int64_t index) const override;

private:
    void check(const char* name, bool mayIgnore, std::int64_t vocabularySize) const;
    std::vector<TokenId> slice(const char* name, std::int64_t step) const;

    SafetensorsFile m_file;
    std::int64_t m_steps = 0;
    std::int64_t m_rows = 0;
    std::int64_t m_length = 0;
};

} // namespace headscope
