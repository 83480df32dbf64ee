// labels: golden
#include "core/base/error.h"
#include "core/ops/rope.h"
#include "tests/support/test_program.h"
#include "tests/support/tolerances.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>

using namespace headscope;
using namespace headscope::test;

namespace {

using Scaling = RopeSettings::Scaling;

std::vector<double> widened(const Tensor& tensor)
{
    return {tensor.values().begin(), tensor.values().end()};
}

/// The rows of `table` at these positions.
std::vector<float> rowsAt(const Tensor& table, const std::vector<std::int64_t>& positions)
{
    std::vector<float> rows;
    for (const std::int64_t position : positions) {
        const float* const row = &table.view()(position, 0);
        rows.insert(rows.end(), row, row + table.shape()[1]);
    }
    return rows;
}

/// What a config file says about a scaling.
RopeSettings settingsOf(const nlohmann::json& json)
{
    const std::map<std::string, Scaling> scalings{{"linear", Scaling::Linear},
                                                  {"dynamic", Scaling::Dynamic},
                                                  {"yarn", Scaling::Yarn},
                                                  {"llama3", Scaling::Llama3}};
    RopeSettings settings;
    settings.scaling = scalings.at(json.at("rope_type"));
    settings.theta = json.at("rope_theta");
    settings.factor = json.at("factor");
    settings.originalMaxLen = json.value("original_max_position_embeddings",
                                         json.at("max_position_embeddings").get<int>());
    settings.lowFrequencyFactor = json.value("low_freq_factor", settings.lowFrequencyFactor);
    settings.highFrequencyFactor = json.value("high_freq_factor", settings.highFrequencyFactor);
    settings.betaFast = json.value("beta_fast", settings.betaFast);
    settings.betaSlow = json.value("beta_slow", settings.betaSlow);
    return settings;
}

} // namespace

class TstRopeFrequencies : public QObject
{
    Q_OBJECT

private slots:

    void tablesAgreeWithTorch()
    {
        const GoldenFile golden("ops/rope_tables.safetensors");
        const std::vector<std::int64_t> positions = golden.integers("in.positions");
        const std::int64_t r = golden.params().at("R");
        for (const double theta : golden.params().at("theta")) {
            const std::string suffix = "_" + std::to_string(std::llround(theta));
            RopeSettings settings;
            settings.theta = theta;
            HS_COMPARE(ropeInverseFrequencies(settings, r, 1),
                       golden.doubles("out64.inv_freq" + suffix), (Tolerance{0.0, 1e-12}));
            const RopeTable table(settings, r, std::ranges::max(positions) + 1, 1);
            HS_COMPARE(rowsAt(table.cosines, positions), golden.doubles("out64.cos" + suffix),
                       kPositions);
            HS_COMPARE(rowsAt(table.sines, positions), golden.doubles("out64.sin" + suffix),
                       kPositions);
        }
    }

    void longRopeDividesByTheFactorsOfTheLength()
    {
        RopeSettings settings;
        settings.theta = 100.0;
        settings.scaling = RopeSettings::Scaling::LongRope;
        settings.factor = 32.0;
        settings.originalMaxLen = 4096;
        settings.shortFactors = {1.0, 1.5};
        settings.longFactors = {4.0, 8.0};
        const std::vector<double> plain{1.0, 0.1};
        for (const std::int64_t tokens : {1, 4096, 4097, 100000}) {
            const auto& factors = tokens > 4096 ? settings.longFactors : settings.shortFactors;
            const std::vector<double> got = ropeInverseFrequencies(settings, 4, tokens);
            for (std::size_t i = 0; i < 2; ++i)
                QVERIFY(std::abs(got[i] - plain[i] / factors[i]) < 1e-15);
        }
        // sqrt(1 + ln 32 / ln 4096) = sqrt(1 + 5 / 12)
        QVERIFY(std::abs(ropeAttentionFactor(settings) - std::sqrt(17.0 / 12.0)) < 1e-12);
        settings.attentionFactor = 1.25;
        QCOMPARE(ropeAttentionFactor(settings), 1.25);
        settings.longFactors = {4.0};
        QVERIFY_THROWS_EXCEPTION(ShapeError, ropeInverseFrequencies(settings, 4, 1));
        settings.longFactors = {4.0, 0.0};
        QVERIFY_THROWS_EXCEPTION(ShapeError, ropeInverseFrequencies(settings, 4, 1));
    }

    void yarnBlendsBetweenFractionsWhereItDoesNotTruncate()
    {
        RopeSettings settings;
        settings.theta = 150000.0;
        settings.scaling = RopeSettings::Scaling::Yarn;
        settings.factor = 32.0;
        settings.originalMaxLen = 4096;
        const std::vector<double> whole = ropeInverseFrequencies(settings, 64, 1);
        settings.truncates = false;
        const std::vector<double> exact = ropeInverseFrequencies(settings, 64, 1);
        const auto bound = [](double turns) {
            return 64.0 * std::log(4096.0 / (turns * 2.0 * std::numbers::pi)) /
                   (2.0 * std::log(150000.0));
        };
        const double low = bound(32.0);
        const double high = bound(1.0);
        const auto pair = static_cast<std::size_t>(std::ceil(low));
        const double ramp = (static_cast<double>(pair) - low) / (high - low);
        const double plain = std::pow(150000.0, -2.0 * static_cast<double>(pair) / 64.0);
        QVERIFY(std::abs(exact[pair] - plain * (1.0 - ramp + ramp / 32.0)) < 1e-12);
        QVERIFY(exact[pair] != whole[pair]);
    }

