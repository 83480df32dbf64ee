#include "core/train/data/question_task.h"

#include "core/base/error.h"
#include "core/text/tokenizers/byte_alphabet.h"

#include <algorithm>

#include <fmt/format.h>

namespace headscope {

namespace {

constexpr std::string_view kSymbols = "abcdefghijklmnopqrstuvwxyz0123456789";
constexpr std::uint64_t kValidationSeed = 0x5155455354494F4EULL; ///< Used by no training run.

/// A random walk that opens or closes with equal probability where both are possible.
std::string balancedBrackets(std::size_t size, Random& random)
{
    std::string text;
    std::size_t open = 0;
    while (text.size() < size) {
        const bool mustClose = open == size - text.size();
        const bool opens = open == 0 || (!mustClose && random.below(2) == 0);
        text += opens ? '(' : ')';
        opens ? ++open : --open;
    }
    return text;
}

std::string spoiled(const std::string& balanced, Random& random)
{
    const bool turns = random.below(2) == 0;
    std::string text = balanced;
    while (isBalanced(text)) {
        text = balanced;
        char& first = text[random.below(text.size())];
        if (turns)
            first = first == '(' ? ')' : '(';
        else
            std::swap(first, text[random.below(text.size())]);
    }
    return text;
}

void checkSettings(const QuestionTaskSettings& settings)
{
    if (settings.rows < 1 || settings.validationBatches < 0)
        throw Error(fmt::format("{} rows and {} held-out batches are not valid", settings.rows,
                                settings.validationBatches),
                    "question task", "Use at least 1 row");
    if (settings.shortest < 1 || settings.longest < settings.shortest || settings.longest < 2)
        throw Error(
            fmt::format("{} to {} brackets are not valid", settings.shortest, settings.longest),
            "question task", "Use a max_length of at least 2 and not below min_length");
}

} // namespace

bool isBalanced(std::string_view brackets)
{
    std::int64_t open = 0;
    for (const char bracket : brackets) {
        open += bracket == '(' ? 1 : -1;
        if (open < 0)
            return false;
    }
    return open == 0;
}

QuestionTask::QuestionTask(const BpeTokenizer& tokenizer, std::int64_t maxLen,
                           QuestionTaskSettings settings)
    : m_settings(settings)
    , m_tokenizer(std::make_shared<const BpeTokenizer>(tokenizer))
{
    checkSettings(settings);
    const auto mark = tokenizer.endOfText();
    if (!mark)
        throw Error("the tokenizer has no <|endoftext|>", "question task",
                    "Leave the tokenizer out of the configuration");
    m_endOfText = *mark;
    for (const char character : fmt::format("()=>{}", kSymbols))
        tokenOf(character);
    m_length = settings.kind == QuestionTaskKind::Order ? 5 : settings.longest / 2 * 2 + 2;
    if (m_length > maxLen)
        throw Error(
            fmt::format("questions of {} tokens do not fit a max_len of {}", m_length, maxLen),
            "question task",
            "Set a larger max_len in \"model\", or a smaller max_length in "
            "\"data\"");
}

TokenId QuestionTask::tokenOf(char character) const
{
    const auto id = m_tokenizer->find(byteSymbol(static_cast<std::uint8_t>(character)));
    if (!id)
        throw Error(fmt::format("the tokenizer has no token \"{}\"", character), "question task",
                    "Leave the tokenizer out of the configuration");
    return *id;
}

Question QuestionTask::question(std::uint64_t seed, std::uint64_t number) const
{
    Random random(seed, number);
    if (m_settings.kind == QuestionTaskKind::Order) {
        const char first = random.pick(kSymbols);
        char second = first;
        while (second == first)
            second = random.pick(kSymbols);
        return {fmt::format("{}>{}=", first, second), second};
    }
    const auto shortest = static_cast<std::uint64_t>((m_settings.shortest + 1) / 2);
    const auto longest = static_cast<std::uint64_t>(m_settings.longest / 2);
    const std::uint64_t pairs =
        std::min(shortest, longest) + random.below(longest - std::min(shortest, longest) + 1);
    const std::string balanced = balancedBrackets(2 * pairs, random);
    if (random.below(2) == 0)
        return {balanced + "=", 'y'};
    return {spoiled(balanced, random) + "=", 'n'};
}

void QuestionTask::appendQuestion(const Question& question, Batch& batch) const
{
    batch.inputs.push_back(m_endOfText);
    for (const char character : question.text)
        batch.inputs.push_back(tokenOf(character));
    const auto shown = std::ssize(question.text) + 1;
    for (std::int64_t i = 0; i < m_length; ++i) {
        if (i >= shown)
            batch.inputs.push_back(m_endOfText);
        batch.keyMask.push_back(i < shown ? 1 : 0);
        batch.targets.push_back(i == shown - 1 ? tokenOf(question.answer) : kIgnoredTarget);
    }
}

Batch QuestionTask::batch(std::uint64_t seed, std::uint64_t number) const
{
    Batch batch;
    batch.rows = m_settings.rows;
    batch.length = m_length;
    const auto rows = static_cast<std::uint64_t>(m_settings.rows);
    for (std::uint64_t row = 0; row < rows; ++row)
        appendQuestion(question(seed, number * rows + row), batch);
    return batch;
}

Batch QuestionTask::trainingBatch(std::uint64_t seed, std::int64_t step) const
{
    return batch(seed, static_cast<std::uint64_t>(step));
}

Batch QuestionTask::validationBatch(std::int64_t index) const
{
    if (index < 0 || index >= validationBatchCount())
        throw Error(fmt::format("there is no validation batch {}", index), "QuestionTask");
    return batch(kValidationSeed, static_cast<std::uint64_t>(index));
}

} // namespace headscope
