#pragma once

#include "core/model/model.h"
#include "tests/support/golden.h"

#include <string>
#include <vector>

namespace headscope::test {

/// What a tiny model of one family is stored as.
enum class GoldenKind { OneStack, TwoStacks, Gguf };

struct GoldenModelName
{
    std::string name;
    GoldenKind kind = GoldenKind::OneStack;

    std::string text() const; ///< Name of a test's row.
};

/// One tiny model of a family, and what transformers computes of two texts in one padded batch.
class GoldenModel
{
public:
    explicit GoldenModel(const GoldenModelName& name);

    /// All models: Hugging Face folders, and files as llama.cpp's converter writes them.
    static std::vector<GoldenModelName> names();

    const Model& model() const { return m_model; }

    /// Ids of a text without its padding.
    std::vector<TokenId> textOf(std::int64_t row) const;

    /// Logits [tokens, V] of a text's first `tokens` tokens.
    std::vector<double> logitsOf(std::int64_t row, std::int64_t tokens) const;

    /// "" or where patterns, hidden states or logits of a text alone differ from the file.
    std::string textsProblem(AttentionBackend& backend) const;

    /// "" or where the logits of both texts in one padded batch differ from the file.
    std::string batchProblem(AttentionBackend& backend) const;

    static constexpr Tolerance kPatterns{2e-5, 0.0};
    static constexpr Tolerance kHiddenStates{1e-4, 1e-5};

private:
    struct Row;
    class Notebook;
    class Check;

    Row rowOf(const std::string& name, std::int64_t row, bool masked) const;
    void compareOneStack(std::int64_t row, AttentionBackend& backend, Check& check) const;
    void compareTwoStacks(std::int64_t row, AttentionBackend& backend, Check& check) const;
    void compareStack(const Notebook& seen, const std::string& kind, const Row& text,
                      std::int64_t row, Check& check) const;

    GoldenFile m_file;
    Model m_model;
    bool m_hasTwoStacks;
};

} // namespace headscope::test
