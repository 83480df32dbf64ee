#pragma once

#include "core/base/random.h"
#include "core/train/data/batch.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope {

/// The documents of a text: the parts between <|endoftext|> marks; without any mark the paragraphs
/// between blank lines; without those the lines. Empty ones are left out.
std::vector<std::string_view> splitDocuments(std::string_view text);

/// True if the document with this number is held out for validation: always the second, never the
/// first, and about `share` of the others.
bool isHeldOut(std::uint64_t document, double fraction);

/// Encodes documents as mark, document, mark, document, ..., mark, on parallelFor's workers. Throws
/// Cancelled when stopped.
std::vector<TokenId> encodeDocuments(const Tokenizer& tokenizer,
                                     const std::vector<std::string_view>& documents,
                                     const std::stop_token& stop = {});

struct TextDatasetSettings
{
    std::int64_t rows = 16;
    std::int64_t length = 128;
    double validationFraction = 0.02; ///< Fraction of the documents that is held out.
    std::int64_t validationBatches = 8;
    double repeatedRows = 0.0; ///< Fraction of rows that are one random line, repeated.
};

/// Rows of documents encoded with encodeDocuments: each row begins with the mark of a document and
/// continues through the following documents. Each document belongs either to the training rows or
/// to the held-out rows.
class TextDataset final : public BatchSource
{
public:
    /// Throws Error for fewer than two documents, or settings out of range.
    TextDataset(const std::vector<TokenId>& tokens, TokenId mark, TextDatasetSettings settings);

    Batch trainingBatch(std::uint64_t seed, std::int64_t step) const override;

    std::int64_t validationBatchCount() const override { return m_settings.validationBatches; }

    Batch validationBatch(std::int64_t index) const override;

    const std::vector<TokenId>& trainingTokens() const { return m_training.tokens; }

    const std::vector<TokenId>& validationTokens() const { return m_validation.tokens; }

private:
    /// Concatenated documents, each after its mark.
    struct Part
    {
        std::vector<TokenId> tokens;
        std::vector<std::size_t> starts; ///< Positions of the marks.
    };

    using FillRow = std::function<std::vector<TokenId>(std::int64_t row)>;

    void split(const std::vector<TokenId>& tokens);
    std::vector<TokenId> rowFrom(const Part& part, std::size_t document) const;
    std::vector<TokenId> repeatedRow(Random& random) const;
    Batch batchOf(const FillRow& fillRow) const;

    TokenId m_mark;
    TextDatasetSettings m_settings;
    TokenId m_highest = 0; ///< Highest token of the text, for random lines.
    Part m_training;
    Part m_validation;
};

} // namespace headscope
