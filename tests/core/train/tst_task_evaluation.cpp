#include "core/attention/backend_registry.h"
#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/train/data/repeat_task.h"
#include "core/train/measures/model_probe.h"
#include "core/train/measures/task_evaluation.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>

using namespace headscope;

namespace {

/// All parameters 0: every head looks evenly at what came before, all tokens are equally likely.
Model evenModel(std::int64_t vocabularySize)
{
    ModelConfig config;
    config.vocabularySize = vocabularySize;
    config.dModel = 8;
    config.heads = 2;
    config.layers = 2;
    config.dFf = 8;
    config.maxLen = 64;
    return Model(config, ParameterSet(config));
}

/// No blocks at all: the next token depends on the last one alone, as `next` says.
Model lookupModel(std::int64_t vocabularySize, const std::map<TokenId, TokenId>& next)
{
    ModelConfig config;
    config.vocabularySize = vocabularySize;
    config.dModel = vocabularySize;
    config.heads = 1;
    config.layers = 0;
    config.positions = Positions::None;
    config.tieEmbeddings = false;
    ParameterSet parameters(config);
    const MutableTensorView embedding = parameters.view("tok_emb.weight");
    const MutableTensorView head = parameters.view("head.weight");
    const MutableTensorView scale = parameters.view("ln_f.weight");
    for (std::int64_t token = 0; token < vocabularySize; ++token) {
        embedding(token, token) = 1.0F;
        scale(token) = 1.0F;
    }
    for (const auto& [from, to] : next)
        head(to, from) = 1.0F;
    return Model(config, std::move(parameters));
}

double meanOfInverses(int first, int last)
{
    double sum = 0.0;
    for (int i = first; i <= last; ++i)
        sum += 1.0 / i;
    return sum / (last - first + 1);
}

bool near(double a, double b, double error = 1e-6)
{
    return std::abs(a - b) < error;
}

} // namespace

class TstTaskEvaluation : public QObject
{
    Q_OBJECT

private slots:

    void questionsAreJudgedByTheFirstDifferentToken()
    {
        const auto tokenizer = symbolTokenizer();
        const auto id = [&](const char* text) { return tokenizer->encode(text, false).ids()[0]; };
        const Model model = lookupModel(static_cast<std::int64_t>(tokenizer->vocabularySize()),
                                        {{id("b"), id(" c")}, {id(" c"), id("d")}});
        const auto backend = BackendRegistry().create("reference");
        ModelProbe probe(model, *tokenizer, *backend);
        QVERIFY(probe.passes({"ab", " c", " e"}));
        QVERIFY(!probe.passes({"ab", " e", " c"}));
        QVERIFY(!probe.passes({"ab", " e", " f"})); // equal logits are no answer
        QVERIFY(probe.passes({"a", "b cd", "b ce"}));
        QVERIFY(probe.passes({"ab", " c", {}}));
        QVERIFY(probe.passes({"ab", " cd", {}}));
        QVERIFY(!probe.passes({"ab", " ce", {}}));
        QVERIFY(near(probe.fractionOfPassed({{"ab", " c", " e"}, {"ab", " e", " c"}}), 0.5));
        QVERIFY_EXCEPTION_THROWN(probe.passes({"ab", " c", " c"}), Error);
    }

    void attentionCasesAreMeasuredOnTheirTokens()
    {
        const auto tokenizer = symbolTokenizer();
        const Model model = evenModel(static_cast<std::int64_t>(tokenizer->vocabularySize()));
        const auto backend = BackendRegistry().create("reference");
        ModelProbe probe(model, *tokenizer, *backend);
        // <|endoftext|> a b " c" d: the query d sees five tokens evenly.
        const auto table = probe.attentionOn({"ab cd", {4, 5}, {0, 2}, std::nullopt});
        QCOMPARE(table.size(), std::size_t{2});
        QCOMPARE(table[1].size(), std::size_t{2});
        QVERIFY(near(table[1][1], 2.0 / 5.0));
        const auto less = probe.attentionOn({"ab cd", {4, 5}, {0, 2}, ByteRange{3, 4}});
        QVERIFY(near(less[0][0], 1.0 / 5.0));
        QVERIFY_EXCEPTION_THROWN(probe.attentionOn({"ab", {7, 8}, {0, 1}, std::nullopt}), Error);
    }

    void anEvenModelScoresAsComputedByHand()
    {
        TrainingConfig config = parseTrainingConfig(
            R"({"data": {"task": "repeat"}, "model": {"max_len": 64}, "batch_size": 4})",
            "run.json");
        const PreparedData data = prepareData(config);
        const Model model = evenModel(data.model.vocabularySize);
        const auto backend = BackendRegistry().create("reference");
        EvaluationSettings settings;
        settings.repeats = 2;
        const TaskEvaluation result = evaluateTask(model, config, data, *backend, settings);
        QVERIFY(near(result.number("validation_loss"),
                     std::log(static_cast<double>(data.model.vocabularySize)), 1e-5));
        QVERIFY(result.number("copy_accuracy") < 0.1);
        // <|endoftext|> and 25 symbols twice: query i sees i + 1 keys.
        QVERIFY(near(result.head("previous_token").score, meanOfInverses(2, 51)));
        QVERIFY(near(result.head("induction").score, meanOfInverses(27, 51)));
        QVERIFY(near(result.head("duplicate_token").score, meanOfInverses(27, 51)));
        QVERIFY_EXCEPTION_THROWN(result.number("none"), Error);
    }

