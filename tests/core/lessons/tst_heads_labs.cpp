#include "core/base/error.h"
#include "core/train/measures/head_means.h"
#include "core/train/measures/model_probe.h"
#include "core/train/stories/story_cases.h"
#include "tests/core/lessons/lab_runs.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;
using namespace headscope::test;

namespace {

using Cases = std::vector<AttentionTargetCase> (*)(std::uint64_t, std::size_t);

double at(const LabMatrix& matrix, std::size_t row, std::size_t column)
{
    return matrix.values[row * matrix.columnLabels.size() + column];
}

/// -ln P(next) after the prompt with heads off, straight from the model.
double lossOf(const LoadedModel& model, const std::string& prompt, const std::string& next,
              std::vector<HeadId> off)
{
    TokenSequence tokens = model.tokenizer->encode(prompt, false);
    std::vector<TokenId> ids = tokens.ids();
    ids.insert(ids.begin(), *model.tokenizer->endOfText());
    CpuAttention backend;
    KvCache cache(model.model->config());
    Interventions interventions;
    interventions.ablatedHeads = std::move(off);
    const Tensor logits = model.model->forward(ids, backend, cache, nullptr, interventions);
    const float* row = &logits.view()(logits.shape()[0] - 1, 0);
    double largest = *std::max_element(row, row + logits.shape()[1]);
    double sum = 0.0;
    for (std::int64_t i = 0; i < logits.shape()[1]; ++i)
        sum += std::exp(static_cast<double>(row[i]) - largest);
    const TokenId id = model.tokenizer->encode(next, false).tokens.front().id;
    return largest + std::log(sum) - static_cast<double>(row[id]);
}

} // namespace

class TstHeadsLabs : public QObject
{
    Q_OBJECT

private slots:

    void everyLabCanBeDrawnAtAllItsChoices()
    {
        const LabContext context = openContext("builtin:stories");
        for (const Lab& lab : labsOf(LabSubject::Heads)) {
            QVERIFY(lab.controls.size() >= 2 && lab.controls.size() <= 4);
            QVERIFY(!lab.isSlow && lab.usesModel);
            for (const LabControl& control : lab.controls) {
                std::vector<std::string> values = control.choices;
                if (control.kind == LabControl::Kind::Number)
                    values = {"0", "31"};
                for (const std::string& value : values)
                    QCOMPARE(flawOf(lab, runLab(lab.name, {{control.name, value}}, context)),
                             std::string());
            }
        }
    }

    void headsOfTheStoriesAreFoundByScoresH1H2H3H4_data()
    {
        QTest::addColumn<QString>("behaviour");
        QTest::addColumn<double>("least");
        QTest::addColumn<double>("above"); // the mean of all heads, so many times
        QTest::addRow("H1 subject of a verb") << "subject-verb" << 0.9 << 3.0;
        QTest::addRow("H2 noun of it") << "pronoun" << 0.3 << 5.0;
        QTest::addRow("H3 long range") << "far" << 3.0 << 1.5;
        QTest::addRow("H4 token before") << "previous" << 0.35 << 1.5;
        QTest::addRow("H4 first token") << "first" << 0.8 << 3.0;
        QTest::addRow("H4 induction") << "induction" << 0.35 << 3.0;
        QTest::addRow("H4 same token") << "duplicate" << 0.03 << 2.0;
    }

    void headsOfTheStoriesAreFoundByScoresH1H2H3H4()
    {
        QFETCH(QString, behaviour);
        QFETCH(double, least);
        QFETCH(double, above);
        const LabResult result = runLab("what-heads-do", {{"behaviour", behaviour.toStdString()}});
        QVERIFY(valueOf(result, "score") > least);
        QVERIFY(valueOf(result, "score") > above * valueOf(result, "mean"));
        const auto& map = imageIn<LabMatrix>(result, 0);
        QCOMPARE(map.rowLabels.size(), std::size_t{4});
        QCOMPARE(map.columnLabels.size(), std::size_t{8});
        const auto layer = static_cast<std::size_t>(valueOf(result, "layer"));
        const auto head = static_cast<std::size_t>(valueOf(result, "head"));
        QCOMPARE(at(map, layer, head), valueOf(result, "score"));
        QCOMPARE(std::ranges::max(map.values), valueOf(result, "score"));
    }

    void subjectAndNounHeadsAreThoseOfTheTrainingPanelH1H2()
    {
        const LoadedModel model = shippedModel("builtin:stories");
        CpuAttention backend;
        ModelProbe probe(*model.model, *model.tokenizer, backend);
        for (const auto& [behaviour, cases] :
             {std::pair<const char*, Cases>("subject-verb", subjectVerbCases),
              {"pronoun", pronounCases}}) {
            HeadMeans means;
            for (const AttentionTargetCase& question : cases(20'000'001, 24))
                means.add(probe.attentionOn(question));
            const TaskEvaluation::BestHead best = means.best(behaviour);
            const LabResult result = runLab("what-heads-do", {{"behaviour", behaviour}});
            QCOMPARE(valueOf(result, "layer"), double(best.id.layer));
            QCOMPARE(valueOf(result, "head"), double(best.id.head));
            QVERIFY(std::abs(valueOf(result, "score") - best.score) < 1e-9);
        }
    }

