#include "core/base/error.h"
#include "tests/support/test_program.h"
#include "ui/pages/shared/maps/head_map_source.h"

#include <QTest>

#include <memory>
#include <random>

using namespace headscope;
using namespace headscope::ui;

namespace {

/// Two heads with random causal patterns.
TracePtr randomTrace(int tokens)
{
    TokenSequence sequence;
    for (int token = 0; token < tokens; ++token)
        sequence.tokens.push_back({token, {}, false});
    Tensor pattern({2, tokens, tokens});
    std::mt19937 random(1);
    for (int head = 0; head < 2; ++head)
        for (int query = 0; query < tokens; ++query)
            for (int key = 0; key <= query; ++key)
                pattern.view()(head, query, key) =
                    static_cast<float>(random() % 1000) / static_cast<float>(1000 * (query + 1));
    TraceInfo info;
    info.settings = R"({"mask": "causal"})";
    return std::make_shared<const Trace>(
        sequence,
        Trace::Activations{
            {{Site::Pattern, 0}, std::make_shared<const Tensor>(std::move(pattern))}},
        info);
}

ViewSnapshot viewOf(TracePtr trace)
{
    ViewSnapshot view;
    view.a = std::move(trace);
    view.selection.query = 5;
    view.selection.key = 3;
    return view;
}

bool isEqual(const MapWithLegend& one, const MapWithLegend& other)
{
    const HeatmapMatrix& a = one.map.matrix;
    const HeatmapMatrix& b = other.map.matrix;
    return a.rows == b.rows && a.columns == b.columns &&
           std::equal(a.values.get(), a.values.get() + std::size_t(a.rows) * a.columns,
                      b.values.get()) &&
           one.map.rowSums == other.map.rowSums && one.map.columnSums == other.map.columnSums &&
           one.map.current == other.map.current && one.map.queryRow == other.map.queryRow &&
           one.legend.title == other.legend.title;
}

} // namespace

class TstHeadMapSource : public QObject
{
    Q_OBJECT

private slots:

    void aSmallMapIsMadeAtOnce()
    {
        int changes = 0;
        HeadMapSource source([&changes] { ++changes; });
        const ViewSnapshot view = viewOf(randomTrace(64));
        const MapChoice choice{Variant::A, MapKind::Weights, MapScale::PerHead, true};
        source.want(view, choice);
        QVERIFY(!source.waits());
        QVERIFY(isEqual(source.map(), headMap(view, choice)));
        QCOMPARE(changes, 0);
    }

    void aLargeMapIsAwaitedAndIsTheSame()
    {
        int changes = 0;
        HeadMapSource source([&changes] { ++changes; });
        const ViewSnapshot view = viewOf(randomTrace(600));
        const MapChoice choice{Variant::A, MapKind::Weights, MapScale::Absolute, true};
        source.want(view, choice);
        QVERIFY(source.waits());
        QVERIFY(source.map().map.stale);
        QTRY_COMPARE(changes, 1);
        QVERIFY(!source.waits());
        QVERIFY(isEqual(source.map(), headMap(view, choice)));
        QVERIFY(!source.map().map.stale);
    }

    /// Another pair of the same map needs no new map; another head does, and it wins.
    void aPairIsMarkedAndAnotherHeadIsMade()
    {
        int changes = 0;
        HeadMapSource source([&changes] { ++changes; });
        ViewSnapshot view = viewOf(randomTrace(600));
        const MapChoice choice{Variant::A, MapKind::Weights, MapScale::Absolute, false};
        source.want(view, choice);
        QTRY_COMPARE(changes, 1);
        view.selection.query = 300;
        view.selection.key = 7;
        source.want(view, choice);
        QVERIFY(!source.waits());
        QCOMPARE(source.map().map.current, (HeatmapCell{300, 7}));
        view.selection.head = 1;
        source.want(view, choice);
        QVERIFY(source.waits());
        view.selection.head = 0;
        source.want(view, choice); // replaces the one that is being made
        view.selection.head = 1;
        source.want(view, choice);
        QTRY_COMPARE(changes, 2);
        QVERIFY(isEqual(source.map(), headMap(view, choice)));
    }

    /// Neither a hidden page's map nor its request keep an old trace in memory.
    void aMapKeepsThePatternAndNotTheTrace()
    {
        HeadMapSource source([] {});
        std::weak_ptr<const Trace> trace;
        {
            const ViewSnapshot view = viewOf(randomTrace(64));
            trace = view.a;
            source.want(view, {});
        }
        QVERIFY(trace.expired());
        QVERIFY(!source.map().map.matrix.isEmpty());
    }

    /// A map that cannot be made is said, and the one before it is not shown in its place.
    void anErrorOnTheOtherThreadLeavesAnEmptyMapAndItsReason()
    {
        int changes = 0;
        ContentSource<MapWithLegend, int> source([&changes] { ++changes; });
        const ViewSnapshot view = viewOf(randomTrace(8));
        source.want(1, true, [&view](const std::stop_token&) { return headMap(view, {}); });
        QVERIFY(!source.content().map.matrix.isEmpty());
        source.want(2, false, [](const std::stop_token&) -> MapWithLegend {
            throw Error("too little memory for this map");
        });
        QTRY_COMPARE(changes, 1);
        QVERIFY(!source.waits());
        QVERIFY(source.content().map.matrix.isEmpty());
        QVERIFY(source.content().problem.contains("memory"));
    }
};

HEADSCOPE_TEST(TstHeadMapSource)
#include "tst_head_map_source.moc"
