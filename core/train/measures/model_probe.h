#pragma once

#include "core/model/model.h"
#include "core/train/stories/story_cases.h"

#include <vector>

namespace headscope {

/// Asks a model questions, one text at a time.
class ModelProbe
{
public:
    /// Neither is copied; both must outlive the probe.
    ModelProbe(const Model& model, const Tokenizer& tokenizer, AttentionBackend& backend);

    const Model& model() const { return m_model; }

    /// The text as rows of training have it: after one end-of-text token, where there is one.
    TokenSequence encode(const std::string& text) const;

    /// Whether the model has positions for all tokens of the text.
    bool fits(const std::string& text) const;

    Tensor logits(std::span<const TokenId> ids); ///< [n, V]

    /// Patterns of all layers, each [heads, n, n].
    std::vector<Tensor> patterns(std::span<const TokenId> ids);

    bool passes(const ContinuationCase& question);
    double shareOfPassed(const std::vector<ContinuationCase>& questions);

    /// What every head does in one case, [layer][head]: attention on `key` less that on `contrast`.
    std::vector<std::vector<double>> attentionOn(const GazeCase& question);

private:
    bool givesAll(const ContinuationCase& question);

    const Model& m_model;
    const Tokenizer& m_tokenizer;
    AttentionBackend& m_backend;
};

} // namespace headscope
