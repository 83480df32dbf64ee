#include "core/model/config/model_config.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/model/config/model_config_json.h"
#include "tests/support/model_kinds.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;
using namespace headscope::test;

namespace {

ModelConfig read(const std::string& json)
{
    return modelConfigFromJson(parseJson(json, "run.json"), "run.json");
}

} // namespace

class TstModelConfig : public QObject
{
    Q_OBJECT

private slots:
    void everyKindGoesThroughAFile_data();
    void everyKindGoesThroughAFile();
    void everyFieldGoesThroughAFile();
    void missingKeysKeepTheirDefaults();
    void oldFilesReadAsTheyDidAndAreWrittenTheSame();
    void everyNameIsRead();
    void nestedSettingsAreRead();
    void attentionSaysHowManyKeyHeads_data();
    void attentionSaysHowManyKeyHeads();
    void equalModelsAreEqual();
    void derivedWidths();
};

void TstModelConfig::everyKindGoesThroughAFile_data()
{
    QTest::addColumn<QString>("kind");
    for (const auto& [name, config] : modelKinds())
        QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

void TstModelConfig::everyKindGoesThroughAFile()
{
    QFETCH(QString, kind);
    for (const auto& [name, config] : modelKinds()) {
        if (QString::fromStdString(name) != kind)
            continue;
        config.validate();
        const std::string text = toJson(config).dump();
        QVERIFY2(read(text) == config, text.c_str());
        QCOMPARE(toJson(read(text)).dump(), text);
    }
}

/// Each number of the structure with a value of its own, so that none is written under the name of
/// another.
void TstModelConfig::everyFieldGoesThroughAFile()
{
    ModelConfig c;
    c.architecture = Architecture::EncoderDecoder;
    c.vocabularySize = 321;
    c.dModel = 96;
    c.heads = 6;
    c.keyHeads = 3;
    c.headDimension = 20;
    c.layers = 4;
    c.decoderLayers = 5;
    c.dFf = 77;
    c.maxLen = 44;
    c.positions = Positions::Rope;
    c.sinusoidalBase = 101.0;
    c.rope = {1001.0, RopeSettings::Layout::Interleaved,
              18,     RopeSettings::Scaling::Dynamic,
              1.5,    33,
              0.75,   4.25,
              31.0,   1.125,
              1.375};
    c.relativeBuckets = 34;
    c.relativeMaxDistance = 99;
    c.activation = Activation::GeGlu;
    c.norm = Norm::StdEps;
    c.normPosition = NormPosition::Post;
    c.normEpsilon = 1e-7;
    c.residual = Residual::None;
    c.embeddingNorm = true;
    c.experts = {5, 3, 0.07};
    c.window = 11;
    c.softCap = 50.5;
    c.causal = false;
    c.scaleScores = false;
    c.bias = false;
    c.queryKeyValueBias = true;
    c.headBias = true;
    c.dropout = 0.11;
    c.attentionDropout = 0.12;
    c.embeddingDropout = 0.13;
    c.tieEmbeddings = false;
    c.shareSourceEmbedding = true;
    c.embeddingScale = 9.75;
    c.headScale = 0.15;
    c.initialisation = Initialisation::FanIn;
    c.initStd = 0.17;
    c.validate();
    QVERIFY(read(toJson(c).dump()) == c);
}

void TstModelConfig::missingKeysKeepTheirDefaults()
{
    QVERIFY(read("{}") == ModelConfig{});
    const ModelConfig config = read(R"({"d_model": 64})");
    QCOMPARE(config.dFf, std::int64_t{256});
    QCOMPARE(config.vocabularySize, std::int64_t{0});
}

void TstModelConfig::oldFilesReadAsTheyDidAndAreWrittenTheSame()
{
    const std::string old =
        R"({"activation":"gelu","architecture":"gpt","attention":"mha","d_ff":0,"d_model":64,)"
        R"("dropout":0.0,"embedding_scale":1.0,"init_from":"fan_in","init_std":0.02,)"
        R"("max_len":128,"n_heads":4,"n_kv_heads":4,"n_layers":2,"norm":"layer",)"
        R"("norm_epsilon":1e-05,"norm_position":"pre","positions":"learned",)"
        R"("sinusoidal_base":10000.0,"tie_embeddings":false,"vocab_size":98})";
    ModelConfig expected;
    expected.dFf = 0;
    expected.dModel = 64;
    expected.heads = 4;
    expected.layers = 2;
    expected.maxLen = 128;
    expected.vocabularySize = 98;
    expected.tieEmbeddings = false;
    expected.initialisation = Initialisation::FanIn;
    QVERIFY(read(old) == expected);
    QCOMPARE(toJson(expected).dump(), old);
}

void TstModelConfig::everyNameIsRead()
{
    QVERIFY(read(R"({"architecture": "gpt"})").architecture == Architecture::Decoder);
    QVERIFY(read(R"({"architecture": "encoder"})").architecture == Architecture::Encoder);
    QVERIFY(read(R"({"architecture": "encoder-decoder"})").architecture ==
            Architecture::EncoderDecoder);
    QVERIFY(read(R"({"norm": "layer"})").norm == Norm::Layer);
    QVERIFY(read(R"({"norm": "rms"})").norm == Norm::Rms);
    QVERIFY(read(R"({"norm": "rms_unit_offset"})").norm == Norm::RmsUnitOffset);
    QVERIFY(read(R"({"norm": "std_eps"})").norm == Norm::StdEps);
    QVERIFY(read(R"({"norm": "batch"})").norm == Norm::Batch);
    QVERIFY(read(R"({"residual": true})").residual == Residual::Sequential);
    QVERIFY(read(R"({"residual": false})").residual == Residual::None);
    QVERIFY(read(R"({"parallel_residual": true})").residual == Residual::Parallel);
    QVERIFY(read(R"({"residual": false, "parallel_residual": false})").residual == Residual::None);
    QVERIFY(read(R"({"norm_position": "post"})").normPosition == NormPosition::Post);
    QVERIFY(read(R"({"activation": "relu"})").activation == Activation::Relu);
    QVERIFY(read(R"({"activation": "gelu"})").activation == Activation::GeluExact);
    QVERIFY(read(R"({"activation": "gelu_tanh"})").activation == Activation::GeluTanh);
    QVERIFY(read(R"({"activation": "swiglu"})").activation == Activation::SwiGlu);
    QVERIFY(read(R"({"activation": "geglu"})").activation == Activation::GeGlu);
    QVERIFY(read(R"({"positions": "none"})").positions == Positions::None);
    QVERIFY(read(R"({"positions": "sinusoidal"})").positions == Positions::Sinusoidal);
    QVERIFY(read(R"({"positions": "learned"})").positions == Positions::Learned);
    QVERIFY(read(R"({"positions": "rope"})").positions == Positions::Rope);
    QVERIFY(read(R"({"positions": "alibi"})").positions == Positions::Alibi);
    QVERIFY(read(R"({"positions": "relative"})").positions == Positions::RelativeBuckets);
}

void TstModelConfig::nestedSettingsAreRead()
{
    const ModelConfig rope = read(R"({"positions": "rope", "rope": {"theta": 500000,
        "layout": "interleaved", "dimensions": 16, "scaling": {"kind": "llama3", "factor": 8,
        "original_max_len": 8192, "low_frequency_factor": 1, "high_frequency_factor": 4}}})");
    QCOMPARE(rope.rope.theta, 500000.0);
    QVERIFY(rope.rope.layout == RopeSettings::Layout::Interleaved);
    QCOMPARE(rope.ropeDimensions(), std::int64_t{16});
    QVERIFY(rope.rope.scaling == RopeSettings::Scaling::Llama3);
    QCOMPARE(rope.rope.factor, 8.0);
    QCOMPARE(rope.rope.originalMaxLen, std::int64_t{8192});
    for (const auto& [name, kind] : {std::pair{"none", RopeSettings::Scaling::None},
                                     std::pair{"linear", RopeSettings::Scaling::Linear},
                                     std::pair{"dynamic", RopeSettings::Scaling::Dynamic},
                                     std::pair{"yarn", RopeSettings::Scaling::Yarn}})
        QVERIFY(
            read(R"({"rope": {"scaling": {"kind": ")" + std::string(name) + "\"}}}").rope.scaling ==
            kind);
    const ModelConfig experts = read(R"({"experts": {"count": 8, "top_k": 1}})");
    QCOMPARE(experts.experts.count, std::int64_t{8});
    QCOMPARE(experts.experts.topK, std::int64_t{1});
    QCOMPARE(experts.experts.balanceCoefficient, 0.01);
}

