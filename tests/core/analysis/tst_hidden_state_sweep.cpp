#include "core/analysis/causal/hidden_state_sweep.h"

#include "core/base/error.h"
#include "tests/support/small_models.h"
#include "tests/support/test_program.h"
#include "tests/support/traced_kinds.h"

#include <QTest>

#include <cmath>

using namespace headscope;
using namespace headscope::test;

namespace {

Tensor rows(std::vector<float> values)
{
    Tensor tensor({static_cast<std::int64_t>(values.size()) / 2, 2});
    std::copy(values.begin(), values.end(), tensor.data());
    return tensor;
}

double turn(std::vector<float> before, std::vector<float> after)
{
    return turnOf(rows(std::move(before)).view(), rows(std::move(after)).view());
}

/// BERT without its head: nothing but hidden states comes out.
LoadedModel headless()
{
    ModelConfig config = smallConfig();
    config.architecture = Architecture::Encoder;
    config.causal = false;
    config.languageHead = false;
    return smallModel(1, config);
}

} // namespace

class TstHiddenStateSweep : public QObject
{
    Q_OBJECT

private slots:

    void aTurnIsOneMinusTheCosine()
    {
        QCOMPARE(turn({1, 0}, {3, 0}), 0.0); // length alone is no turn
        QCOMPARE(turn({1, 0}, {0, 2}), 1.0);
        QCOMPARE(turn({1, 0}, {-5, 0}), 2.0);
        QCOMPARE(turn({1, 0, 1, 0}, {0, 1, 1, 0}), 0.5); // the mean of two rows
        QVERIFY(std::isnan(turn({1, 0, 1, 0}, {0, 0, 1, 0})));
    }

    void everyHeadIsThatOfAWholePass()
    {
        const LoadedModel loaded = headless();
        const std::vector<TokenId> ids = randomIds(3, 8, loaded.model->config().vocabularySize);
        Progress progress;
        const AblationSweep sweep = hiddenStateSweep(*loaded.model, {ids, {}, {}}, {}, progress);
        QCOMPARE(sweep.heads.size(), std::size_t(12));
        QCOMPARE(sweep.before, 0.0);
        QCOMPARE(progress.fraction(), 1.0);
        const SourceAndTarget texts{{}, tokensOf(ids)};
        const TraceKey last{Site::ResidPost, 2, loaded.model->config().mainStack()};
        const auto plain = freshTrace(loaded, texts)->find(last);
        for (const HeadEffect& effect : sweep.heads) {
            Interventions interventions;
            interventions.ablatedHeads = {effect.head};
            const auto changed = freshTrace(loaded, texts, interventions)->find(last);
            const double expected = turnOf(plain->view(), changed->view());
            QVERIFY(expected > 1e-6);
            QVERIFY(std::abs(effect.effect - expected) <= 1e-6 * (1.0 + expected));
            QCOMPARE(effect.metric, effect.effect);
        }
    }

    void itStopsWhenAsked()
    {
        const LoadedModel loaded = headless();
        std::stop_source stop;
        stop.request_stop();
        Progress progress(stop.get_token());
        QVERIFY_EXCEPTION_THROWN(hiddenStateSweep(*loaded.model, {{1, 2, 3}, {}, {}}, {}, progress),
                                 Cancelled);
    }
};

HEADSCOPE_TEST(TstHiddenStateSweep)
#include "tst_hidden_state_sweep.moc"
