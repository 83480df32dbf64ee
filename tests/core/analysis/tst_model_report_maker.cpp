#include "core/analysis/report/model_report_maker.h"
#include "tests/support/small_models.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace headscope;
using namespace headscope::test;

class TstModelReportMaker : public QObject
{
    Q_OBJECT

private slots:

    void progressRisesFromNothingToOne()
    {
        ReportRequest request;
        request.model = smallModel();
        request.tokens = tokensOf(randomIds(3, 6, 37));
        request.parts.survey = request.parts.labels = request.parts.probeAblation = false;
        std::vector<double> done;
        makeModelReport(request, {}, {},
                        [&](const std::string&, double fraction) { done.push_back(fraction); });
        QVERIFY(done.size() > 5);
        QCOMPARE(done.front(), 0.0);
        QVERIFY(std::ranges::is_sorted(done));
        QVERIFY(done.back() > 0.7 && done.back() <= 1.0); // the last part was not requested
        QVERIFY(std::ranges::adjacent_find(done) == done.end());
    }

    void theInContextScoreOrWhyThereIsNone()
    {
        const auto reportOn = [](LoadedModel model, int tokens) {
            ReportRequest request;
            request.model = std::move(model);
            request.tokens = tokensOf(randomIds(3, tokens, 37));
            request.parts = {false, false, false, false, false, false};
            return makeModelReport(request, {}, {}, {}).inContext;
        };
        const auto score = reportOn(smallModel(), 24);
        QVERIFY(score && std::isfinite(score->score()));
        for (const int tokens : {1, 6, 19}) {
            const auto none = reportOn(smallModel(), tokens);
            QVERIFY(!none);
            QVERIFY(none.missing.find("too short") != std::string::npos);
        }
    }
};

HEADSCOPE_TEST(TstModelReportMaker)
#include "tst_model_report_maker.moc"
