#pragma once

#include "core/runs/head_curves.h"
#include "core/train/data/prepared_data.h"

#include <memory>

namespace headscope {

/// Measures heads on texts that stay the same throughout training (definitions: metrics). On two
/// held-out rows of the task: previous_token, first_token, self; on the first of them the
/// entropy (normalised, 0 to 1). Causal models, on random tokens shown twice, all different within
/// a copy: induction and duplicate_token, the stripes over the second copy. Cross-attention:
/// entropy, diagonal (target symbol i on source symbol i) and antidiagonal (on source symbol n - 1
/// - i). Models with experts: the load of each expert on the same two rows.
class HeadProbe
{
public:
    /// Chooses the texts once. `seed` determines the random tokens.
    HeadProbe(const PreparedData& data, std::uint64_t seed = 20'000'001);
    /// For a model whose training data are not known: two rows of English stories, or of random ids
    /// where texts are ids. Throws Error for a model that can read fewer than two tokens.
    HeadProbe(const ModelConfig& model, const Tokenizer& tokenizer,
              std::uint64_t seed = 20'000'001);
    ~HeadProbe();
    HeadProbe(HeadProbe&&) noexcept;
    HeadProbe& operator=(HeadProbe&&) noexcept;

    /// A number that differs when the texts do.
    std::uint64_t fingerprint() const;

    HeadScorePoint measure(const Model& model, std::int64_t step, AttentionBackend& backend) const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace headscope
