#include "core/attention/backend_registry.h"
#include "core/train/data/prepared_data.h"
#include "core/train/data/question_task.h"
#include "core/train/data/sequence_task.h"
#include "core/train/measures/model_probe.h"
#include "core/train/measures/task_heads.h"
#include "core/train/phrases/phrase_tokenizer.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>

using namespace headscope;

namespace {

using Places = std::vector<std::size_t>;

Places placesOf(TrainingTask task, std::string_view source, std::string_view target,
                std::size_t index, bool reversedSum = false)
{
    DataSettings data;
    data.task = task;
    data.reversedSum = reversedSum;
    return sourcePlaces(data, source, target, index);
}

/// All parameters 0: every query looks evenly at what it may see.
struct EvenRun
{
    explicit EvenRun(const char* json)
        : config(parseTrainingConfig(json, "run.json"))
        , data(prepareData(config))
        , model(data.model, ParameterSet(data.model))
    {
    }

    TrainingConfig config;
    PreparedData data;
    Model model;
    std::unique_ptr<AttentionBackend> backend = BackendRegistry().create("reference");
};

bool near(double a, double b)
{
    return std::abs(a - b) < 1e-6;
}

} // namespace

class TstTaskHeads : public QObject
{
    Q_OBJECT

private slots:

    void everyTaskHasItsPlaces()
    {
        QCOMPARE(placesOf(TrainingTask::Copy, "k7qm", "k7qm", 2), (Places{2}));
        QCOMPARE(placesOf(TrainingTask::Reverse, "k7qm", "mq7k", 0), (Places{3}));
        QCOMPARE(placesOf(TrainingTask::Sort, "k7qk", "7kkq", 1), (Places{0, 3}));
        QCOMPARE(placesOf(TrainingTask::Dates, "1.2.1987", "1987-02-01", 4), Places());
        QCOMPARE(placesOf(TrainingTask::Phrases, "do you play chess every morning", "", 4),
                 (Places{5})); // the last character of "morning"
        QCOMPARE(placesOf(TrainingTask::Phrases, "no such sentence", "", 0), Places());
    }

    /// 385+47 = 432: the tens are at 1 and 4 of the source.
    void sumsLookAtTheDigitsOfTheirPlace()
    {
        QCOMPARE(placesOf(TrainingTask::Addition, "385+47", "432", 2), (Places{2, 5}));
        QCOMPARE(placesOf(TrainingTask::Addition, "385+47", "432", 1), (Places{1, 4}));
        QCOMPARE(placesOf(TrainingTask::Addition, "385+47", "432", 0), (Places{0}));
        QCOMPARE(placesOf(TrainingTask::Addition, "385+47", "234", 0, true), (Places{2, 5}));
        QCOMPARE(placesOf(TrainingTask::Addition, "99+1", "100", 0), Places()); // the carry alone
    }