void TstModelConfig::attentionSaysHowManyKeyHeads_data()
{
    QTest::addColumn<QString>("json");
    QTest::addColumn<qint64>("keyHeads");
    const auto row = [](const char* json, qint64 keyHeads) {
        QTest::newRow(json) << json << keyHeads;
    };
    row(R"({})", 8);
    row(R"({"attention": "mha"})", 8);
    row(R"({"attention": "mha", "n_kv_heads": 8})", 8);
    row(R"({"attention": "gqa", "n_kv_heads": 2})", 2);
    row(R"({"n_kv_heads": 4})", 4);
    row(R"({"attention": "mqa"})", 1);
    row(R"({"attention": "mqa", "n_kv_heads": 1})", 1);
    row(R"({"attention": "mqa", "n_heads": 1})", 1);
    row(R"({"attention": "mla", "n_heads": 4,
            "mla": {"kv_rank": 32, "nope_dim": 16, "value_dim": 16}})",
        4);
    row(R"({"n_heads": 4, "mla": {"kv_rank": 32, "nope_dim": 16, "value_dim": 16}})", 4);
}

void TstModelConfig::attentionSaysHowManyKeyHeads()
{
    QFETCH(QString, json);
    QFETCH(qint64, keyHeads);
    const ModelConfig config = read(json.toStdString());
    QCOMPARE(static_cast<qint64>(config.keyHeadCount()), keyHeads);
    QCOMPARE(config.isLatent(), json.contains("kv_rank"));
}

void TstModelConfig::equalModelsAreEqual()
{
    QVERIFY(read(R"({"n_heads": 4, "n_kv_heads": 4})") == read(R"({"n_heads": 4})"));
    ModelConfig config;
    config.vocabularySize = 10;
    config.keyHeads = config.heads;
    QCOMPARE(read(toJson(config).dump()).keyHeads, std::int64_t{0});
}

void TstModelConfig::derivedWidths()
{
    ModelConfig config;
    QCOMPARE(config.queryDim(), std::int64_t{32});
    QCOMPARE(config.valueDim(), std::int64_t{32});
    QCOMPARE(config.ropeDimensions(), std::int64_t{0});
    config.positions = Positions::Rope;
    QCOMPARE(config.ropeDimensions(), std::int64_t{32});
    config.rope.dimensions = 8;
    QCOMPARE(config.ropeDimensions(), std::int64_t{8});
    config.latent = {64, 0, 16, 48, 24};
    QCOMPARE(config.queryDim(), std::int64_t{64});
    QCOMPARE(config.valueDim(), std::int64_t{24});
    QCOMPARE(config.ropeDimensions(), std::int64_t{16});
}

HEADSCOPE_TEST(TstModelConfig)
#include "tst_model_config.moc"
