#include "core/lessons/labs/heads/head_behaviour.h"

#include "core/analysis/scores/pattern_scores.h"
#include "core/base/error.h"
#include "core/base/random.h"
#include "core/base/stop.h"
#include "core/train/measures/head_means.h"
#include "core/train/measures/model_probe.h"
#include "core/train/stories/story_cases.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

namespace headscope {

namespace {

constexpr std::uint64_t kSeed = 20'000'001; ///< Seed of cases absent from all training texts.
constexpr std::size_t kCases = 24;
constexpr std::size_t kRepeats = 8;
constexpr std::size_t kPeriod = 25; ///< Period of a random sequence (Olsson et al. 2022).
constexpr std::size_t kShortPeriod = 6;

const std::vector<std::string> kSentences{
    "The cat sat on the mat.", "The bank by the river flooded.",
    "The animal didn't cross the street because it was too tired."};

/// Ids of tokens of lower-case letters and digits, with or without a leading space.
std::vector<TokenId> plainIds(const Tokenizer& tokenizer)
{
    std::vector<TokenId> ids;
    for (TokenId id = 0; id < static_cast<TokenId>(tokenizer.vocabularySize()); ++id) {
        if (tokenizer.isSpecial(id))
            continue;
        std::string text = tokenizer.tokenBytes(id);
        if (text.starts_with(' '))
            text.erase(0, 1);
        const bool plain = std::ranges::all_of(
            text, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); });
        if (plain && !text.empty())
            ids.push_back(id);
    }
    return ids;
}

/// Sequence of different random tokens, repeated once, after the end-of-text token if there is one.
struct Repeated
{
    std::vector<TokenId> ids;
    std::int64_t period = 0;
    std::int64_t prefix = 0;
};

Repeated repeatedTokens(const LoadedModel& model, std::size_t period, Random& random)
{
    std::vector<TokenId> symbols = plainIds(*model.tokenizer);
    const auto longest = static_cast<std::size_t>(model.model->config().maxLen - 1) / 2;
    period = std::min({period, longest, symbols.size()});
    if (period < 2)
        throw Error("the vocabulary is too small for repeated sequences", model.name,
                    "Open another model");
    Repeated repeated;
    repeated.period = static_cast<std::int64_t>(period);
    if (const auto mark = model.tokenizer->endOfText()) {
        repeated.ids.push_back(*mark);
        repeated.prefix = 1;
    }
    for (std::size_t i = 0; i < period; ++i)
        std::swap(symbols[i], symbols[i + random.below(symbols.size() - i)]);
    for (std::size_t i = 0; i < 2 * period; ++i)
        repeated.ids.push_back(symbols[i % period]);
    return repeated;
}

/// Mean attention distance without the first token, which acts as an attention sink.
double distanceBeyondFirst(TensorView pattern)
{
    TensorView rest = pattern;
    rest.data += pattern.stride(0) + pattern.stride(1);
    rest.shape = {pattern.shape[0] - 1, pattern.shape[1] - 1};
    const double mean = meanDistance(rest).mean;
    return std::isfinite(mean) ? mean : 0.0;
}

HeadTable onSentences(const LoadedModel& model, const std::string& text, AttentionBackend& backend,
                      const std::function<double(TensorView)>& score)
{
    ModelProbe probe(*model.model, *model.tokenizer, backend);
    std::vector<std::string> sentences = kSentences;
    sentences.push_back(text);
    HeadMeans means;
    for (const std::string& sentence : sentences) {
        std::vector<TokenId> ids = probe.encode(sentence).ids();
        ids.resize(std::min(ids.size(), static_cast<std::size_t>(model.model->config().maxLen)));
        if (ids.size() > 2)
            means.add(scoreHeads(probe.patterns(ids), score));
    }
    return means.table();
}

HeadTable onRepeats(const LoadedModel& model, AttentionBackend& backend,
                    double (*score)(TensorView, std::int64_t, std::int64_t))
{
    ModelProbe probe(*model.model, *model.tokenizer, backend);
    Random random(kSeed);
    HeadMeans means;
    for (std::size_t repeat = 0; repeat < kRepeats; ++repeat) {
        const Repeated repeated = repeatedTokens(model, kPeriod, random);
        means.add(scoreHeads(probe.patterns(repeated.ids), [&](TensorView pattern) {
            return score(pattern, repeated.period, repeated.prefix);
        }));
    }
    return means.table();
}

using MakeCases = std::vector<AttentionTargetCase> (*)(std::uint64_t, std::size_t);

