#pragma once

#include "core/model/pass/model_pass.h"
#include "tests/support/run_record.h"

#include <vector>

namespace headscope::test {

/// Texts of one length, padding included, and the sources of an encoder-decoder.
struct BatchTexts
{
    std::int64_t rows = 1;
    std::int64_t length = 1;
    std::int64_t sourceLength = 0;
    std::vector<TokenId> ids;                ///< [rows * length]
    std::vector<std::uint8_t> keyMask;       ///< [rows * length], 0 = padding
    std::vector<std::int32_t> segments;      ///< [rows * length], or empty
    std::vector<TokenId> sources;            ///< [rows * sourceLength]
    std::vector<std::uint8_t> sourceKeyMask; ///< [rows * sourceLength], 0 = padding
};

/// A batch through a model's layers, as training runs them. Texts and backend have to outlive it.
class BatchRun
{
public:
    BatchRun(const Model& model, const BatchTexts& texts, AttentionBackend& backend);
    BatchRun(const BatchRun&) = delete;
    BatchRun& operator=(const BatchRun&) = delete;

    RunRecord record;
    TensorView result; ///< Logits or final hidden states [rows, length, V or d].

private:
    Workspace m_encoderWorkspace;
    Workspace m_workspace;
    ModelPass m_encoder;
    ModelPass m_main;
};

} // namespace headscope::test
