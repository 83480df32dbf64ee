#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/model/pass/patches.h"
#include "core/model/pass/tracer.h"
#include "tests/support/small_models.h"
#include "tests/support/test_program.h"
#include "tests/support/traced_kinds.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace headscope;
using namespace headscope::test;

Q_DECLARE_METATYPE(headscope::ModelConfig)

namespace {

constexpr double kTolerance = 2e-5;
constexpr std::size_t kTokens = 11;

TraceRequest withoutBudget()
{
    TraceRequest request = TraceRequest::everything();
    request.activationBudget = 0;
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

bool canOmit(const ModelConfig& config)
{
    return !config.isEncoderDecoder() && config.layers > 0;
}

/// "" or what differs in some rows of what `trace` omits.
std::string rowDifference(const Trace& trace, const Trace& whole, std::int64_t first,
                          std::int64_t count)
{
    for (const TraceKey key : trace.omitted()->keys()) {
        const ActivationRows got = trace.findRows(key, first, count);
        const ActivationRows wanted = whole.findRows(key, first, count);
        if (!wanted || got.view.shape != wanted.view.shape)
            return toString(key) + ": rows of another shape";
        for (std::int64_t i = 0; i < got.view.shape.elementCount(); ++i)
            if (std::abs(got.view.data[i] - wanted.view.data[i]) > kTolerance)
                return toString(key) + ": a row differs";
    }
    return {};
}

/// "" or what differs: all of it, and rows by themselves.
std::string difference(const Trace& trace, const Trace& whole)
{
    std::string problem = traceDifference(trace, whole, kTolerance);
    const auto tokens = std::ssize(whole.tokens().tokens);
    for (std::int64_t row = 0; problem.empty() && trace.omitted() && row < tokens; ++row)
        problem = rowDifference(trace, whole, row, std::min<std::int64_t>(2, tokens - row));
    return problem;
}

} // namespace

#define HS_SAME(trace, whole)                                                                      \
    do {                                                                                           \
        const std::string difference_ = difference(*(trace), *(whole));                            \
        QVERIFY2(difference_.empty(), difference_.c_str());                                        \
    } while (false)

/// Activations beyond the budget: computed from the residual streams between layers when they are
/// read.
class TstOmittedActivations : public QObject
{
    Q_OBJECT

private slots:

    void equalRecordedOnes_data() { kinds(); }

    void equalRecordedOnes()
    {
        QFETCH(ModelConfig, config);
        const LoadedModel loaded = kindModel(config);
        const SourceAndTarget texts = randomTexts(config, 5, kTokens);
        Tracer tracer = makeTracer(loaded);
        const TracePtr trace = traceWith(tracer, texts, withoutBudget());
        QCOMPARE(trace->omitted() != nullptr, canOmit(config));
        HS_SAME(trace, freshTrace(loaded, texts));
    }

    void followTypingAndDeleting_data() { kinds(); }

    void followTypingAndDeleting()
    {
        QFETCH(ModelConfig, config);
        const LoadedModel loaded = kindModel(config);
        const SourceAndTarget texts = randomTexts(config, 6, kTokens);
        Tracer tracer = makeTracer(loaded);
        for (const std::size_t count : {3u, 4u, 11u, 7u, 2u, 9u})
            HS_SAME(traceWith(tracer, firstOf(texts, count), withoutBudget()),
                    freshTrace(loaded, firstOf(texts, count)));
    }

    void crossTheBudgetBothWays()
    {
        const LoadedModel loaded = smallModel();
        const SourceAndTarget texts{{}, tokensOf(randomIds(3, 12, 37))};
        TraceRequest request = TraceRequest::everything();
        Tracer tracer = makeTracer(loaded);
        const TracePtr eight = traceWith(tracer, firstOf(texts, 8), request);
        request.activationBudget = budgetOf(*eight);
        for (const std::size_t count : {7u, 8u, 9u, 10u, 8u, 9u, 12u}) {
            const TracePtr trace = traceWith(tracer, firstOf(texts, count), request);
            QCOMPARE(trace->omitted() != nullptr, count > 8);
            HS_SAME(trace, freshTrace(loaded, firstOf(texts, count)));
        }
    }

    void theLogitsOfARowAreComputedAlone()
    {
        const LoadedModel loaded = smallModel();
        const SourceAndTarget texts{{}, tokensOf(randomIds(9, kTokens, 37))};
        Tracer tracer = makeTracer(loaded);
        const TracePtr trace = traceWith(tracer, texts, withoutBudget());
        const TracePtr whole = freshTrace(loaded, texts);
        const TraceKey logits{Site::Logits, 0};
        QVERIFY(!trace->activations().contains(logits));
        QCOMPARE(trace->shapeOf(logits), whole->shapeOf(logits));
        for (std::int64_t row = 0; row < std::ssize(texts.target.tokens); ++row) {
            const ActivationRows got = trace->findRows(logits, row);
            QVERIFY(got.view.shape == (Shape{1, 37}));
            QVERIFY(std::equal(got.view.data, got.view.data + 37,
                               &whole->find(logits)->view()(row, 0)));
        }
        QVERIFY_EXCEPTION_THROWN(trace->findRows(logits, 10, 2), ShapeError);
        QVERIFY_EXCEPTION_THROWN(trace->findRows({Site::Pattern, 0}, 0), ShapeError);
        QVERIFY(!trace->findRows({Site::CrossZ, 0}, 0));
        QVERIFY(!trace->has({Site::Z, 99}));
    }

