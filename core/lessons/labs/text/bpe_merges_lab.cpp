#include "core/base/content_language.h"
#include "core/base/error.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/labs/text/token_row.h"
#include "core/text/training/bpe_trainer.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope {

namespace {

constexpr std::size_t kShownMerges = 10;

struct Learned
{
    BpeVocabulary vocabulary;
    std::vector<BpeMerge> merges;
};

Learned learnFrom(const std::string& text, std::size_t mostMerges, const std::stop_token& stop)
{
    Learned learned;
    BpeTrainerSettings settings;
    settings.specialTokens.clear();
    settings.vocabularySize = 256 + mostMerges;
    settings.minimumCount = 2; // a pair seen once is not merged
    settings.onMerge = [&](const BpeMerge& merge) { learned.merges.push_back(merge); };
    const std::string_view whole = text;
    learned.vocabulary = trainBpe(std::span(&whole, 1), settings, {}, stop)->vocabulary();
    return learned;
}

/// Tokenizer after the first `count` merges.
BpeTokenizer after(const Learned& learned, std::size_t count)
{
    BpeVocabulary vocabulary = learned.vocabulary;
    TokenId last = 255;
    for (const BpeMerge& merge : std::span(learned.merges).first(count))
        last = std::max(last, merge.merged);
    vocabulary.tokens.resize(static_cast<std::size_t>(last) + 1);
    vocabulary.merges.resize(count);
    return BpeTokenizer(std::move(vocabulary));
}

LabPanel tokensNow(const BpeTokenizer& tokenizer, const std::string& text, const BpeMerge* newest)
{
    LabTokens tokens;
    tokens.rows.push_back(tokenRow("Text", tokenizer, text, false));
    for (LabTokens::Token& token : tokens.rows.front().tokens)
        token.isNew = newest != nullptr && token.id == newest->merged;
    return {"Tokens of the text", "Marked: result of the last merge", std::move(tokens)};
}

LabPanel mergesSoFar(const Learned& learned, std::size_t done, const BpeTokenizer& tokenizer)
{
    LabTable table{{"Merge", "Left", "Right", "Result", "Count"}};
    const auto shown = [&](TokenId id) { return spacesShown(tokenizer.tokenBytes(id)); };
    const std::size_t first = done > kShownMerges ? done - kShownMerges : 0;
    for (std::size_t i = first; i < done; ++i) {
        const BpeMerge& merge = learned.merges[i];
        table.rows.push_back({fmt::format("{}", i + 1), shown(merge.pair.first),
                              shown(merge.pair.second), shown(merge.merged),
                              message(fmt::format("{:d} times", merge.count))});
    }
    if (table.rows.empty())
        table.rows.push_back({"0", "-", "-", "-", "-"});
    table.current = static_cast<int>(table.rows.size()) - 1;
    return {"Merges so far",
            first > 0 ? fmt::format("Last {} of {}", kShownMerges, done)
                      : "Most frequent pair first",
            std::move(table)};
}

std::string sentenceFor(const Learned& learned, std::size_t done, std::size_t tokens,
                        const BpeTokenizer& tokenizer)
{
    const std::size_t all = learned.merges.size();
    if (all == 0)
        return fmt::format("No adjacent pair occurs twice, so there is nothing to "
                           "merge: {} bytes, {} tokens.",
                           tokens, tokens);
    if (done == 0)
        return fmt::format("Each of the {} bytes is its own token; {} merges are possible.", tokens,
                           all);
    const BpeMerge& last = learned.merges[done - 1];
    return fmt::format("Merge {} of {} joined \"{}\" and \"{}\", an adjacent pair that occurred {} "
                       "times: the text now has {} tokens.",
                       done, all, spacesShown(tokenizer.tokenBytes(last.pair.first)),
                       spacesShown(tokenizer.tokenBytes(last.pair.second)), last.count, tokens);
}

} // namespace

LabResult runBpeMerges(const LabSettings& settings, const LabContext&, const std::stop_token& stop)
{
    const std::string& text = settings.text("text");
    if (text.empty())
        throw Error("the training text is empty", "Text", "Type some words");
    const auto mostMerges = static_cast<std::size_t>(settings.control("merges").high);
    const Learned learned = learnFrom(text, mostMerges, stop);
    const std::size_t done =
        std::min(static_cast<std::size_t>(settings.integer("merges")), learned.merges.size());
    const BpeMerge* newest = done > 0 ? &learned.merges[done - 1] : nullptr;
    const BpeTokenizer tokenizer = after(learned, done);
    const std::size_t tokens = tokenizer.encode(text).size();
    const auto bytes = static_cast<double>(text.size());

    LabResult result;
    result.panels = {tokensNow(tokenizer, text, newest), mergesSoFar(learned, done, tokenizer)};
    result.numbers = {
        {"merges", "Merges done", static_cast<double>(done)},
        {"possible", "Possible merges", static_cast<double>(learned.merges.size())},
        {"count", "Count of the last pair", newest ? static_cast<double>(newest->count) : 0.0},
        {"bytes", "Bytes", bytes, "B"},
        {"tokens", "Tokens", static_cast<double>(tokens)},
        {"bytes_per_token", "Bytes per token", bytes / static_cast<double>(tokens), "B"},
        {"vocabulary", "Vocabulary", static_cast<double>(tokenizer.vocabularySize())}};
    result.sentence = sentenceFor(learned, done, tokens, tokenizer);
    return result;
}

} // namespace headscope
