#include "core/model/config/mask_choice.h"
#include "core/model/pass/site_shape.h"
#include "core/model/pass/tracer.h"

#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "tests/support/small_models.h"
#include "tests/support/test_program.h"
#include "tests/support/traced_kinds.h"

#include <QTest>

using namespace headscope;
using namespace headscope::test;

Q_DECLARE_METATYPE(headscope::ModelConfig)

namespace {

constexpr double kTolerance = 2e-5;

Tracer makeTracer(const LoadedModel& loaded)
{
    return {loaded, std::make_unique<CpuAttention>()};
}

SourceAndTarget firstOf(SourceAndTarget texts, std::size_t tokens)
{
    texts.target = tokensOf(texts.target.ids());
    texts.target.tokens.resize(tokens);
    return texts;
}

void change(TokenSequence& text, std::size_t place)
{
    text.tokens[place].id = (text.tokens[place].id + 1) % 37;
}

} // namespace

#define HS_EQUALS_A_FRESH_TRACE(trace, loaded, texts)                                              \
    do {                                                                                           \
        const std::string difference_ =                                                            \
            traceDifference(*(trace), *freshTrace(loaded, texts), kTolerance);                     \
        QVERIFY2(difference_.empty(), difference_.c_str());                                        \
    } while (false)

/// Every kind of model that a configuration can name, traced.
class TstTracerKinds : public QObject
{
    Q_OBJECT

private slots:

    void everySiteOfTheModelIsRecordedInItsShape_data() { kinds(); }

    void everySiteOfTheModelIsRecordedInItsShape()
    {
        QFETCH(ModelConfig, config);
        const SourceAndTarget texts = randomTexts(config, 1, 6);
        const TracePtr trace = freshTrace(kindModel(config), texts);
        const SiteExtents extents{6, static_cast<std::int64_t>(texts.source.size())};
        std::size_t expected = 0;
        for (int site = 0; site <= static_cast<int>(Site::Logits); ++site)
            for (const Stack stack : {Stack::Blocks, Stack::Encoder, Stack::Decoder})
                for (int layer = 0; layer < (isPerLayer(static_cast<Site>(site)) ? 4 : 1);
                     ++layer) {
                    const TraceKey key{static_cast<Site>(site), layer, stack};
                    const std::optional<Shape> shape = siteShape(config, key, extents);
                    if (!shape)
                        continue;
                    ++expected;
                    const auto held = trace->find(key);
                    QVERIFY2(held, headscope::toString(key).c_str());
                    const std::string what = headscope::toString(key) + " is " +
                                             held->shape().toString() + " where " +
                                             shape->toString() + " was expected";
                    QVERIFY2(held->shape() == *shape, what.c_str());
                }
        QCOMPARE(trace->activations().size(), expected);
    }

    void typingKeyByKeyEqualsFreshTraces_data() { kinds(); }

    void typingKeyByKeyEqualsFreshTraces()
    {
        QFETCH(ModelConfig, config);
        const LoadedModel loaded = kindModel(config);
        const SourceAndTarget texts = randomTexts(config, 2, 11);
        Tracer tracer = makeTracer(loaded);
        for (std::size_t count = 1; count <= 11; ++count) {
            const TracePtr typed = traceOf(tracer, firstOf(texts, count));
            HS_EQUALS_A_FRESH_TRACE(typed, loaded, firstOf(texts, count));
            QCOMPARE(typed->info().newTokens,
                     keepsPrefixes(config, {}) ? 1 : static_cast<std::int64_t>(count));
        }
    }

    void changesInTheMiddleEqualFreshTraces_data() { kinds(); }

    void changesInTheMiddleEqualFreshTraces()
    {
        QFETCH(ModelConfig, config);
        const LoadedModel loaded = kindModel(config);
        SourceAndTarget texts = randomTexts(config, 3, 10);
        Tracer tracer = makeTracer(loaded);
        const bool keeps = keepsPrefixes(config, {});
        traceOf(tracer, texts);
        for (const std::size_t place : {6u, 9u, 0u}) {
            change(texts.target, place);
            const TracePtr changed = traceOf(tracer, texts);
            QCOMPARE(changed->info().newTokens, static_cast<std::int64_t>(keeps ? 10 - place : 10));
            HS_EQUALS_A_FRESH_TRACE(changed, loaded, texts);
        }
        for (const std::size_t count : {8u, 3u}) { // shorter, with nothing new
            const TracePtr cut = traceOf(tracer, firstOf(texts, count));
            QCOMPARE(cut->info().newTokens, static_cast<std::int64_t>(keeps ? 0 : count));
            HS_EQUALS_A_FRESH_TRACE(cut, loaded, firstOf(texts, count));
        }
        HS_EQUALS_A_FRESH_TRACE(traceOf(tracer, texts), loaded, texts);
    }

