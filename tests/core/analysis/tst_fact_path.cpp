// links: core/io
#include "core/analysis/causal/fact_path.h"

#include "core/base/error.h"
#include "core/io/checkpoint.h"
#include "tests/support/small_models.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <filesystem>

using namespace headscope;
using namespace headscope::test;

namespace {

/// "| a b c d e f a": the answer is b. Corrupted: the first b is another letter.
struct Induction
{
    std::shared_ptr<const ResumedForward> model;
    PatchingPair pair;
    TokenId right = 0;
    TokenId wrong = 0;

    Induction()
    {
        const LoadedModel loaded = loadCheckpoint(std::filesystem::path(HEADSCOPE_SOURCE_DIR) /
                                                  "resources/models/repeat/model.safetensors");
        model = std::make_shared<const ResumedForward>(loaded.model);
        pair.clean.ids = {0, 257, 258, 259, 260, 261, 262, 257};
        pair.corrupted.ids = {0, 257, 270, 259, 260, 261, 262, 257};
        right = 258;
        wrong = 270;
        pair.metric.kind = GradientTarget::Kind::LogitDifference;
        pair.metric.token = right;
        pair.metric.other = wrong;
    }

    FactPath path() const
    {
        Progress progress;
        const ActivationPatching patching(model, pair, {}, progress);
        return factPath(patching, pair.metric, progress);
    }
};

const FactStep& step(const FactPath& path, FactStep::Kind kind)
{
    const auto found = std::find_if(path.steps.begin(), path.steps.end(),
                                    [&](const FactStep& one) { return one.kind == kind; });
    return *found;
}

} // namespace

class TstFactPath : public QObject
{
    Q_OBJECT

private slots:

    /// On the shipped model that copies: the fact lies on the changed token, one head brings it to
    /// the end, and it looks there.
    void inductionIsFoundStepByStep()
    {
        const Induction induction;
        const FactPath path = induction.path();
        QCOMPARE(path.cleanAnswer.top, induction.right);
        QCOMPARE(path.corruptedAnswer.top, induction.wrong);
        QCOMPARE(path.cleanAnswer.answerRank, 1);
        QVERIFY(path.corruptedAnswer.answerRank > 1);
        QVERIFY(path.clean > 0.0 && path.corrupted < 0.0);
        QCOMPARE(path.steps.front().kind, FactStep::Kind::Answer);
        QCOMPARE(path.steps.back().kind, FactStep::Kind::Lens);
        const FactPosition& token = step(path, FactStep::Kind::Tokens).places.front();
        QCOMPARE(token.position, 2);
        QVERIFY(std::abs(token.restored - 1.0) < 1e-3);
        const FactPosition& head = step(path, FactStep::Kind::Heads).places.front();
        QVERIFY(head.restored > 0.3); // four heads of layer 1 share the work
        for (const FactPosition& place : step(path, FactStep::Kind::Heads).places) {
            if (place.layer == 0)
                continue; // puts a token beside the next, away from the end
            QCOMPARE(place.attendsTo, 2);
            QVERIFY(place.weight > 0.9);
        }
        QCOMPARE(path.topFrom, 1);
    }

    void placesComeFromTheGrids()
    {
        const FactPath path = Induction().path();
        for (const FactStep& one : path.steps) {
            if (!one.shows)
                continue;
            const PatchGrid* grid = path.grid(*one.shows);
            QVERIFY(grid != nullptr);
            QVERIFY(!one.places.empty());
            for (const FactPosition& place : one.places) {
                const int column = place.head >= 0 ? place.head : place.position;
                QCOMPARE(place.restored, grid->normalised(grid->metric(place.layer, column)));
            }
            QVERIFY(std::is_sorted(one.places.begin(), one.places.end(),
                                   [](const FactPosition& a, const FactPosition& b) {
                                       return a.restored > b.restored;
                                   }));
        }
    }

    /// The last layer's lens is what the model says.
    void theLensEndsWithTheModel()
    {
        const FactPath path = Induction().path();
        const FactStep& lens = step(path, FactStep::Kind::Lens);
        QVERIFY(std::abs(lens.places.back().restored - path.cleanAnswer.answerProbability) < 1e-5);
        QVERIFY(path.topFrom >= 0);
        for (int layer = path.topFrom; layer < static_cast<int>(lens.places.size()); ++layer)
            QVERIFY(lens.places[static_cast<std::size_t>(layer)].restored > 0.0);
    }

    void noiseTakesTheFactAway()
    {
        const Induction induction;
        Progress progress;
        const ActivationPatching patching(induction.model, induction.pair.clean,
                                          induction.pair.metric, EmbeddingNoise{{2}, 3.0, 2}, {},
                                          progress);
        const FactPath path = factPath(patching, induction.pair.metric, progress);
        QVERIFY(path.corrupted < path.clean);
        QCOMPARE(step(path, FactStep::Kind::Tokens).places.front().position, 2);
    }

    void aModelWithoutFeedForwardPartsHasNoSuchStep()
    {
        ModelConfig config = smallConfig();
        config.dFf = 0;
        const LoadedModel loaded = smallModel(1, config);
        PatchingPair pair{{{1, 2, 3, 4}, {}, {}}, {{1, 7, 3, 4}, {}, {}}, {}};
        pair.metric.token = 5;
        Progress progress;
        const ActivationPatching patching(std::make_shared<const ResumedForward>(loaded.model),
                                          pair, {}, progress);
        const FactPath path = factPath(patching, pair.metric, progress);
        QCOMPARE(path.steps.size(), std::size_t(5));
        QVERIFY(path.grid(PatchSite::MlpOut) == nullptr);
    }

    void aLossIsNoAnswer()
    {
        Induction induction;
        induction.pair.metric.kind = GradientTarget::Kind::Loss;
        QVERIFY_EXCEPTION_THROWN(induction.path(), Error);
    }

    void sameTextsGiveNoPlaces()
    {
        Induction induction;
        induction.pair.corrupted = induction.pair.clean;
        const FactPath path = induction.path();
        QVERIFY(step(path, FactStep::Kind::Tokens).places.empty());
        QVERIFY(step(path, FactStep::Kind::Heads).places.empty());
        QVERIFY(!step(path, FactStep::Kind::Lens).places.empty());
    }
};

HEADSCOPE_TEST(TstFactPath)
#include "tst_fact_path.moc"
