#include "core/train/data/sequence_task.h"

#include "core/base/error.h"
#include "core/text/tokenizers/byte_alphabet.h"
#include "core/train/phrases/phrase_book.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace headscope {

namespace {

constexpr std::string_view kSymbols = "abcdefghijklmnopqrstuvwxyz0123456789";
constexpr std::uint64_t kValidationSeed = 0x5345513253455132ULL; ///< Used by no training run.
constexpr std::int64_t kMostDigits = 17;                         ///< Sums fit 64 bits.

constexpr std::array<std::string_view, 12> kMonths = {
    "january", "february", "march",     "april",   "may",      "june",
    "july",    "august",   "september", "october", "november", "december"};

constexpr std::size_t kLongestDate = std::string_view("september 30, 1987").size();

std::size_t lengthBetween(const SequenceTaskSettings& settings, Random& random)
{
    return static_cast<std::size_t>(settings.shortest) +
           random.below(static_cast<std::uint64_t>(settings.longest - settings.shortest + 1));
}

std::string randomSymbols(const SequenceTaskSettings& settings, Random& random)
{
    std::string symbols(lengthBetween(settings, random), ' ');
    for (char& symbol : symbols)
        symbol = random.pick(kSymbols);
    return symbols;
}

std::int64_t randomNumber(const SequenceTaskSettings& settings, Random& random)
{
    std::uint64_t bound = 1;
    for (std::size_t digit = lengthBetween(settings, random); digit > 0; --digit)
        bound *= 10;
    return random.below(bound);
}

SequencePair addition(const SequenceTaskSettings& settings, Random& random)
{
    const std::int64_t a = randomNumber(settings, random);
    const std::int64_t b = randomNumber(settings, random);
    std::string sum = fmt::format("{}", a + b);
    if (settings.reversedSum)
        std::reverse(sum.begin(), sum.end());
    return {fmt::format("{}+{}", a, b), sum};
}

int daysOf(int month, int year)
{
    const bool isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    if (month == 2)
        return isLeap ? 29 : 28;
    return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

SequencePair date(Random& random)
{
    const int year = 1900 + static_cast<int>(random.below(200));
    const int month = 1 + static_cast<int>(random.below(12));
    const int day =
        1 + static_cast<int>(random.below(static_cast<std::uint64_t>(daysOf(month, year))));
    const std::string_view name = kMonths[static_cast<std::size_t>(month) - 1];
    const std::array<std::string, 5> ways = {
        fmt::format("{} {}, {}", name, day, year), fmt::format("{} {} {}", day, name, year),
        fmt::format("{} {} {}", day, name.substr(0, 3), year),
        fmt::format("{}.{}.{}", day, month, year), fmt::format("{}/{}/{}", year, month, day)};
    return {random.pick(ways), fmt::format("{:04}-{:02}-{:02}", year, month, day)};
}

SequencePair translation(Random& random, bool isHeldOut)
{
    const Phrase phrase = phraseBook().sample(random, isHeldOut);
    return {phrase.sourceText(), phrase.targetText()};
}

TokenId requiredToken(const BpeTokenizer& tokenizer, std::string_view name)
{
    const auto id = tokenizer.find(name);
    if (!id)
        throw Error(fmt::format("the tokenizer has no token {}", name), "sequence task",
                    "Leave the tokenizer out of the configuration");
    return *id;
}

void checkSettings(const SequenceTaskSettings& settings)
{
    if (settings.rows < 1 || settings.validationBatches < 0)
        throw Error(fmt::format("{} rows and {} held-out batches are not valid", settings.rows,
                                settings.validationBatches),
                    "sequence task", "Use at least 1 row");
    if (settings.shortest < 1 || settings.longest < settings.shortest)
        throw Error(fmt::format("sources of {} to {} symbols are not valid", settings.shortest,
                                settings.longest),
                    "sequence task",
                    "Use at least 1 symbol, and a max_length not below "
                    "min_length");
    if (settings.kind == SequenceTaskKind::Addition && settings.longest > kMostDigits)
        throw Error(fmt::format("numbers of {} digits are too long to add", settings.longest),
                    "sequence task", fmt::format("Use a max_length up to {}", kMostDigits));
}

std::int64_t longestSource(const SequenceTaskSettings& settings)
{
    if (settings.kind == SequenceTaskKind::Phrases)
        return static_cast<std::int64_t>(phraseBook().longestSource());
    if (settings.kind == SequenceTaskKind::Dates)
        return kLongestDate;
    return settings.kind == SequenceTaskKind::Addition ? 2 * settings.longest + 1
                                                       : settings.longest;
}

std::int64_t longestTarget(const SequenceTaskSettings& settings)
{
    if (settings.kind == SequenceTaskKind::Phrases)
        return static_cast<std::int64_t>(phraseBook().longestTarget());
    if (settings.kind == SequenceTaskKind::Dates)
        return std::string_view("1987-03-05").size();
    return settings.kind == SequenceTaskKind::Addition ? settings.longest + 1 : settings.longest;
}

} // namespace

std::shared_ptr<const BpeTokenizer> sequenceTokenizer()
{
    BpeVocabulary vocabulary;
    for (const std::string_view special : {kSourcePadding, kTargetBegin, kTargetEnd}) {
        vocabulary.addedTokens.push_back(
            {static_cast<TokenId>(vocabulary.tokens.size()), std::string(special), true, false});
        vocabulary.tokens.emplace_back(special);
    }
    vocabulary.textSuffix = {2};
    for (const std::uint8_t byte : bytesBySymbol())
        vocabulary.tokens.emplace_back(byteSymbol(byte));
    return std::make_shared<const BpeTokenizer>(std::move(vocabulary));
}

SequenceTask::SequenceTask(const BpeTokenizer& tokenizer, std::int64_t maxLen,
                           SequenceTaskSettings settings)
    : m_settings(settings)
    , m_tokenizer(std::make_shared<const BpeTokenizer>(tokenizer))
    , m_padding(requiredToken(tokenizer, kSourcePadding))
    , m_begin(requiredToken(tokenizer, kTargetBegin))
    , m_end(requiredToken(tokenizer, kTargetEnd))
{
    checkSettings(settings);
    m_sourceLength = longestSource(settings) + 1;
    m_targetLength = longestTarget(settings) + 1;
    if (std::max(m_sourceLength, m_targetLength) > maxLen)
        throw Error(fmt::format("sources of {} and targets of {} tokens do not fit a max_len of {}",
                                m_sourceLength, m_targetLength, maxLen),
                    "sequence task",
                    "Set a larger max_len in \"model\", or a smaller "
                    "max_length in \"data\"");
}

SequencePair SequenceTask::pair(std::uint64_t seed, std::uint64_t number) const
{
    Random random(seed, number);
    return pair(random, false);
}

SequencePair SequenceTask::heldOutPair(std::uint64_t number) const
{
    Random random(kValidationSeed, number);
    return pair(random, true);
}

SequencePair SequenceTask::pair(Random& random, bool isHeldOut) const
{
    if (m_settings.kind == SequenceTaskKind::Phrases)
        return translation(random, isHeldOut);
    if (m_settings.kind == SequenceTaskKind::Addition)
        return addition(m_settings, random);
    if (m_settings.kind == SequenceTaskKind::Dates)
        return date(random);
    SequencePair pair;
    pair.source = pair.target = randomSymbols(m_settings, random);
    if (m_settings.kind == SequenceTaskKind::Reverse)
        std::reverse(pair.target.begin(), pair.target.end());
    else if (m_settings.kind == SequenceTaskKind::Sort)
        std::sort(pair.target.begin(), pair.target.end());
    return pair;
}

void SequenceTask::appendPair(const SequencePair& pair, Batch& batch) const
{
    const std::vector<TokenId> source = m_tokenizer->encode(pair.source, false).ids();
    const std::vector<TokenId> target = m_tokenizer->encode(pair.target, false).ids();
    for (std::size_t i = 0; i < static_cast<std::size_t>(m_sourceLength); ++i) {
        batch.sources.push_back(i < source.size()    ? source[i]
                                : i == source.size() ? m_end
                                                     : m_padding);
        batch.sourceKeyMask.push_back(i <= source.size() ? 1 : 0);
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(m_targetLength); ++i) {
        batch.inputs.push_back(i == 0 ? m_begin : i <= target.size() ? target[i - 1] : m_padding);
        batch.targets.push_back(i < target.size()    ? target[i]
                                : i == target.size() ? m_end
                                                     : kIgnoredTarget);
        batch.keyMask.push_back(i <= target.size() ? 1 : 0);
    }
}

template<class MakePair>
Batch SequenceTask::batch(std::uint64_t number, const MakePair& makePair) const
{
    Batch batch;
    batch.rows = m_settings.rows;
    batch.length = m_targetLength;
    batch.sourceLength = m_sourceLength;
    const auto rows = static_cast<std::uint64_t>(m_settings.rows);
    for (std::uint64_t row = 0; row < rows; ++row)
        appendPair(makePair(number * rows + row), batch);
    return batch;
}

Batch SequenceTask::trainingBatch(std::uint64_t seed, std::int64_t step) const
{
    return batch(static_cast<std::uint64_t>(step),
                 [&](std::uint64_t number) { return pair(seed, number); });
}

Batch SequenceTask::validationBatch(std::int64_t index) const
{
    if (index < 0 || index >= validationBatchCount())
        throw Error(fmt::format("there is no validation batch {}", index), "SequenceTask");
    return batch(static_cast<std::uint64_t>(index),
                 [this](std::uint64_t number) { return heldOutPair(number); });
}

} // namespace headscope