    void anotherSourceIsReadAnew_data() { kinds(true); }

    void anotherSourceIsReadAnew()
    {
        QFETCH(ModelConfig, config);
        const LoadedModel loaded = kindModel(config);
        SourceAndTarget texts = randomTexts(config, 4, 6);
        Tracer tracer = makeTracer(loaded);
        const TracePtr first = traceOf(tracer, texts);
        const TraceKey encoded{Site::ResidPost, 0, Stack::Encoder};
        change(texts.target, 5);
        const TracePtr same = traceOf(tracer, texts);
        QVERIFY(same->find(encoded) == first->find(encoded)); // shared: not computed again
        HS_EQUALS_A_FRESH_TRACE(same, loaded, texts);
        change(texts.target, 0);
        QVERIFY(traceOf(tracer, texts)->find(encoded) == first->find(encoded));
        change(texts.source, 4);
        const TracePtr other = traceOf(tracer, texts);
        QCOMPARE(other->info().newTokens, std::int64_t{6});
        QVERIFY(other->find(encoded) != first->find(encoded));
        HS_EQUALS_A_FRESH_TRACE(other, loaded, texts);
        texts.source.tokens.resize(5);
        HS_EQUALS_A_FRESH_TRACE(traceOf(tracer, texts), loaded, texts);
    }

    void cancelledSourcesLeaveTheTracerUsable_data() { kinds(true); }

    void cancelledSourcesLeaveTheTracerUsable()
    {
        QFETCH(ModelConfig, config);
        const LoadedModel loaded = kindModel(config);
        SourceAndTarget texts = randomTexts(config, 5, 6);
        const SourceAndTarget before = texts;
        Tracer tracer = makeTracer(loaded);
        traceOf(tracer, texts);
        change(texts.source, 0);
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_EXCEPTION_THROWN(
            tracer.trace(texts, TraceRequest::everything(), {}, stop.get_token()), Cancelled);
        HS_EQUALS_A_FRESH_TRACE(traceOf(tracer, before), loaded, before);
        texts.target.tokens[2].id = 99;
        QVERIFY_EXCEPTION_THROWN(traceOf(tracer, texts), ShapeError);
        HS_EQUALS_A_FRESH_TRACE(traceOf(tracer, before), loaded, before);
    }

    void textsOfTheWrongNumberAreRefused()
    {
        for (const auto& [name, config] : tracedKinds()) {
            Tracer tracer = makeTracer(kindModel(config));
            const TokenSequence text = tokensOf({1, 2});
            if (hasTwoStacks(config))
                QVERIFY_EXCEPTION_THROWN(tracer.trace(text, TraceRequest::everything()), Error);
            else
                QVERIFY_EXCEPTION_THROWN(tracer.trace({text, text}, TraceRequest::everything()),
                                         Error);
        }
    }

    void longTextsAreCutAndEmptyOnesRunOneToken_data() { kinds(true); }

    void longTextsAreCutAndEmptyOnesRunOneToken()
    {
        QFETCH(ModelConfig, config);
        const LoadedModel loaded = kindModel(config);
        SourceAndTarget texts;
        texts.source = tokensOf(randomIds(6, 30, 37));
        const TracePtr trace = freshTrace(loaded, texts);
        QCOMPARE(trace->sourceTokens().size(), std::size_t{20});
        QCOMPARE(trace->info().sourceTextTokens, std::int64_t{30});
        QCOMPARE(trace->tokens().size(), std::size_t{1});
        QCOMPARE(trace->info().textTokens, std::int64_t{0});
    }

private:
    static void kinds(bool twoStacksAlone = false)
    {
        QTest::addColumn<ModelConfig>("config");
        for (const auto& [name, config] : tracedKinds())
            if (!twoStacksAlone || hasTwoStacks(config))
                QTest::newRow(name.c_str()) << config;
    }
};

HEADSCOPE_TEST(TstTracerKinds)
#include "tst_tracer_kinds.moc"
