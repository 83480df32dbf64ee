#include "core/base/error.h"
#include "core/experiments/conclusions.h"
#include "core/runs/run_curves.h"
#include "core/runs/run_library.h"
#include "tests/core/experiments/small_experiment.h"
#include "tests/support/test_program.h"

#include <nlohmann/json.hpp>

#include <map>
#include <set>

using namespace headscope;
using test::onCpu;
using test::runSmall;
using test::smaller;

namespace {

constexpr const char* kTiny = R"({"steps": 25, "eval_every": 10, "log_every": 5,
    "model": {"d_model": 16, "n_heads": 2, "n_kv_heads": 2}})";

std::filesystem::path in(const QTemporaryDir& folder, const char* name)
{
    return folder.filePath(name).toStdString();
}

} // namespace

class TstExperiments : public QObject
{
    Q_OBJECT

private slots:

    void everyExperimentSaysWhatItIs()
    {
        std::set<std::string> names;
        std::string rows;
        for (const Experiment& experiment : experimentCatalogue()) {
            QVERIFY(names.insert(experiment.name).second);
            QCOMPARE(&catalogueExperiment(experiment.name), &experiment);
            QVERIFY(!experiment.title.empty() && !experiment.description.empty() &&
                    !experiment.difference.empty() && !experiment.measured.empty());
            QVERIFY(experiment.variants.size() >= 2);
            rows += experiment.row + " ";
        }
        for (const char* row :
             {"P1", "P2", "P3", "P4", "P5", "M7", "B2", "O7", "R3", "R6", "A6", "A8", "B1", "B5"})
            QVERIFY2(rows.find(row) != std::string::npos, row);
        QVERIFY_EXCEPTION_THROWN(catalogueExperiment("mask"), Error);
    }

    /// Every variant differs from the first of its seed in one key, apart from those that follow from
    /// it, and all are trained with the same seeds.
    void variantsDifferInOneThingAndShareTheSeeds()
    {
        for (const Experiment& experiment : experimentCatalogue()) {
            std::map<std::uint64_t, const ExperimentVariant*> first;
            std::map<std::string, std::set<std::uint64_t>> seeds;
            for (const ExperimentVariant& variant : experiment.variants) {
                QVERIFY(seeds[variant.group].insert(variant.config.seed).second);
                const auto [found, isFirst] = first.emplace(variant.config.seed, &variant);
                auto different =
                    compareConfigs(toJson(found->second->config), toJson(variant.config));
                std::erase_if(different, [](const ConfigDifference& key) {
                    return key.key == "model.d_ff" || key.key == "schedule.d_model" || // of d_model
                           key.key == "model.n_kv_heads" || // of n_heads or attention
                           key.key.starts_with("model.mla");
                });
                QVERIFY2(different.size() == (isFirst ? 0 : 1), variant.name.c_str());
            }
            for (const auto& [group, used] : seeds)
                QVERIFY2(used == seeds.begin()->second, group.c_str());
        }
    }

    void withoutTheMaskTheLossCollapsesAndTheTextIsRubbish()
    {
        const auto result = runSmall(
            smaller("mask-missing", R"({"steps": 260, "model": {"d_model": 64, "d_ff": 128},
                                                 "data": {"bytes": 800000}})"));
        const VariantResult& broken = result.variant("no-mask");
        const VariantResult& fixed = result.variant("mask");
        QVERIFY(broken.number("validation_loss") < 0.5 * fixed.number("validation_loss"));
        QVERIFY(broken.number("prefix_loss") > 1.5 * fixed.number("prefix_loss"));
        QVERIFY(broken.number("written_known") < 0.5 * fixed.number("written_known"));
        QVERIFY(!broken.sample.empty() && !fixed.sample.empty());
        QVERIFY(result.conclusion.find("train with the mask") != std::string::npos);
    }

