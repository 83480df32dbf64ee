#include "core/experiments/builtin_texts.h"
#include "core/experiments/conclusions.h"
#include "core/experiments/experiment_file.h"
#include "core/experiments/stream_measures.h"
#include "core/experiments/variant_groups.h"
#include "tests/core/experiments/small_experiment.h"
#include "tests/support/test_program.h"

#include <algorithm>

using namespace headscope;
using test::runSmall;
using test::smaller;

namespace {

/// Results of an experiment whose variants' losses are given by group, seed after seed.
ExperimentResult resultOf(const Experiment& experiment,
                          const std::vector<std::vector<double>>& losses,
                          const std::vector<std::vector<ExperimentNumber>>& numbers)
{
    ExperimentResult result;
    result.experiment = experiment.name;
    std::size_t index = 0;
    for (std::size_t group = 0; group < losses.size(); ++group) {
        for (const double loss : losses[group]) {
            VariantResult variant;
            variant.name = experiment.variants[index++].name;
            variant.numbers = numbers[group];
            variant.numbers.push_back({"validation_loss", loss});
            result.variants.push_back(std::move(variant));
        }
    }
    return result;
}

std::vector<double> five(double loss, double spread = 0.01)
{
    return {loss - spread, loss, loss + spread, loss, loss};
}

std::string headConclusion(const std::vector<std::vector<double>>& losses)
{
    const Experiment& experiment = catalogueExperiment("head-count");
    std::vector<std::vector<ExperimentNumber>> numbers;
    for (const double heads : {1.0, 2.0, 4.0, 8.0, 16.0})
        numbers.push_back({{"heads", heads}, {"head_channels", 64.0 / heads}});
    return conclusionOf(experiment, resultOf(experiment, losses, numbers));
}

std::string cacheConclusion(double gqa, double mqa, double mla)
{
    const Experiment& experiment = catalogueExperiment("shared-heads");
    std::vector<std::vector<ExperimentNumber>> numbers;
    for (const double bytes : {512.0, 128.0, 64.0, 32.0})
        numbers.push_back({{"cache_bytes", bytes}});
    return conclusionOf(
        experiment, resultOf(experiment, {five(2.0), five(gqa), five(mqa), five(mla)}, numbers));
}

bool has(const std::string& text, const char* part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

/// Experiments on parts of the model: residual connections, norms, heads, caches.
class TstExperimentsOfModels : public QObject
{
    Q_OBJECT

private slots:

    void withoutResidualConnectionsTokensBecomeAlike()
    {
        const auto result =
            runSmall(smaller("residuals-off", R"({"steps": 120, "data": {"bytes": 300000},
                                   "model": {"d_model": 32, "d_ff": 64}})"));
        const VariantResult& off = result.variant("off");
        const VariantResult& on = result.variant("on");
        QVERIFY(off.number("validation_loss") > 1.05 * on.number("validation_loss"));
        QVERIFY(off.number("start_likeness") > 0.9);
        QVERIFY(off.number("start_likeness") > on.number("start_likeness") + 0.1);
        QCOMPARE(off.curve("stream_norms").y.size(), std::size_t{9});
        QCOMPARE(off.curve("stream_norms").y.back(), off.number("stream_last"));
        QVERIFY(has(result.conclusion, "keep residual connections"));
    }

    void onlyBatchNormDependsOnTheBatch()
    {
        const Experiment experiment =
            smaller("batch-norm", R"({"steps": 80, "data": {"bytes": 300000},
                                      "model": {"d_model": 32, "d_ff": 64}})");
        const auto result = runSmall(experiment);
        const VariantResult& layer = result.variant("layer");
        for (const char* name : {"neighbour_change", "padding_change", "short_change"})
            QVERIFY(std::abs(layer.number(name)) < 1e-6);
        QVERIFY(std::abs(layer.number("alone_loss") - layer.number("batch_loss")) < 1e-6);
        QVERIFY(std::abs(layer.number("use_loss") - layer.number("batch_loss")) < 1e-6);
        for (const char* batch : {"batch-2", "batch-16"}) {
            const VariantResult& variant = result.variant(batch);
            QVERIFY(variant.number("neighbour_change") > 0.005);
            QVERIFY(variant.number("padding_change") > 0.05);
            QVERIFY(variant.number("short_change") > 0.05);
            QVERIFY(std::abs(variant.number("alone_loss") - variant.number("batch_loss")) > 0.01);
            QVERIFY(std::abs(variant.number("use_loss") - variant.number("batch_loss")) > 1e-4);
        }
        QVERIFY(has(result.conclusion, "of 4 drawbacks of BatchNorm show here"));
        QVERIFY(toJson(runSmall(experiment)) == toJson(result)); // to the bit
    }

    void theConclusionCountsTheDrawbacksThatShow()
    {
        const Experiment& experiment = catalogueExperiment("batch-norm");
        const std::vector<ExperimentNumber> none{
            {"use_loss", 2.0},     {"batch_loss", 2.0},       {"alone_loss", 2.0},
            {"short_change", 0.0}, {"neighbour_change", 0.0}, {"padding_change", 0.0}};
        auto numbers = std::vector{none, none, none};
        const auto conclusion = [&] {
            return conclusionOf(experiment, resultOf(experiment, {{2.0}, {2.0}, {2.0}}, numbers));
        };
        QVERIFY(conclusion().starts_with("0 of 4 drawbacks"));
        QVERIFY(has(conclusion(), "does not matter here"));
        numbers[2][2].value = 2.4; // alone_loss of the whole batch's model
        numbers[2][5].value = 0.7;
        QVERIFY(conclusion().starts_with("2 of 4 drawbacks"));
        QVERIFY(has(conclusion(), "normalise tokens"));
    }

    void moreHeadsAreJudgedByTheSeeds()
    {
        const auto same = five(2.0);
        QVERIFY(
            has(headConclusion({same, same, five(1.5), same, five(2.5)}), "more is not better"));
        QVERIFY(has(headConclusion({same, same, five(1.99, 0.4), same, five(2.0, 0.01)}),
                    "neither help nor hurt"));
        QVERIFY(has(headConclusion({same, same, same, same, five(1.5)}), "not worse"));
        QVERIFY(has(headConclusion({same, same, five(1.5), same, five(2.5)}),
                    "1.500 \u00B1 0.007 (mean and spread over 5 seeds), with n_heads = 4"));
    }

    void theCheapestCacheThatLosesNothingIsNamed()
    {
        QVERIFY(has(cacheConclusion(2.5, 2.5, 2.5), "every smaller cache costs quality"));
        QVERIFY(has(cacheConclusion(2.0, 2.5, 2.5), "GQA, 2 groups has 25 % of MHA's cache"));
        QVERIFY(has(cacheConclusion(2.0, 1.9, 2.5), "MQA has 12 %"));
        QVERIFY(has(cacheConclusion(2.5, 2.5, 2.0), "MLA, latent of 16 has 6 %"));
        QVERIFY(has(cacheConclusion(2.5, 2.5, 2.5), "2.000 \u00B1 0.007 (512 bytes) with MHA"));
    }

    /// Differences 1, 2 and 3 have the mean 2 and the standard error 1 / sqrt(3); t is 4.303.
    void groupsDifferByStudentsTest()
    {
        std::vector<VariantResult> results(6);
        const double values[] = {1.0, 2.0, 3.0, 2.0, 4.0, 6.0};
        for (std::size_t i = 0; i < 6; ++i)
            results[i].numbers = {{"x", values[i]}};
        const VariantGroup one{"a", "A", {&results[0], &results[1], &results[2]}};
        const VariantGroup other{"b", "B", {&results[3], &results[4], &results[5]}};
        QCOMPARE(one.mean("x"), 2.0);
        QCOMPARE(one.spread("x"), 1.0);
        QCOMPARE(other.spread("x"), 2.0);
        QVERIFY(!differ(one, other, "x")); // 2 < 4.303 / sqrt(3)
        results[5].numbers[0].value = 5.0; // differences 1, 2, 2: mean 5 / 3, error 1 / 3
        QVERIFY(differ(one, other, "x"));
        QVERIFY(!one.has("y"));
        const VariantGroup single{"c", "C", {&results[0]}};
        QCOMPARE(single.spread("x"), 0.0);
        QVERIFY(!differ(single, single, "x"));
    }

    void everySeedIsAVariantOfItsGroup()
    {
        const Experiment& experiment = catalogueExperiment("shared-heads");
        QCOMPARE(experiment.variants.size(), std::size_t{20});
        QCOMPARE(experiment.variants[6].name, std::string("gqa-2"));
        QCOMPARE(experiment.variants[6].label, std::string("GQA, 2 groups, seed 2"));
        QCOMPARE(experiment.variants[6].group, std::string("gqa"));
        QCOMPARE(experiment.variants[6].groupLabel, std::string("GQA, 2 groups"));
        QCOMPARE(experiment.variants[6].config.seed, std::uint64_t{2});
        std::string text(builtinText(builtinExperiments(), "shared-heads"));
        const std::string seeds = "\"seeds\": [1, 2, 3, 4, 5]";
        text.replace(text.find(seeds), seeds.size(), "\"seeds\": [1, -2]");
        QVERIFY_EXCEPTION_THROWN(parseExperiment("shared-heads", text), FormatError);
    }

    void theMeanCosineIsOverPairs()
    {
        Tensor rows({3, 2});
        const float values[] = {2.0F, 0.0F, 0.0F, 5.0F, 3.0F, 3.0F};
        std::copy_n(values, 6, rows.data());
        QVERIFY(std::abs(meanCosine(rows.view()) - 2.0 / std::sqrt(2.0) / 3.0) < 1e-6);
        std::fill_n(rows.data(), 6, 1.0F);
        QVERIFY(std::abs(meanCosine(rows.view()) - 1.0) < 1e-6);
    }
};

HEADSCOPE_TEST(TstExperimentsOfModels)
#include "tst_experiments_of_models.moc"
