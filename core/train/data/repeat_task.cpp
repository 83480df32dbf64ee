#include "core/train/data/repeat_task.h"

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/text/tokenizers/byte_alphabet.h"
#include "core/train/stories/story_grammar.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace headscope {

namespace {

constexpr std::string_view kSymbolCharacters = "abcdefghijklmnopqrstuvwxyz0123456789";
constexpr std::uint64_t kValidationSeed = 0x56414C4944415445ULL; ///< Used by no training run.

/// One row under construction: tokens, and whether each is predictable.
struct Row
{
    std::vector<TokenId> tokens;
    std::vector<bool> forecast;
    std::size_t wanted = 0;

    bool isFull() const { return tokens.size() >= wanted; }

    void add(TokenId token, bool known)
    {
        if (isFull())
            return;
        tokens.push_back(token);
        forecast.push_back(known);
    }
};

/// Moves a random choice of `count` symbols, in random order, to the front.
void shuffleFront(std::vector<TokenId>& symbols, std::size_t count, Random& random)
{
    for (std::size_t i = 0; i < count; ++i)
        std::swap(symbols[i], symbols[i + random.below(symbols.size() - i)]);
}

void writeSnippets(Row& row, std::vector<TokenId> symbols, Random& random)
{
    struct Snippet
    {
        std::size_t begin;
        std::size_t size;
        bool seen = false;
    };

    std::vector<Snippet> snippets(3 + random.below(6));
    std::size_t used = 0;
    for (Snippet& snippet : snippets) {
        snippet = {used, 2 + random.below(5)};
        used += snippet.size;
    }
    shuffleFront(symbols, used, random);
    while (!row.isFull()) {
        if (random.below(8) == 0)
            row.add(symbols[used + random.below(symbols.size() - used)], false);
        Snippet& snippet = snippets[random.below(snippets.size())];
        for (std::size_t i = 0; i < snippet.size; ++i)
            row.add(symbols[snippet.begin + i], snippet.seen && i > 0);
        snippet.seen = true;
    }
}

void writeSegment(Row& row, std::vector<TokenId> symbols, Random& random)
{
    const std::size_t longest = std::min<std::size_t>(32, row.wanted / 2);
    const std::size_t shortest = std::min<std::size_t>(4, longest);
    const std::size_t size = shortest + random.below(longest - shortest + 1);
    const std::size_t prefix = random.below(row.wanted - 2 * size + 1);
    shuffleFront(symbols, size, random);
    for (std::size_t i = 0; i < prefix; ++i)
        row.add(symbols[size + random.below(symbols.size() - size)], false);
    for (std::size_t i = 0; !row.isFull(); ++i)
        row.add(symbols[i % size], i > size); // the first return to the start is not predictable
}

} // namespace

std::shared_ptr<const BpeTokenizer> symbolTokenizer()
{
    BpeVocabulary vocabulary;
    vocabulary.tokens.emplace_back(kEndOfText);
    vocabulary.addedTokens.push_back({0, std::string(kEndOfText), true, false});
    vocabulary.textPrefix = {0};
    for (const std::uint8_t byte : bytesBySymbol())
        vocabulary.tokens.emplace_back(byteSymbol(byte));
    const auto idOf = [&](char byte) {
        const auto symbol = byteSymbol(static_cast<std::uint8_t>(byte));
        const auto found = std::ranges::find(vocabulary.tokens, std::string(symbol));
        return static_cast<TokenId>(found - vocabulary.tokens.begin());
    };
    const TokenId space = idOf(' ');
    for (const char character : kSymbolCharacters) {
        const TokenId id = idOf(character);
        vocabulary.merges.emplace_back(space, id);
        vocabulary.tokens.push_back(toByteSymbols(std::string{' ', character}));
    }
    return std::make_shared<const BpeTokenizer>(std::move(vocabulary));
}

std::vector<TokenId> symbolIds(const BpeTokenizer& tokenizer)
{
    std::vector<TokenId> ids;
    for (const std::string lead : {"", " "}) {
        for (const char character : kSymbolCharacters) {
            const auto id = tokenizer.find(toByteSymbols(lead + character));
            if (!id)
                throw Error(fmt::format("the tokenizer has no token \"{}{}\"", lead, character),
                            "repeat task", "Leave the tokenizer out of the configuration");
            ids.push_back(*id);
        }
    }
    return ids;
}

RepeatTask::RepeatTask(const BpeTokenizer& tokenizer, RepeatTaskSettings settings)
    : m_settings(settings)
    , m_endOfText(0)
    , m_symbols(symbolIds(tokenizer))
{
    if (!tokenizer.endOfText())
        throw Error("the tokenizer has no <|endoftext|>", "repeat task");
    if (settings.rows < 1 || settings.length < 8 || settings.validationBatches < 0)
        throw Error(fmt::format("{} rows of {} symbols are too short to repeat anything",
                                settings.rows, settings.length),
                    "repeat task", "Use at least 1 row of 8");
    m_endOfText = *tokenizer.endOfText();
}

Batch RepeatTask::batch(std::uint64_t seed, std::uint64_t number) const
{
    Batch batch{m_settings.rows, m_settings.length, {}, {}};
    for (std::int64_t index = 0; index < m_settings.rows; ++index) {
        Random random(seed, number * static_cast<std::uint64_t>(m_settings.rows) +
                                static_cast<std::uint64_t>(index));
        Row row{{}, {}, static_cast<std::size_t>(m_settings.length)};
        if (m_settings.variant == RepeatTaskSettings::Variant::Snippets)
            writeSnippets(row, m_symbols, random);
        else
            writeSegment(row, m_symbols, random);
        batch.inputs.push_back(m_endOfText);
        batch.inputs.insert(batch.inputs.end(), row.tokens.begin(), row.tokens.end() - 1);
        for (std::size_t i = 0; i < row.tokens.size(); ++i)
            batch.targets.push_back(row.forecast[i] ? row.tokens[i] : kIgnoredTarget);
    }
    return batch;
}

Batch RepeatTask::trainingBatch(std::uint64_t seed, std::int64_t step) const
{
    return batch(seed, static_cast<std::uint64_t>(step));
}

Batch RepeatTask::validationBatch(std::int64_t index) const
{
    if (index < 0 || index >= validationBatchCount())
        throw Error(fmt::format("there is no validation batch {}", index), "RepeatTask");
    return batch(kValidationSeed, static_cast<std::uint64_t>(index));
}

} // namespace headscope
