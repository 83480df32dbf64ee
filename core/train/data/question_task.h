#pragma once

#include "core/base/random.h"
#include "core/text/tokenizers/bpe_tokenizer.h"
#include "core/train/data/batch.h"

#include <memory>
#include <string>
#include <string_view>

namespace headscope {

/// Short texts that end in "=" and are answered by one token.
enum class QuestionTaskKind {
    Brackets, ///< "(()())=y", "(()))(=n": whether all brackets are balanced.
    Order,    ///< "k>q=q": the symbol that comes second; in the opposite order: "k".
};

struct QuestionTaskSettings
{
    QuestionTaskKind kind = QuestionTaskKind::Brackets;
    std::int64_t rows = 32;
    /// Number of brackets; an odd number means the next even one; unused by Order.
    std::int64_t shortest = 2;
    std::int64_t longest = 16;
    std::int64_t validationBatches = 8;
};

struct Question
{
    std::string text; ///< Text, including "=".
    char answer = 0;
};

/// One question per row: <|endoftext|> text, padded on the right, the padding hidden by the key
/// mask; the answer is the only target. Half of the bracket strings are balanced; the others are
/// balanced ones with one bracket reversed or two exchanged, so that counting alone answers half of
/// those.
class QuestionTask final : public BatchSource
{
public:
    /// Throws Error for a tokenizer that lacks the symbols, invalid lengths, and questions longer
    /// than `maxLen` tokens.
    QuestionTask(const BpeTokenizer& tokenizer, std::int64_t maxLen,
                 QuestionTaskSettings settings = {});

    /// Depends only on (seed, number).
    Question question(std::uint64_t seed, std::uint64_t number) const;

    Batch trainingBatch(std::uint64_t seed, std::int64_t step) const override;

    std::int64_t validationBatchCount() const override { return m_settings.validationBatches; }

    Batch validationBatch(std::int64_t index) const override;

private:
    Batch batch(std::uint64_t seed, std::uint64_t number) const;
    void appendQuestion(const Question& question, Batch& batch) const;
    TokenId tokenOf(char character) const;

    QuestionTaskSettings m_settings;
    std::shared_ptr<const BpeTokenizer> m_tokenizer;
    TokenId m_endOfText = 0;
    std::int64_t m_length = 0; ///< Number of tokens per row.
};

/// True if no bracket is closed before it was opened, and none is left open.
bool isBalanced(std::string_view brackets);

} // namespace headscope
