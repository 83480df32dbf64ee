#include "core/analysis/scores/attention_variability.h"

#include "core/base/error.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>

using namespace headscope;

namespace {

/// Every query on one key.
Tensor allOn(std::int64_t tokens, std::int64_t key)
{
    Tensor pattern({tokens, tokens});
    for (std::int64_t query = 0; query < tokens; ++query)
        pattern.view()(query, key) = 1.0F;
    return pattern;
}

std::vector<TensorView> viewsOf(const std::vector<Tensor>& patterns)
{
    std::vector<TensorView> views;
    for (const Tensor& pattern : patterns)
        views.push_back(pattern.view());
    return views;
}

/// One layer of two heads, the first always on token 0, the second on `key`.
TracePtr traceOf(std::int64_t tokens, std::int64_t key)
{
    TokenSequence sequence;
    sequence.tokens.resize(static_cast<std::size_t>(tokens));
    Tensor patterns({2, tokens, tokens});
    const Tensor first = allOn(tokens, 0);
    const Tensor second = allOn(tokens, key);
    std::copy_n(first.data(), first.size(), patterns.data());
    std::copy_n(second.data(), second.size(), patterns.data() + first.size());
    return std::make_shared<const Trace>(
        sequence,
        Trace::Activations{{{Site::Pattern, 0}, std::make_shared<const Tensor>(patterns)}},
        TraceInfo());
}

} // namespace

class TstAttentionVariability : public QObject
{
    Q_OBJECT

private slots:

    void theSamePatternDoesNotVary()
    {
        const std::vector<Tensor> same{allOn(4, 1), allOn(4, 1), allOn(4, 1)};
        QCOMPARE(attentionVariability(viewsOf(same), 4), 0.0);
    }

    void disjointPatternsVaryAsMuchAsTheyCan()
    {
        // k texts on k different keys: each row is off its mean by 2 (1 - 1/k).
        std::vector<Tensor> apart;
        for (std::int64_t key = 0; key < 8; ++key) {
            apart.push_back(allOn(8, key));
            if (key > 0)
                QVERIFY(std::abs(attentionVariability(viewsOf(apart), 8) -
                                 (1.0 - 1.0 / static_cast<double>(key + 1))) < 1e-12);
        }
    }

    void onlyTheFirstPositionsCount()
    {
        const std::vector<Tensor> patterns{allOn(4, 0), allOn(6, 0)};
        QCOMPARE(attentionVariability(viewsOf(patterns), 4), 0.0);
        QVERIFY_THROWS_EXCEPTION(ShapeError, attentionVariability(viewsOf(patterns), 5));
        Tensor later = allOn(4, 0);
        later.view()(3, 0) = 0.0F;
        later.view()(3, 3) = 1.0F;
        const std::vector<Tensor> differLate{allOn(4, 0), later};
        QCOMPARE(attentionVariability(viewsOf(differLate), 3), 0.0);
        QCOMPARE(attentionVariability(viewsOf(differLate), 4), 0.125); // 1/2 of one row in four
    }

    void itTakesTwoTextsAndSomeAttention()
    {
        const std::vector<Tensor> one{allOn(3, 0)};
        QVERIFY(std::isnan(attentionVariability(viewsOf(one), 3)));
        const std::vector<Tensor> two{allOn(3, 0), allOn(3, 0)};
        QVERIFY(std::isnan(attentionVariability(viewsOf(two), 0)));
        const std::vector<Tensor> none{Tensor({3, 3}), Tensor({3, 3})};
        QVERIFY(std::isnan(attentionVariability(viewsOf(none), 3)));
    }

    void everyHeadOfSeveralTracesIsMeasured()
    {
        const std::vector<TracePtr> traces{traceOf(5, 1), traceOf(7, 2)};
        const Variability found = attentionVariability(traces);
        QCOMPARE(found.positions, std::int64_t{5});
        QCOMPARE(found.texts, std::size_t{2});
        QCOMPARE(found.heads, (std::vector<std::vector<double>>{{0.0, 0.5}}));
        QCOMPARE(attentionVariability(traces, Stack::Blocks, 2).positions, std::int64_t{2});
        QVERIFY(attentionVariability(std::vector<TracePtr>{}).heads.empty());
        const std::vector<TracePtr> unlike{traceOf(5, 1),
                                           std::make_shared<const Trace>(Trace({}, {}, {}))};
        QVERIFY_THROWS_EXCEPTION(ShapeError, attentionVariability(unlike));
    }
};

HEADSCOPE_TEST(TstAttentionVariability)
#include "tst_attention_variability.moc"
