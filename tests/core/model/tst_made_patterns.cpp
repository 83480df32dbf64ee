#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/model/config/mask_choice.h"
#include "core/model/pass/patches.h"
#include "core/model/pass/tracer.h"
#include "core/trace/pattern_row.h"
#include "tests/support/small_models.h"
#include "tests/support/test_program.h"
#include "tests/support/traced_kinds.h"

#include <QTest>

#include <cmath>

using namespace headscope;
using namespace headscope::test;

Q_DECLARE_METATYPE(headscope::ModelConfig)

namespace {

constexpr double kTolerance = 2e-5;

TraceRequest withBudget(std::size_t bytes)
{
    TraceRequest request = TraceRequest::everything();
    request.patternBudget = bytes;
    return request;
}

Tracer makeTracer(const LoadedModel& loaded)
{
    return {loaded, std::make_unique<CpuAttention>()};
}

TracePtr traceWith(Tracer& tracer, const SourceAndTarget& texts, const TraceRequest& request,
                   const Interventions& interventions = {})
{
    return hasTwoStacks(tracer.model().model->config())
               ? tracer.trace(texts, request, interventions)
               : tracer.trace(texts.target, request, interventions);
}

SourceAndTarget firstOf(SourceAndTarget texts, std::size_t tokens)
{
    texts.target = tokensOf(texts.target.ids());
    texts.target.tokens.resize(tokens);
    return texts;
}

/// A bias table is not made again: such patterns are kept.
bool isMade(const ModelConfig& config)
{
    return config.positions != Positions::RelativeBuckets && config.layers > 0;
}

bool sameRow(const Trace& trace, TraceKey key, int head, std::int64_t query, TensorView expected)
{
    const std::vector<float> row = patternRow(trace, key, head, query);
    bool same = static_cast<std::int64_t>(row.size()) == expected.shape[0];
    for (std::size_t i = 0; same && i < row.size(); ++i)
        same = std::abs(row[i] - expected.data[i]) <= kTolerance;
    return same;
}

/// A trace beyond its budget has no scores: they are as large as patterns.
Trace withoutScores(const Trace& trace)
{
    Trace::Activations activations = trace.activations();
    std::erase_if(activations, [](const auto& entry) {
        return entry.first.site == Site::AttnScores || entry.first.site == Site::CrossScores;
    });
    return {trace.tokens(), std::move(activations), trace.info(), trace.sourceTokens(),
            trace.retainedPatterns()};
}

/// "" or what differs: whole layers, every head and every row by itself.
std::string difference(const Trace& made, const Trace& whole)
{
    std::string problem = traceDifference(withoutScores(made), withoutScores(whole), kTolerance);
    for (const TraceKey key : whole.patternKeys()) {
        const TensorView all = whole.find(key)->view();
        for (int head = 0; problem.empty() && head < whole.headsOf(key); ++head) {
            const auto one = made.findHead(key, head);
            if (!one || one->shape()[0] != all.shape[1] || one->shape()[1] != all.shape[2])
                return toString(key) + ": a head of another shape";
            for (std::size_t cell = 0; cell < one->size(); ++cell)
                if (std::abs(one->data()[cell] - all[head].data[cell]) > kTolerance)
                    problem = toString(key) + ": a head by itself differs";
            for (std::int64_t query = 0; query < all.shape[1]; ++query)
                if (!sameRow(made, key, head, query, all[head][query]) ||
                    !sameRow(whole, key, head, query, all[head][query]))
                    problem = toString(key) + ": a row by itself differs";
        }
    }
    return problem;
}

} // namespace

#define HS_SAME_PATTERNS(made, whole)                                                              \
    do {                                                                                           \
        const std::string difference_ = difference(*(made), *(whole));                             \
        QVERIFY2(difference_.empty(), difference_.c_str());                                        \
    } while (false)

/// Patterns beyond the budget: made from queries and keys when they are asked for.
class TstMadePatterns : public QObject
{
    Q_OBJECT

private slots:

    void equalThoseThatAreKept_data() { kinds(); }

    void equalThoseThatAreKept()
    {
        QFETCH(ModelConfig, config);
        const LoadedModel loaded = kindModel(config);
        const SourceAndTarget texts = randomTexts(config, 5, 11);
        Tracer tracer = makeTracer(loaded);
        const TracePtr made = traceWith(tracer, texts, withBudget(0));
        QCOMPARE(!made->retainedPatterns().empty(), isMade(config));
        HS_SAME_PATTERNS(made, freshTrace(loaded, texts));
        QVERIFY(made->layerCount() == freshTrace(loaded, texts)->layerCount());
        QVERIFY(!made->findHead({Site::Pattern, 0}, 99));
        QVERIFY(!made->findHead({Site::Query, 0}, 0));
        QVERIFY(patternRow(*made, {Site::Pattern, 99}, 0, 0).empty());
        for (const TraceKey key : made->patternKeys()) {
            QVERIFY_EXCEPTION_THROWN(patternRow(*made, key, 99, 0), ShapeError);
            QVERIFY_EXCEPTION_THROWN(patternRow(*made, key, 0, 99), ShapeError);
        }
    }

