#include "core/base/content_language.h"
#include "core/base/error.h"
#include "core/generate/generator.h"
#include "core/lessons/labs/attention/attention_parts.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/labs/training/trained_sequences.h"
#include "core/text/display_text.h"
#include "core/train/data/sequence_task.h"
#include "core/train/measures/pattern_keeper.h"
#include "core/train/measures/task_heads.h"
#include "core/train/measures/translations.h"
#include "core/train/phrases/phrase_book.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope {

namespace {

constexpr std::int64_t kPairs = 64;      ///< Held-out pairs translated after training.
constexpr std::size_t kShownPairs = 4;   ///< Held-out pairs in the table.
constexpr std::size_t kMostSymbols = 10; ///< Longest source of the reverse task.

struct Answers
{
    std::string source;
    std::string reference; ///< Empty if the phrase book lacks the source.
    std::string greedy;
    std::string beam;
};

std::string reversed(const std::string& text)
{
    return {text.rbegin(), text.rend()};
}

/// The first letters and digits of a text, as many as a source of the reverse task has.
std::string symbolsOf(const std::string& text)
{
    std::string symbols;
    for (const char c : text) {
        const bool isSymbol = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (isSymbol && symbols.size() < kMostSymbols)
            symbols += c;
    }
    return symbols;
}

/// Source that the control gives the task, with its reference.
Answers questionOf(const std::string& text, bool isPhrases)
{
    Answers answers;
    if (!isPhrases) {
        answers.source = symbolsOf(text);
        answers.reference = reversed(answers.source);
        return answers;
    }
    answers.source = text;
    if (const auto phrase = phraseBook().parse(answers.source))
        answers.reference = phrase->targetText();
    return answers;
}

void answer(Answers& answers, const LoadedModel& model, int beams, AttentionBackend& backend,
            const std::stop_token& stop)
{
    const auto tokens = model.tokenizer->encode(answers.source).size();
    const auto longest = static_cast<std::size_t>(model.model->config().maxLen);
    if (answers.source.empty() || tokens > longest)
        throw Error(fmt::format("a source of {} tokens cannot be read", tokens), "Source",
                    fmt::format("Type 1 to {} tokens", longest - 1));
    answers.greedy = translate(model, backend, answers.source, 1, stop);
    answers.beam = translate(model, backend, answers.source, beams, stop);
}

std::string scoreOf(const std::string& written, const std::string& reference)
{
    if (reference.empty())
        return "-";
    Bleu bleu;
    bleu.add(charactersOf(written), charactersOf(reference));
    return fmt::format("{:.1f}", 100.0 * bleu.score());
}

/// This source with both kinds of decoding, then some that are held out.
LabTable answerTable(const Answers& answers, int beams, const Translations& heldOut)
{
    LabTable table{{"Source", "Decoding", "Written", "Reference", "BLEU"}, {}, 0};
    const auto add = [&](const std::string& source, const std::string& decoding,
                         const std::string& written, const std::string& reference) {
        table.rows.push_back({source, decoding, displayText(written),
                              reference.empty() ? message("not in the phrase book") : reference,
                              scoreOf(written, reference)});
    };
    add(answers.source, message("greedy"), answers.greedy, answers.reference);
    add(answers.source, fmt::format(fmt::runtime(message("{} beams")), beams), answers.beam,
        answers.reference);
    for (std::size_t i = 0; i < std::min(kShownPairs, heldOut.pairs.size()); ++i)
        add(heldOut.pairs[i].source, message("greedy, held out"), heldOut.pairs[i].written,
            heldOut.pairs[i].reference);
    return table;
}

/// Cross-attention of the best head while the greedy answer is written.
LabMatrix alignmentOf(const TrainedSequences& trained, const Answers& answers,
                      AttentionBackend& backend)
{
    const LoadedModel model = trained.model();
    const TokenSequence source = model.tokenizer->encode(answers.source);
    TokenSequence target = model.tokenizer->encode(answers.greedy, false);
    std::vector<TokenId> inputs{targetStart(model)};
    std::vector<std::string> labels;
    for (const TokenId id : target.ids()) {
        labels.push_back(displayText(model.tokenizer->tokenBytes(id)));
        inputs.push_back(id);
    }
    labels.emplace_back(kTargetEnd);
    PatternKeeper keeper(Site::CrossPattern);
    KvCache cache(model.model->config());
    model.model->encode(source.ids(), backend, cache);
    model.model->forward(inputs, backend, cache, &keeper);
    const HeadId head = trained.head ? trained.head->id : HeadId{};
    LabMatrix matrix =
        patternMatrix(keeper.patterns.at(static_cast<std::size_t>(head.layer)).view()[head.head],
                      labels, tokenLabels(model, source), false);
    matrix.rows = "output token";
    matrix.columns = "source token";
    return matrix;
}

std::string sentenceOf(const Answers& answers, const Translations& greedy, const Translations& beam,
                       int beams)
{
    const double one = 100.0 * greedy.bleu.score();
    const double many = 100.0 * beam.bleu.score();
    return fmt::format("Greedy decoding writes \"{}\". On {} held-out sources it is exact in "
                       "{:.0f} % with BLEU {:.1f}; {} beams reach BLEU {:.1f}.",
                       displayText(answers.greedy), greedy.pairs.size(), 100.0 * greedy.exact, one,
                       beams, many);
}

} // namespace

LabResult runSequences(const LabSettings& settings, const LabContext& context,
                       const std::stop_token& stop)
{
    const std::string& task = settings.text("task");
    Answers answers = questionOf(settings.text("source"), task == "phrases");
    const auto trained = trainSequences(task, settings.integer("steps"), context, stop);
    const auto backend = backendOf(context);
    const auto beams = static_cast<int>(settings.integer("beams"));
    answer(answers, trained->model(), beams, *backend, stop);
    const Model& model = *trained->training.model;
    const Translations greedy =
        translateHeldOut(model, trained->data, *backend, {.pairs = kPairs}, stop);
    const Translations beam =
        translateHeldOut(model, trained->data, *backend, {.pairs = kPairs, .beams = beams}, stop);
    const double aligned = trained->head ? trained->head->score : 0.0;

    LabResult result;
    result.panels = {{"Alignment",
                      "Cross-attention of the head that attends most to the symbols that matter",
                      alignmentOf(*trained, answers, *backend)},
                     {"Held-out answers during training", "Greedy decoding; BLEU from 0 to 1",
                      LabChart{"step", "fraction", false, false, {trained->bleu, trained->exact}}},
                     {"Answers", "BLEU over characters", answerTable(answers, beams, greedy)}};
    result.numbers = {{"exact", "Exact, greedy", 100.0 * greedy.exact, "%"},
                      {"bleu", "BLEU, greedy", 100.0 * greedy.bleu.score()},
                      {"beam_exact", "Exact, beams", 100.0 * beam.exact, "%"},
                      {"beam_bleu", "BLEU, beams", 100.0 * beam.bleu.score()},
                      {"aligned", "Weight on the symbols that matter", 100.0 * aligned, "%"},
                      {"loss", "Last training loss", trained->training.losses.y.back(), "nats"},
                      {"steps", "Training steps", settings.number("steps")},
                      {"seconds", "Training time", trained->training.seconds, "s", true}};
    result.sentence = sentenceOf(answers, greedy, beam, beams);
    return result;
}

} // namespace headscope
