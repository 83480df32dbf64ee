#include "core/model/config/model_config.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/model/config/model_config_json.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <limits>

using namespace headscope;

namespace {

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

class TstModelConfigRefusals : public QObject
{
    Q_OBJECT

private slots:
    void badJsonIsRefusedInOneSentence_data();
    void badJsonIsRefusedInOneSentence();
    void whatCannotBeIsRefused_data();
    void whatCannotBeIsRefused();
    void whatIsBesideItIsAccepted_data();
    void whatIsBesideItIsAccepted();
    void fieldsAreCheckedWithoutAFileToo();

private:
    void addRefusals() const;
};

void TstModelConfigRefusals::badJsonIsRefusedInOneSentence_data()
{
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("mentions");
    const auto row = [](const char* name, const char* json, const char* mentions) {
        QTest::newRow(name) << json << mentions;
    };
    row("unknown key", R"({"n_head": 8})", "n_heads");
    row("unknown key of rope", R"({"rope": {"ропе": 1}})", "ропе");
    row("near key of rope", R"({"rope": {"dimension": 8}})", "dimensions");
    row("near key of scaling", R"({"rope": {"scaling": {"factr": 8}}})", "factor");
    row("near key of mla", R"({"mla": {"kv_rnk": 8}})", "kv_rank");
    row("near key of experts", R"({"experts": {"topk": 2}})", "top_k");
    row("not an object", R"([1])", "object");
    row("rope is not an object", R"({"rope": 10000})", "rope");
    row("experts are not an object", R"({"experts": 8})", "count");
    row("string for a number", R"({"d_model": "64"})", "d_model");
    row("string for a nested number", R"({"rope": {"theta": "1"}})", "rope.theta");
    row("negative", R"({"n_layers": -1})", "n_layers");
    row("fraction", R"({"d_model": 64.5})", "d_model");
    row("beyond 64 bits", R"({"max_len": 18446744073709551615})", "max_len");
    row("near name", R"({"activation": "gelu_tan"})", "gelu_tanh");
    row("near norm", R"({"norm": "rsm"})", "\"rms\"");
    row("far norm", R"({"norm": "instance"})", "rms_unit_offset");
    row("layer settings without layers", R"({"layer_settings": [{"window": 4}]})", "layers");
    row("a layer beyond the last", R"({"n_layers": 2, "layer_settings": [{"layers": [2]}]})",
        "0 to 1");
    row("a layer twice",
        R"({"n_layers": 2, "layer_settings": [{"layers": [1]}, {"layers": [1], "window": 3}]})",
        "at most once");
    row("near key of a layer", R"({"layer_settings": [{"layers": [0], "windw": 4}]})", "window");
    row("factors that are no list",
        R"({"rope": {"scaling": {"kind": "longrope", "short_factors": 2}}})", "short_factors");
    row("factors that are no numbers",
        R"({"rope": {"scaling": {"kind": "longrope", "short_factors": [1, "2"]}}})",
        "a list of finite numbers");
    row("a text of 38 letters and its quotes",
        R"({"d_model": "abcdefghijklmnopqrstuvwxyzabcdefghijkl"})", "wxyzabcdefghijkl\"");
    row("a longer text", R"({"d_model": "abcdefghijklmnopqrstuvwxyzabcdefghijklm"})",
        "wxyzabcdefghijklm...");
    row("near qk norm", R"({"qk_norm": "per_hed"})", "\"per_head\"");
    row("far architecture", R"({"architecture": "rnn"})", "encoder-decoder");
    row("near positions", R"({"positions": "alibbi"})", "\"alibi\"");
    row("near attention", R"({"attention": "mlaa"})", "\"mla\"");
    row("near layout", R"({"rope": {"layout": "halves"}})", "\"half\"");
    row("near scaling", R"({"rope": {"scaling": {"kind": "lama3"}}})", "\"llama3\"");
    row("near preset", R"({"preset": "lama-toy"})", "\"llama-toy\"");
    row("preset is no text", R"({"preset": 2})", "minigpt");
    row("word for a scale", R"({"embedding_scale": "sqr"})", "\"sqrt\"");
    row("word for a head scale", R"({"head_scale": "sqrt"})", "inverse_sqrt");
    row("truth for a scale", R"({"embedding_scale": true})", "embedding_scale");
    row("null", R"({"positions": null})", "positions");
    row("null for a number", R"({"d_model": null})", "d_model");
    row("number for a truth", R"({"tie_embeddings": 1})", "tie_embeddings");
    row("number for an optional truth", R"({"qkv_bias": 1})", "qkv_bias");
    row("text for a window", R"({"window": "wide"})", "window");
    row("number too large for any type", R"({"init_std": 1e400})", "run.json");
}

void TstModelConfigRefusals::badJsonIsRefusedInOneSentence()
{
    QFETCH(QString, json);
    QFETCH(QString, mentions);
    const std::string message = messageOf(json.toStdString());
    QVERIFY2(message.find(mentions.toStdString()) != std::string::npos, message.c_str());
    QVERIFY2(message.find("run.json") != std::string::npos, message.c_str());
    QVERIFY(message.find('\n') == std::string::npos);
}

/// What is refused, the nearest choice that the refusal must name, and that choice.
void TstModelConfigRefusals::addRefusals() const
{
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("names");
    QTest::addColumn<QString>("beside");
    const auto row = [](const char* json, const char* names, const char* beside) {
        QTest::newRow(json) << json << names << beside;
    };
    row(R"({"d_model": 64, "n_heads": 7})", "n_heads to 4 or 8",
        R"({"d_model": 64, "n_heads": 8})");
    row(R"({"d_model": 64, "n_heads": 65})", "n_heads to 64", R"({"d_model": 64, "n_heads": 64})");
    row(R"({"d_model": 64, "n_heads": 63})", "n_heads to 32 or 64",
        R"({"d_model": 64, "n_heads": 63, "head_dim": 2})");
    row(R"({"n_heads": 8, "n_kv_heads": 3})", "n_kv_heads to 2 or 4",
        R"({"n_heads": 8, "n_kv_heads": 2})");
    row(R"({"n_heads": 8, "n_kv_heads": 9})", "n_kv_heads to 8",
        R"({"n_heads": 8, "n_kv_heads": 8})");
    row(R"({"attention": "gqa"})", "n_kv_heads", R"({"attention": "gqa", "n_kv_heads": 4})");
    row(R"({"attention": "mha", "n_kv_heads": 2})", "gqa",
        R"({"attention": "gqa", "n_kv_heads": 2})");
    row(R"({"attention": "mqa", "n_kv_heads": 2})", "1", R"({"attention": "mqa"})");
    row(R"({"attention": "mla"})", "kv_rank",
        R"({"attention": "mla", "mla": {"kv_rank": 4, "nope_dim": 4, "value_dim": 4}})");
    row(R"({"attention": "mha", "mla": {"kv_rank": 4, "nope_dim": 4, "value_dim": 4}})", "\"mla\"",
        R"({"mla": {"kv_rank": 4, "nope_dim": 4, "value_dim": 4}})");
    row(R"({"mla": {"nope_dim": 4, "value_dim": 4}})", "kv_rank",
        R"({"mla": {"kv_rank": 4, "nope_dim": 4, "value_dim": 4}})");
    row(R"({"mla": {"kv_rank": 4, "value_dim": 4}})", "mla.nope_dim is 0",
        R"({"mla": {"kv_rank": 4, "nope_dim": 1, "value_dim": 4}})");
    row(R"({"mla": {"kv_rank": 4, "nope_dim": 4}})", "mla.value_dim is 0",
        R"({"mla": {"kv_rank": 4, "nope_dim": 4, "value_dim": 1}})");
    row(R"({"mla": {"kv_rank": 4, "nope_dim": 4, "value_dim": 4, "rope_dim": 3}})", "2 or 4",
        R"({"mla": {"kv_rank": 4, "nope_dim": 4, "value_dim": 4, "rope_dim": 4}})");
    row(R"({"n_kv_heads": 2, "mla": {"kv_rank": 4, "nope_dim": 4, "value_dim": 4}})", "8",
        R"({"n_kv_heads": 8, "mla": {"kv_rank": 4, "nope_dim": 4, "value_dim": 4}})");
    row(R"({"head_dim": 8, "mla": {"kv_rank": 4, "nope_dim": 4, "value_dim": 4}})", "nope_dim",
        R"({"mla": {"kv_rank": 4, "nope_dim": 8, "value_dim": 4}})");
    row(R"({"positions": "alibi", "mla": {"kv_rank": 4, "nope_dim": 4, "value_dim": 4}})",
        "\"none\"",
        R"({"positions": "none", "mla": {"kv_rank": 4, "nope_dim": 4, "value_dim": 4}})");
    row(R"({"positions": "relative", "mla": {"kv_rank": 4, "nope_dim": 4, "value_dim": 4}})",
        "\"rope\"", R"({"positions": "rope", "mla": {"kv_rank": 4, "nope_dim": 4, "value_dim": 4,
                                                    "rope_dim": 2}})");
    row(R"({"positions": "rope", "mla": {"kv_rank": 4, "nope_dim": 8, "value_dim": 4}})",
        "mla.rope_dim to 4", R"({"positions": "rope", "mla": {"kv_rank": 4, "nope_dim": 8,
                                                          "value_dim": 4, "rope_dim": 4}})");
    row(R"({"qkv_bias": true, "mla": {"kv_rank": 4, "nope_dim": 4, "value_dim": 4}})", "qkv_bias",
        R"({"qkv_bias": false, "mla": {"kv_rank": 4, "nope_dim": 4, "value_dim": 4}})");
    row(R"({"architecture": "encoder-decoder",
            "mla": {"kv_rank": 4, "nope_dim": 4, "value_dim": 4}})",
        "\"gpt\"", R"({"architecture": "encoder",
                       "mla": {"kv_rank": 4, "nope_dim": 4, "value_dim": 4}})");
    row(R"({"d_model": 30, "n_heads": 2, "positions": "rope"})", "rope.dimensions to 14",
        R"({"d_model": 30, "n_heads": 2, "positions": "rope", "rope": {"dimensions": 14}})");
    row(R"({"d_model": 8, "n_heads": 8, "positions": "rope"})", "2 channels",
        R"({"d_model": 8, "n_heads": 4, "positions": "rope"})");
    row(R"({"positions": "rope", "rope": {"dimensions": 7}})", "6 or 8",
        R"({"positions": "rope", "rope": {"dimensions": 6}})");
    row(R"({"d_model": 30, "n_heads": 2, "positions": "rope", "rope": {"dimensions": 15}})",
        "Use 14", R"({"d_model": 30, "n_heads": 2, "positions": "rope",
                       "rope": {"dimensions": 14}})");
    row(R"({"positions": "rope", "rope": {"dimensions": 34}})", "32 or less",
        R"({"positions": "rope", "rope": {"dimensions": 32}})");
    row(R"({"rope": {"scaling": {"kind": "linear", "factor": 0.5}}})", "from 1",
        R"({"rope": {"scaling": {"kind": "linear", "factor": 1}}})");
    row(R"({"rope": {"theta": 1}})", "rope.theta", R"({"rope": {"theta": 2}})");
    row(R"({"rope": {"scaling": {"low_frequency_factor": 4}}})", "1 and 4",
        R"({"rope": {"scaling": {"low_frequency_factor": 1}}})");
    row(R"({"rope": {"scaling": {"beta_slow": 32}}})", "1 and 32",
        R"({"rope": {"scaling": {"beta_slow": 31}}})");
    row(R"({"window": 0})", "from 1", R"({"window": 1})");
    row(R"({"soft_cap": -1})", "soft_cap", R"({"soft_cap": 0})");
    row(R"({"d_ff": 100, "experts": {"count": 2, "top_k": 3}})", "2 or less",
        R"({"d_ff": 100, "experts": {"count": 2, "top_k": 2}})");
    row(R"({"experts": {"count": 2, "top_k": 0}})", "from 1",
        R"({"experts": {"count": 2, "top_k": 1}})");
    row(R"({"d_ff": 0, "experts": {"count": 2}})", "d_ff to 1024",
        R"({"d_ff": 1024, "experts": {"count": 2}})");
    row(R"({"n_layers": 1000, "experts": {"count": 1000}})", "65 or less",
        R"({"n_layers": 1000, "experts": {"count": 65}})");
    row(R"({"n_layers": 512, "experts": {"count": 129}})", "128 or less",
        R"({"n_layers": 512, "experts": {"count": 128}})");
    row(R"({"d_model": 33, "n_heads": 3, "positions": "sinusoidal"})", "32 or 34",
        R"({"d_model": 34, "n_heads": 2, "positions": "sinusoidal"})");
    row(R"({"positions": "alibi", "architecture": "encoder"})", "\"relative\"",
        R"({"positions": "relative", "architecture": "encoder"})");
    row(R"({"positions": "relative", "relative_buckets": 1})", "from 2",
        R"({"positions": "relative", "relative_buckets": 2})");
    row(R"({"positions": "relative", "relative_buckets": 7, "architecture": "encoder"})", "6 or 8",
        R"({"positions": "relative", "relative_buckets": 8, "architecture": "encoder"})");
    row(R"({"positions": "relative", "relative_buckets": 2, "architecture": "encoder"})", "Use 4",
        R"({"positions": "relative", "relative_buckets": 4, "architecture": "encoder"})");
    row(R"({"positions": "relative", "relative_max_distance": 16})", "17 or more",
        R"({"positions": "relative", "relative_max_distance": 17})");
    row(R"({"positions": "relative", "relative_max_distance": 8, "architecture": "encoder"})",
        "9 or more",
        R"({"positions": "relative", "relative_max_distance": 9, "architecture": "encoder"})");
    row(R"({"next_sentence": true})", "\"encoder\"",
        R"({"next_sentence": true, "architecture": "encoder"})");
    row(R"({"qk_norm": "per_head", "architecture": "encoder-decoder"})", "Leave it out",
        R"({"qk_norm": "per_head", "architecture": "encoder"})");
    row(R"({"qk_norm": "whole", "norm": "batch"})", "norm to \"layer\"",
        R"({"qk_norm": "whole", "norm": "layer"})");
    row(R"({"attention_sinks": true, "architecture": "encoder-decoder"})", "Leave it out",
        R"({"attention_sinks": true})");
    row(R"({"shared_norm": true})", "parallel_residual to true",
        R"({"shared_norm": true, "parallel_residual": true})");
    row(R"({"norm_position": "both"})", "norm to \"rms\"",
        R"({"norm_position": "both", "norm": "rms"})");
    row(R"({"norm_position": "output", "norm": "rms", "parallel_residual": true})",
        "norm_position to \"pre\"", R"({"parallel_residual": true})");
    row(R"({"norm_position": "output", "norm": "rms", "architecture": "encoder-decoder"})",
        "Set it to \"pre\"", R"({"norm": "rms", "architecture": "encoder-decoder"})");
    row(R"({"residual_scale": 0.5, "architecture": "encoder-decoder"})", "Leave it out",
        R"({"residual_scale": 0.5})");
    row(R"({"layer_settings": [{"layers": [0], "window": 0}]})", "from 1",
        R"({"layer_settings": [{"layers": [0], "window": 1}]})");
    row(R"({"norm_position": "post", "layer_settings": [{"layers": [0], "norms_attention": false}]})",
        "norm_position to \"pre\"",
        R"({"layer_settings": [{"layers": [0], "norms_attention": false}]})");
    row(R"({"parallel_residual": true, "shared_norm": true,
            "layer_settings": [{"layers": [0], "norms_attention": false}]})",
        "shared_norm to false", R"({"parallel_residual": true,
            "layer_settings": [{"layers": [0], "norms_attention": false}]})");
    row(R"({"embedding_width": 7, "head_transform": true})", "6 or 8",
        R"({"embedding_width": 8, "head_transform": true})");
    row(R"({"embedding_width": 8})", "head_transform to true",
        R"({"embedding_width": 8, "language_head": false})");
    row(R"({"embedding_width": 8, "head_transform": true, "norm": "batch"})", "Leave it out",
        R"({"embedding_width": 8, "head_transform": true, "norm": "rms"})");
    row(R"({"experts": {"count": 2, "shared_gate": true}})", "experts.shared_width",
        R"({"experts": {"count": 2, "shared_gate": true, "shared_width": 8}})");
    row(R"({"experts": {"count": 2, "shared_width": -1}})", "from 0",
        R"({"experts": {"count": 2, "shared_width": 0}})");
    row(R"({"positions": "rope", "layer_settings": [{"layers": [0], "rope": {"dimensions": 4}}]})",
        "same layout",
        R"({"positions": "rope", "layer_settings": [{"layers": [0], "rope": {"theta": 4}}]})");
    row(R"({"head_transform": true, "language_head": false})", "language_head to true",
        R"({"head_transform": true, "language_head": true})");
    row(R"({"head_bias": true, "language_head": false})", "language_head to true",
        R"({"head_bias": true, "language_head": true})");
    row(R"({"parallel_residual": true, "norm_position": "post"})", "\"pre\"",
        R"({"parallel_residual": true, "norm_position": "pre"})");
    row(R"({"parallel_residual": true, "architecture": "encoder-decoder"})", "false",
        R"({"parallel_residual": false, "architecture": "encoder-decoder"})");
    row(R"({"parallel_residual": true, "residual": false})", "false: \"residual\" is false",
        R"({"parallel_residual": false, "residual": false})");
    row(R"({"residual": 0})", "true or false", R"({"residual": false})");
    row(R"({"parallel_residual": true, "d_ff": 0})", "d_ff to 1024",
        R"({"parallel_residual": true, "d_ff": 1024})");
    row(R"({"n_decoder_layers": 3})", "\"encoder-decoder\"",
        R"({"n_decoder_layers": 3, "architecture": "encoder-decoder"})");
    row(R"({"share_source_embedding": false})", "\"encoder-decoder\"",
        R"({"share_source_embedding": false, "architecture": "encoder-decoder"})");
    row(R"({"token_types": 2, "architecture": "encoder-decoder"})", "\"encoder\"",
        R"({"token_types": 2, "architecture": "encoder"})");
    row(R"({"dropout": 1.0})", "from 0 to 0.99", R"({"dropout": 0.99})");
    row(R"({"attention_dropout": -0.1})", "attention_dropout", R"({"attention_dropout": 0})");
    row(R"({"vocab_size": 0})", "from 1", R"({"vocab_size": 1})");
    row(R"({"n_layers": 0, "vocab_size": 16000000, "d_model": 131072})", "1099511627776",
        R"({"n_layers": 0, "vocab_size": 4000000, "d_model": 131072})");
    row(R"({"n_heads": 4096, "head_dim": 1024})", "2097152",
        R"({"n_heads": 4096, "head_dim": 512})");
}