    void evenCrossAttentionScoresOneOverTheSource()
    {
        EvenRun run(R"({"model": {"architecture": "encoder-decoder", "d_model": 8, "n_heads": 2,
                                  "n_layers": 1, "max_len": 16},
                        "data": {"task": "copy", "min_length": 4, "max_length": 4,
                                 "validation_batches": 1}, "batch_size": 4})");
        const auto head = crossHead(run.model, run.config.data, run.data, *run.backend);
        QCOMPARE(head->name, std::string("cross_diagonal"));
        QVERIFY(near(head->score, 1.0 / 5.0)); // four symbols and <eos>
        run.config.data.task = TrainingTask::Reverse;
        QCOMPARE(crossHead(run.model, run.config.data, run.data, *run.backend)->name,
                 std::string("cross_antidiagonal"));
    }

    void evenAttentionOnTranslatedWordsIsTheirFraction()
    {
        EvenRun run(R"({"model": {"architecture": "encoder-decoder", "d_model": 8, "n_heads": 2,
                                  "n_layers": 1, "max_len": 32},
                        "data": {"task": "phrases", "validation_batches": 1}, "batch_size": 4})");
        SequenceTaskSettings settings;
        settings.kind = SequenceTaskKind::Phrases;
        settings.rows = 4;
        const SequenceTask task(*phraseTokenizer(), 32, settings);
        double sum = 0.0;
        double characters = 0.0;
        for (std::uint64_t row = 0; row < 4; ++row) {
            const Phrase phrase = phraseBook().parse(task.heldOutPair(row).source).value();
            for (std::size_t i = 0; i < phrase.target.size(); ++i) {
                const auto words = static_cast<double>(phrase.alignedWords(i).size());
                characters += words > 0.0 ? 1.0 : 0.0; // others have nothing to attend to
                sum += words / static_cast<double>(phrase.source.size() + 1); // and <eos>
            }
        }
        const auto head = crossHead(run.model, run.config.data, run.data, *run.backend);
        QCOMPARE(head->name, std::string("cross_aligned_words"));
        QVERIFY(near(head->score, sum / characters));
    }

    /// "<|endoftext|> ( )": the closing bracket sees three tokens, the opening is one of them.
    void evenAttentionOnAPairOfBracketsIsAThird()
    {
        EvenRun run(R"({"model": {"d_model": 8, "n_heads": 2, "n_layers": 1, "max_len": 16},
                        "data": {"task": "brackets", "min_length": 2, "max_length": 2,
                                 "validation_batches": 1}, "batch_size": 16})");
        const auto head = bracketHead(run.model, run.data, *run.backend);
        QCOMPARE(head->name, std::string("bracket_match"));
        QVERIFY(near(head->score, 1.0 / 3.0));
    }

    /// The same with a random model, from its patterns: a closing bracket closes the nearest
    /// opening one that is still open, so what lies between them cancels out.
    void bracketsAreMatchedWithTheirOwn()
    {
        EvenRun run(R"({"model": {"d_model": 8, "n_heads": 1, "n_layers": 1, "max_len": 16},
                        "data": {"task": "brackets", "min_length": 6, "max_length": 8,
                                 "validation_batches": 1}, "batch_size": 8})");
        const Model model = Model::initialised(run.data.model, 4);
        ModelProbe probe(model, *run.data.tokenizer, *run.backend);
        const auto& task = dynamic_cast<const QuestionTask&>(*run.data.batches);
        const Batch batch = task.validationBatch(0);
        double sum = 0.0;
        int texts = 0;
        for (std::size_t row = 0; row < 8; ++row) {
            std::vector<TokenId> ids;
            for (std::size_t i = 10 * row; i < 10 * (row + 1); ++i) {
                if (batch.keyMask[i] != 0)
                    ids.push_back(batch.inputs[i]);
            }
            const std::string text = "_" + run.data.tokenizer->decode(ids, true);
            if (!isBalanced(text.substr(1, text.size() - 2)))
                continue;
            const Tensor pattern = probe.patterns(ids)[0];
            double mean = 0.0;
            for (std::size_t closing = 1; closing < text.size(); ++closing) {
                if (text[closing] != ')')
                    continue;
                std::size_t opening = closing - 1;
                while (text[opening] != '(' ||
                       !isBalanced(text.substr(opening + 1, closing - opening - 1)))
                    --opening;
                mean += static_cast<double>(pattern.view()(0, closing, opening)) /
                        (static_cast<double>(text.size() - 2) / 2.0);
            }
            sum += mean;
            ++texts;
        }
        QVERIFY(texts > 1);
        QVERIFY(near(bracketHead(model, run.data, *run.backend)->score, sum / texts));
    }

    void evenEncodersLookAtTheirNeighboursByLength()
    {
        EvenRun run(R"({"model": {"architecture": "encoder", "d_model": 8, "n_heads": 2,
                                  "n_layers": 1, "max_len": 20},
                        "data": {"task": "stories", "bytes": 30000, "vocab_size": 400,
                                 "validation_batches": 1}, "batch_size": 4})");
        const auto heads = neighbourHeads(run.model, run.data, *run.backend);
        QCOMPARE(heads.size(), std::size_t{2});
        QVERIFY(near(heads[0].score, 1.0 / 20.0));
        QVERIFY(near(heads[1].score, 1.0 / 20.0));
        QCOMPARE(heads[1].name, std::string("next_token"));
    }

    void nothingIsHeldOutNothingIsScored()
    {
        EvenRun run(R"({"model": {"d_model": 8, "n_heads": 2, "n_layers": 1, "max_len": 16},
                        "data": {"task": "brackets", "max_length": 4, "validation_batches": 0}})");
        QVERIFY(!bracketHead(run.model, run.data, *run.backend));
        QVERIFY(neighbourHeads(run.model, run.data, *run.backend).empty());
    }
};

HEADSCOPE_TEST(TstTaskHeads)
#include "tst_task_heads.moc"
