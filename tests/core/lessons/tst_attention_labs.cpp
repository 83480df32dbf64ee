// labels: threads
#include "core/base/error.h"
#include "core/lessons/labs/lab_parts.h"
#include "tests/core/lessons/lab_runs.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/test_program.h"

#include <fmt/format.h>

#include <QTest>

#include <numeric>
#include <set>

using namespace headscope;
using namespace headscope::test;

namespace {

/// All settings at their lows, highs and each choice, one at a time.
std::vector<LabSet> endsOf(const Lab& lab)
{
    std::vector<LabSet> sets{{}};
    for (const LabControl& control : lab.controls) {
        if (control.kind == LabControl::Kind::Number) {
            sets.push_back({{control.name, fmt::format("{}", control.low)}});
            sets.push_back({{control.name, fmt::format("{}", control.high)}});
        }
        for (const std::string& choice : control.choices)
            sets.push_back({{control.name, choice}});
        if (control.kind == LabControl::Kind::Switch) {
            sets.push_back({{control.name, "on"}});
            sets.push_back({{control.name, "off"}});
        }
    }
    return sets;
}

} // namespace

class TstAttentionLabs : public QObject
{
    Q_OBJECT

private slots:

    void everyLabCanBeDrawnAtAllEndsOfItsControls()
    {
        const LabContext context = openContext("builtin:stories");
        for (const Lab& lab : labsOf(LabSubject::Attention)) {
            QVERIFY2(lab.controls.size() >= 2 && lab.controls.size() <= 4, lab.name.c_str());
            for (const LabSet& set : endsOf(lab)) {
                if (lab.isSlow)
                    continue;
                LabSettings settings(lab.controls);
                for (const auto& [name, value] : set)
                    settings.set(name, value);
                const std::string flaw = flawOf(lab, lab.run(settings, context, {}));
                QVERIFY2(flaw.empty(), (lab.name + " " + flaw).c_str());
            }
        }
    }

    void equalSettingsGiveEqualResults()
    {
        for (const char* name : {"why-scale", "shared-heads", "flash", "ring"}) {
            const LabResult one = runLab(name);
            const LabResult two = runLab(name);
            for (std::size_t i = 0; i < one.numbers.size(); ++i)
                QCOMPARE(one.numbers[i].value, two.numbers[i].value);
            QCOMPARE(one.sentence, two.sentence);
        }
    }

    void varianceOfProductsIsDkAsA5Says_data()
    {
        QTest::addColumn<int>("dim");
        for (const int dim : {1, 2, 3, 8, 64, 100, 512})
            QTest::addRow("%d", dim) << dim;
    }

    void varianceOfProductsIsDkAsA5Says()
    {
        QFETCH(int, dim);
        const LabResult result = runLab("why-scale", {{"d_k", fmt::format("{}", dim)}});
        QVERIFY(near(valueOf(result, "variance") / dim, 1.0, 0.1));
        QVERIFY(near(valueOf(result, "variance_scaled"), 1.0, 0.1));
        QVERIFY(near(valueOf(result, "variance") / dim, valueOf(result, "variance_scaled"), 1e-4));
        const auto& chart = imageIn<LabChart>(result, 0);
        for (const auto& series : chart.series) {
            const double all = std::reduce(series.y.begin(), series.y.end());
            QVERIFY(all > 0.97 && all < 1.0 + 1e-9);
        }
    }

    void softmaxSaturatesWithoutTheScaleA5()
    {
        const LabResult small = runLab("why-scale", {{"d_k", "1"}});
        const LabResult large = runLab("why-scale", {{"d_k", "512"}});
        QVERIFY(valueOf(large, "largest_plain") > 0.9);
        QVERIFY(valueOf(large, "largest_scaled") < 0.45);
        QVERIFY(valueOf(large, "gradient_plain") < 0.35 * valueOf(large, "gradient_scaled"));
        QVERIFY(valueOf(large, "entropy_plain") < 0.3);
        QVERIFY(near(valueOf(large, "entropy_scaled"), valueOf(small, "entropy_scaled"), 0.25));
        QVERIFY(valueOf(large, "entropy_scaled") < valueOf(large, "entropy_most"));
        QCOMPARE(valueOf(large, "entropy_most"), std::log(16.0));
        const auto& entropy = imageIn<LabChart>(large, 1);
        QVERIFY(std::ranges::is_sorted(entropy.series[0].y, std::greater<>()));
        QCOMPARE(entropy.series[0].x.front(), 1.0);
        QCOMPARE(entropy.series[0].x.back(), 512.0);
    }

