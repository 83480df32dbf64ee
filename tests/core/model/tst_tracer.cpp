// labels: threads
#include "core/model/pass/tracer.h"

#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/model/config/mask_choice.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/small_models.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <nlohmann/json.hpp>
#include <thread>

using namespace headscope;
using namespace headscope::test;

namespace {

Tracer makeTracer(const LoadedModel& loaded)
{
    return {loaded, std::make_unique<CpuAttention>()};
}

TracePtr fullTrace(const LoadedModel& loaded, const std::vector<TokenId>& ids,
                   const TraceRequest& request = TraceRequest::everything(),
                   const Interventions& interventions = {})
{
    return makeTracer(loaded).trace(tokensOf(ids), request, interventions);
}

std::vector<TokenId> firstOf(const std::vector<TokenId>& ids, std::size_t count)
{
    return {ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(count)};
}

} // namespace

class TstTracer : public QObject
{
    Q_OBJECT

private slots:

    void segmentsReachTheModel()
    {
        ModelConfig config = smallConfig();
        config.architecture = Architecture::Encoder;
        config.tokenTypes = 2;
        const LoadedModel loaded = smallModel(3, config);
        TokenSequence pair = tokensOf({1, 5, 3, 5});
        pair.tokens[1].special = pair.tokens[3].special = true;
        Tracer tracer = makeTracer(loaded);
        const TracePtr plain = tracer.trace(tokensOf({1, 5, 3, 5}), TraceRequest::everything());
        const TracePtr got = tracer.trace(pair, TraceRequest::everything());
        QVERIFY(!traceDifference(*got, *plain, 1e-3).empty());
        CpuAttention backend;
        KvCache cache(config);
        const std::vector<std::int32_t> segments{0, 0, 1, 1};
        ForwardOptions options;
        options.segments = segments;
        const Tensor expected = loaded.model->forward(pair.ids(), backend, cache, options);
        const auto logits = got->find({Site::Logits, 0});
        QVERIFY(std::equal(logits->values().begin(), logits->values().end(),
                           expected.values().begin()));
    }

    void typingKeyByKeyEqualsFullTraces();
    void changesInTheMiddleEqualFullTraces();
    void shortenedTextIsCutFromTheLastTrace();
    void maskChangesStartAnew_data();
    void maskChangesStartAnew();
    void ablationChangesStartAnew();
    void largerRequestStartsAnew();
    void smallerRequestKeepsOnlyWhatIsAsked();
    void longTextIsCut();
    void emptyTextRunsOneToken();
    void infoTellsWhatHappened();
    void cancelledTraceLeavesTheTracerUsable();
    void badIdLeavesTheTracerUsable();
    void twoThreadsTraceOneModel();
    void tracerNeedsModelAndBackend();
    void globsChooseActivations();
};

void TstTracer::typingKeyByKeyEqualsFullTraces()
{
    const LoadedModel loaded = smallModel();
    const std::vector<TokenId> ids = randomIds(1, 24, 37);
    Tracer tracer = makeTracer(loaded);
    for (std::size_t count = 1; count <= ids.size(); ++count) {
        const TracePtr typed =
            tracer.trace(tokensOf(firstOf(ids, count)), TraceRequest::everything());
        QCOMPARE(typed->info().newTokens, std::int64_t{1});
        const TracePtr full = fullTrace(loaded, firstOf(ids, count));
        QCOMPARE(full->info().newTokens, static_cast<std::int64_t>(count));
        const std::string difference = traceDifference(*typed, *full, 1e-6);
        QVERIFY2(difference.empty(), difference.c_str());
    }
}

void TstTracer::changesInTheMiddleEqualFullTraces()
{
    const LoadedModel loaded = smallModel();
    Tracer tracer = makeTracer(loaded);
    std::vector<TokenId> ids = randomIds(2, 16, 37);
    tracer.trace(tokensOf(ids), TraceRequest::everything());
    const auto check = [&](std::int64_t reused) {
        const TracePtr edited = tracer.trace(tokensOf(ids), TraceRequest::everything());
        QCOMPARE(edited->info().newTokens, static_cast<std::int64_t>(ids.size()) - reused);
        const std::string difference = traceDifference(*edited, *fullTrace(loaded, ids), 1e-6);
        QVERIFY2(difference.empty(), difference.c_str());
    };
    ids[9] = (ids[9] + 1) % 37;
    check(9);
    ids[5] = ids[6] + 1 == 37 ? 0 : ids[6] + 1; // the deletion below then changes token 5
    check(5);
    ids.erase(ids.begin() + 5);
    check(5);
    ids.insert(ids.begin() + 2, (ids[2] + 1) % 37);
    check(2);
    check(16);
}

