#include "core/train/data/masked_text_dataset.h"

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/train/data/text_dataset.h"

#include <algorithm>

#include <fmt/format.h>

namespace headscope {

namespace {

constexpr std::uint64_t kValidationSeed = 0x4D41534B4544ULL; ///< Used by no training run.

TokenId requiredToken(const BpeTokenizer& tokenizer, std::string_view name)
{
    const auto id = tokenizer.find(name);
    if (!id)
        throw Error(fmt::format("the tokenizer has no token {}", name), "MaskedTextDataset",
                    "Train a tokenizer for the objective \"masked\", or leave it out");
    return *id;
}

/// Truncates a and b so that together they have at most `room` tokens: the longer one is shortened,
/// a at its beginning and b at its end.
void cutToFit(std::vector<TokenId>& a, std::vector<TokenId>& b, std::size_t room)
{
    const std::size_t half = room / 2;
    const std::size_t ofB = std::min(b.size(), std::max(half, room - std::min(room, a.size())));
    const std::size_t ofA = std::min(a.size(), room - ofB);
    a.erase(a.begin(), a.end() - static_cast<std::ptrdiff_t>(ofA));
    b.resize(ofB);
}

template<class Sentences>
std::vector<TokenId> joined(const Sentences& sentences, std::size_t begin, std::size_t end)
{
    std::vector<TokenId> tokens;
    for (std::size_t i = begin; i < end; ++i)
        tokens.insert(tokens.end(), sentences[i].begin(), sentences[i].end());
    return tokens;
}

} // namespace

std::vector<std::string> maskedTextSpecialTokens()
{
    return {std::string(kPaddingToken), std::string(kClassToken), std::string(kSeparatorToken),
            std::string(kMaskToken)};
}

std::vector<std::string_view> splitSentences(std::string_view document)
{
    std::vector<std::string_view> sentences;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < document.size(); ++i) {
        if (std::string_view(".!?").find(document[i]) == std::string_view::npos)
            continue;
        while (i + 1 < document.size() &&
               std::string_view(".!?\"").find(document[i + 1]) != std::string_view::npos)
            ++i;
        if (i + 1 < document.size() && document[i + 1] != ' ' && document[i + 1] != '\n')
            continue; // a number such as 3.14
        sentences.push_back(document.substr(begin, i + 1 - begin));
        begin = i + 1;
    }
    if (document.find_first_not_of(" \t\r\n", begin) != std::string_view::npos)
        sentences.push_back(document.substr(begin));
    return sentences;
}

MaskedTextDataset::MaskedTextDataset(const BpeTokenizer& tokenizer,
                                     const std::vector<std::string_view>& documents,
                                     MaskedTextSettings settings)
    : m_settings(settings)
    , m_class(requiredToken(tokenizer, kClassToken))
    , m_separator(requiredToken(tokenizer, kSeparatorToken))
    , m_padding(requiredToken(tokenizer, kPaddingToken))
{
    checkSettings();
    const auto size = static_cast<TokenId>(tokenizer.vocabularySize());
    m_masking.maskToken = requiredToken(tokenizer, kMaskToken);
    m_masking.vocabularySize = size;
    for (TokenId id = 0; id < size; ++id) {
        if (tokenizer.isSpecial(id))
            m_masking.specialTokens.push_back(id);
    }
    std::vector<Document> encoded(documents.size());
    parallelFor(documents.size(), workerCount(),
                [&](std::size_t begin, std::size_t end, std::size_t) {
                    for (std::size_t i = begin; i < end; ++i)
                        for (const std::string_view sentence : splitSentences(documents[i]))
                            encoded[i].push_back(tokenizer.encode(sentence, false).ids());
                });
    std::uint64_t number = 0;
    for (Document& document : encoded) {
        if (document.size() >= (m_settings.pairs ? 2U : 1U))
            (isHeldOut(number++, settings.validationFraction) ? m_validation : m_training)
                .push_back(std::move(document));
    }
    const std::size_t needed = m_settings.pairs ? 2 : 1;
    if (m_training.size() < needed ||
        (m_validation.size() < needed && settings.validationBatches > 0))
        throw Error(m_settings.pairs ? "the text has too few documents of at least two sentences"
                                     : "the text has fewer than two documents",
                    "MaskedTextDataset",
                    "Use a text with more documents, or a larger "
                    "validation_share");
}

