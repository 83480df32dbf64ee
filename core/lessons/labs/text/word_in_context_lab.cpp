#include "core/base/content_language.h"
#include "core/base/error.h"
#include "core/base/text_parts.h"
#include "core/lessons/labs/attention/attention_parts.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/labs/models/sentence_trace.h"
#include "core/train/stories/story_grammar.h"
#include "core/train/word_vectors/skip_gram.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <optional>

namespace headscope {

namespace {

constexpr std::size_t kStoryBytes = 600'000;
constexpr std::size_t kNeighbours = 10;
constexpr std::uint64_t kStorySeed = 1;

/// Word vectors of the stories, trained once per process.
const WordVectors& storyVectors(const std::stop_token& stop)
{
    static std::mutex mutex;
    static std::optional<WordVectors> vectors;
    const std::scoped_lock lock(mutex);
    if (!vectors)
        vectors = trainSkipGram(generateStories(kStorySeed, kStoryBytes), {}, stop);
    return *vectors;
}

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Byte after the last whole occurrence of a word.
std::optional<std::size_t> endOfWord(const std::string& text, const std::string& word)
{
    const std::string all = asciiLower(text);
    for (std::size_t at = all.rfind(word); at != std::string::npos;
         at = at == 0 ? std::string::npos : all.rfind(word, at - 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !isLetter(all[at - 1])) && (end == all.size() || !isLetter(all[end])))
            return end;
    }
    return std::nullopt;
}

/// One sentence: the vectors of all its tokens after each layer.
struct Sentence
{
    std::size_t number = 1;                            ///< Counted from 1.
    std::vector<std::shared_ptr<const Tensor>> stages; ///< Each [tokens, d].
    std::int64_t token = 0;                            ///< Last token of the word.
};

std::span<const float> vectorOf(const Sentence& sentence, std::size_t stage, std::int64_t token)
{
    const TensorView rows = sentence.stages.at(stage)->view();
    return {&rows(token, 0), static_cast<std::size_t>(rows.shape[1])};
}

std::int64_t tokenAt(const TokenSequence& tokens, std::size_t end)
{
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens.tokens[i].bytes.begin < end && tokens.tokens[i].bytes.end >= end)
            return static_cast<std::int64_t>(i);
    }
    return -1;
}

/// The end of a text that the model can read, from a whole word on.
std::string readableEnd(std::string text, const LoadedModel& model)
{
    const auto longest = static_cast<std::size_t>(model.model->config().maxLen);
    while (model.tokenizer->encode(text).size() > longest) {
        const std::size_t space = text.find(' ');
        if (space == std::string::npos)
            return text;
        text.erase(0, space + 1);
    }
    return text;
}

Sentence readSentence(std::size_t number, const std::string& written, const std::string& word,
                      const LoadedModel& model, const LabContext& context,
                      const std::stop_token& stop)
{
    const std::string text = readableEnd(written, model);
    const auto end = endOfWord(text, word);
    if (!end)
        throw Error(fmt::format("sentence {} has no word \"{}\"", number, word), "Word",
                    "Type the word into each sentence");
    const SentenceTrace read = traceSentence(model, text, backendOf(context),
                                             {{"*hook_resid_pre", "*hook_resid_post"}}, stop);
    Sentence sentence;
    sentence.number = number;
    sentence.token = tokenAt(read.tokens(), *end);
    if (sentence.token < 0)
        throw Error(fmt::format("sentence {} is longer than the model can read", number), "Word",
                    "Shorten the sentence");
    const auto add = [&](Site site, int layer) {
        if (auto rows = read.trace->find({site, layer, read.stack}))
            sentence.stages.push_back(std::move(rows));
    };
    add(Site::ResidPre, 0);
    for (int layer = 0; layer < static_cast<int>(model.model->config().layers); ++layer)
        add(Site::ResidPost, layer);
    return sentence;
}

std::vector<Sentence> readSentences(const LabSettings& settings, const std::string& word,
                                    const LoadedModel& model, const LabContext& context,
                                    const std::stop_token& stop)
{
    std::vector<Sentence> sentences;
    for (std::size_t number = 1; number <= 3; ++number) {
        const std::string& text = settings.text(fmt::format("sentence_{}", number));
        if (number < 3 || !text.empty())
            sentences.push_back(readSentence(number, text, word, model, context, stop));
    }
    return sentences;
}

