#include "core/base/content_language.h"
#include "core/base/error.h"
#include "core/lessons/labs/lab_parts.h"
#include "core/lessons/labs/text/token_row.h"
#include "core/lessons/labs/text/training_text.h"
#include "core/text/display_text.h"
#include "core/text/training/bpe_trainer.h"
#include "core/text/training/unigram_trainer.h"
#include "core/text/training/wordpiece_trainer.h"

#include <fmt/format.h>

#include <mutex>

namespace headscope {

namespace {

constexpr std::size_t kMostRemembered = 24; ///< Number of cached vocabulary sizes.
constexpr std::size_t kLongestReported = 6; ///< Maximum number of tokens listed.

struct Trained
{
    std::shared_ptr<const BpeTokenizer> bpe;
    std::shared_ptr<const WordPieceTokenizer> wordPiece;
    std::shared_ptr<const UnigramTokenizer> unigram;
};

Trained train(std::size_t vocabulary, const std::stop_token& stop)
{
    BpeTrainerSettings bpe;
    bpe.vocabularySize = vocabulary;
    WordPieceTrainerSettings wordPiece;
    wordPiece.vocabularySize = vocabulary;
    UnigramTrainerSettings unigram;
    unigram.vocabularySize = vocabulary;
    const std::string& text = labTrainingText();
    return {trainBpeOnLines(text, bpe, {}, stop), trainWordPieceOnLines(text, wordPiece, {}, stop),
            trainUnigramOnLines(text, unigram, {}, stop)};
}

/// Tokenizers cached by vocabulary size.
Trained trainedWith(std::size_t vocabulary, const std::stop_token& stop)
{
    static std::mutex mutex; // protects known
    static std::map<std::size_t, Trained> known;
    {
        const std::lock_guard lock(mutex);
        if (const auto found = known.find(vocabulary); found != known.end())
            return found->second;
    }
    Trained trained = train(vocabulary, stop);
    const std::lock_guard lock(mutex);
    if (known.size() >= kMostRemembered)
        known.clear();
    known.emplace(vocabulary, trained);
    return trained;
}

/// Tokens as text ("un + happiness"), or their number.
std::string cutOf(const LabTokens::Row& row, std::size_t count)
{
    if (count == 0)
        return message("nothing");
    if (count > kLongestReported)
        return message(fmt::format("{} tokens", count));
    std::string words;
    for (const LabTokens::Token& token : row.tokens)
        words += (words.empty() ? "" : " + ") + token.text;
    return words;
}

} // namespace

LabResult runTokenizers(const LabSettings& settings, const LabContext&, const std::stop_token& stop)
{
    const std::string& text = settings.text("text");
    if (text.empty())
        throw Error("the text is empty", "Text", "Type a word");
    const auto vocabulary = static_cast<std::size_t>(settings.integer("vocabulary"));
    const Trained trained = trainedWith(vocabulary, stop);

    struct Kind
    {
        const char* name;
        const char* title;
        const Tokenizer* tokenizer;
    };

    const std::array<Kind, 3> kinds{{{"bpe", "BPE", trained.bpe.get()},
                                     {"wordpiece", "WordPiece", trained.wordPiece.get()},
                                     {"unigram", "Unigram", trained.unigram.get()}}};
    LabResult result;
    LabTokens rows;
    LabBars density{"bytes"};
    result.numbers = {{"vocabulary", "Vocabulary", static_cast<double>(vocabulary)},
                      {"bytes", "Bytes of the text", static_cast<double>(text.size()), "B"}};
    for (const Kind& kind : kinds) {
        throwIfStopped(stop);
        const std::size_t count = kind.tokenizer->encode(text, false).size();
        const double each = bytesPerToken(text.size(), count);
        rows.rows.push_back(
            tokenRow(kind.title, *kind.tokenizer, text, kind.tokenizer != trained.bpe.get()));
        density.bars.push_back({kind.title, each, fmt::format("{:.2f}", each)});
        const std::string name = kind.name;
        result.numbers.push_back(
            {name + "_tokens", std::string(kind.title) + " tokens", static_cast<double>(count)});
        result.numbers.push_back(
            {name + "_bytes_per_token", std::string(kind.title) + " bytes per token", each, "B"});
        result.numbers.push_back({name + "_vocabulary", std::string(kind.title) + " vocabulary",
                                  static_cast<double>(kind.tokenizer->vocabularySize())});
        result.sentence += fmt::format("{}{}: {}", result.sentence.empty() ? "" : "; ", kind.title,
                                       cutOf(rows.rows.back(), count));
    }
    result.sentence += '.';
    result.panels = {
        {"Three ways to split the same text", "Each token with its id and its bytes in the text",
         std::move(rows)},
        {"Bytes per token", "More bytes per token: fewer tokens to compute", std::move(density)}};
    return result;
}

} // namespace headscope
