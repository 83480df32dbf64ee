#pragma once

#include "core/text/tokenizers/bpe_tokenizer.h"
#include "core/train/data/masked_objective.h"

#include <memory>
#include <string_view>
#include <vector>

namespace headscope {

inline constexpr std::string_view kClassToken = "[CLS]";
inline constexpr std::string_view kSeparatorToken = "[SEP]";
inline constexpr std::string_view kMaskToken = "[MASK]";
inline constexpr std::string_view kPaddingToken = "[PAD]";

/// Special tokens that a vocabulary for masked text needs besides <|endoftext|>; padding comes
/// first.
std::vector<std::string> maskedTextSpecialTokens();

/// The sentences of a document: each ends with . ! or ? and any quotes after it.
std::vector<std::string_view> splitSentences(std::string_view document);

struct MaskedTextSettings
{
    std::int64_t rows = 16;
    std::int64_t length = 128;
    bool pairs = false;               ///< Rows [CLS] a [SEP] b [SEP], half of them with a random b.
    bool segments = false;            ///< Whether to fill Batch::segments.
    double validationFraction = 0.02; ///< Fraction of the documents that is held out.
    std::int64_t validationBatches = 8;
};

/// Rows for masked language modelling. Without pairs: [CLS], consecutive documents, each with [SEP]
/// after it, to the full length. With pairs (Devlin et al. 2019, section 3.1): a is the beginning
/// of a document and b its continuation or, for half of the rows, the end of another document;
/// truncated to fit and padded, the padding hidden by Batch::keyMask.
class MaskedTextDataset final : public BatchSource
{
public:
    /// Throws Error when the tokenizer lacks a special token, for too few documents (with pairs: of
    /// at least two sentences), and for settings out of range.
    MaskedTextDataset(const BpeTokenizer& tokenizer, const std::vector<std::string_view>& documents,
                      MaskedTextSettings settings);

    Batch trainingBatch(std::uint64_t seed, std::int64_t step) const override;

    std::int64_t validationBatchCount() const override { return m_settings.validationBatches; }

    Batch validationBatch(std::int64_t index) const override;

    const MaskingSettings& masking() const { return m_masking; }

    /// Number of tokens in the training documents, without added ones.
    std::int64_t trainingTokenCount() const;

private:
    using Sentence = std::vector<TokenId>;
    using Document = std::vector<Sentence>;

    struct Row
    {
        std::vector<TokenId> tokens;
        std::size_t secondBegin = 0; ///< Index at which b begins.
        bool isRandom = false;
    };

    Batch batchOf(const std::vector<Document>& documents, Random& random) const;
    Row runningRow(const std::vector<Document>& documents, Random& random) const;
    Row pairRow(const std::vector<Document>& documents, Random& random) const;
    void append(Row row, Batch& batch) const;
    void checkSettings() const;

    MaskedTextSettings m_settings;
    MaskingSettings m_masking;
    TokenId m_class, m_separator, m_padding;
    std::vector<Document> m_training;
    std::vector<Document> m_validation;
};

} // namespace headscope
