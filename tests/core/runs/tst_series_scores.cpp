#include "core/runs/series/series_scores.h"
#include "core/text/tokenizers/id_tokenizer.h"
#include "tests/core/runs/small_run.h"
#include "tests/support/checkpoint_series.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <chrono>
#include <cmath>

using namespace headscope;
using namespace headscope::test;

namespace fs = std::filesystem;

class TstSeriesScores : public QObject
{
    Q_OBJECT

private:
    Folder m_folder;

    fs::path path(const std::string& name) const { return m_folder.path(name); }

    CheckpointSeries series() const
    {
        Progress progress;
        return CheckpointSeries::open(path("series"), progress);
    }

private slots:

    void initTestCase()
    {
        writeHuggingFaceCheckpoint(path("series/step-1"), 1.0F);
        writeHuggingFaceCheckpoint(path("series/step-2"), 4.0F);
    }

    void headsOfAModelFromElsewhereAreMeasured()
    {
        const CheckpointSeries all = series();
        const auto tokenizer = all.loadTokenizer();
        const HeadProbe probe(all.config(), *tokenizer);
        CpuAttention backend;
        Progress progress;
        const HeadScorePoint one = probe.measure(*all.load(1, progress), 1, backend);
        const HeadScorePoint two = probe.measure(*all.load(2, progress), 2, backend);
        QCOMPARE(one.places.size(), std::size_t(8)); // 2 layers of 4 heads
        for (const char* score :
             {"previous_token", "induction", "duplicate_token", "first_token", "self", "entropy"}) {
            const double value = one.value(score, one.places.back());
            QVERIFY2(std::isfinite(value) && value >= 0.0 && value <= 1.0, score);
        }
        QVERIFY(one.value("entropy", one.places[0]) != two.value("entropy", one.places[0]));
        const HeadScorePoint again = probe.measure(*all.load(1, progress), 1, backend);
        QCOMPARE(toJsonLine(again), toJsonLine(one));
    }

    /// Without weights attention is even: every head has the entropy 1.
    void evenAttentionHasItsScores()
    {
        ModelConfig config = tinyModel().model->config();
        const Model even(config, ParameterSet(config));
        const HeadProbe probe(config, *tinyModel().tokenizer);
        CpuAttention backend;
        const HeadScorePoint point = probe.measure(even, 0, backend);
        for (const HeadId& place : point.places) {
            QVERIFY(std::abs(point.value("entropy", place) - 1.0) < 1e-5);
            QVERIFY(point.value("induction", place) < 0.1);
        }
    }

    void modelsWithoutATokenizerAreMeasuredOnIds()
    {
        const ModelConfig config = tinyModel().model->config();
        const IdTokenizer ids(static_cast<std::size_t>(config.vocabularySize));
        const HeadProbe probe(config, ids);
        CpuAttention backend;
        const HeadScorePoint point = probe.measure(*tinyModel().model, 0, backend);
        QVERIFY(std::isfinite(point.value("induction", point.places[0])));
        QVERIFY(probe.fingerprint() != HeadProbe(config, *tinyModel().tokenizer).fingerprint());
    }

    void scoresAreKeptUntilACheckpointIsReplaced()
    {
        const CheckpointSeries all = series();
        const HeadProbe probe(all.config(), *all.loadTokenizer());
        HeadScorePoint point;
        point.step = 2;
        point.places = {{0, 1}};
        point.rows = {{"induction", {0.25}}};
        SeriesScores scores(path("cache"), all, probe);
        QVERIFY(scores.find(2) == nullptr);
        scores.add(point);
        const SeriesScores again(path("cache"), all, probe);
        QVERIFY(again.find(2) != nullptr);
        QCOMPARE(again.find(2)->value("induction", point.places[0]), 0.25);
        QVERIFY(again.find(1) == nullptr);
        const HeadProbe other(all.config(), IdTokenizer(512));
        QVERIFY(SeriesScores(path("cache"), all, other).find(2) == nullptr);
        fs::last_write_time(path("series/step-2/model.safetensors"),
                            fs::file_time_type::clock::now() + std::chrono::hours(1));
        QVERIFY(SeriesScores(path("cache"), all, probe).find(2) == nullptr);
        std::ofstream(fs::directory_iterator(path("cache"))->path(), std::ios::app)
            << "{\"step\": 1, \"checkpoint\": []}\nnot json";
        QVERIFY(SeriesScores(path("cache"), all, probe).find(1) == nullptr);
    }
};

HEADSCOPE_TEST(TstSeriesScores)
#include "tst_series_scores.moc"
