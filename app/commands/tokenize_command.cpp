#include "app/chat_source.h"
#include "app/commands/command.h"
#include "app/commands/token_output.h"
#include "app/console.h"
#include "app/model_source.h"
#include "core/base/file.h"
#include "core/text/files/tokenizer_file.h"
#include "core/text/files/word_tokenizer_file.h"
#include "core/text/text_pair.h"
#include "core/text/training/bpe_trainer.h"
#include "core/text/training/unigram_trainer.h"
#include "core/text/training/wordpiece_trainer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>
#include <optional>
#include <ranges>

namespace headscope::app {

namespace {

constexpr std::uint64_t kMaxTrainingText = std::uint64_t{4} << 30;

struct TokenizeOptions
{
    std::string model;
    std::string tokenizer;
    std::vector<std::string> texts;
    std::optional<std::string> textPair;
    std::string chat; ///< Empty: texts.
    bool json = false;
    bool noSpecial = false;
};

struct TokenizerTrainingOptions
{
    std::string kind = "bpe";
    std::size_t vocabulary = 8192;
    std::string input;
    std::string output;
};

nlohmann::json pairJson(const TokenSequence& pair, const Tokenizer& tokenizer)
{
    nlohmann::json tokens = nlohmann::json::array();
    nlohmann::json offsets = nlohmann::json::array();
    for (const Token& token : pair.tokens) {
        tokens.push_back(tokenizer.tokenText(token.id));
        offsets.push_back({token.bytes.begin, token.bytes.end});
    }
    return {{"text", pair.text},
            {"ids", pair.ids()},
            {"tokens", tokens},
            {"offsets", offsets},
            {"type_ids", segmentsOf(pair)}};
}

void showPair(const Tokenizer& tokenizer, const TokenSequence& pair, bool asJson)
{
    if (asJson)
        return printJsonLine(pairJson(pair, tokenizer));
    for (const Token& token : pair.tokens)
        print(tokenLine(token, tokenizer));
    print("\n");
}

void show(const Tokenizer& tokenizer, const std::string& text, const TokenizeOptions& options)
{
    if (options.textPair)
        showPair(tokenizer, encodePair(tokenizer, text, *options.textPair), options.json);
    else if (options.json)
        printTokenJson(tokenizer, text, !options.noSpecial);
    else
        printTokenTable(tokenizer, text, !options.noSpecial);
}

void tokenizeChat(TokenizeOptions options)
{
    const LoadedModel model = openModel(options.model);
    options.noSpecial = true; // the template writes them
    show(*model.tokenizer, chatText(options.chat, model), options);
}

void tokenizeAll(const TokenizeOptions& options)
{
    if (!options.chat.empty())
        return tokenizeChat(options);
    const std::shared_ptr<const Tokenizer> tokenizer = options.tokenizer.empty()
                                                           ? openModel(options.model).tokenizer
                                                           : loadTokenizer(options.tokenizer);
    for (const std::string& text : options.texts | std::views::transform(withoutMark))
        show(*tokenizer, text, options);
    if (!options.texts.empty())
        return;
    for (std::string line; std::getline(std::cin, line);)
        show(*tokenizer, line, options);
}

std::size_t trainBpeInto(const TokenizerTrainingOptions& options, const std::string& text)
{
    BpeTrainerSettings settings;
    settings.vocabularySize = options.vocabulary;
    ProgressBar bar("merges");
    const auto tokenizer =
        trainBpeOnLines(text, settings, [&](std::size_t merges, std::size_t wanted) {
            bar.show(static_cast<std::int64_t>(merges), static_cast<std::int64_t>(wanted));
        });
    saveTokenizer(*tokenizer, options.output);
    return tokenizer->vocabularySize();
}

std::size_t trainWordPieceInto(const TokenizerTrainingOptions& options, const std::string& text)
{
    WordPieceTrainerSettings settings;
    settings.vocabularySize = options.vocabulary;
    ProgressBar bar("pieces");
    const auto tokenizer =
        trainWordPieceOnLines(text, settings, [&](std::size_t learned, std::size_t wanted) {
            bar.show(static_cast<std::int64_t>(learned), static_cast<std::int64_t>(wanted));
        });
    saveTokenizer(*tokenizer, options.output);
    return tokenizer->vocabularySize();
}

std::size_t trainUnigramInto(const TokenizerTrainingOptions& options, const std::string& text)
{
    constexpr double kWhole = 1000.0;
    UnigramTrainerSettings settings;
    settings.vocabularySize = options.vocabulary;
    ProgressBar bar("pruning");
    const auto tokenizer = trainUnigramOnLines(text, settings, [&](double fraction) {
        bar.show(static_cast<std::int64_t>(kWhole * fraction), static_cast<std::int64_t>(kWhole));
    });
    saveTokenizer(*tokenizer, options.output);
    return tokenizer->vocabularySize();
}

void trainTokenizer(const TokenizerTrainingOptions& options)
{
    const std::string text = readFile(options.input, kMaxTrainingText);
    const std::size_t learned = options.kind == "wordpiece" ? trainWordPieceInto(options, text)
                                : options.kind == "unigram" ? trainUnigramInto(options, text)
                                                            : trainBpeInto(options, text);
    print(fmt::format("{}: {} tokens\n", options.output, learned));
    if (learned < options.vocabulary)
        note(fmt::format("the text has {} after {} tokens",
                         options.kind == "unigram" ? "no remaining piece is worth its cost"
                                                   : "no pair left to merge",
                         learned));
}

void addTraining(CLI::App& tokenize)
{
    const auto options = std::make_shared<TokenizerTrainingOptions>();
    CLI::App* command = tokenize.add_subcommand("train", "Train a tokenizer on a text file");
    command
        ->add_option("--kind", options->kind,
                     "bpe: byte-level byte pair encoding; wordpiece: as in BERT; unigram: as in "
                     "SentencePiece")
        ->check(CLI::IsMember({"bpe", "wordpiece", "unigram"}))
        ->capture_default_str();
    command
        ->add_option("--vocab", options->vocabulary,
                     "Largest number of tokens, bytes "
                     "included")
        ->check(CLI::Range(1, 1 << 24))
        ->capture_default_str();
    command->add_option("--in", options->input, "Text, one training sentence per line")->required();
    command->add_option("--out", options->output, "File to write, tokenizer.json")->required();
    command->callback([options] { trainTokenizer(*options); });
}

} // namespace

void addTokenizeCommand(CLI::App& app, CommandContext&)
{
    const auto options = std::make_shared<TokenizeOptions>();
    CLI::App* command = app.add_subcommand(
        "tokenize", "Show the tokens of texts; without TEXT, of each line of standard input");
    addModelOption(*command, options->model);
    command
        ->add_option("--tokenizer", options->tokenizer,
                     "tokenizer.json, or vocab.json with merges.txt next to it")
        ->excludes("--model");
    command->add_flag("--json", options->json, "One JSON object per line");
    auto* noSpecial =
        command->add_flag("--no-special", options->noSpecial, "Leave special tokens out");
    command
        ->add_option("--text-pair", options->textPair,
                     "A second text after each, in segment 1, for models that read pairs of "
                     "texts (BERT)")
        ->excludes(noSpecial);
    auto* texts = command->add_option("TEXT", options->texts, "Texts");
    addChatOption(*command, options->chat)->excludes(texts)->excludes("--tokenizer");
    addTraining(*command);
    command->callback([command, options] {
        if (command->get_subcommands().empty())
            tokenizeAll(*options);
    });
}

} // namespace headscope::app
