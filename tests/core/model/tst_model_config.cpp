#include "core/model/model_config.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/model/kv_cache.h"
#include "core/model/parameters.h"

#include <QTest>

#include <set>

using namespace headscope;

namespace {

ModelConfig miniGpt(std::int64_t vocabulary)
{
    ModelConfig config;
    config.vocabularySize = vocabulary;
    config.dModel = 256;
    config.heads = 8;
    config.layers = 6;
    config.maxLen = 512;
    config.dFf = 1024;
    return config;
}

std::string messageOf(const std::string& json)
{
    try {
        modelConfigFromJson(parseJson(json, "run.json"), "run.json");
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

} // namespace

class TstModelConfig : public QObject
{
    Q_OBJECT

private slots:
    void parameterCountIsExact_data();
    void parameterCountIsExact();
    void jsonGoesBothWays();
    void missingKeysKeepTheirDefaults();
    void badJsonIsRefusedInOneSentence_data();
    void badJsonIsRefusedInOneSentence();
    void fieldsAreChecked();
    void fusedParametersLieTogether();
    void parametersDoNotOverlap();
    void unknownParameterIsNamed();
    void cacheForgetsFromTheEnd();
};

void TstModelConfig::parameterCountIsExact_data()
{
    QTest::addColumn<qint64>("vocabulary");
    QTest::addColumn<qint64>("expected");
    QTest::newRow("one token") << qint64{1} << qint64{4870144 + 256};
    QTest::newRow("2048 tokens") << qint64{2048} << qint64{5394432};
}

void TstModelConfig::parameterCountIsExact()
{
    QFETCH(qint64, vocabulary);
    QFETCH(qint64, expected);
    ModelConfig config = miniGpt(vocabulary);
    QCOMPARE(static_cast<qint64>(parameterCount(config)), expected);
    QCOMPARE(static_cast<qint64>(ParameterSet(config).parameterCount()), expected);
    config.tieEmbeddings = false;
    QCOMPARE(static_cast<qint64>(parameterCount(config)), expected + 256 * vocabulary);
    config.positions = Positions::Sinusoidal;
    QCOMPARE(static_cast<qint64>(parameterCount(config)), expected + 256 * vocabulary - 512 * 256);
}

void TstModelConfig::jsonGoesBothWays()
{
    ModelConfig config = miniGpt(321);
    config.positions = Positions::Sinusoidal;
    config.activation = Activation::GeluTanh;
    config.initialisation = Initialisation::FanIn;
    config.dropout = 0.1;
    config.tieEmbeddings = false;
    config.embeddingScale = 16.0;
    config.normEpsilon = 1e-6;
    config.initStd = 0.125;
    config.sinusoidalBase = 100.0;
    QVERIFY(modelConfigFromJson(parseJson(toJson(config).dump(), "x"), "x") == config);
}

void TstModelConfig::missingKeysKeepTheirDefaults()
{
    QVERIFY(modelConfigFromJson(nlohmann::json::object(), "x") == ModelConfig{});
    const ModelConfig config = modelConfigFromJson(parseJson(R"({"d_model": 64})", "x"), "x");
    QCOMPARE(config.dFf, std::int64_t{256});
    QCOMPARE(config.vocabularySize, std::int64_t{0});
}

void TstModelConfig::badJsonIsRefusedInOneSentence_data()
{
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("mentions");
    QTest::newRow("unknown key") << R"({"n_head": 8})"
                                 << "n_heads";
    QTest::newRow("no object") << R"([1])"
                               << "object";
    QTest::newRow("string for a number") << R"({"d_model": "64"})"
                                         << "d_model";
    QTest::newRow("negative") << R"({"n_layers": -1})"
                              << "n_layers";
    QTest::newRow("fraction") << R"({"d_model": 64.5})"
                              << "d_model";
    QTest::newRow("beyond 64 bits") << R"({"max_len": 18446744073709551615})"
                                    << "max_len";
    QTest::newRow("overflowing product") << R"({"vocab_size": 16000000, "d_model": 131072})"
                                         << "parameters";
    QTest::newRow("huge cache")
        << R"({"d_model": 2048, "max_len": 1048576, "n_layers": 1, "positions": "none"})"
        << "positions";
    QTest::newRow("heads do not divide") << R"({"d_model": 64, "n_heads": 7})"
                                         << "divide";
    QTest::newRow("other key heads") << R"({"n_heads": 8, "n_kv_heads": 2})"
                                     << "n_kv_heads";
    QTest::newRow("near name") << R"({"activation": "gelu_tan"})"
                               << "gelu_tanh";
    QTest::newRow("other norm") << R"({"norm": "rms"})"
                                << "layer";
    QTest::newRow("other architecture") << R"({"architecture": "bert"})"
                                        << "gpt";
    QTest::newRow("dropout of 1") << R"({"dropout": 1.0})"
                                  << "dropout";
    QTest::newRow("null") << R"({"positions": null})"
                          << "positions";
    QTest::newRow("number for a truth") << R"({"tie_embeddings": 1})"
                                        << "tie_embeddings";
    QTest::newRow("number too large for any type") << R"({"init_std": 1e400})"
                                                   << "run.json";
}

void TstModelConfig::badJsonIsRefusedInOneSentence()
{
    QFETCH(QString, json);
    QFETCH(QString, mentions);
    const std::string message = messageOf(json.toStdString());
    QVERIFY2(message.find(mentions.toStdString()) != std::string::npos, message.c_str());
    QVERIFY2(message.find("run.json") != std::string::npos, message.c_str());
    QVERIFY(message.find('\n') == std::string::npos);
}

void TstModelConfig::fieldsAreChecked()
{
    const auto refused = [](auto change) {
        ModelConfig config = miniGpt(10);
        change(config);
        try {
            config.validate();
        } catch (const Error&) {
            return true;
        }
        return false;
    };
    QVERIFY(!refused([](ModelConfig&) {}));
    QVERIFY(refused([](ModelConfig& c) { c.vocabularySize = 0; }));
    QVERIFY(refused([](ModelConfig& c) { c.heads = 0; }));
    QVERIFY(refused([](ModelConfig& c) { c.maxLen = std::int64_t{1} << 62; }));
    QVERIFY(refused([](ModelConfig& c) { c.normEpsilon = 0.0; }));
    QVERIFY(refused([](ModelConfig& c) { c.initStd = std::numeric_limits<double>::quiet_NaN(); }));
    QVERIFY(refused([](ModelConfig& c) {
        c.positions = Positions::Sinusoidal;
        c.dModel = 33;
        c.heads = 3;
    }));
}

void TstModelConfig::fusedParametersLieTogether()
{
    const ParameterSet parameters(miniGpt(7));
    const auto at = [&](const char* name) { return parameters.view(name).data; };
    QCOMPARE(at("h.3.attn.k.weight") - at("h.3.attn.q.weight"), std::ptrdiff_t{256 * 256});
    QCOMPARE(at("h.3.attn.v.weight") - at("h.3.attn.k.weight"), std::ptrdiff_t{256 * 256});
    QCOMPARE(at("h.3.attn.v.bias") - at("h.3.attn.q.bias"), std::ptrdiff_t{512});
    QCOMPARE(reinterpret_cast<std::uintptr_t>(at("h.3.attn.q.weight")) % 64, std::uintptr_t{0});
}

void TstModelConfig::parametersDoNotOverlap()
{
    ModelConfig config = miniGpt(7);
    config.dModel = 24; // nothing fills a cache line by itself
    config.dFf = 40;
    config.tieEmbeddings = false;
    std::size_t end = 0;
    std::set<std::string> names;
    for (const ParameterSpec& spec : parameterLayout(config)) {
        QVERIFY(spec.offset >= end);
        end = spec.offset + static_cast<std::size_t>(spec.shape.elementCount());
        QVERIFY(names.insert(spec.name).second);
    }
    QVERIFY(ParameterSet(config).values().size() >= end);
    QVERIFY(names.contains("h.5.fc2.bias") && names.contains("head.weight"));
}

void TstModelConfig::unknownParameterIsNamed()
{
    const ParameterSet parameters(miniGpt(7));
    try {
        parameters.view("h.6.ln1.weight");
        QFAIL("an unknown parameter was found");
    } catch (const ShapeError& error) {
        QVERIFY(std::string(error.what()).find("h.6.ln1.weight") != std::string::npos);
    }
}

void TstModelConfig::cacheForgetsFromTheEnd()
{
    const ModelConfig config = miniGpt(7);
    KvCache cache(config);
    cache.grow(5);
    cache.truncate(3);
    QCOMPARE(cache.size(), std::int64_t{3});
    QVERIFY_EXCEPTION_THROWN(cache.truncate(4), ShapeError);
    QVERIFY_EXCEPTION_THROWN(cache.truncate(-1), ShapeError);
    QVERIFY(cache.keys(5).shape == (Shape{8, 512, 32}));
    ModelConfig other = config;
    other.maxLen = 511;
    QVERIFY(cache.fits(config) && !cache.fits(other));
}

QTEST_GUILESS_MAIN(TstModelConfig)
#include "tst_model_config.moc"