void TstTracer::shortenedTextIsCutFromTheLastTrace()
{
    const LoadedModel loaded = smallModel();
    Tracer tracer = makeTracer(loaded);
    const std::vector<TokenId> ids = randomIds(3, 14, 37);
    tracer.trace(tokensOf(ids), TraceRequest::everything());
    for (const std::size_t count : {10u, 9u, 1u}) {
        const TracePtr cut =
            tracer.trace(tokensOf(firstOf(ids, count)), TraceRequest::everything());
        QCOMPARE(cut->info().newTokens, std::int64_t{0});
        const std::string difference =
            traceDifference(*cut, *fullTrace(loaded, firstOf(ids, count)), 1e-6);
        QVERIFY2(difference.empty(), difference.c_str());
    }
    const TracePtr grown = tracer.trace(tokensOf(firstOf(ids, 6)), TraceRequest::everything());
    QCOMPARE(grown->info().newTokens, std::int64_t{5});
    const std::string difference =
        traceDifference(*grown, *fullTrace(loaded, firstOf(ids, 6)), 1e-6);
    QVERIFY2(difference.empty(), difference.c_str());
}

void TstTracer::maskChangesStartAnew_data()
{
    QTest::addColumn<QString>("mask");
    QTest::addColumn<int>("newWhenTyping");
    QTest::newRow("none") << "none" << 9;
    QTest::newRow("window") << "window:3" << 1;
}

void TstTracer::maskChangesStartAnew()
{
    QFETCH(QString, mask);
    QFETCH(int, newWhenTyping);
    const LoadedModel loaded = smallModel();
    const std::vector<TokenId> ids = randomIds(4, 9, 37);
    Interventions changed;
    MaskChoice::parse(mask.toStdString()).applyTo(changed, 9);
    Tracer tracer = makeTracer(loaded);
    const TraceRequest all = TraceRequest::everything();
    const auto check = [&](std::size_t count, const Interventions& interventions, int fresh) {
        const TracePtr got = tracer.trace(tokensOf(firstOf(ids, count)), all, interventions);
        QCOMPARE(got->info().newTokens, std::int64_t{fresh});
        const std::string difference = traceDifference(
            *got, *fullTrace(loaded, firstOf(ids, count), all, interventions), 1e-6);
        QVERIFY2(difference.empty(), difference.c_str());
    };
    check(8, {}, 8);
    check(8, changed, 8);
    check(9, changed, newWhenTyping);
    check(9, {}, 9);
}

void TstTracer::ablationChangesStartAnew()
{
    const LoadedModel loaded = smallModel();
    const std::vector<TokenId> ids = randomIds(5, 7, 37);
    Interventions ablated;
    ablated.ablatedHeads = {{0, 1}, {2, 3}};
    Tracer tracer = makeTracer(loaded);
    tracer.trace(tokensOf(ids), TraceRequest::everything());
    const TracePtr without = tracer.trace(tokensOf(ids), TraceRequest::everything(), ablated);
    QCOMPARE(without->info().newTokens, std::int64_t{7});
    const std::string difference = traceDifference(
        *without, *fullTrace(loaded, ids, TraceRequest::everything(), ablated), 1e-6);
    QVERIFY2(difference.empty(), difference.c_str());
    QVERIFY(!traceDifference(*without, *fullTrace(loaded, ids), 1e-3).empty());
}

void TstTracer::largerRequestStartsAnew()
{
    const LoadedModel loaded = smallModel();
    const std::vector<TokenId> ids = randomIds(6, 6, 37);
    Tracer tracer = makeTracer(loaded);
    const TracePtr few = tracer.trace(tokensOf(ids), {{"logits"}});
    QCOMPARE(few->activations().size(), std::size_t{1});
    const TracePtr all = tracer.trace(tokensOf(ids), TraceRequest::everything());
    const std::string difference = traceDifference(*all, *fullTrace(loaded, ids), 1e-6);
    QVERIFY2(difference.empty(), difference.c_str());
}

void TstTracer::smallerRequestKeepsOnlyWhatIsAsked()
{
    const LoadedModel loaded = smallModel();
    const std::vector<TokenId> ids = randomIds(7, 6, 37);
    const TraceRequest patterns{{"blocks.*.attn.hook_pattern"}};
    Tracer tracer = makeTracer(loaded);
    tracer.trace(tokensOf(firstOf(ids, 5)), TraceRequest::everything());
    const TracePtr got = tracer.trace(tokensOf(ids), patterns);
    QCOMPARE(got->info().newTokens, std::int64_t{1});
    const std::string difference = traceDifference(*got, *fullTrace(loaded, ids, patterns), 1e-6);
    QVERIFY2(difference.empty(), difference.c_str());
}

void TstTracer::longTextIsCut()
{
    const LoadedModel loaded = smallModel();
    const std::vector<TokenId> ids = randomIds(8, 40, 37);
    const TracePtr got = fullTrace(loaded, ids);
    QCOMPARE(got->tokens().size(), std::size_t{24});
    QCOMPARE(got->info().textTokens, std::int64_t{40});
    QCOMPARE(got->tokens().text, tokensOf(ids).text);
    const std::string difference = traceDifference(*got, *fullTrace(loaded, firstOf(ids, 24)), 0.0);
    QVERIFY2(difference.empty(), difference.c_str());
}

