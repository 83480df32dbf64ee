#pragma once

#include "core/model/model.h"

#include <map>
#include <optional>
#include <string>

namespace headscope::test {

/// How equal two runs have to be: bit for bit, or |a - b| <= tolerance (1 + |b|).
struct Exactness
{
    double tolerance = 0.0; ///< 0: the same bits
};

/// Every activation of one pass as it came: copies of the computed rows, and where they begin.
class RunRecord : public ActivationObserver
{
public:
    struct Rows
    {
        Tensor values;
        std::int64_t first = 0;
    };

    bool wants(TraceKey) const override { return true; }

    void record(TraceKey key, TensorView activation, std::int64_t firstRow) override;

    const std::map<TraceKey, Rows>& all() const { return m_all; }

private:
    std::map<TraceKey, Rows> m_all;
};

Tensor contiguous(TensorView view);

/// "" or where the values differ.
std::string difference(std::span<const float> got, std::span<const float> expected,
                       Exactness exactness);

/// "" when the rows that `got` has equal those of `expected`, which has them all. Cells of scores
/// and patterns beyond the keys that `got` had must be masked ones.
std::string difference(const RunRecord& got, const RunRecord& expected, Exactness exactness);

/// A model's text, and the source of an encoder-decoder (else empty).
struct RunText
{
    std::vector<TokenId> ids;
    std::vector<TokenId> source;
};

RunText randomText(const ModelConfig& config, std::uint64_t seed, std::size_t tokens);

/// A cache with the text's source in it.
KvCache cacheFor(const Model& model, const RunText& text, AttentionBackend& backend,
                 ForwardOptions options = {});

/// Logits of the first `tokens` tokens without any cached one, and what was seen on the way.
struct WholePass
{
    Tensor logits;
    RunRecord record;
};

WholePass wholePass(const Model& model, const RunText& text, std::size_t tokens,
                    AttentionBackend& backend, ForwardOptions options = {});

} // namespace headscope::test