    void everyHeadOfEveryLayerIsVisibleA6()
    {
        const LabContext context = openContext("builtin:stories");
        const LabResult result = runLab("multi-head", {{"layer", "2"}, {"head", "5"}}, context);
        QCOMPARE(valueOf(result, "all_heads"), 32.0);
        QVERIFY(valueOf(result, "largest_difference") < 1e-4);
        const auto& all = imageIn<LabMatrix>(result, 1);
        const auto& one = imageIn<LabMatrix>(result, 2);
        const std::size_t tokens = one.rowLabels.size();
        QCOMPARE(tokens, static_cast<std::size_t>(valueOf(result, "tokens")));
        QCOMPARE(all.rowLabels.size(), 4 * (tokens + 1) - 1);
        QCOMPARE(all.columnLabels.size(), 8 * (tokens + 1) - 1);
        QCOMPARE(std::ranges::count_if(all.rowLabels, [](const auto& s) { return !s.empty(); }), 4);
        for (std::size_t query = 0; query < tokens; ++query)
            for (std::size_t key = 0; key < tokens; ++key) {
                const std::size_t row = 2 * (tokens + 1) + query;
                const std::size_t column = 5 * (tokens + 1) + key;
                QCOMPARE(all.values[row * all.columnLabels.size() + column],
                         one.values[query * tokens + key]);
            }
    }

    void headsSplitAndJoinWithTheRightShapesA6()
    {
        const LabContext context = openContext("builtin:stories", "The cat sat");
        const LabResult result = runLab("multi-head", {}, context);
        const auto& diagram = imageIn<LabDiagram>(result, 0);
        std::map<std::string, std::string> shapes;
        for (const auto& box : diagram.boxes)
            shapes[box.label.substr(0, box.label.find(" ["))] =
                box.label.substr(std::min(box.label.find('['), box.label.size()));
        const int n = static_cast<int>(valueOf(result, "tokens"));
        QCOMPARE(shapes["stream"], fmt::format("[{}, 128]", n));
        QCOMPARE(shapes["queries"], fmt::format("[{}, 8, 16]", n));
        QCOMPARE(shapes["8 heads attend"], fmt::format("[8, {0}, {0}]", n));
        QCOMPARE(shapes["concatenated"], fmt::format("[{}, 128]", n));
        QCOMPARE(shapes["times W_O"], fmt::format("[{}, 128]", n));
    }

    void everyKindOfModelShowsItsHeads()
    {
        for (const char* name : {"builtin:repeat", "builtin:dates"}) {
            const LabContext context = openContext(name, "march 5, 1987");
            const LabResult result = runLab("multi-head", {{"layer", "31"}}, context);
            QVERIFY(valueOf(result, "largest_difference") < 1e-4);
            QCOMPARE(valueOf(result, "layer"), valueOf(result, "layers") - 1.0);
        }
        QCOMPARE(valueOf(runLab("multi-head"), "all_heads"), 32.0); // none open: the stories
        const std::string problem = whatIsThrown([] { runLab("multi-head", {}, LabContext()); });
        QVERIFY(problem.find("no model is open") == 0);
    }

    void alignmentsAreVisibleAndNotSquareA7()
    {
        const LabResult result = runLab("cross", {{"source", "march 5, 1987"}});
        const auto& matrix = imageIn<LabMatrix>(result, 0);
        QCOMPARE(valueOf(result, "source_tokens"), 14.0); // 13 characters and <eos>
        QCOMPARE(valueOf(result, "target_tokens"), 11.0); // 1987-03-05 and <eos>
        QCOMPARE(matrix.rowLabels.size(), std::size_t{11});
        QCOMPARE(matrix.columnLabels.size(), std::size_t{14});
        QVERIFY(valueOf(result, "row_error") < 1e-5);
        QVERIFY(result.sentence.find("\"1987-03-05\"") != std::string::npos);
        const std::vector<std::string> start(matrix.rowLabels.begin(),
                                             matrix.rowLabels.begin() + 4);
        QCOMPARE(start, (std::vector<std::string>{"1", "9", "8", "7"}));
    }

    void someHeadLooksAtTheSymbolThatIsWrittenNextA7()
    {
        double best = 0.0;
        double sum = 0.0;
        for (const char* head : {"0", "1", "2", "3"}) {
            const double weight = valueOf(
                runLab("cross", {{"source", "march 5, 1987"}, {"head", head}}), "on_copies");
            best = std::max(best, weight);
            sum += weight;
        }
        QVERIFY(best > 2.0 / 14.0); // more than an even spread
        QVERIFY(near(valueOf(runLab("cross"), "on_copies"), sum / 4.0, 1e-6));
    }

