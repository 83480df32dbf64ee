#pragma once

#include "core/text/tokenizers/bpe_tokenizer.h"
#include "core/train/data/batch.h"

#include <memory>
#include <vector>

namespace headscope {

struct RepeatTaskSettings
{
    enum class Variant {
        /// Repetitions of 3-8 random snippets of 2-6 symbols, occasionally with a stray symbol in
        /// between; loss only inside snippets that occurred before.
        Snippets,
        /// A random prefix of random length, then one segment of 4-32 symbols, repeated; loss only
        /// where it repeats.
        Segment,
    };

    Variant variant = Variant::Snippets;
    std::int64_t rows = 32;
    std::int64_t length = 64;
    std::int64_t validationBatches = 4;
};

/// Tokenizer of lower-case letters and digits, each alone and with a space in front: one token
/// each, so that "a k 7 q a k 7", "ak7qak7" and "cat sat cat sat" are all sequences of symbols. Any
/// other bytes are tokens too.
std::shared_ptr<const BpeTokenizer> symbolTokenizer();

/// Ids of those symbols.
std::vector<TokenId> symbolIds(const BpeTokenizer& tokenizer);

/// Repeated random symbols, so that only earlier tokens predict the next one. Every row begins with
/// the end-of-text token. The symbols of a row are all different within a snippet or segment and
/// between snippets: the successor of a repeated symbol is never ambiguous.
class RepeatTask final : public BatchSource
{
public:
    explicit RepeatTask(const BpeTokenizer& tokenizer, RepeatTaskSettings settings = {});

    Batch trainingBatch(std::uint64_t seed, std::int64_t step) const override;

    std::int64_t validationBatchCount() const override { return m_settings.validationBatches; }

    Batch validationBatch(std::int64_t index) const override;

private:
    Batch batch(std::uint64_t seed, std::uint64_t number) const;

    RepeatTaskSettings m_settings;
    TokenId m_endOfText;
    std::vector<TokenId> m_symbols;
};

} // namespace headscope