void TstTracer::emptyTextRunsOneToken()
{
    const LoadedModel loaded = smallModel();
    const TracePtr got = fullTrace(loaded, {});
    QCOMPARE(got->tokens().size(), std::size_t{1});
    QVERIFY(got->tokens().tokens.front().special);
    QCOMPARE(got->info().textTokens, std::int64_t{0});
    QCOMPARE(got->find({Site::Pattern, 0})->values()[0], 1.0F);
}

void TstTracer::infoTellsWhatHappened()
{
    const LoadedModel loaded = smallModel();
    Interventions changed;
    changed.mask = AttentionMask{.causal = true, .window = 2};
    changed.ablatedHeads = {{1, 3}};
    const TracePtr got = fullTrace(loaded, {1, 2, 3}, TraceRequest::everything(), changed);
    const nlohmann::json settings = nlohmann::json::parse(got->info().settings);
    QCOMPARE(settings.at("mask").get<std::string>(), std::string("window:2"));
    QCOMPARE(settings.at("ablate").dump(), std::string("[\"L1H3\"]"));
    QCOMPARE(settings.at("device").get<std::string>(), got->info().device);
    QVERIFY(got->info().device.starts_with("CPU"));
    QCOMPARE(got->info().model, std::string("small"));
    QVERIFY(got->info().forwardMs > 0.0);
}

void TstTracer::cancelledTraceLeavesTheTracerUsable()
{
    const LoadedModel loaded = smallModel();
    const std::vector<TokenId> ids = randomIds(9, 12, 37);
    Tracer tracer = makeTracer(loaded);
    tracer.trace(tokensOf(ids), TraceRequest::everything());
    std::vector<TokenId> other = ids;
    other[4] = (other[4] + 1) % 37;
    std::stop_source source;
    source.request_stop();
    QVERIFY_EXCEPTION_THROWN(
        tracer.trace(tokensOf(other), TraceRequest::everything(), {}, source.get_token()),
        Cancelled);
    const TracePtr got = tracer.trace(tokensOf(ids), TraceRequest::everything());
    const std::string difference = traceDifference(*got, *fullTrace(loaded, ids), 1e-6);
    QVERIFY2(difference.empty(), difference.c_str());
    QCOMPARE(got->info().newTokens, std::int64_t{8});
}

void TstTracer::badIdLeavesTheTracerUsable()
{
    const LoadedModel loaded = smallModel();
    Tracer tracer = makeTracer(loaded);
    tracer.trace(tokensOf({1, 2, 3}), TraceRequest::everything());
    QVERIFY_EXCEPTION_THROWN(tracer.trace(tokensOf({1, 2, 99}), TraceRequest::everything()),
                             ShapeError);
    const TracePtr got = tracer.trace(tokensOf({1, 2, 4}), TraceRequest::everything());
    const std::string difference = traceDifference(*got, *fullTrace(loaded, {1, 2, 4}), 1e-6);
    QVERIFY2(difference.empty(), difference.c_str());
}

void TstTracer::twoThreadsTraceOneModel()
{
    const LoadedModel loaded = smallModel();
    std::string differences[2];
    const auto work = [&](std::size_t thread) {
        Tracer tracer = makeTracer(loaded);
        const std::vector<TokenId> ids = randomIds(10 + thread, 20, 37);
        TracePtr last;
        for (std::size_t count = 1; count <= ids.size(); ++count)
            last = tracer.trace(tokensOf(firstOf(ids, count)), TraceRequest::everything());
        differences[thread] = traceDifference(*last, *fullTrace(loaded, ids), 1e-6);
    };
    {
        const std::jthread first(work, std::size_t{0});
        const std::jthread second(work, std::size_t{1});
    }
    for (const std::string& difference : differences)
        QVERIFY2(difference.empty(), difference.c_str());
}

void TstTracer::tracerNeedsModelAndBackend()
{
    QVERIFY_EXCEPTION_THROWN(Tracer(LoadedModel{}, std::make_unique<CpuAttention>()), Error);
    QVERIFY_EXCEPTION_THROWN(Tracer(smallModel(), nullptr), Error);
}

void TstTracer::globsChooseActivations()
{
    const TraceRequest request{{"blocks.1.*", "hook_embed"}};
    QVERIFY(request.wants({Site::Pattern, 1}));
    QVERIFY(request.wants({Site::Embed, 0}));
    QVERIFY(!request.wants({Site::Pattern, 0}));
    QVERIFY(!request.wants({Site::Logits, 0}));
    for (const Site site : {Site::Query, Site::Key, Site::Value, Site::Pattern, Site::ResidPre,
                            Site::ResidPost, Site::Logits})
        QVERIFY(TraceRequest::forViews().wants({site, 0}));
}

HEADSCOPE_TEST(TstTracer)
#include "tst_tracer.moc"