void MaskedTextDataset::checkSettings() const
{
    if (m_settings.rows < 1 || m_settings.length < 8)
        throw Error(fmt::format("a batch of {} rows of {} tokens is too small to train on",
                                m_settings.rows, m_settings.length),
                    "MaskedTextDataset", "Use at least 1 row of 8");
    if (!(m_settings.validationFraction >= 0.0 && m_settings.validationFraction <= 1.0))
        throw Error("the validation fraction is not between 0 and 1", "MaskedTextDataset");
}

std::int64_t MaskedTextDataset::trainingTokenCount() const
{
    std::size_t count = 0;
    for (const Document& document : m_training) {
        for (const Sentence& sentence : document)
            count += sentence.size();
    }
    return count;
}

MaskedTextDataset::Row MaskedTextDataset::runningRow(const std::vector<Document>& documents,
                                                     Random& random) const
{
    const std::size_t length = m_settings.length;
    Row row;
    row.tokens.push_back(m_class);
    for (std::size_t i = random.below(documents.size()); row.tokens.size() < length; ++i) {
        const Document& document = documents[i % documents.size()];
        const std::vector<TokenId> tokens = joined(document, 0, document.size());
        row.tokens.insert(row.tokens.end(), tokens.begin(), tokens.end());
        row.tokens.push_back(m_separator);
    }
    row.tokens.resize(length);
    row.secondBegin = length;
    return row;
}

MaskedTextDataset::Row MaskedTextDataset::pairRow(const std::vector<Document>& documents,
                                                  Random& random) const
{
    const std::size_t index = random.below(documents.size());
    const Document& first = documents[index];
    const std::size_t cut = 1 + random.below(first.size() - 1);
    Row row;
    row.isRandom = random.below(2) == 0;
    const std::size_t step = row.isRandom ? 1 + random.below(documents.size() - 1) : 0;
    const Document& second = documents[(index + step) % documents.size()];
    const std::size_t begin = row.isRandom ? 1 + random.below(second.size() - 1) : cut;
    std::vector<TokenId> a = joined(first, 0, cut);
    std::vector<TokenId> b = joined(second, begin, second.size());
    cutToFit(a, b, static_cast<std::size_t>(m_settings.length) - 3);
    row.tokens.push_back(m_class);
    row.tokens.insert(row.tokens.end(), a.begin(), a.end());
    row.tokens.push_back(m_separator);
    row.secondBegin = row.tokens.size();
    row.tokens.insert(row.tokens.end(), b.begin(), b.end());
    row.tokens.push_back(m_separator);
    return row;
}

void MaskedTextDataset::append(Row row, Batch& batch) const
{
    const std::size_t length = m_settings.length;
    const std::size_t used = row.tokens.size();
    row.tokens.resize(length, m_padding);
    batch.inputs.insert(batch.inputs.end(), row.tokens.begin(), row.tokens.end());
    for (std::size_t i = 0; i < length; ++i) {
        if (m_settings.pairs)
            batch.keyMask.push_back(i < used ? 1 : 0);
        if (m_settings.segments)
            batch.segments.push_back(i >= row.secondBegin && i < used ? 1 : 0);
    }
    if (m_settings.pairs)
        batch.nextSentence.push_back(row.isRandom ? 1 : 0);
}

Batch MaskedTextDataset::batchOf(const std::vector<Document>& documents, Random& random) const
{
    Batch batch;
    batch.rows = m_settings.rows;
    batch.length = m_settings.length;
    for (std::int64_t row = 0; row < m_settings.rows; ++row)
        append(m_settings.pairs ? pairRow(documents, random) : runningRow(documents, random),
               batch);
    maskTokens(m_masking, random, batch);
    return batch;
}

Batch MaskedTextDataset::trainingBatch(std::uint64_t seed, std::int64_t step) const
{
    Random random(seed, static_cast<std::uint64_t>(step));
    return batchOf(m_training, random);
}

Batch MaskedTextDataset::validationBatch(std::int64_t index) const
{
    if (index < 0 || index >= validationBatchCount())
        throw Error(fmt::format("there is no validation batch {}", index), "MaskedTextDataset");
    Random random(kValidationSeed, static_cast<std::uint64_t>(index));
    return batchOf(m_validation, random);
}

} // namespace headscope
