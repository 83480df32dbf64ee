// labels: golden
#include "core/model/config/model_config_json.h"
#include "core/model/config/presets.h"
#include "core/model/config/size_report.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/model/weights/parameters.h"
#include "core/model/weights/running_statistics.h"
#include "tests/support/golden.h"
#include "tests/support/model_kinds.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <map>

using namespace headscope;
using namespace headscope::test;

namespace {

ModelConfig block512()
{
    ModelConfig config;
    config.vocabularySize = 1;
    config.dModel = 512;
    config.heads = 8;
    config.dFf = 2048;
    config.layers = 1;
    return config;
}

ModelConfig cacheOf(std::int64_t layers, std::int64_t keyHeads, std::int64_t channels)
{
    ModelConfig config;
    config.vocabularySize = 1;
    config.heads = 64 * keyHeads; // any multiple: queries are not kept
    config.keyHeads = keyHeads;
    config.headDimension = channels;
    config.layers = layers;
    return config;
}

/// By what the names of the parameters say.
std::string partOf(const std::string& name)
{
    const auto has = [&](const char* text) { return name.find(text) != std::string::npos; };
    if (has("q_norm") || has("kv_norm") || has("attn.") || has(".cross."))
        return "attention";
    if (name.starts_with("head.") || has("pooler") || has("next_sentence"))
        return "heads";
    if (has("emb.") && !has("ln_emb"))
        return "embeddings";
    if (has("emb_proj") || has("rel_bias"))
        return "embeddings";
    return has("ln") ? "norms" : "feed-forward";
}

} // namespace

class TstSizeReport : public QObject
{
    Q_OBJECT

private slots:
    void aBlockIsCountedExactly();
    void partsAreThoseOfTheLayout_data();
    void partsAreThoseOfTheLayout();
    void aTokenUsesFewerParametersThanExpertsHave();
    void cachesAreGoldenBytes();
    void cachesOfTheKeyNumbers_data();
    void cachesOfTheKeyNumbers();
    void aLatentCacheKeepsOneLatentAToken();
    void cachesOfTwoStacksAreTheDecoders();
    void trainingKeepsGradientsAWorkerAndTwoMoments();
    void absurdNumbersAreRefused();
};

void TstSizeReport::aBlockIsCountedExactly()
{
    QCOMPARE(sizeReport(block512()).block, std::int64_t{3152384});
    ModelConfig both = block512();
    both.architecture = Architecture::EncoderDecoder;
    QCOMPARE(sizeReport(both).block, std::int64_t{3152384});
    QCOMPARE(sizeReport(both).decoderBlock, std::int64_t{4204032});
}

void TstSizeReport::partsAreThoseOfTheLayout_data()
{
    QTest::addColumn<QString>("kind");
    for (const auto& [name, config] : modelKinds())
        QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

void TstSizeReport::partsAreThoseOfTheLayout()
{
    QFETCH(QString, kind);
    const auto kinds = modelKinds();
    const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const auto& entry) {
        return entry.first == kind.toStdString();
    });
    std::map<std::string, std::int64_t> parts;
    std::int64_t block = 0;
    std::int64_t decoderBlock = 0;
    for (const ParameterSpec& spec : parameterLayout(found->second)) {
        if (isRunningStatistic(spec.name))
            continue; // no parameters
        const std::int64_t count = spec.shape.elementCount();
        parts[spec.name.starts_with("head.ln.") ? "heads" : partOf(spec.name)] += count;
        if (spec.name.starts_with("h.0.") || spec.name.starts_with("enc.0."))
            block += count;
        if (spec.name.starts_with("dec.0."))
            decoderBlock += count;
    }
    const SizeReport report = sizeReport(found->second);
    QCOMPARE(report.embeddings, parts["embeddings"]);
    QCOMPARE(report.attention, parts["attention"]);
    QCOMPARE(report.feedForward, parts["feed-forward"]);
    QCOMPARE(report.norms, parts["norms"]);
    QCOMPARE(report.heads, parts["heads"]);
    QCOMPARE(report.total(), parameterCount(found->second));
    QCOMPARE(report.decoderBlock, decoderBlock);
    if (found->second.layers > 0)
        QCOMPARE(report.block, block);
}

