#include "core/base/content_language.h"
#include "core/base/error.h"
#include "core/lessons/labs/attention/attention_parts.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/labs/training/trained_sequences.h"
#include "core/text/display_text.h"
#include "core/train/measures/pattern_keeper.h"
#include "core/train/measures/task_heads.h"
#include "core/train/measures/translations.h"
#include "core/train/phrases/phrase_book.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope {

namespace {

constexpr std::int64_t kPairs = 64; ///< Held-out pairs translated after training.
constexpr std::size_t kShownPairs = 6;

struct Answers
{
    std::string source;
    std::string reference; ///< Empty if the source is none of the task's.
    std::string greedy;
    std::string beam;
    bool isHeldOut = false;
};

std::string reversed(const std::string& text)
{
    return {text.rbegin(), text.rend()};
}

/// Source of a control, with its reference.
Answers questionOf(const LabSettings& settings, bool isPhrases)
{
    Answers answers;
    answers.source = settings.text(isPhrases ? "sentence" : "symbols");
    if (!isPhrases) {
        answers.reference = reversed(answers.source);
        return answers;
    }
    if (const auto phrase = phraseBook().parse(answers.source)) {
        answers.reference = phrase->targetText();
        answers.isHeldOut = phrase->isHeldOut;
    }
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

LabTable answerTable(const Answers& answers, int beams)
{
    LabTable table{{"Decoding", "Written", "BLEU"}, {}, -1};
    table.rows = {{message("greedy"), answers.greedy, scoreOf(answers.greedy, answers.reference)},
                  {fmt::format(fmt::runtime(message("{} beams")), beams), answers.beam,
                   scoreOf(answers.beam, answers.reference)},
                  {message("reference"),
                   answers.reference.empty() ? message("not a sentence of the book")
                                             : answers.reference,
                   scoreOf(answers.reference, answers.reference)}};
    return table;
}

LabTable heldOutTable(const Translations& written)
{
    LabTable table{{"Source", "Reference", "Written"}, {}, -1};
    for (std::size_t i = 0; i < std::min(kShownPairs, written.pairs.size()); ++i)
        table.rows.push_back(
            {written.pairs[i].source, written.pairs[i].reference, written.pairs[i].written});
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
    LabMatrix matrix = patternMatrix(
        keeper.patterns.at(static_cast<std::size_t>(head.layer)).view()[head.head], labels,
        tokenLabels(model, source), false);
    matrix.rows = "output token";
    matrix.columns = "source token";
    return matrix;
}

LabPanel curves(const TrainedSequences& trained)
{
    LabChart chart{"step", "fraction", false, false, {trained.bleu, trained.exact}};
    return {"Held-out answers during training", "Greedy decoding; BLEU from 0 to 1",
            std::move(chart)};
}

std::string sentenceOf(const Answers& answers, const Translations& greedy,
                       const Translations& beam, int beams)
{
    const double one = 100.0 * greedy.bleu.score();
    const double many = 100.0 * beam.bleu.score();
    return fmt::format("Greedy decoding writes \"{}\". On {} held-out sources it is exact in "
                       "{:.0f} % with BLEU {:.1f}; {} beams reach BLEU {:.1f}.",
                       answers.greedy, greedy.pairs.size(), 100.0 * greedy.exact, one, beams,
                       many);
}

} // namespace

LabResult runSequences(const LabSettings& settings, const LabContext& context,
                       const std::stop_token& stop)
{
    const std::string& task = settings.text("task");
    Answers answers = questionOf(settings, task == "phrases");
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
    result.panels = {
        {"Alignment", "Cross-attention of the head that attends most to the symbols that matter",
         alignmentOf(*trained, answers, *backend)},
        {"This source", "BLEU over characters, against the reference",
         answerTable(answers, beams)},
        curves(*trained),
        {"Held-out sources", "None of these was trained on", heldOutTable(greedy)},
        lossCurves({trained->training})};
    result.numbers = {
        {"exact", "Exact, greedy", 100.0 * greedy.exact, "%"},
        {"bleu", "BLEU, greedy", 100.0 * greedy.bleu.score(), {}},
        {"beam_exact", "Exact, beams", 100.0 * beam.exact, "%"},
        {"beam_bleu", "BLEU, beams", 100.0 * beam.bleu.score(), {}},
        {"aligned", "Weight on the symbols that matter", 100.0 * aligned, "%"},
        {"loss", "Last training loss", trained->training.losses.y.back(), "nats"},
        {"steps", "Training steps", settings.number("steps"), {}},
        {"seconds", "Training time", trained->training.seconds, "s", true}};
    result.sentence = sentenceOf(answers, greedy, beam, beams);
    return result;
}

} // namespace headscope