    void repeatHasAPreviousTokenHeadBelowAnInductionHeadH4()
    {
        const auto find = [](const char* behaviour) {
            return runLab("what-heads-do", {{"behaviour", behaviour}, {"model", "repeat"}});
        };
        const LabResult previous = find("previous");
        const LabResult induction = find("induction");
        QVERIFY(valueOf(previous, "score") > 0.9);
        QVERIFY(valueOf(induction, "score") > 0.9);
        QCOMPARE(valueOf(previous, "layer"), 0.0);
        QCOMPARE(valueOf(induction, "layer"), 1.0);
        QVERIFY(find("duplicate").sentence.find("no head of this model shows it clearly") !=
                std::string::npos);
        // The sample is six symbols twice: each of the second copy looks five back.
        const auto& pattern = imageIn<LabMatrix>(induction, 1);
        QCOMPARE(pattern.rowLabels.size(), std::size_t{13});
        for (std::size_t query = 8; query < 13; ++query)
            QVERIFY(at(pattern, query, query - 5) > 0.8);
    }

    void anOpenedModelIsSearchedTheSameWayH4()
    {
        const LabContext context = openContext("builtin:repeat");
        const LabResult open =
            runLab("what-heads-do", {{"behaviour", "induction"}, {"model", "open"}}, context);
        const LabResult shipped =
            runLab("what-heads-do", {{"behaviour", "induction"}, {"model", "repeat"}});
        QCOMPARE(open.sentence, shipped.sentence);
        const std::string problem = whatIsThrown([] {
            runLab("what-heads-do", {{"model", "open"}}, openContext("builtin:dates", "1.2.2003"));
        });
        QVERIFY(problem.find("one stack of layers") != std::string::npos);
    }

    void switchingAHeadOffReallyRunsTheModelA14()
    {
        const LoadedModel model = shippedModel("builtin:stories");
        const std::string prompt = "The keys near the table";
        const double with = lossOf(model, prompt, " are", {});
        for (const auto& [layer, head] : {std::pair(0, 0), {2, 4}, {2, 6}, {3, 7}}) {
            const LabResult result = runLab("not-an-explanation", {{"layer", std::to_string(layer)},
                                                                   {"head", std::to_string(head)}});
            const double without = lossOf(model, prompt, " are", {{layer, head}});
            QVERIFY(std::abs(valueOf(result, "loss") - with) < 1e-4);
            QVERIFY(std::abs(valueOf(result, "chosen_change") - (without - with)) < 1e-4);
            QVERIFY(std::abs(valueOf(result, "chosen_probability") - std::exp(-without)) < 1e-4);
            const auto row = static_cast<std::size_t>(layer);
            const auto column = static_cast<std::size_t>(head);
            QCOMPARE(at(imageIn<LabMatrix>(result, 0), row, column),
                     valueOf(result, "chosen_weight"));
            QCOMPARE(at(imageIn<LabMatrix>(result, 1), row, column),
                     valueOf(result, "chosen_change"));
        }
    }

    void theHeadThatLooksMostIsNotTheOneThatMattersA14()
    {
        const LabResult result = runLab("not-an-explanation");
        const auto& looks = imageIn<LabMatrix>(result, 0);
        const auto& matters = imageIn<LabMatrix>(result, 1);
        QCOMPARE(valueOf(result, "looks_weight"), std::ranges::max(looks.values));
        QCOMPARE(valueOf(result, "matters_change"), std::ranges::max(matters.values));
        QVERIFY(valueOf(result, "looks_weight") > valueOf(result, "matters_weight"));
        QVERIFY(valueOf(result, "looks_change") < 0.25 * valueOf(result, "matters_change"));
        QVERIFY(valueOf(result, "matters_probability") < 0.5 * valueOf(result, "probability"));
        QVERIFY(std::abs(valueOf(result, "correlation")) < 0.9);
    }

    void yourOwnSentenceAndModelCanBeAskedA14()
    {
        const LabSet yours{{"sentence", "yours"}};
        for (const char* text : {"The bank by the river", "", "\xF0\x9F\x8C\x8A", "a"})
            for (const char* model : {"builtin:stories", "builtin:repeat"}) {
                const LabResult result =
                    runLab("not-an-explanation", yours, openContext(model, text));
                QCOMPARE(flawOf(catalogueLab("not-an-explanation"), result), std::string());
            }
        const std::string problem = whatIsThrown(
            [&] { runLab("not-an-explanation", yours, openContext("builtin:dates", "1.2.2003")); });
        QVERIFY(problem.find("predicts the next token") != std::string::npos);
    }
};

HEADSCOPE_TEST(TstHeadsLabs)
#include "tst_heads_labs.moc"