void TstSizeReport::aTokenUsesFewerParametersThanExpertsHave()
{
    ModelConfig config = block512();
    QCOMPARE(sizeReport(config).active, sizeReport(config).total());
    config.experts = {8, 2, 0.01};
    config.layers = 3;
    const std::int64_t expert = 2 * 512 * 2048 + 2048 + 512;
    QCOMPARE(sizeReport(config).active, sizeReport(config).total() - 3 * 6 * expert);
}

void TstSizeReport::cachesAreGoldenBytes()
{
    const auto path = goldenDir() / "ops" / "schedules_and_sizes.json";
    const nlohmann::json golden = parseJson(readFile(path, 1 << 20), path.string());
    const nlohmann::json& cases = golden.at("kv_cache_bytes").at("cases");
    QVERIFY(cases.size() >= 6);
    for (const nlohmann::json& one : cases) {
        const ModelConfig config = cacheOf(one.at("layers"), one.at("kv_heads"), one.at("d_head"));
        QCOMPARE(kvCacheBytes(config, one.at("tokens"), one.at("bytes_per_value")) *
                     one.at("batch").get<std::int64_t>(),
                 one.at("bytes").get<std::int64_t>());
    }
}

void TstSizeReport::cachesOfTheKeyNumbers_data()
{
    QTest::addColumn<QString>("attention");
    QTest::addColumn<qint64>("keyHeads");
    QTest::addColumn<qint64>("expected");
    QTest::newRow("64 key heads") << "mha" << qint64{64} << qint64{10737418240};
    QTest::newRow("8 key heads") << "gqa" << qint64{8} << qint64{1342177280};
    QTest::newRow("1 key head") << "mqa" << qint64{1} << qint64{167772160};
}

/// Llama-3 70B's 80 layers with d_k 128, 4096 tokens, 2 bytes a value.
void TstSizeReport::cachesOfTheKeyNumbers()
{
    QFETCH(QString, attention);
    QFETCH(qint64, keyHeads);
    QFETCH(qint64, expected);
    const nlohmann::json json{
        {"preset", "llama3-70b"}, {"attention", attention.toStdString()}, {"n_kv_heads", keyHeads}};
    const ModelConfig config = modelConfigFromJson(json, "table");
    QCOMPARE(config.headDim(), std::int64_t{128});
    QCOMPARE(static_cast<qint64>(kvCacheBytes(config, 4096, 2)), expected);
}

void TstSizeReport::aLatentCacheKeepsOneLatentAToken()
{
    ModelConfig config = block512();
    config.layers = 3;
    config.positions = Positions::Rope;
    config.latent = {128, 0, 16, 64, 64};
    QCOMPARE(kvCacheBytes(config, 100, 2), std::int64_t{(128 + 16) * 3 * 100 * 2});
}

void TstSizeReport::cachesOfTwoStacksAreTheDecoders()
{
    ModelConfig config = block512();
    config.architecture = Architecture::EncoderDecoder;
    config.decoderLayers = 5;
    QCOMPARE(kvCacheBytes(config, 7, 4), std::int64_t{2 * 5 * 7 * 512 * 4});
    config.decoderLayers = 0;
    config.architecture = Architecture::Encoder;
    QCOMPARE(kvCacheBytes(config, 7, 4), std::int64_t{0});
}

void TstSizeReport::trainingKeepsGradientsAWorkerAndTwoMoments()
{
    const std::int64_t weights = sizeReport(block512()).total() * 4;
    QCOMPARE(trainingBytes(block512(), 1), 4 * weights);
    QCOMPARE(trainingBytes(block512(), 8), 11 * weights);
    QCOMPARE(trainingBytes(presetConfig("gpt3"), 1), std::int64_t{16 * 174604259328});
}

void TstSizeReport::absurdNumbersAreRefused()
{
    QVERIFY_EXCEPTION_THROWN(kvCacheBytes(block512(), -1, 2), Error);
    QVERIFY_EXCEPTION_THROWN(kvCacheBytes(block512(), std::int64_t{1} << 40, 2), Error);
    QVERIFY_EXCEPTION_THROWN(kvCacheBytes(block512(), 1, 0), Error);
    QVERIFY_EXCEPTION_THROWN(trainingBytes(block512(), 0), Error);
    QVERIFY_EXCEPTION_THROWN(sizeReport(ModelConfig{}), Error); // no vocabulary yet
}

HEADSCOPE_TEST(TstSizeReport)
#include "tst_size_report.moc"