    void strangeSourcesGiveOneSentenceA7()
    {
        for (const char* text : {"", "\n", "日本", "?"})
            QVERIFY(!runLab("cross", {{"source", text}}).sentence.empty());
        const std::string problem = whatIsThrown([] {
            runLab("cross", {{"source", std::string(5000, 'x')}});
        });
        QVERIFY(problem.find("24") != std::string::npos);
    }

    void eachQueryHeadReadsItsKeyHeadA8()
    {
        const auto diagramOf = [](const char* kind) {
            return imageIn<LabDiagram>(runLab("shared-heads", {{"kind", kind}}), 0);
        };
        QCOMPARE(diagramOf("mha").boxes.size(), std::size_t{16});
        QCOMPARE(diagramOf("mqa").boxes.size(), std::size_t{9});
        const LabDiagram grouped = diagramOf("gqa");
        QCOMPARE(grouped.boxes.size(), std::size_t{10});
        for (int head = 0; head < 8; ++head)
            QCOMPARE(grouped.arrows[static_cast<std::size_t>(head)], std::pair(head / 4, head + 2));
        QCOMPARE(diagramOf("mla").arrows.size(), std::size_t{16}); // latent and rotary key to each
    }

    void sharedHeadsCostWhatTheirShapesSayA8()
    {
        const LabResult result = runLab("shared-heads", {{"kind", "gqa"}, {"groups", "2"}});
        // 4096 tokens of 16 channels in 2 bytes; r = 64 and d_rope = 8 of the latent
        QCOMPARE(valueOf(result, "bytes_mha"), 2.0 * 4096 * 8 * 16 * 2);
        QCOMPARE(valueOf(result, "bytes_gqa"), 2.0 * 4096 * 2 * 16 * 2);
        QCOMPARE(valueOf(result, "bytes_mqa"), 2.0 * 4096 * 1 * 16 * 2);
        QCOMPARE(valueOf(result, "bytes_mla"), 4096.0 * (64 + 8) * 2);
        QCOMPARE(valueOf(result, "share"), 0.25);
        QCOMPARE(valueOf(result, "parameters"), 128.0 * 128 * 2 + 2 * 32 * 128);
    }

    void oneTrainingStepLowersTheLossOfEachKindA8()
    {
        const LabResult result = runLab("shared-heads");
        std::set<double> moved;
        for (const char* kind : {"moved_mha", "moved_gqa", "moved_mqa", "moved_mla"}) {
            QVERIFY2(valueOf(result, kind) < -0.01, kind);
            moved.insert(valueOf(result, kind));
        }
        QCOMPARE(moved.size(), std::size_t{4}); // four different models
        QVERIFY(near(valueOf(result, "loss_after") - valueOf(result, "loss_before"),
                     valueOf(result, "moved_mha"), 1e-12));
    }

