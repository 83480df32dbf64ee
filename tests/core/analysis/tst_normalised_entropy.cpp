// labels: golden threads
#include "core/analysis/scores/head_table.h"
#include "tests/core/analysis/made_heads.h"
#include "tests/support/golden.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace headscope;
using namespace headscope::test;

/// Entropies as fractions of what a row can attend to.
class TstNormalisedEntropy : public QObject
{
    Q_OBJECT

private slots:

    void normalisedEntropyIsAtMostOne()
    {
        const GoldenFile file("real/minilm_0.safetensors");
        const Tensor all = file.tensor("out.attn"); // [layers, heads, n, n]
        const std::int64_t heads = all.shape()[1];
        const std::int64_t tokens = all.shape()[2];
        std::vector<Tensor> layer(static_cast<std::size_t>(heads), Tensor({tokens, tokens}));
        double largest = 0.0;
        for (std::int64_t index = 0; index < all.shape()[0]; ++index) {
            for (std::int64_t head = 0; head < heads; ++head)
                std::copy_n(all.data() + (index * heads + head) * tokens * tokens, tokens * tokens,
                            layer[static_cast<std::size_t>(head)].data());
            const Trace trace = traceOf(layer, distinctIds(tokens), static_cast<int>(index));
            const HeadScoreTable table = scoreTrace(trace).at(AttentionKind::Self);
            for (int head = 0; head < heads; ++head) {
                const Tensor& pattern = layer[static_cast<std::size_t>(head)];
                double expected = 0.0; // all keys are visible
                for (std::int64_t query = 0; query < tokens; ++query)
                    for (std::int64_t key = 0; key < tokens; ++key) {
                        const double weight = pattern.view()(query, key);
                        expected -= weight > 0.0 ? weight * std::log(weight) : 0.0;
                    }
                expected /= static_cast<double>(tokens) * std::log(static_cast<double>(tokens));
                const double got =
                    table.at(static_cast<int>(index), head, HeadScore::NormalisedEntropy);
                QVERIFY(close(got, expected, 1e-5));
                largest = std::max(largest, got);
            }
        }
        QVERIFY(largest > 0.9 && largest <= 1.0);
    }

    void singleHeadsDoNotDecideWhatAModelSees()
    {
        const Tensor even = patternOf(9, [](std::int64_t, std::int64_t) { return 1.0 / 9.0; });
        const auto scoresOf = [](const std::vector<Tensor>& heads) {
            return scoreTrace(traceOf(heads, distinctIds(9))).at(AttentionKind::Self);
        };
        // one head of an encoder attends to the first token alone
        const HeadScoreTable encoder = scoresOf({even, allToFirst(9), even});
        QVERIFY(close(encoder.at(0, 0, HeadScore::NormalisedEntropy), 1.0));
        // one head of a decoder was edited to attend to all
        const HeadScoreTable decoder = scoresOf({uniformCausal(9), even, uniformCausal(9)});
        QVERIFY(close(decoder.at(0, 0, HeadScore::NormalisedEntropy), 1.0));
        QVERIFY(close(decoder.at(0, 1, HeadScore::NormalisedEntropy), 1.0));
    }
};

HEADSCOPE_TEST(TstNormalisedEntropy)
#include "tst_normalised_entropy.moc"
