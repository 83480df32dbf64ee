#include "core/base/error.h"
#include "core/generate/generator.h"
#include "core/text/display_text.h"
#include "tests/core/lessons/lab_runs.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <numeric>

using namespace headscope;
using namespace headscope::test;

namespace {

/// ln softmax of what follows, by a plain forward pass over all tokens.
std::vector<double> logProbabilities(const std::vector<TokenId>& ids)
{
    CpuAttention backend;
    KvCache cache(storyModel().model->config());
    const Tensor logits = storyModel().model->forward(ids, backend, cache);
    const TensorView last = logits.view()[logits.shape()[0] - 1];
    std::vector<double> result(last.data, last.data + last.shape[0]);
    double sum = 0.0;
    for (const double value : result)
        sum += std::exp(value);
    for (double& value : result)
        value -= std::log(sum);
    return result;
}

/// Without what the labs leave out at first.
std::vector<TokenId> sentence(std::size_t leftOut = 1)
{
    std::vector<TokenId> ids = storyModel().tokenizer->encode("The cat sat on the mat").ids();
    ids.resize(ids.size() - leftOut);
    return ids;
}

const LabBars& barsIn(const LabResult& result, std::size_t panel)
{
    return std::get<LabBars>(result.panels.at(panel).plot);
}

} // namespace

class TstDecodingLabs : public QObject
{
    Q_OBJECT

private slots:

    void everyLabCanBeDrawnAtAllEndsOfItsControls()
    {
        for (const Lab& lab : labsOf(LabSubject::Decoding)) {
            QVERIFY((lab.usesModel || lab.name == "bleu") && lab.controls.size() >= 2 &&
                    lab.controls.size() <= 4);
            for (const LabControl& control : lab.controls) {
                if (control.kind == LabControl::Kind::Choice)
                    continue;
                for (const double value : {control.low, control.high}) {
                    const LabResult result =
                        runLab(lab.name, {{control.name, std::to_string(value)}},
                               openContext(storyModel()));
                    QVERIFY2(flawOf(lab, result).empty(), flawOf(lab, result).c_str());
                }
            }
        }
    }

    /// R7: counted by hand; the score is that of sacrebleu, see core.train.bleu.
    void r7BleuIsThePenaltyTimesTheMeanOfThePrecisions()
    {
        const LabResult result = runLab("bleu");
        QVERIFY(near(valueOf(result, "bleu"), 51.0995581, 1e-6));
        QCOMPARE(valueOf(result, "p1"), 1.0);
        QVERIFY(near(valueOf(result, "p4"), 0.2));
        QCOMPARE(valueOf(result, "penalty"), 1.0);
        QCOMPARE(imageIn<LabTable>(result, 0).rows[2],
                 (std::vector<std::string>{"3", "11", "5", "0.455"}));
        const LabResult words = runLab("bleu", {{"candidate", "the cat sat on the mat"},
                                                {"reference", "the cat sat on the red mat"},
                                                {"units", "words"}});
        // 6/6, 4/5, 3/4 and 2/3 of six words against seven
        QVERIFY(near(valueOf(words, "bleu"),
                     100.0 * std::exp(1.0 - 7.0 / 6.0) * std::pow(4.0 / 5 * 3 / 4 * 2 / 3, 0.25)));
        QVERIFY(runLab("bleu", {{"candidate", "狗"}}).sentence.ends_with("0.0 %."));
    }

    void r5TheBarsAreTheSoftmaxOfTheModelsLogits()
    {
        const LabResult result = runLab("decoding", {}, openContext(storyModel()));
        std::vector<double> logs = logProbabilities(sentence());
        std::ranges::sort(logs, std::greater<>());
        const LabBars& before = barsIn(result, 0);
        for (std::size_t i = 0; i < before.bars.size(); ++i) {
            QVERIFY(near(before.bars[i].value, std::exp(logs[i]), 1e-5));
            QCOMPARE(barsIn(result, 1).bars[i].value, before.bars[i].value);
        }
        QCOMPARE(result.number("kept").value, result.number("vocabulary").value);
    }

    void r5TemperatureDividesTheLogits()
    {
        const LabResult result =
            runLab("decoding", {{"temperature", "0.5"}}, openContext(storyModel()));
        std::vector<double> logs = logProbabilities(sentence());
        double sum = 0.0;
        for (const double value : logs)
            sum += std::exp(2.0 * value);
        const double top = std::exp(2.0 * *std::ranges::max_element(logs)) / sum;
        QVERIFY(near(result.number("top").value, top, 1e-5));
        QVERIFY(result.number("entropy").value < result.number("entropy_before").value);
        const LabResult greedy =
            runLab("decoding", {{"temperature", "0"}}, openContext(storyModel()));
        QCOMPARE(greedy.number("kept").value, 1.0);
        QCOMPARE(greedy.number("top").value, 1.0);
    }

