#include "tests/support/test_program.h"
#include "tests/support/traced_kinds.h"
#include "ui/workers/forward/patterns.h"

#include <QTest>

using namespace headscope;
using namespace headscope::ui;
using namespace headscope::test;

namespace {

TracePtr traceOfKind(const std::string& wanted)
{
    for (const auto& [name, config] : tracedKinds())
        if (name == wanted)
            return freshTrace(kindModel(config), randomTexts(config, 3, 7));
    return nullptr;
}

HeatmapMatrix sizeOf(int tokens)
{
    HeatmapMatrix size;
    size.rows = size.columns = tokens;
    return size;
}

} // namespace

/// Masks of models whose layers see different windows.
class TstLayerMasks : public QObject
{
    Q_OBJECT

private slots:

    void aLayersWindowIsItsOwn()
    {
        const TracePtr trace = traceOfKind("local and global layers, four norms a block, caps");
        QVERIFY(trace);
        const HeatmapMask local = maskOf(*trace, HeadId{AttentionKind::Self, 0, 1});
        const HeatmapMask global = maskOf(*trace, HeadId{AttentionKind::Self, 1, 0});
        QVERIFY(local.hides({5, 2}, sizeOf(7)));
        QVERIFY(!local.hides({5, 3}, sizeOf(7)));
        QVERIFY(local.hides({2, 3}, sizeOf(7)));
        QVERIFY(!global.hides({5, 0}, sizeOf(7)));
        QVERIFY(global.hides({2, 3}, sizeOf(7)));
        QVERIFY(maskOf(*trace) == global); // what no layer sees
    }

    void everyHiddenCellHasNoWeight()
    {
        for (const char* kind : {"local and global layers, four norms a block, caps",
                                 "norms without beta, exact gates, local layers both ways"}) {
            const TracePtr trace = traceOfKind(kind);
            QVERIFY(trace);
            for (int layer = 0; layer < 2; ++layer) {
                const HeadId head{AttentionKind::Self, layer, 2};
                const HeatmapMatrix pattern = patternOf(*trace, head);
                const HeatmapMask mask = maskOf(*trace, head);
                for (int query = 0; query < pattern.rows; ++query)
                    for (int key = 0; key < pattern.columns; ++key)
                        QCOMPARE(mask.hides({query, key}, pattern),
                                 pattern.at({query, key}) == 0.0F);
            }
        }
    }
};

HEADSCOPE_TEST(TstLayerMasks)
#include "tst_layer_masks.moc"