    void scaledFrequenciesAgreeWithTransformers()
    {
        const GoldenFile golden("ops/rope_tables.safetensors");
        const nlohmann::json& scaled = golden.params().at("scaled");
        QCOMPARE(scaled.size(), std::size_t(4));
        for (const auto& [name, json] : scaled.items()) {
            const RopeSettings settings = settingsOf(json);
            const std::int64_t tokens =
                json.value("seq_len", json.at("max_position_embeddings").get<int>());
            const std::int64_t r = golden.params().at("R");
            const std::vector<double> frequencies = ropeInverseFrequencies(settings, r, tokens);
            const Tensor expected = golden.tensor("out.scaled_" + name);
            HS_COMPARE(frequencies, widened(expected), (Tolerance{0.0, 2e-6})); // theirs are floats
            const double factor = json.at("attention_factor");
            QVERIFY2(std::abs(ropeAttentionFactor(settings) - factor) < 1e-12, name.c_str());
            const RopeTable table(settings, r, 3, tokens);
            QCOMPARE(table.cosines.view()(0, r / 2 - 1), static_cast<float>(factor));
            QCOMPARE(table.sines.view()(2, 0),
                     static_cast<float>(factor * std::sin(2.0 * frequencies[0])));
        }
    }

    void dynamicScalingStartsBeyondTheOriginalLength()
    {
        RopeSettings settings;
        settings.scaling = Scaling::Dynamic;
        settings.factor = 4.0;
        settings.originalMaxLen = 100;
        const std::vector<double> plain = ropeInverseFrequencies({}, 8, 1);
        QCOMPARE(ropeInverseFrequencies(settings, 8, 100), plain);
        QCOMPARE(ropeInverseFrequencies(settings, 8, 1), plain);
        const std::vector<double> longer = ropeInverseFrequencies(settings, 8, 101);
        QCOMPARE(longer[0], 1.0);
        QVERIFY(longer[3] < plain[3]);
        QCOMPARE(ropeInverseFrequencies(settings, 2, 200), std::vector<double>{1.0});
    }

    void yarnTakesTheGivenAttentionFactor()
    {
        RopeSettings settings;
        settings.scaling = Scaling::Yarn;
        settings.factor = 1.0;
        settings.originalMaxLen = 100;
        QCOMPARE(ropeAttentionFactor(settings), 1.0);
        settings.attentionFactor = 1.25;
        QCOMPARE(ropeAttentionFactor(settings), 1.25);
        QCOMPARE(RopeTable(settings, 4, 1, 1).cosines.view()(0, 1), 1.25F);
        settings.scaling = Scaling::None;
        QCOMPARE(ropeAttentionFactor(settings), 1.0);
    }

    void wrongSettingsAreRefused_data()
    {
        QTest::addColumn<std::function<void(RopeSettings&)>>("spoil");
        using Spoil = std::function<void(RopeSettings&)>;
        const auto row = [](const char* name, const Spoil& spoil) { QTest::newRow(name) << spoil; };
        row("theta of 1", [](RopeSettings& s) { s.theta = 1.0; });
        row("theta of NaN", [](RopeSettings& s) { s.theta = std::nan(""); });
        row("infinite theta", [](RopeSettings& s) { s.theta = HUGE_VAL; });
        row("factor below 1", [](RopeSettings& s) { s.factor = 0.5; });
        row("no original length", [](RopeSettings& s) { s.originalMaxLen = 0; });
        row("yarn's bounds crossed", [](RopeSettings& s) { s.betaFast = 0.5; });
        row("yarn's slow bound of 0", [](RopeSettings& s) { s.betaSlow = 0.0; });
        row("negative attention factor", [](RopeSettings& s) { s.attentionFactor = -1.0; });
        row("llama3's factors equal", [](RopeSettings& s) {
            s.scaling = Scaling::Llama3;
            s.highFrequencyFactor = s.lowFrequencyFactor;
        });
        row("llama3's low factor of 0", [](RopeSettings& s) {
            s.scaling = Scaling::Llama3;
            s.lowFrequencyFactor = 0.0;
        });
    }

    void wrongSettingsAreRefused()
    {
        QFETCH(std::function<void(RopeSettings&)>, spoil);
        RopeSettings settings;
        settings.scaling = Scaling::Yarn;
        settings.factor = 2.0;
        settings.originalMaxLen = 16;
        QCOMPARE(ropeInverseFrequencies(settings, 8, 1).size(), std::size_t(4));
        spoil(settings);
        QVERIFY_EXCEPTION_THROWN(ropeInverseFrequencies(settings, 8, 1), ShapeError);
        QVERIFY_EXCEPTION_THROWN(RopeTable(settings, 8, 4, 4), ShapeError);
    }

    void oddDimensionsAreRefused()
    {
        for (const std::int64_t r : {-2, 0, 1, 7})
            QVERIFY_EXCEPTION_THROWN(ropeInverseFrequencies({}, r, 1), ShapeError);
        QVERIFY_EXCEPTION_THROWN(RopeTable({}, 8, -1, 1), ShapeError);
        try {
            ropeInverseFrequencies({}, 7, 1);
        } catch (const ShapeError& error) {
            QCOMPARE(std::string(error.what()).find("7 channels") != std::string::npos, true);
            QCOMPARE(error.advice(), std::string("Rotate 6"));
        }
    }
};

HEADSCOPE_TEST(TstRopeFrequencies)
#include "tst_rope_frequencies.moc"