    void bothOrdersAreLearnedAndScored()
    {
        const auto result = runSmall(smaller("translation", R"({"steps": 500})"));
        const VariantResult& phrases = result.variant("phrases");
        const VariantResult& reverse = result.variant("reverse");
        QVERIFY(phrases.number("exact") > 0.6 && phrases.number("bleu") > 0.8);
        QVERIFY(reverse.number("aligned") > 0.2);
        for (const VariantResult& variant : result.variants) {
            const ExperimentSeries& bleu = variant.curve("bleu_by_step");
            QVERIFY(bleu.x.size() > 3 && bleu.x.front() == 0.0 && bleu.x.back() == 500.0);
            QVERIFY(bleu.y.front() < 0.1 && bleu.y.back() > bleu.y.front());
            QCOMPARE(variant.curve("exact_by_step").x, bleu.x);
        }
        QVERIFY(phrases.sample.find("\u2192") != std::string::npos);
        QVERIFY(result.conclusion.find("BLEU") != std::string::npos);
    }

    void withoutPositionsOrderIsGuessed()
    {
        const auto result =
            runSmall(smaller("positions-missing", R"({"steps": 400, "model": {"d_model": 32}})"));
        QVERIFY(result.variant("no-positions").number("accuracy") < 0.65);
        QVERIFY(result.variant("positions").number("accuracy") > 0.95);
        QVERIFY(result.variant("mask-alone").number("accuracy") > 0.95);
        QVERIFY(result.conclusion.find("add positions") != std::string::npos);
    }

    void withoutTheScoreScaleSoftmaxSaturates()
    {
        const auto result = runSmall(smaller(
            "score-scale", R"({"steps": 120, "model": {"d_model": 32, "d_ff": 64, "head_dim": 256},
                               "data": {"bytes": 500000}})"));
        const VariantResult& broken = result.variant("unscaled");
        const VariantResult& fixed = result.variant("scaled");
        QVERIFY(broken.number("start_entropy") < 0.3 * fixed.number("start_entropy"));
        QVERIFY(broken.number("start_gradient") > 1.5 * fixed.number("start_gradient"));
        QVERIFY(broken.number("validation_loss") > 1.1 * fixed.number("validation_loss"));
        QVERIFY(broken.number("largest_score") > 88.7);
        // saturated training multiplies differences of rounding: between instruction sets and numbers of
        // threads, 5 to 19 % of the rows overflow, in the first or the second block
        QVERIFY(broken.number("overflow_rows") > 0.005);
        QCOMPARE(broken.notes.size(), std::size_t{1});
        QVERIFY(broken.notes[0].find("NaN") == 0);
        QVERIFY(broken.notes[0].find("first in blocks.") != std::string::npos);
        QVERIFY(broken.notes[0].find(".attn.hook_pattern") != std::string::npos);
        QCOMPARE(fixed.number("overflow_rows"), 0.0);
        QVERIFY(fixed.notes.empty());
        QVERIFY(result.conclusion.find("overflow to NaN") != std::string::npos);
    }

    void withoutTheEmbeddingScaleWordsDrown()
    {
        const auto result =
            runSmall(smaller("embedding-scale", R"({"steps": 200, "data": {"bytes": 800000}})"));
        const VariantResult& broken = result.variant("unscaled");
        const VariantResult& fixed = result.variant("scaled");
        QVERIFY(broken.number("validation_loss") > 1.3 * fixed.number("validation_loss"));
        // sinusoids of 128 channels have the norm 8; embeddings start about 1 or sqrt(128) long
        QVERIFY(std::abs(fixed.number("words_to_positions") / broken.number("words_to_positions") /
                             std::sqrt(128.0) -
                         1.0) < 1e-3);
        QVERIFY(std::abs(fixed.number("words_to_positions") - std::sqrt(2.0)) < 0.15);
    }

