#include "core/train/data/text_dataset.h"

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/base/random.h"
#include "core/base/stop.h"
#include "core/train/stories/story_grammar.h"

#include <algorithm>

#include <fmt/format.h>

namespace headscope {

namespace {

constexpr std::uint64_t kSplitSeed = 0x53504C4954ULL; ///< Determines which documents are held out.

std::vector<std::string_view> splitAt(std::string_view text, std::string_view mark)
{
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(mark), text.size());
        if (text.substr(0, end).find_first_not_of(" \t\r\n") != std::string_view::npos)
            parts.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + mark.size(), text.size()));
    }
    return parts;
}

void checkSettings(const TextDatasetSettings& settings)
{
    const auto isFraction = [](double value) { return value >= 0.0 && value <= 1.0; };
    if (settings.rows < 1 || settings.length < 2)
        throw Error(fmt::format("a batch of {} rows of {} tokens is too small to train on",
                                settings.rows, settings.length),
                    "TextDataset", "Use at least 1 row of 2");
    if (!isFraction(settings.validationFraction) || !isFraction(settings.repeatedRows))
        throw Error("a fraction is not between 0 and 1", "TextDataset");
}

} // namespace

std::vector<std::string_view> splitDocuments(std::string_view text)
{
    std::vector<std::string_view> documents;
    for (const std::string_view mark :
         {kEndOfText, std::string_view("\n\n"), std::string_view("\n")}) {
        documents = splitAt(text, mark);
        if (documents.size() > 1)
            break;
    }
    return documents;
}

bool isHeldOut(std::uint64_t document, double fraction)
{
    const auto held = static_cast<std::uint64_t>(fraction * 10'000.0);
    const bool isSecond = document == 1; // at least one is held out
    return held > 0 && document != 0 &&
           (isSecond || mixBits(kSplitSeed + document) % 10'000 < held);
}

std::vector<TokenId> encodeDocuments(const Tokenizer& tokenizer,
                                     const std::vector<std::string_view>& documents,
                                     const std::stop_token& stop)
{
    const auto mark = tokenizer.endOfText();
    if (!mark)
        throw Error("the tokenizer has no token that separates documents", "encodeDocuments",
                    "Train a tokenizer with <|endoftext|> among its special tokens");
    constexpr std::size_t kParts = 16;
    std::vector<std::vector<TokenId>> parts(kParts);
    parallelFor(documents.size(), kParts,
                [&](std::size_t begin, std::size_t end, std::size_t part) {
                    for (std::size_t i = begin; i < end && !stop.stop_requested(); ++i) {
                        parts[part].push_back(*mark);
                        for (const Token& token : tokenizer.encode(documents[i], false).tokens)
                            parts[part].push_back(token.id);
                    }
                });
    throwIfStopped(stop);
    std::vector<TokenId> tokens;
    for (const auto& part : parts)
        tokens.insert(tokens.end(), part.begin(), part.end());
    tokens.push_back(*mark);
    return tokens;
}

TextDataset::TextDataset(const std::vector<TokenId>& tokens, TokenId mark,
                         TextDatasetSettings settings)
    : m_mark(mark)
    , m_settings(settings)
{
    checkSettings(settings);
    split(tokens);
    if (m_training.starts.empty() ||
        (m_validation.starts.empty() && settings.validationBatches > 0))
        throw Error("the text has fewer than two documents", "TextDataset",
                    "Separate documents by <|endoftext|>, blank lines or line ends");
    m_highest = *std::max_element(m_training.tokens.begin(), m_training.tokens.end());
}

void TextDataset::split(const std::vector<TokenId>& tokens)
{
    std::uint64_t document = 0;
    std::size_t begin = 0;
    while (begin + 1 < tokens.size()) {
        const auto next = std::find(tokens.begin() + static_cast<std::ptrdiff_t>(begin) + 1,
                                    tokens.end(), m_mark);
        const std::size_t end = next - tokens.begin();
        Part& part = isHeldOut(document, m_settings.validationFraction) ? m_validation : m_training;
        part.starts.push_back(part.tokens.size());
        part.tokens.insert(part.tokens.end(), tokens.begin() + static_cast<std::ptrdiff_t>(begin),
                           next);
        begin = end;
        ++document;
    }
}

/// Returns length + 1 tokens from the mark of `document` on; the last document is followed by the
/// first.
std::vector<TokenId> TextDataset::rowFrom(const Part& part, std::size_t document) const
{
    std::vector<TokenId> row(static_cast<std::size_t>(m_settings.length) + 1);
    std::size_t position = part.starts[document];
    for (TokenId& token : row) {
        token = part.tokens[position];
        position = position + 1 == part.tokens.size() ? 0 : position + 1;
    }
    return row;
}

std::vector<TokenId> TextDataset::repeatedRow(Random& random) const
{
    std::vector<TokenId> row(static_cast<std::size_t>(m_settings.length) + 1, m_mark);
    const std::size_t period = 4 + random.below(std::max<std::size_t>(row.size() / 2, 5) - 4);
    for (std::size_t i = 1; i < row.size(); ++i)
        row[i] =
            i > period
                ? row[i - period]
                : static_cast<TokenId>(random.below(static_cast<std::uint64_t>(m_highest) + 1));
    return row;
}

Batch TextDataset::batchOf(const FillRow& fillRow) const
{
    Batch batch{m_settings.rows, m_settings.length, {}, {}};
    for (std::int64_t index = 0; index < m_settings.rows; ++index) {
        const std::vector<TokenId> row = fillRow(index);
        batch.inputs.insert(batch.inputs.end(), row.begin(), row.end() - 1);
        batch.targets.insert(batch.targets.end(), row.begin() + 1, row.end());
    }
    return batch;
}

Batch TextDataset::trainingBatch(std::uint64_t seed, std::int64_t step) const
{
    Random random(seed, static_cast<std::uint64_t>(step));
    return batchOf([&](std::int64_t) {
        if (m_settings.repeatedRows > 0.0 && random.uniform() < m_settings.repeatedRows)
            return repeatedRow(random);
        return rowFrom(m_training, random.below(m_training.starts.size()));
    });
}

Batch TextDataset::validationBatch(std::int64_t index) const
{
    if (index < 0 || index >= validationBatchCount())
        throw Error(fmt::format("there is no validation batch {}", index), "TextDataset");
    Random random(kSplitSeed, static_cast<std::uint64_t>(index));
    return batchOf([&](std::int64_t) {
        return rowFrom(m_validation, random.below(m_validation.starts.size()));
    });
}

} // namespace headscope