MakeCases casesOf(const std::string& behaviour)
{
    return behaviour == "pronoun" ? pronounCases : subjectVerbCases;
}

HeadTable onCases(const LoadedModel& model, AttentionBackend& backend, MakeCases makeCases,
                  const std::stop_token& stop)
{
    ModelProbe probe(*model.model, *model.tokenizer, backend);
    HeadMeans means;
    for (const AttentionTargetCase& question : makeCases(kSeed, kCases)) {
        throwIfStopped(stop);
        if (probe.fits(question.text))
            means.add(probe.attentionOn(question));
    }
    if (means.empty())
        throw Error("the model's maximum length is too short for such sentences", model.name,
                    "Choose another behaviour");
    return means.table();
}

bool isOfCases(const std::string& name)
{
    return name == "subject-verb" || name == "pronoun";
}

bool isOfRepeats(const std::string& name)
{
    return name == "induction" || name == "duplicate";
}

} // namespace

const std::vector<HeadBehaviour>& headBehaviours()
{
    static const std::vector<HeadBehaviour> kBehaviours{
        {"previous", "attention on the previous token", true},
        {"induction", "attention on the token after the previous occurrence", true},
        {"duplicate", "attention on an earlier copy of the token", true},
        {"first", "attention on the first token", true},
        {"subject-verb", "attention from the verb to its subject", true},
        {"pronoun", "attention from \"it\" to the noun", true},
        {"far", "mean distance in tokens", false}};
    return kBehaviours;
}

HeadMap bestOf(std::vector<std::vector<double>> scores)
{
    HeadMap map;
    map.scores = std::move(scores);
    std::vector<double> all;
    for (const auto& layer : map.scores)
        std::ranges::copy(layer, std::back_inserter(all));
    for (std::size_t layer = 0; layer < map.scores.size(); ++layer)
        for (std::size_t head = 0; head < map.scores[layer].size(); ++head) {
            const bool first = layer == 0 && head == 0;
            if (!first && map.scores[layer][head] <= map.best)
                continue;
            map.best = map.scores[layer][head];
            map.layer = static_cast<int>(layer);
            map.head = static_cast<int>(head);
        }
    for (const double score : all)
        map.mean += score / static_cast<double>(all.size());
    std::ranges::sort(all, std::greater<>());
    map.second = all.size() > 1 ? all[1] : map.best;
    return map;
}

HeadMap findHeads(const LoadedModel& model, const HeadBehaviour& behaviour, const std::string& text,
                  AttentionBackend& backend, const std::stop_token& stop)
{
    const ModelConfig& config = model.model->config();
    if (config.isEncoderDecoder() || config.layers == 0)
        throw Error("this lab needs a model with one stack of layers", model.name,
                    "Choose builtin:stories");
    const std::string& name = behaviour.name;
    if (isOfCases(name))
        return bestOf(onCases(model, backend, casesOf(name), stop));
    if (isOfRepeats(name))
        return bestOf(
            onRepeats(model, backend, name == "induction" ? inductionStripe : duplicateStripe));
    if (name == "previous")
        return bestOf(onSentences(model, text, backend, previousTokenScore));
    if (name == "first")
        return bestOf(onSentences(model, text, backend, firstTokenMass));
    return bestOf(onSentences(model, text, backend, distanceBeyondFirst));
}

TokenSequence sampleText(const LoadedModel& model, const HeadBehaviour& behaviour,
                         const std::string& text)
{
    TokenSequence tokens;
    if (isOfRepeats(behaviour.name)) {
        Random random(kSeed);
        for (const TokenId id : repeatedTokens(model, kShortPeriod, random).ids)
            tokens.tokens.push_back(Token{id, {}, model.tokenizer->isSpecial(id)});
        return tokens;
    }
    std::string sentence = text.empty() ? kSentences[0] : text;
    if (text.empty() && behaviour.name == "first")
        sentence = kSentences[1];
    if (behaviour.name == "pronoun" || (text.empty() && behaviour.name == "far"))
        sentence = kSentences[2];
    if (behaviour.name == "subject-verb")
        sentence = subjectVerbCases(kSeed, 1).front().text;
    tokens = model.tokenizer->encode(sentence, false);
    if (const auto mark = model.tokenizer->endOfText())
        tokens.tokens.insert(tokens.tokens.begin(), Token{*mark, {}, true});
    const auto longest = static_cast<std::size_t>(model.model->config().maxLen);
    tokens.tokens.resize(std::min(tokens.size(), longest));
    return tokens;
}

} // namespace headscope