    void r5DrawsDifferWhereThereIsAChoice()
    {
        const LabResult result = runLab("decoding", {{"temperature", "1.5"}, {"leave_out", "4"}},
                                        openContext(storyModel()));
        const auto& table = std::get<LabTable>(result.panels.at(2).plot);
        QVERIFY(std::ranges::any_of(table.rows,
                                    [](const auto& row) { return row.at(1) != row.at(2); }));
    }

    void r5TopKAndTopPLeaveTheMostProbable()
    {
        const LabResult three = runLab("decoding", {{"top_k", "3"}}, openContext(storyModel()));
        QCOMPARE(three.number("kept").value, 3.0);
        std::vector<double> logs = logProbabilities(sentence());
        std::ranges::sort(logs, std::greater<>());
        const double mass = std::exp(logs[0]) + std::exp(logs[1]) + std::exp(logs[2]);
        QVERIFY(near(three.number("top").value, std::exp(logs[0]) / mass, 1e-5));
        QCOMPARE(barsIn(three, 1).bars[3].words, std::string("left out"));

        const LabResult half = runLab("decoding", {{"top_p", "0.5"}}, openContext(storyModel()));
        double sum = 0.0;
        std::size_t needed = 0;
        while (sum < 0.5)
            sum += std::exp(logs[needed++]);
        QCOMPARE(half.number("kept").value, static_cast<double>(needed));
    }

    void r5EachStepOfWhatIsWrittenIsShown()
    {
        const LabResult result =
            runLab("decoding", {{"temperature", "0"}}, openContext(storyModel()));
        const auto& table = std::get<LabTable>(result.panels.at(2).plot);
        std::vector<TokenId> ids = sentence();
        for (const auto& row : table.rows) {
            const std::vector<double> logs = logProbabilities(ids);
            ids.push_back(static_cast<TokenId>(std::ranges::max_element(logs) - logs.begin()));
            const std::string token = displayText(storyModel().tokenizer->tokenBytes(ids.back()));
            QCOMPARE(row.at(1), token + " 100.0 %");
            QVERIFY(row.at(2) == row.at(1) && row.at(3) == row.at(1));
        }
        QVERIFY(!table.rows.empty());
    }

    void r5TheBeamFindsTheMostProbableTwoTokens()
    {
        const LabResult result =
            runLab("beam", {{"beams", "5"}, {"length", "2"}, {"leave_out", "5"}},
                   openContext(storyModel()));
        const std::vector<double> first = logProbabilities(sentence(5));
        std::vector<TokenId> order(first.size());
        std::iota(order.begin(), order.end(), 0);
        std::ranges::sort(order, std::greater<>(),
                          [&](TokenId id) { return first[static_cast<std::size_t>(id)]; });
        double best = -INFINITY;
        double greedy = 0.0;
        for (std::size_t i = 0; i < 5; ++i) {
            std::vector<TokenId> ids = sentence(5);
            ids.push_back(order[i]);
            const double sum =
                first[static_cast<std::size_t>(order[i])] + std::ranges::max(logProbabilities(ids));
            best = std::max(best, sum);
            if (i == 0)
                greedy = sum;
        }
        QVERIFY(near(result.number("best_sum").value, best, 1e-3));
        QVERIFY(near(result.number("greedy_sum").value, greedy, 1e-3));
        QVERIFY(near(result.number("times").value, std::exp(best - greedy), 1e-3));
    }

    void r5TheBeamIsATreeWithItsBestPathMarked()
    {
        const LabResult result = runLab("beam", {}, openContext(storyModel()));
        const auto& tree = std::get<LabTree>(result.panels.at(0).plot);
        QCOMPARE(static_cast<double>(tree.nodes.size()), result.number("looked_at").value);
        int marked = 0;
        for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
            const auto& node = tree.nodes[i];
            QVERIFY(node.parent < static_cast<int>(i));
            if (node.parent >= 0)
                QVERIFY(tree.nodes[static_cast<std::size_t>(node.parent)].fate ==
                        LabTree::Fate::Kept);
            marked += node.isOnBestPath ? 1 : 0;
        }
        QCOMPARE(marked, 4);
        const LabResult one = runLab("beam", {{"beams", "1"}}, openContext(storyModel()));
        QCOMPARE(one.number("best_sum").value, one.number("greedy_sum").value);
    }

    void theStoriesAnswerWhereNoModelIsOpenAndAnySentenceWillDo()
    {
        LabContext context = labContext();
        context.openModel = [](const std::string& name) {
            return name == "builtin:stories" ? storyModel() : LoadedModel{};
        };
        for (const std::string& text :
             {std::string(), std::string(4000, 'x'), std::string("\xFF\xFE")}) {
            context.text = text;
            for (const char* name : {"decoding", "beam"})
                QCOMPARE(flawOf(catalogueLab(name), runLab(name, {}, context)), std::string());
        }
        std::stop_source source;
        source.request_stop();
        const Lab& lab = catalogueLab("beam");
        QVERIFY_EXCEPTION_THROWN(lab.run(LabSettings(lab.controls), context, source.get_token()),
                                 Cancelled);
    }
};

HEADSCOPE_TEST(TstDecodingLabs)
#include "tst_decoding_labs.moc"
