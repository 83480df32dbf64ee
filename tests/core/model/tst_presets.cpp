#include "core/model/config/model_config.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/model/config/model_config_json.h"
#include "core/model/config/presets.h"
#include "core/model/config/size_report.h"
#include "core/model/weights/parameters.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>

using namespace headscope;

namespace {

ModelConfig read(const std::string& json)
{
    return modelConfigFromJson(parseJson(json, "run.json"), "run.json");
}

/// The preset with a vocabulary: some have none before a tokenizer is chosen.
ModelConfig withVocabulary(const std::string& name, std::int64_t otherwise)
{
    ModelConfig config = presetConfig(name);
    if (config.vocabularySize == 0)
        config.vocabularySize = otherwise;
    return config;
}

} // namespace

class TstPresets : public QObject
{
    Q_OBJECT

private slots:
    void sizesAreThePublishedOnes_data();
    void sizesAreThePublishedOnes();
    void separateEmbeddingsAreAChoice();
    void keyNumbersAreTheTables_data();
    void keyNumbersAreTheTables();
    void everyPresetIsValidAndGoesThroughAFile();
    void toysHaveTheMechanismsOfTheirFamilies();
    void toysAreSmallEnoughToTrainAtOnce();
    void unknownNamesGetTheNearest();
    void keysChangeAPreset();
    void sizesFollowTheWidth();
    void nullTakesBack();
};

