// labels: golden
#include "core/analysis/attention_rollout.h"

#include "core/base/error.h"
#include "tests/support/tensors.h"
#include "tests/support/tolerances.h"

#include <QTest>

using namespace headscope;
using namespace headscope::test;

class TstAttentionRollout : public QObject
{
    Q_OBJECT

private slots:

    void goldenRolloutsMatch_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("pattern");
        QTest::newRow("a model's heads") << "interp/attention_measures.safetensors"
                                         << "out.attn";
        QTest::newRow("synthetic heads") << "interp/synthetic_heads.safetensors"
                                         << "in.attn";
    }

    void goldenRolloutsMatch()
    {
        QFETCH(QString, path);
        QFETCH(QString, pattern);
        const GoldenFile file(path.toStdString());
        const Tensor patterns = file.tensor(pattern.toStdString());
        std::vector<TensorView> layers;
        for (std::int64_t layer = 0; layer < patterns.shape()[0]; ++layer)
            layers.push_back(patterns.view()[layer]);
        std::vector<float> got;
        for (const Tensor& rollout : attentionRollout(layers))
            got.insert(got.end(), rollout.values().begin(), rollout.values().end());
        HS_COMPARE(std::span<const float>(got), file.expected("out.rollout"), kInterpretability);
    }

    void rowsSumToOneEvenWhereAQuerySeesNothing()
    {
        Tensor pattern({2, 3, 3});
        pattern.view()(0, 1, 0) = 1.0F;
        pattern.view()(1, 1, 1) = 1.0F;
        const Trace trace({},
                          {{{Site::Pattern, 0}, std::make_shared<const Tensor>(pattern)},
                           {{Site::Pattern, 1}, std::make_shared<const Tensor>(pattern)}},
                          {});
        const std::vector<Tensor> rollout = attentionRollout(trace);
        QCOMPARE(rollout.size(), std::size_t{2});
        QCOMPARE(rollout[0].view()(0, 0), 1.0F);
        QCOMPARE(rollout[0].view()(1, 0), 0.25F);
        QCOMPARE(rollout[1].view()(1, 0), 0.25F + 0.75F * 0.25F);
        QCOMPARE(rollout[1].view()(1, 1), 0.75F * 0.75F);
        QCOMPARE(rollout[1].view()(2, 2), 1.0F);
        for (const Tensor& layer : rollout)
            for (std::int64_t row = 0; row < 3; ++row)
                QCOMPARE(layer.view()(row, 0) + layer.view()(row, 1) + layer.view()(row, 2), 1.0F);
    }

    void whatIsMissingOrOblongIsRefused()
    {
        const auto square = std::make_shared<const Tensor>(Shape{1, 2, 2});
        QVERIFY_EXCEPTION_THROWN(attentionRollout(Trace({}, {{{Site::Pattern, 1}, square}}, {})),
                                 Error);
        const Tensor oblong({1, 2, 3});
        const std::vector<TensorView> layers{square->view(), oblong.view()};
        QVERIFY_EXCEPTION_THROWN(attentionRollout(layers), ShapeError);
        QVERIFY(attentionRollout(Trace({}, {}, {})).empty());
    }
};

QTEST_GUILESS_MAIN(TstAttentionRollout)
#include "tst_attention_rollout.moc"