    void storiesAreAskedEveryKindOfQuestion()
    {
        TrainingConfig config = parseTrainingConfig(
            R"({"data": {"task": "stories", "bytes": 60000, "vocab_size": 600,
                         "validation_batches": 1},
                "model": {"max_len": 64}, "batch_size": 2})",
            "run.json");
        const PreparedData data = prepareData(config);
        const Model model = evenModel(data.model.vocabularySize);
        const auto backend = BackendRegistry().create("reference");
        EvaluationSettings settings;
        settings.cases = 10;
        settings.ngramOrders = {1, 3};
        const TaskEvaluation result = evaluateTask(model, config, data, *backend, settings);
        for (const char* name :
             {"agreement", "predicate", "antecedent", "names", "gender", "headline"})
            QCOMPARE(result.number(name), 0.0); // equal logits answer nothing
        for (const char* name : {"subject_verb", "pronoun", "previous_token"})
            QVERIFY(result.head(name).score > 0.0 && result.head(name).score < 0.5);
        QVERIFY(result.number("kneser_ney_3_loss") < result.number("kneser_ney_1_loss"));
        QVERIFY(result.number("kneser_ney_1_loss") < result.number("validation_loss"));
        const auto json = toJson(result);
        QVERIFY(near(json["agreement"], 0.0));
        QVERIFY(json["heads"]["subject_verb"].contains("layer"));
        QVERIFY(toText(result).find("subject_verb head") != std::string::npos);
    }

    void casesThatAreTooLongAreLeftOut()
    {
        TrainingConfig config = parseTrainingConfig(
            R"({"data": {"task": "stories", "bytes": 60000, "vocab_size": 600,
                         "validation_batches": 1},
                "model": {"max_len": 4}, "batch_size": 2})",
            "run.json");
        const PreparedData data = prepareData(config);
        ModelConfig small = evenModel(data.model.vocabularySize).config();
        small.maxLen = 4;
        const Model model(small, ParameterSet(small));
        const auto backend = BackendRegistry().create("reference");
        EvaluationSettings settings;
        settings.cases = 5;
        const TaskEvaluation result = evaluateTask(model, config, data, *backend, settings);
        QVERIFY(result.number("validation_loss") > 0.0);
        QVERIFY_EXCEPTION_THROWN(result.number("agreement"), Error);
        QVERIFY_EXCEPTION_THROWN(result.head("pronoun"), Error);
    }

    void aRandomModelAnswersAboutHalf()
    {
        TrainingConfig config = parseTrainingConfig(
            R"({"data": {"task": "stories", "bytes": 60000, "vocab_size": 600,
                         "validation_batches": 1},
                "model": {"max_len": 64, "d_model": 32, "n_heads": 4, "n_layers": 1},
                "batch_size": 1})",
            "run.json");
        const PreparedData data = prepareData(config);
        const Model model = Model::initialised(data.model, 3);
        const auto backend = BackendRegistry().create("cpu");
        ModelProbe probe(model, *data.tokenizer, *backend);
        const double agreement = probe.fractionOfPassed(agreementCases(1, 200));
        QVERIFY2(agreement > 0.2 && agreement < 0.8, qPrintable(QString::number(agreement)));
        QVERIFY(probe.fractionOfPassed(nameCases(1, 20)) < 0.2);
    }

    /// Copies of four symbols out of 259 tokens; pairs of sentences with labels alone.
    void everyObjectiveHasItsNumbers()
    {
        const auto evaluated = [](const char* json) {
            const TrainingConfig config = parseTrainingConfig(json, "run.json");
            const PreparedData data = prepareData(config);
            const auto backend = BackendRegistry().create("reference");
            return evaluateTask(Model(data.model, ParameterSet(data.model)), config, data,
                                *backend);
        };
        const TaskEvaluation copies = evaluated(
            R"({"model": {"architecture": "encoder-decoder", "d_model": 8, "n_heads": 2,
                          "n_layers": 1, "max_len": 16},
                "data": {"task": "copy", "min_length": 4, "max_length": 4,
                         "validation_batches": 1}, "batch_size": 4})");
        QVERIFY(near(copies.number("validation_loss"), std::log(259.0), 1e-5));
        QCOMPARE(copies.number("sequence_accuracy"), 0.0);
        QVERIFY(near(copies.head("cross_diagonal").score, 1.0 / 5.0));
        QVERIFY_EXCEPTION_THROWN(copies.number("next_sentence_accuracy"), Error);

        const TaskEvaluation masked = evaluated(
            R"({"model": {"preset": "bert-toy", "d_model": 8, "n_heads": 2, "n_layers": 1,
                          "max_len": 20},
                "data": {"task": "stories", "bytes": 40000, "vocab_size": 400,
                         "validation_share": 0.1, "validation_batches": 1}, "batch_size": 4})");
        QVERIFY(near(masked.number("validation_loss"), std::log(400.0), 1e-5));
        QVERIFY(masked.number("next_sentence_accuracy") <= 1.0);
        QVERIFY(masked.head("next_token").score > 0.0);
        QVERIFY_EXCEPTION_THROWN(masked.number("sequence_accuracy"), Error);
    }

    void batchesWithoutATokenizerCannotBeAsked()
    {
        const Model model = evenModel(10);
        const auto backend = BackendRegistry().create("reference");
        QVERIFY_EXCEPTION_THROWN(evaluateTask(model, {}, PreparedData(), *backend), Error);
    }
};

HEADSCOPE_TEST(TstTaskEvaluation)
#include "tst_task_evaluation.moc"