    void followTypingAndDeleting_data() { kinds(); }

    void followTypingAndDeleting()
    {
        QFETCH(ModelConfig, config);
        const LoadedModel loaded = kindModel(config);
        const SourceAndTarget texts = randomTexts(config, 6, 11);
        Tracer tracer = makeTracer(loaded);
        for (const std::size_t count : {3u, 4u, 11u, 7u, 2u, 9u}) {
            const TracePtr typed = traceWith(tracer, firstOf(texts, count), withBudget(0));
            HS_SAME_PATTERNS(typed, freshTrace(loaded, firstOf(texts, count)));
        }
    }

    void crossTheBudgetBothWays()
    {
        const LoadedModel loaded = smallModel();
        const std::vector<TokenId> ids = randomIds(3, 12, 37);
        const SourceAndTarget texts{{}, tokensOf(ids)};
        // 3 layers of 4 heads: 8 tokens are 3072 bytes
        const TraceRequest request = withBudget(3072);
        Tracer tracer = makeTracer(loaded);
        for (const std::size_t count : {7u, 8u, 9u, 10u, 8u, 9u, 12u}) {
            const TracePtr trace = traceWith(tracer, firstOf(texts, count), request);
            QVERIFY(count <= 8 ||
                    !trace->retainedPatterns().empty()); // what was cut stays as it was
            QVERIFY(count > 7 || trace->retainedPatterns().empty());
            HS_SAME_PATTERNS(trace, freshTrace(loaded, firstOf(texts, count)));
        }
    }

    void obeyMasks_data()
    {
        QTest::addColumn<QString>("mask");
        for (const char* mask : {"causal", "none", "window:3"})
            QTest::newRow(mask) << mask;
        QTest::newRow("painted") << QString();
    }

    void obeyMasks()
    {
        QFETCH(QString, mask);
        const LoadedModel loaded = smallModel();
        const SourceAndTarget texts{{}, tokensOf(randomIds(4, 9, 37))};
        Interventions changed;
        MaskChoice choice;
        if (mask.isEmpty()) {
            choice.kind = MaskChoice::Kind::Painted;
            choice.side = 9;
            for (int cell = 0; cell < 81; ++cell)
                choice.cells.push_back(cell % 9 == 0 || cell % 5 != 0 ? 1 : 0);
        } else {
            choice = MaskChoice::parse(mask.toStdString());
        }
        choice.applyTo(changed, 9);
        Tracer tracer = makeTracer(loaded);
        HS_SAME_PATTERNS(traceWith(tracer, texts, withBudget(0), changed),
                         freshTrace(loaded, texts, changed));
    }

    void editedPatternsAreKeptAsTheyWereEdited()
    {
        const LoadedModel loaded = smallModel();
        const SourceAndTarget texts{{}, tokensOf(randomIds(7, 8, 37))};
        const TracePtr whole = freshTrace(loaded, texts);
        Interventions frozen;
        frozen.patches = freezePatterns(*freshTrace(loaded, {{}, tokensOf(randomIds(8, 8, 37))}));
        Tracer tracer = makeTracer(loaded);
        const TracePtr made = traceWith(tracer, texts, withBudget(0), frozen);
        QVERIFY(made->retainedPatterns().empty());
        HS_SAME_PATTERNS(made, freshTrace(loaded, texts, frozen));
    }

    void blocksOfRowsAreThoseOfTheHead()
    {
        const LoadedModel loaded = smallModel();
        Tracer tracer = makeTracer(loaded);
        const TracePtr made =
            traceWith(tracer, {{}, tokensOf(randomIds(9, 20, 37))}, withBudget(0));
        const RetainedAttention& kept = *made->retainedPatterns().at({Site::Pattern, 1});
        const Tensor whole = kept.headPattern(2);
        for (const auto& [first, count] : {std::pair{0, 20}, {0, 1}, {19, 1}, {5, 7}, {3, 0}}) {
            const Tensor rows = kept.rows(2, first, count);
            for (std::size_t cell = 0; cell < rows.size(); ++cell)
                QVERIFY(std::abs(rows.data()[cell] - (&whole.view()(first, 0))[cell]) < 1e-6F);
        }
        QVERIFY_EXCEPTION_THROWN(kept.rows(2, 15, 6), ShapeError);
        QVERIFY_EXCEPTION_THROWN(kept.rows(4, 0, 1), ShapeError);
    }

    void theListenerHearsTheLayers()
    {
        const LoadedModel loaded = smallModel();
        Tracer tracer = makeTracer(loaded);
        std::vector<double> heard;
        tracer.setListener([&heard](double fraction) { heard.push_back(fraction); });
        tracer.trace(tokensOf(randomIds(9, 5, 37)), TraceRequest::everything());
        QCOMPARE(heard, (std::vector<double>{1.0 / 3.0, 2.0 / 3.0}));
    }

private:
    static void kinds()
    {
        QTest::addColumn<ModelConfig>("config");
        for (const auto& [name, config] : tracedKinds())
            QTest::newRow(name.c_str()) << config;
    }
};

HEADSCOPE_TEST(TstMadePatterns)
#include "tst_made_patterns.moc"