    void runsAreOrdinaryDirectoriesAndTakeTurns()
    {
        const QTemporaryDir folder;
        const Experiment experiment = smaller("positions-missing", kTiny);
        std::vector<std::size_t> turns;
        double last = 0.0;
        ExperimentSettings settings = onCpu();
        settings.progress = [&](const ExperimentProgress& progress) {
            QVERIFY(progress.done >= last && progress.done <= 1.0);
            last = progress.done;
            if (progress.line != nullptr)
                turns.push_back(progress.variant);
            QCOMPARE(progress.what.empty(), progress.line != nullptr);
        };
        const auto result = runExperiment(experiment, in(folder, "run"), settings);
        QCOMPARE(last, 1.0);
        QCOMPARE(turns, (std::vector<std::size_t>{0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2, 0, 1, 2}));
        for (const ExperimentVariant& variant : experiment.variants) {
            const auto run = variantFolder(in(folder, "run"), variant);
            QCOMPARE(RunCurves::read(run).lines.size(), std::size_t{5});
            QVERIFY(RunLibrary::summary(run).state == RunSummary::State::Finished);
        }
        const auto again = loadExperimentResult(in(folder, "run"));
        QVERIFY(again && toJson(*again) == toJson(result));
        settings.progress = [](const ExperimentProgress&) { QFAIL("a finished one ran again"); };
        QVERIFY(toJson(runExperiment(experiment, in(folder, "run"), settings)) == toJson(result));
    }

    void aStoppedExperimentGoesOnToTheSameNumbers()
    {
        const QTemporaryDir folder;
        const Experiment experiment = smaller("positions-missing", kTiny);
        const auto whole = runExperiment(experiment, in(folder, "whole"), onCpu());
        std::stop_source source;
        ExperimentSettings settings = onCpu();
        settings.progress = [&](const ExperimentProgress& progress) {
            if (progress.line != nullptr && progress.line->report.step == 15)
                source.request_stop();
        };
        QVERIFY_EXCEPTION_THROWN(
            runExperiment(experiment, in(folder, "parts"), settings, source.get_token()),
            Cancelled);
        QVERIFY(!loadExperimentResult(in(folder, "parts")));
        const auto parts = runExperiment(experiment, in(folder, "parts"), onCpu());
        QVERIFY(toJson(parts) == toJson(whole));
    }

    void aVariantThatDivergesIsAResult()
    {
        Experiment experiment = smaller("positions-missing", kTiny);
        experiment.variants[0].config.optimizer.learningRate = 1e30;
        experiment.variants[0].config.optimizer.weightDecay = 0.0;
        const auto result = runSmall(experiment);
        QVERIFY(result.variants[0].problem.find("diverged") != std::string::npos);
        QVERIFY(result.variants[1].problem.empty());
        QVERIFY(result.conclusion.find("diverged") != std::string::npos);
    }

    void foldersOfSomethingElseAreLeftAlone()
    {
        const QTemporaryDir folder;
        const Experiment experiment = smaller("positions-missing", kTiny);
        QVERIFY(QDir(folder.path()).mkpath("other/thing"));
        QVERIFY_EXCEPTION_THROWN(runExperiment(experiment, in(folder, "other"), onCpu()), Error);
        runExperiment(experiment, in(folder, "run"), onCpu());
        QVERIFY_EXCEPTION_THROWN(
            runExperiment(catalogueExperiment("mask-missing"), in(folder, "run"), onCpu()), Error);
        QFile damaged(folder.filePath("run/result.json"));
        QVERIFY(damaged.open(QIODevice::WriteOnly));
        damaged.write("{\"experiment\": 5}");
        damaged.close();
        QVERIFY_EXCEPTION_THROWN(loadExperimentResult(in(folder, "run")), FormatError);
    }

    void conclusionsNeedTheirNumbersAndAdmitWhatDidNotShow()
    {
        const Experiment& experiment = catalogueExperiment("positions-missing");
        ExperimentResult result;
        QVERIFY_EXCEPTION_THROWN(conclusionOf(experiment, result), Error);
        for (const char* name : {"no-positions", "positions", "mask-alone"})
            result.variants.push_back({name, name, {{"accuracy", 0.5}}, {}, {}, {}, {}});
        QVERIFY(conclusionOf(experiment, result).find("did not show") != std::string::npos);
        result.variants[1].numbers[0].value = 0.987;
        const std::string shown = conclusionOf(experiment, result);
        QVERIFY(shown.find("Without positions 50 %") == 0);
        QVERIFY(shown.find("99 %") != std::string::npos);
    }
};

HEADSCOPE_TEST(TstExperiments)
#include "tst_experiments.moc"
