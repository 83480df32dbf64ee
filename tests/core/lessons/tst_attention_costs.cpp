#include "core/lessons/labs/attention/ring_processes.h"
#include "core/lessons/labs/attention/sparse_mask.h"
#include "tests/core/lessons/lab_runs.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

using namespace headscope;
using namespace headscope::test;

/// Labs of what attention costs: sparse masks, and a ring that is measured.
class TstAttentionCosts : public QObject
{
    Q_OBJECT

private slots:

    void rowsOfSparseMasksAreCountedA11()
    {
        using Kind = SparseMask::Kind;
        for (const Kind kind : {Kind::Full, Kind::Window, Kind::Strided, Kind::Global})
            for (const std::int64_t reach : {1, 3, 7, 40}) {
                const SparseMask mask{kind, reach};
                for (std::int64_t query = 0; query < 40; ++query) {
                    std::int64_t seen = 0;
                    for (std::int64_t key = 0; key < 40; ++key)
                        seen += mask.sees(query, key) ? 1 : 0;
                    QCOMPARE(mask.row(query), seen);
                }
            }
        QCOMPARE((SparseMask{Kind::Window, 4}.layersToReach(24)), std::int64_t{8});
        QCOMPARE((SparseMask{Kind::Strided, 4}.layersToReach(24)), std::int64_t{2});
        QCOMPARE((SparseMask{Kind::Full, 4}.layersToReach(24)), std::int64_t{1});
    }

    /// A state of fixed size gives what the weights give; below 2 d + 1 tokens it costs more.
    void linearAttentionIsAStateOfFixedSizeA13()
    {
        for (const char* d : {"16", "64", "128"}) {
            const LabResult result = runLab("sparse", {{"kind", "linear"}, {"d_k", d}});
            const double dim = std::stod(d);
            QVERIFY(valueOf(result, "state_difference") < 1e-12);
            QCOMPARE(valueOf(result, "crossover"), 2.0 * dim + 2.0);
            QCOMPARE(valueOf(result, "kept"), dim * dim + dim);
            QVERIFY(valueOf(result, "difference") > 0.01);
        }
        const LabResult full = runLab("sparse", {{"kind", "full"}});
        QCOMPARE(valueOf(full, "difference"), 0.0);
        QCOMPARE(valueOf(full, "work"), 2.0 * 64 * (32 * 33 / 2));
        const LabResult wide = runLab("sparse", {{"kind", "window"}, {"reach", "32"}});
        QCOMPARE(valueOf(wide, "difference"), 0.0); // the window holds the whole text
    }

    /// Threads take the place of processes here; the numbers are those of a real ring.
    void everyWorkersBlocksAreWatchedA12()
    {
        const LabResult result = runLab("ring-processes", {{"workers", "3"}, {"tokens", "64"}});
        QCOMPARE(flawOf(catalogueLab("ring-processes"), result), std::string());
        const auto& table = imageIn<LabTable>(result, 0);
        QCOMPARE(table.rows.size(), std::size_t{3});
        QCOMPARE(table.rows[1][2] + table.rows[1][3] + table.rows[1][4], std::string("10(2)"));
        QCOMPARE(valueOf(result, "skipped"), 3.0);
        QVERIFY(valueOf(result, "largest_difference") < 1e-5);
        for (const auto& series : imageIn<LabChart>(result, 1).series)
            QVERIFY(std::ranges::is_sorted(series.y)); // a block is done after the one before it
    }

    /// What `headscope bench ring --json` prints is read back; anything else is refused.
    void aRingOfProcessesIsReadA12()
    {
        const std::string row = R"({"tokens": 64, "heads": 8, "head_dim": 64, "rounds": 3,
            "processes": 1, "ring_ms": 2.5, "full_ms": 2.0, "largest_error": 1e-7, "block_bytes": 8,
            "whole_bytes": 8, "visits": [{"worker": 0, "process": 77, "round": 0, "first_key": 0,
            "keys": 64, "skipped": false, "ms": 2.4}]})";
        const RingTiming timing = parseRingTiming(R"({"bench": "ring", "results": [)" + row + "]}");
        QCOMPARE(timing.visits.at(0).process, std::int64_t{77});
        QCOMPARE(timing.visits.at(0).step.keys.tokens, std::int64_t{64});
        QCOMPARE(timing.ringMs, 2.5);
        QVERIFY(whatIsThrown([] { parseRingTiming("{}"); }).find("not a measurement") !=
                std::string::npos);
    }
};

HEADSCOPE_TEST(TstAttentionCosts)
#include "tst_attention_costs.moc"