void TstPresets::sizesAreThePublishedOnes_data()
{
    QTest::addColumn<qint64>("vocabulary");
    QTest::addColumn<qint64>("counted");
    QTest::addColumn<double>("published"); // 0: no publication
    QTest::addColumn<double>("allowed");
    const auto row = [](const char* preset, qint64 vocabulary, qint64 counted, double published,
                        double allowed) {
        QTest::newRow(preset) << vocabulary << counted << published << allowed;
    };
    // table 3 rounds 63.1 M up to 65 M, or counts a larger vocabulary
    row("transformer-base", 37000, 63'119'496, 65e6, 0.03); // Vaswani et al. 2017, table 3
    row("gpt2", 50257, 124'439'808, 124e6, 0.005);       // github.com/openai/gpt-2, which corrects
                                                         // the 117 M of Radford et al. 2019
    row("gpt3", 50257, 174'604'259'328, 175.0e9, 0.005); // Brown et al. 2020, table 2.1
    row("llama3-8b", 128256, 8'030'261'248, 8e9, 0.005); // Grattafiori et al. 2024, table 3
    row("llama3-70b", 128256, 70'553'706'496, 70e9, 0.01); // Grattafiori et al. 2024, table 3
    // sizes of our own
    row("minigpt", 2048, 5'394'432, 0.0, 0.0);
    row("bert-toy", 2048, 711'170, 0.0, 0.0);
    row("gpt2-toy", 2048, 1'071'872, 0.0, 0.0);
    row("llama-toy", 2048, 1'250'432, 0.0, 0.0);
    row("t5-toy", 2048, 1'181'440, 0.0, 0.0);
}

void TstPresets::sizesAreThePublishedOnes()
{
    QFETCH(qint64, vocabulary);
    QFETCH(qint64, counted);
    QFETCH(double, published);
    QFETCH(double, allowed);
    const ModelConfig config = withVocabulary(QTest::currentDataTag(), vocabulary);
    QCOMPARE(static_cast<qint64>(config.vocabularySize), vocabulary);
    QCOMPARE(static_cast<qint64>(sizeReport(config).total()), counted);
    QCOMPARE(static_cast<qint64>(parameterCount(config)), counted);
    const double difference = std::abs(static_cast<double>(counted) - published);
    QVERIFY(published == 0.0 || difference <= allowed * published);
}

void TstPresets::separateEmbeddingsAreAChoice()
{
    const ModelConfig separate = read(R"({"preset": "transformer-base", "tie_embeddings": false})");
    QCOMPARE(sizeReport(separate).total(), std::int64_t{101'007'496});
    QCOMPARE(sizeReport(separate).total() - sizeReport(presetConfig("transformer-base")).total(),
             std::int64_t{2 * 37000 * 512});
}

void TstPresets::keyNumbersAreTheTables_data()
{
    QTest::addColumn<qint64>("layers");
    QTest::addColumn<qint64>("heads");
    QTest::addColumn<qint64>("width");
    QTest::newRow("gpt2") << qint64{12} << qint64{12} << qint64{768};
    QTest::newRow("gpt3") << qint64{96} << qint64{96} << qint64{12288};
    QTest::newRow("llama3-8b") << qint64{32} << qint64{32} << qint64{4096};
    QTest::newRow("llama3-70b") << qint64{80} << qint64{64} << qint64{8192};
    QTest::newRow("transformer-base") << qint64{6} << qint64{8} << qint64{512};
    QTest::newRow("minigpt") << qint64{6} << qint64{8} << qint64{256};
}

void TstPresets::keyNumbersAreTheTables()
{
    QFETCH(qint64, layers);
    QFETCH(qint64, heads);
    QFETCH(qint64, width);
    const ModelConfig config = presetConfig(QTest::currentDataTag());
    QCOMPARE(static_cast<qint64>(config.layers), layers);
    QCOMPARE(static_cast<qint64>(config.heads), heads);
    QCOMPARE(static_cast<qint64>(config.dModel), width);
}

void TstPresets::everyPresetIsValidAndGoesThroughAFile()
{
    QCOMPARE(presetNames().size(), std::size_t{10});
    for (const std::string& name : presetNames()) {
        const ModelConfig config = withVocabulary(name, 100);
        config.validate();
        QVERIFY2(read(toJson(config).dump()) == config, name.c_str());
        QVERIFY2(read("{\"preset\": \"" + name + "\"}") == presetConfig(name), name.c_str());
    }
}

void TstPresets::toysHaveTheMechanismsOfTheirFamilies()
{
    const ModelConfig bert = presetConfig("bert-toy");
    QVERIFY(bert.architecture == Architecture::Encoder && bert.normPosition == NormPosition::Post &&
            bert.nextSentence && bert.headTransform && bert.tokenTypes == 2 && bert.embeddingNorm);
    const ModelConfig gpt = presetConfig("gpt2-toy");
    QVERIFY(gpt.architecture == Architecture::Decoder && gpt.positions == Positions::Learned &&
            gpt.activation == Activation::GeluTanh && gpt.tieEmbeddings);
    const ModelConfig llama = presetConfig("llama-toy");
    QVERIFY(llama.positions == Positions::Rope && llama.norm == Norm::Rms &&
            llama.activation == Activation::SwiGlu && !llama.bias &&
            llama.keyHeadCount() < llama.heads);
    const ModelConfig t5 = presetConfig("t5-toy");
    QVERIFY(t5.isEncoderDecoder() && t5.positions == Positions::RelativeBuckets &&
            t5.norm == Norm::Rms && !t5.scaleScores && t5.tieEmbeddings);
    QCOMPARE(t5.headScale, 1.0 / std::sqrt(static_cast<double>(t5.dModel)));
}

void TstPresets::toysAreSmallEnoughToTrainAtOnce()
{
    for (const char* name : {"bert-toy", "gpt2-toy", "llama-toy", "t5-toy"})
        QVERIFY2(sizeReport(withVocabulary(name, 1000)).total() < 1'500'000, name);
}

void TstPresets::unknownNamesGetTheNearest()
{
    for (const bool fromFile : {false, true}) {
        try {
            fromFile ? read(R"({"preset": "gpt-2"})") : presetConfig("gpt-2");
            QFAIL("an unknown preset was found");
        } catch (const Error& error) {
            const std::string text = error.what();
            QVERIFY2(text.find("\"gpt2\"") != std::string::npos, text.c_str());
        }
    }
}

void TstPresets::keysChangeAPreset()
{
    const ModelConfig config =
        read(R"({"preset": "llama-toy", "n_layers": 1, "attention": "mha"})");
    ModelConfig expected = presetConfig("llama-toy");
    expected.layers = 1;
    expected.keyHeads = 0;
    QVERIFY(config == expected);
    QCOMPARE(read(R"({"preset": "llama-toy", "n_heads": 8})").keyHeads, std::int64_t{2});
    QCOMPARE(read(R"({"preset": "llama-toy", "attention": "gqa"})").keyHeads, std::int64_t{2});
}

void TstPresets::sizesFollowTheWidth()
{
    const ModelConfig base = read(R"({"preset": "transformer-base", "d_model": 64})");
    QCOMPARE(base.dFf, std::int64_t{256});
    QCOMPARE(base.embeddingScale, 8.0);
    QCOMPARE(read(R"({"preset": "t5-toy", "d_model": 64})").headScale, 0.125);
    QCOMPARE(read(R"({"preset": "t5-toy", "d_model": 64, "head_scale": 1})").headScale, 1.0);
    QCOMPARE(read(R"({"d_model": 64, "embedding_scale": "sqrt"})").embeddingScale, 8.0);
    QCOMPARE(read(R"({"d_model": 64, "head_scale": "inverse_sqrt"})").headScale, 0.125);
    QCOMPARE(read(R"({"preset": "llama-toy", "d_ff": 100, "d_model": 64})").dFf, std::int64_t{100});
}

void TstPresets::nullTakesBack()
{
    const ModelConfig base =
        read(R"({"preset": "transformer-base", "attention_dropout": null, "window": null})");
    QVERIFY(!base.attentionDropout && !base.window);
    QVERIFY(presetConfig("transformer-base").attentionDropout.has_value());
}

HEADSCOPE_TEST(TstPresets)
#include "tst_presets.moc"
