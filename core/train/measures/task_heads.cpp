#include "core/train/measures/task_heads.h"

#include "core/analysis/scores/pattern_scores.h"
#include "core/train/data/question_task.h"
#include "core/train/measures/head_means.h"
#include "core/train/measures/pattern_keeper.h"
#include "core/train/phrases/phrase_book.h"

#include <algorithm>
#include <string>

namespace headscope {

namespace {

std::vector<Tensor> patternsOf(const Model& model, std::span<const TokenId> ids,
                               std::span<const TokenId> source, AttentionBackend& backend)
{
    PatternKeeper keeper(source.empty() ? Site::Pattern : Site::CrossPattern);
    KvCache cache(model.config());
    if (!source.empty())
        model.encode(source, backend, cache);
    model.forward(ids, backend, cache, &keeper);
    return std::move(keeper.patterns);
}

/// Adds the position of the digit at a decimal place of `text`, which begins at `begin` of the
/// source.
void addPlace(std::string_view text, std::size_t begin, std::size_t place,
              std::vector<std::size_t>& places)
{
    if (place < text.size())
        places.push_back(begin + text.size() - 1 - place);
}

std::vector<std::size_t> digitsAtPlace(std::string_view source, std::size_t place)
{
    std::vector<std::size_t> places;
    const std::size_t plus = std::min(source.find('+'), source.size());
    addPlace(source.substr(0, plus), 0, place, places);
    if (plus < source.size())
        addPlace(source.substr(plus + 1), plus + 1, place, places);
    return places;
}

std::vector<std::size_t> copiesOf(char symbol, std::string_view source)
{
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < source.size(); ++i) {
        if (source[i] == symbol)
            places.push_back(i);
    }
    return places;
}

std::vector<std::size_t> wordsTranslatedBy(const std::optional<Phrase>& phrase, std::size_t index)
{
    return phrase && index < phrase->target.size() ? phrase->alignedWords(index)
                                                   : std::vector<std::size_t>();
}

const char* crossHeadName(TrainingTask task)
{
    switch (task) {
    case TrainingTask::Copy:
        return "cross_diagonal";
    case TrainingTask::Reverse:
        return "cross_antidiagonal";
    case TrainingTask::Addition:
        return "cross_same_place";
    case TrainingTask::Phrases:
        return "cross_aligned_words";
    default:
        return "cross_next_symbol";
    }
}

/// Pairs of a balanced text: (closing, opening) bracket.
std::vector<std::pair<std::size_t, std::size_t>> bracketPairs(std::string_view text)
{
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '(') {
            open.push_back(i);
        } else {
            pairs.emplace_back(i, open.back());
            open.pop_back();
        }
    }
    return pairs;
}

} // namespace

std::vector<std::size_t> sourcePlaces(const DataSettings& data, std::string_view source,
                                      std::string_view target, std::size_t index)
{
    switch (data.task) {
    case TrainingTask::Copy:
        return {index};
    case TrainingTask::Reverse:
        return {source.size() - 1 - index};
    case TrainingTask::Addition:
        return digitsAtPlace(source, data.reversedSum ? index : target.size() - 1 - index);
    case TrainingTask::Phrases:
        return wordsTranslatedBy(phraseBook().parse(source), index);
    default:
        return copiesOf(target[index], source);
    }
}

std::vector<std::vector<std::size_t>> allSourcePlaces(const DataSettings& data,
                                                      std::string_view source,
                                                      std::string_view target, std::size_t count)
{
    const auto phrase =
        data.task == TrainingTask::Phrases ? phraseBook().parse(source) : std::optional<Phrase>();
    std::vector<std::vector<std::size_t>> places;
    for (std::size_t i = 0; i < count; ++i)
        places.push_back(phrase ? wordsTranslatedBy(phrase, i)
                                : sourcePlaces(data, source, target, i));
    return places;
}

std::optional<TaskEvaluation::BestHead> crossHead(const Model& model, const DataSettings& settings,
                                                  const PreparedData& data,
                                                  AttentionBackend& backend)
{
    HeadMeans means(AttentionKind::Cross);
    forEachHeldOutRow(*data.batches, [&](const Batch& batch, std::int64_t row) {
        const auto ids = unmaskedIds(batch.inputs, batch.keyMask, batch.length, row);
        const auto source =
            unmaskedIds(batch.sources, batch.sourceKeyMask, batch.sourceLength, row);
        const std::string sourceText = data.tokenizer->decode(source, true);
        const std::string target = data.tokenizer->decode(ids, true);
        const auto patterns = patternsOf(model, ids, source, backend);
        // the first input begins the target
        const auto places = allSourcePlaces(settings, sourceText, target, ids.size() - 1);
        for (std::size_t i = 0; i < places.size(); ++i) {
            if (places[i].empty())
                continue;
            means.add(scoreHeads(patterns, [&](TensorView pattern) {
                double sum = 0.0;
                for (const std::size_t place : places[i])
                    sum += static_cast<double>(pattern(i, place));
                return sum;
            }));
        }
    });
    return means.empty() ? std::nullopt : std::optional(means.best(crossHeadName(settings.task)));
}

std::optional<TaskEvaluation::BestHead> bracketHead(const Model& model, const PreparedData& data,
                                                    AttentionBackend& backend)
{
    HeadMeans means;
    forEachHeldOutRow(*data.batches, [&](const Batch& batch, std::int64_t row) {
        const auto ids = unmaskedIds(batch.inputs, batch.keyMask, batch.length, row);
        std::string text = data.tokenizer->decode(ids, true);
        text.pop_back(); // "="
        if (!isBalanced(text))
            return;
        const auto pairs = bracketPairs(text);
        means.add(scoreHeads(patternsOf(model, ids, {}, backend), [&](TensorView pattern) {
            double sum = 0.0;
            for (const auto& [closing, opening] : pairs) // after <|endoftext|>
                sum += static_cast<double>(pattern(closing + 1, opening + 1));
            return sum / static_cast<double>(pairs.size());
        }));
    });
    return means.empty() ? std::nullopt : std::optional(means.best("bracket_match"));
}

std::vector<TaskEvaluation::BestHead> neighbourHeads(const Model& model, const PreparedData& data,
                                                     AttentionBackend& backend)
{
    HeadMeans previous;
    HeadMeans next;
    forEachHeldOutRow(*data.batches, [&](const Batch& batch, std::int64_t row) {
        const auto ids = unmaskedIds(batch.inputs, batch.keyMask, batch.length, row);
        if (row >= 4)
            return;
        const auto patterns = patternsOf(model, ids, {}, backend);
        previous.add(scoreHeads(patterns, previousTokenScore));
        next.add(scoreHeads(patterns, [](TensorView pattern) {
            const std::int64_t last = pattern.shape[0] - 1;
            double sum = 0.0;
            for (std::int64_t i = 0; i < last; ++i)
                sum += static_cast<double>(pattern(i, i + 1));
            return sum / static_cast<double>(last);
        }));
    });
    if (previous.empty())
        return {};
    return {previous.best("previous_token"), next.best("next_token")};
}

} // namespace headscope
