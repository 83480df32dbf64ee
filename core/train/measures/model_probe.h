#pragma once

#include "core/model/model.h"
#include "core/train/stories/story_cases.h"

#include <vector>

namespace headscope {

/// Evaluates a model on test cases, one text at a time.
class ModelProbe
{
public:
    /// Neither is copied; both must outlive the probe.
    ModelProbe(const Model& model, const Tokenizer& tokenizer, AttentionBackend& backend);

    const Model& model() const { return m_model; }

    /// Encodes the text like rows of training: after one end-of-text token, if there is one.
    TokenSequence encode(const std::string& text) const;

    /// True if the model has positions for all tokens of the text.
    bool fits(const std::string& text) const;

    Tensor logits(std::span<const TokenId> ids); ///< Logits [n, V].

    /// Patterns of all layers, each [heads, n, n].
    std::vector<Tensor> patterns(std::span<const TokenId> ids);

    bool passes(const ContinuationCase& question);
    double fractionOfPassed(const std::vector<ContinuationCase>& questions);

    /// Attention of every head in one case, [layer][head]: weight on `key` minus that on
    /// `contrast`.
    std::vector<std::vector<double>> attentionOn(const AttentionTargetCase& question);

private:
    bool givesAll(const ContinuationCase& question);

    const Model& m_model;
    const Tokenizer& m_tokenizer;
    AttentionBackend& m_backend;
};

} // namespace headscope