void TstModelConfigRefusals::whatCannotBeIsRefused_data()
{
    addRefusals();
}

void TstModelConfigRefusals::whatCannotBeIsRefused()
{
    QFETCH(QString, json);
    QFETCH(QString, names);
    const std::string message = messageOf(json.toStdString());
    QVERIFY2(message.find(names.toStdString()) != std::string::npos, message.c_str());
    QVERIFY2(message.find("run.json") != std::string::npos, message.c_str());
    QVERIFY(message.find('\n') == std::string::npos);
}

void TstModelConfigRefusals::whatIsBesideItIsAccepted_data()
{
    addRefusals();
}

void TstModelConfigRefusals::whatIsBesideItIsAccepted()
{
    QFETCH(QString, beside);
    QCOMPARE(QString::fromStdString(messageOf(beside.toStdString())), QString());
}

void TstModelConfigRefusals::fieldsAreCheckedWithoutAFileToo()
{
    const auto refused = [](auto change) {
        ModelConfig config;
        config.vocabularySize = 10;
        change(config);
        try {
            config.validate();
        } catch (const Error& error) {
            return std::string(error.what()).find("model configuration") != std::string::npos;
        }
        return false;
    };
    QVERIFY(!refused([](ModelConfig&) {}));
    QVERIFY(refused([](ModelConfig& c) { c.vocabularySize = 0; }));
    QVERIFY(refused([](ModelConfig& c) { c.heads = 0; }));
    QVERIFY(refused([](ModelConfig& c) { c.keyHeads = -1; }));
    QVERIFY(refused([](ModelConfig& c) { c.maxLen = std::int64_t{1} << 62; }));
    QVERIFY(refused([](ModelConfig& c) { c.normEpsilon = 0.0; }));
    QVERIFY(refused([](ModelConfig& c) { c.initStd = std::numeric_limits<double>::quiet_NaN(); }));
    QVERIFY(
        refused([](ModelConfig& c) { c.rope.theta = std::numeric_limits<double>::infinity(); }));
}

HEADSCOPE_TEST(TstModelConfigRefusals)
#include "tst_model_config_refusals.moc"