    void kvCacheOf80LayersIsWhatA9Says()
    {
        const LabSet seventy{{"model", "llama3-70b"}, {"tokens", "4096"}, {"bytes_per_value", "2"}};
        const auto bytes = [&](const char* heads) {
            LabSet set = seventy;
            set["kv_heads"] = heads;
            return valueOf(runLab("kv-cache", set), "bytes");
        };
        QCOMPARE(bytes("each"), 10'737'418'240.0);
        QCOMPARE(bytes("own"), 1'342'177'280.0);
        QCOMPARE(bytes("8"), 1'342'177'280.0);
        QCOMPARE(bytes("1"), 167'772'160.0);
        const LabResult result = runLab("kv-cache", seventy);
        QCOMPARE(valueOf(result, "layers"), 80.0);
        QCOMPARE(valueOf(result, "d_k"), 128.0);
        QCOMPARE(valueOf(result, "bytes_each"), 10'737'418'240.0);
        QCOMPARE(valueOf(result, "bytes_one"), 167'772'160.0);
        QVERIFY(result.sentence.find(grouped(1'342'177'280) + " bytes, or 1.34 GB") !=
                std::string::npos);
    }

    void kvCacheHasTheModelsOfX6()
    {
        const auto numbers = [](const char* model) {
            const LabResult result = runLab("kv-cache", {{"model", model}});
            return std::vector<double>{valueOf(result, "layers"), valueOf(result, "query_heads"),
                                       valueOf(result, "d_k"), valueOf(result, "bytes")};
        };
        QCOMPARE(numbers("gpt2"), (std::vector<double>{12, 12, 64, 2. * 12 * 4096 * 12 * 64 * 2}));
        QCOMPARE(numbers("gpt3"),
                 (std::vector<double>{96, 96, 128, 2. * 96 * 4096 * 96 * 128 * 2}));
        QCOMPARE(numbers("llama3-8b"),
                 (std::vector<double>{32, 32, 128, 2. * 32 * 4096 * 8 * 128 * 2}));
        const std::string problem = whatIsThrown([] {
            runLab("kv-cache", {{"model", "gpt2"}, {"kv_heads", "8"}});
        });
        QVERIFY(problem.find("n_kv_heads is 8, which does not divide n_heads (12)") !=
                std::string::npos);
    }

    void cachedDecodingWritesTheSameAndStillCostsNA9()
    {
        const LabResult result = runLab("cached-decoding", {{"tokens", "32"}});
        QCOMPARE(flawOf(catalogueLab("cached-decoding"), result), std::string());
        QCOMPARE(valueOf(result, "same_text"), 1.0);
        QVERIFY(valueOf(result, "largest_difference") < 1e-4);
        QVERIFY(valueOf(result, "cached_ms") > 0.0);
        QVERIFY(valueOf(result, "uncached_ms") > 0.0);
        // one query of 2 layers, 4 heads, 16 channels over n keys: two products of 2 n d_k
        QCOMPARE(valueOf(result, "work_first"), 2.0 * 4 * 8 * 2 * (16 + 16));
        QCOMPARE(valueOf(result, "work_last"), 2.0 * 4 * 39 * 2 * (16 + 16));
        QCOMPARE(valueOf(result, "growth"), valueOf(result, "length_growth"));
        QCOMPARE(valueOf(result, "uncached_work_last"), 2.0 * 4 * (39 * 40 / 2) * 2 * (16 + 16));
    }

    void slowLabsStopWhenAsked()
    {
        std::stop_source stop;
        stop.request_stop();
        for (const char* name : {"cached-decoding", "flash-measured", "complexity"}) {
            const Lab& lab = catalogueLab(name);
            QVERIFY(lab.isSlow);
            QVERIFY_EXCEPTION_THROWN(
                lab.run(LabSettings(lab.controls), labContext(), stop.get_token()), Cancelled);
        }
    }

    void tilesGiveExactAttentionA10_data()
    {
        QTest::addColumn<QString>("tokens");
        QTest::addColumn<QString>("tile");
        QTest::addColumn<QString>("causal");
        for (const char* tokens : {"4", "16", "37", "64"})
            for (const char* tile : {"2", "4", "8"})
                for (const char* causal : {"on", "off"})
                    QTest::addRow("%s by %s, causal %s", tokens, tile, causal)
                        << tokens << tile << causal;
    }

    void tilesGiveExactAttentionA10()
    {
        QFETCH(QString, tokens);
        QFETCH(QString, tile);
        QFETCH(QString, causal);
        const LabResult result = runLab("flash", {{"tokens", tokens.toStdString()},
                                                  {"tile", tile.toStdString()},
                                                  {"causal", causal.toStdString()}});
        QVERIFY(valueOf(result, "largest_difference") < 1e-5);
        QVERIFY(valueOf(result, "backend_difference") < 1e-5);
        const int blocks = (tokens.toInt() + tile.toInt() - 1) / tile.toInt();
        const int computed = causal == "on" ? blocks * (blocks + 1) / 2 : blocks * blocks;
        QCOMPARE(valueOf(result, "tiles"), double(computed));
        QCOMPARE(valueOf(result, "skipped"), double(blocks * blocks - computed));
        QCOMPARE(valueOf(result, "plain_bytes"), 4.0 * tokens.toInt() * tokens.toInt());
    }

    void runningMaximumNeverFallsAndCorrectionsAreAtMostOneA10()
    {
        const LabResult result = runLab("flash", {{"tokens", "24"}, {"causal", "off"}});
        const auto& tiles = imageIn<LabTiles>(result, 0);
        std::map<int, double> largest;
        for (const auto& tile : tiles.tiles) {
            std::map<std::string, double> numbers(tile.numbers.begin(), tile.numbers.end());
            const double maximum = numbers.at("largest score so far");
            if (tile.column == 0)
                QCOMPARE(numbers.at("old sum times"), 0.0);
            else
                QVERIFY(near(numbers.at("old sum times"), std::exp(largest[tile.row] - maximum),
                             1e-12));
            QVERIFY(tile.column == 0 || maximum >= largest[tile.row]);
            QVERIFY(numbers.at("sum so far") >= 1.0 - 1e-12 && numbers.at("sum so far") <= 24.0);
            largest[tile.row] = maximum;
        }
        QCOMPARE(tiles.tiles.size(), std::size_t{36});
    }

    void flashMemoryIsMeasuredA10()
    {
        const LabResult result = runLab("flash-measured", {{"longest", "512"}});
        QCOMPARE(flawOf(catalogueLab("flash-measured"), result), std::string());
        QVERIFY(result.number("plain_bytes").isMeasured);
        QVERIFY(near(valueOf(result, "plain_bytes") / (4.0 * 512 * 512 * 4), 1.0, 0.1));
        QVERIFY(near(valueOf(result, "plain_memory_slope"), 2.0, 0.1));
        QVERIFY(valueOf(result, "tiled_memory_slope") < 1.1);
        QVERIFY(valueOf(result, "tiled_bytes") < 0.5 * valueOf(result, "plain_bytes"));
        QVERIFY(valueOf(result, "largest_difference") < 1e-4);
        QVERIFY(result.number("plain_ms").isMeasured && valueOf(result, "plain_ms") > 0.0);
        QVERIFY(result.number("tiled_ms").isMeasured && valueOf(result, "tiled_ms") > 0.0);
    }

    void windowCostsNTimesWA11()
    {
        for (const auto& [n, w] : {std::pair(24, 4), {64, 2}, {10, 64}, {33, 33}}) {
            const LabResult result = runLab(
                "window", {{"tokens", fmt::format("{}", n)}, {"window", fmt::format("{}", w)}});
            double cells = 0.0;
            for (int query = 0; query < n; ++query)
                cells += std::min(query + 1, w);
            QCOMPARE(valueOf(result, "cells"), cells);
            QCOMPARE(valueOf(result, "cells_full"), n * (n + 1) / 2.0);
            QCOMPARE(valueOf(result, "bound"), double(n * w));
            QVERIFY(cells <= n * w);
            QCOMPARE(valueOf(result, "layers"), std::ceil((n - 1.0) / (w - 1.0)));
            const auto& matrix = imageIn<LabMatrix>(result, 0);
            QCOMPARE(double(std::ranges::count(matrix.masked, false)), cells);
            for (std::size_t i = 0; i < matrix.values.size(); ++i)
                QVERIFY(!matrix.masked[i] || matrix.values[i] == 0.0);
        }
    }

    void ringEqualsFullAttentionA12()
    {
        for (const char* workers : {"1", "2", "3", "8"})
            for (const char* causal : {"on", "off"}) {
                const LabResult result =
                    runLab("ring", {{"workers", workers}, {"tokens", "37"}, {"causal", causal}});
                QVERIFY(valueOf(result, "largest_difference") < 1e-5);
                const double count = std::stod(workers);
                const bool isCausal = std::string(causal) == "on";
                QCOMPARE(valueOf(result, "blocks"),
                         isCausal ? count * (count + 1) / 2 : count * count);
                QCOMPARE(valueOf(result, "blocks") + valueOf(result, "skipped"), count * count);
                QCOMPARE(valueOf(result, "block_bytes"), std::ceil(37 / count) * 2 * 2 * 16 * 4);
            }
    }

    void everyBlockOfKeysVisitsEveryWorkerA12()
    {
        const LabResult result = runLab("ring", {{"workers", "4"}, {"causal", "off"}});
        const auto& tiles = imageIn<LabTiles>(result, 0);
        std::set<std::pair<int, int>> met;
        for (const auto& tile : tiles.tiles) {
            QCOMPARE(tile.worker, tile.row);
            met.insert({tile.row, tile.column});
        }
        QCOMPARE(met.size(), std::size_t{16});
        const auto& table = imageIn<LabTable>(result, 1);
        QCOMPARE(table.rows[1], (std::vector<std::string>{"1", "8 to 15", "1", "0", "3", "2"}));
    }

    void costGrowsWithTheSquareAndPathsAreOneStepA13()
    {
        const LabResult result = runLab("complexity", {{"longest", "512"}});
        QCOMPARE(flawOf(catalogueLab("complexity"), result), std::string());
        QVERIFY(result.number("memory_slope").isMeasured);
        QVERIFY(near(valueOf(result, "memory_slope"), 2.0, 0.1));
        QVERIFY(near(valueOf(result, "bytes") / valueOf(result, "counted"), 1.0, 0.1));
        QVERIFY(valueOf(result, "tiled_slope") < 1.5); // each thread that joins adds its own tiles
        QVERIFY(std::isfinite(valueOf(result, "time_slope")));
        QVERIFY(result.number("time_slope").isMeasured);
        QCOMPARE(valueOf(result, "path_tokens"), 64.0);
        QCOMPARE(valueOf(result, "path_attention"), 1.0);
        QCOMPARE(valueOf(result, "path_recurrent"), 64.0);
    }
};

HEADSCOPE_TEST(TstAttentionLabs)
#include "tst_attention_labs.moc"