LabChart::Series cosinesOf(const Sentence& a, const Sentence& b)
{
    LabChart::Series series{
        fmt::format(fmt::runtime(message("sentences {} and {}")), a.number, b.number),
        countedPlaces(std::ssize(a.stages))};
    for (std::size_t stage = 0; stage < a.stages.size(); ++stage)
        series.y.push_back(cosineOf(vectorOf(a, stage, a.token), vectorOf(b, stage, b.token)));
    return series;
}

/// Mean cosine of the word in sentence 1 and each other token of sentence 2: what any two vectors
/// of a layer have in common (Ethayarajh 2019).
LabChart::Series otherWords(const Sentence& a, const Sentence& b)
{
    LabChart::Series series{"other words", countedPlaces(std::ssize(a.stages)), {}, true};
    for (std::size_t stage = 0; stage < a.stages.size(); ++stage) {
        double sum = 0.0;
        std::int64_t count = 0;
        for (std::int64_t token = 0; token < b.stages[stage]->shape()[0]; ++token) {
            if (token == b.token)
                continue;
            sum += cosineOf(vectorOf(a, stage, a.token), vectorOf(b, stage, token));
            ++count;
        }
        series.y.push_back(count > 0 ? sum / static_cast<double>(count) : 0.0);
    }
    return series;
}

LabTable neighbourTable(const WordVectors& vectors, std::size_t word)
{
    LabTable table{{"Word", "Cosine", "Occurrences"}};
    for (const WordVectors::Neighbour& near : vectors.neighbours(word, kNeighbours))
        table.rows.push_back(
            {near.word, fmt::format("{:.3f}", near.cosine), fmt::format("{}", near.count)});
    return table;
}

/// Adds the curve of the static vector, and its nearest words.
void addStatic(const std::string& word, const std::stop_token& stop, LabChart& chart,
               LabResult& result)
{
    const WordVectors& vectors = storyVectors(stop);
    const auto known = vectors.find(word);
    result.numbers.push_back({"is_known", "Static vector known (1: yes)", known ? 1.0 : 0.0});
    if (!known)
        return;
    const double cosine = vectors.cosine(*known, *known);
    const std::vector<double> layers = chart.series.front().x;
    chart.series.push_back(
        {"static vector", layers, std::vector<double>(layers.size(), cosine), true});
    result.numbers.push_back({"static", "Cosine of the static vector", cosine});
    const auto nearest = vectors.neighbours(*known, 1);
    result.numbers.push_back({"nearest", "Cosine of its nearest word", nearest.front().cosine});
}

} // namespace

LabResult runWordInContext(const LabSettings& settings, const LabContext& context,
                           const std::stop_token& stop)
{
    const std::string word = asciiLower(settings.text("word"));
    if (word.empty())
        throw Error("there is no word to follow", "Word", "Type a word of the sentences");
    const LoadedModel model = openLabModel(context);
    const auto sentences = readSentences(settings, word, model, context, stop);
    LabChart chart{"layer (0: embeddings)", "cosine"};
    LabResult result;
    double lowest = 1.0;
    for (std::size_t a = 0; a < sentences.size(); ++a) {
        for (std::size_t b = a + 1; b < sentences.size(); ++b) {
            chart.series.push_back(cosinesOf(sentences[a], sentences[b]));
            const double last = chart.series.back().y.back();
            lowest = std::min(lowest, last);
            result.numbers.push_back({fmt::format("last_{}{}", a + 1, b + 1),
                                      fmt::format("Last layer, sentences {} and {}", a + 1, b + 1),
                                      last});
        }
    }
    const double first = chart.series.front().y.front();
    chart.series.push_back(otherWords(sentences[0], sentences[1]));
    const double others = chart.series.back().y.back();
    result.numbers.push_back({"lowest", "Last layer, lowest", lowest});
    result.numbers.push_back({"first_12", "Embeddings, sentences 1 and 2", first});
    result.numbers.push_back({"others", "Last layer, other words", others});
    result.numbers.push_back(
        {"layers", "Layers", static_cast<double>(sentences[0].stages.size()) - 1.0});
    addStatic(word, stop, chart, result);
    result.panels = {
        {"Cosine of the word's vectors", "Residual stream after each layer", std::move(chart)}};
    const WordVectors& vectors = storyVectors(stop);
    if (const auto known = vectors.find(word))
        result.panels.push_back({"Nearest static vectors", "Skip-gram, trained here on stories",
                                 neighbourTable(vectors, *known)});
    result.sentence = fmt::format(
        "\"{}\" in sentences 1 and 2: cosine {:.3f} as embeddings, {:.3f} after the last layer; "
        "other words have {:.3f} there.",
        word, first, result.number("last_12").value, others);
    return result;
}

} // namespace headscope