    void noRecordedTensorHasARowOfLogitsPerToken_data() { kinds(); }

    void noRecordedTensorHasARowOfLogitsPerToken()
    {
        QFETCH(ModelConfig, config);
        const LoadedModel loaded = kindModel(config);
        Tracer tracer = makeTracer(loaded);
        TraceRequest request = TraceRequest::forViews();
        request.activationBudget = 0;
        const TracePtr trace = traceWith(tracer, randomTexts(config, 5, kTokens), request);
        QCOMPARE(trace->omitted() != nullptr, canOmit(config));
        if (!canOmit(config))
            return;
        std::size_t perToken = 0;
        for (const auto& [key, tensor] : trace->activations()) {
            QVERIFY(key.site != Site::Logits);
            if (!hasQueryRowsPerHead(key.site) && isPerLayer(key.site))
                ++perToken;
        }
        QCOMPARE(perToken, static_cast<std::size_t>(config.layers) + 1);
    }

    void obeyInterventions_data()
    {
        QTest::addColumn<QString>("change");
        for (const char* change :
             {"ablated head", "patched stream", "patched key", "patched next stream", "edited cell",
              "painted mask", "other positions", "no mask"})
            QTest::newRow(change) << change;
    }

    void obeyInterventions()
    {
        QFETCH(QString, change);
        const LoadedModel loaded = smallModel();
        const SourceAndTarget texts{{}, tokensOf(randomIds(4, 9, 37))};
        const Interventions changed = interventionsFor(change, loaded);
        Tracer tracer = makeTracer(loaded);
        const TracePtr trace = traceWith(tracer, texts, withoutBudget(), changed);
        QVERIFY(trace->omitted());
        HS_SAME(trace, freshTrace(loaded, texts, changed));
        QVERIFY(!traceDifference(*trace, *freshTrace(loaded, texts), kTolerance).empty());
    }

    void aMaskOfTheCallersMemoryIsNotKept()
    {
        const LoadedModel loaded = smallModel();
        const std::vector<std::uint8_t> allowed(81, 1);
        Interventions changed;
        changed.mask = AttentionMask{};
        changed.mask->allowed = allowed.data();
        changed.mask->allowedQueryStride = 9;
        Tracer tracer = makeTracer(loaded);
        QVERIFY(!traceWith(tracer, {{}, tokensOf(randomIds(4, 9, 37))}, withoutBudget(), changed)
                     ->omitted());
    }

private:
    static void kinds()
    {
        QTest::addColumn<ModelConfig>("config");
        for (const auto& [name, config] : tracedKinds())
            QTest::newRow(name.c_str()) << config;
    }

    /// Bytes of what a trace could omit.
    static std::size_t budgetOf(const Trace& trace)
    {
        std::size_t bytes = 0;
        for (const auto& [key, tensor] : trace.activations()) {
            const bool follows =
                isPerLayer(key.site) || key.site == Site::LnFinal || key.site == Site::Logits;
            bytes += follows && !hasQueryRowsPerHead(key.site) ? tensor->size() * sizeof(float) : 0;
        }
        return bytes;
    }

    static Interventions interventionsFor(const QString& change, const LoadedModel& loaded)
    {
        const TracePtr other = freshTrace(loaded, {{}, tokensOf(randomIds(8, 9, 37))});
        Interventions changed;
        if (change == "ablated head")
            changed.ablatedHeads = {{AttentionKind::Self, 1, 2}};
        else if (change == "patched stream")
            changed.patches = {patchFrom(*other, {Site::ResidMid, 1}, {}, {2, 5})};
        else if (change == "patched key")
            changed.patches = {patchFrom(*other, {Site::Key, 1}, 0, {3})};
        else if (change == "patched next stream")
            changed.patches = {patchFrom(*other, {Site::ResidPre, 1}, {}, {4})};
        else if (change == "edited cell")
            changed.patternEdits = {{{Site::Pattern, 1}, 1, 6, 2, {0.75F}, true}};
        else if (change == "other positions")
            changed.positions = PositionsChoice{Positions::Rope, 10000.0};
        else
            changed.mask = AttentionMask{}; // nothing is hidden
        if (change == "painted mask")
            for (int cell = 0; cell < 81; ++cell)
                changed.maskCells.push_back(cell % 9 == 0 || cell % 5 != 0 ? 1 : 0);
        return changed;
    }
};

HEADSCOPE_TEST(TstOmittedActivations)
#include "tst_omitted_activations.moc"
