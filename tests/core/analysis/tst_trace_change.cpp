#include "core/analysis/causal/trace_change.h"

#include "tests/support/small_models.h"
#include "tests/support/test_program.h"
#include "tests/support/traced_kinds.h"

#include <QTest>

#include <cmath>

using namespace headscope;
using namespace headscope::test;

class TstTraceChange : public QObject
{
    Q_OBJECT

private slots:

    void theChangeOfALogitIsTheLargest()
    {
        const LoadedModel model = smallModel();
        const SourceAndTarget texts = randomTexts(model.model->config(), 5, 7);
        Interventions off;
        off.ablatedHeads = {{0, 1}};
        const TracePtr a = freshTrace(model, texts);
        const TracePtr b = freshTrace(model, texts, off);
        const NextTokenChange change = *largestNextTokenChange(*a, 4, *b, 6);
        const TensorView logits = b->find({Site::Logits, 0})->view();
        QCOMPARE(change.logitB, double{logits(6, change.id)});
        QCOMPARE(largestNextTokenChange(*a, 3, *a, 3)->probabilityA,
                 largestNextTokenChange(*a, 3, *a, 3)->probabilityB);
        QVERIFY(!meanLoss(*freshTrace(model, {{}, tokensOf({3})})));
        double sum = 0.0;
        for (std::int64_t i = 0; i + 1 < 7; ++i) {
            const TensorView row = a->find({Site::Logits, 0})->view()[i];
            double all = 0.0;
            for (std::int64_t id = 0; id < row.shape[0]; ++id)
                all += std::exp(double{row(id)});
            const TokenId next = texts.target.ids()[static_cast<std::size_t>(i + 1)];
            sum += std::log(all) - double{row(next)};
        }
        QVERIFY(std::abs(*meanLoss(*a) - sum / 6) < 1e-4);
        const TensorView pattern = a->find({Site::Pattern, 1})->view()[0];
        QCOMPARE(movedWeight(pattern, pattern), 0.0);
        Tensor here({2, 2});
        Tensor there({2, 2});
        here.data()[0] = here.data()[2] = there.data()[0] = there.data()[3] = 1.0F;
        QCOMPARE(movedWeight(here.view(), there.view()), 0.5);
    }
};

HEADSCOPE_TEST(TstTraceChange)
#include "tst_trace_change.moc"
