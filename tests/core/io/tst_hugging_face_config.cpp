// labels: golden
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/io/hugging_face/hugging_face.h"
#include "core/io/hugging_face/hugging_face_config.h"
#include "tests/support/golden.h"
#include "tests/support/hugging_face_model.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>

using namespace headscope;
using namespace headscope::test;

namespace {

using Json = nlohmann::json;

Json configOf(const std::string& name)
{
    const std::filesystem::path path = goldenDir() / "hf" / name / "config.json";
    return parseJson(readFile(path, 1 << 20), path.string());
}

ModelConfig read(const Json& json)
{
    return huggingFaceConfig(json, {}, "config.json");
}

std::string refusalOf(const Json& json)
{
    try {
        read(json);
    } catch (const FormatError& error) {
        return error.what();
    }
    return {};
}

Json changed(const std::string& name, const std::string& key, const Json& value)
{
    Json json = configOf(name);
    json[key] = value;
    return json;
}

} // namespace

class TstHuggingFaceConfig : public QObject
{
    Q_OBJECT

private slots:
    void olderSpellingsAreRead();
    void ropeSettingsAreRead();
    void windowsAreRead();
    void localLayersAreRead();
    void aPatternOfOneHasGlobalLayersAlone();
    void lengthsHaveDocumentedDefaults();
    void otherSettingsHaveTheDefaultsOfTransformers();
    void headsOfBertComeFromTheFile();
    void unknownArithmeticIsRefused_data();
    void unknownArithmeticIsRefused();
};

void TstHuggingFaceConfig::olderSpellingsAreRead()
{
    Json json = configOf("llama");
    json.erase("rope_parameters");
    json.erase("head_dim");
    json["rope_theta"] = 500000.0;
    json["rope_scaling"] = {{"type", "linear"}, {"factor", 4.0}};
    const ModelConfig llama = read(json);
    QCOMPARE(llama.rope.theta, 500000.0);
    QVERIFY(llama.rope.scaling == RopeSettings::Scaling::Linear);
    QCOMPARE(llama.rope.factor, 4.0);
    json = configOf("gpt_neox");
    json.erase("rope_parameters");
    json["rotary_pct"] = 0.25;
    json["rotary_emb_base"] = 5000;
    const ModelConfig neox = read(json);
    QCOMPARE(neox.rope.theta, 5000.0);
    QCOMPARE(neox.rope.dimensions, neox.headDim() / 4);
    json = configOf("t5"); // before scale_decoder_outputs there was the tied head alone
    json.erase("scale_decoder_outputs");
    QVERIFY(read(json).headScale < 1.0);
    json["tie_word_embeddings"] = false;
    QCOMPARE(read(json).headScale, 1.0);
}

void TstHuggingFaceConfig::ropeSettingsAreRead()
{
    const Json llama3{{"rope_type", "llama3"},   {"rope_theta", 500000.0},
                      {"factor", 32.0},          {"low_freq_factor", 1.0},
                      {"high_freq_factor", 8.0}, {"original_max_position_embeddings", 64}};
    const RopeSettings got = read(changed("llama", "rope_parameters", llama3)).rope;
    QVERIFY(got.scaling == RopeSettings::Scaling::Llama3);
    QVERIFY(got.layout == RopeSettings::Layout::Half);
    QCOMPARE(got.factor, 32.0);
    QCOMPARE(got.highFrequencyFactor, 8.0);
    QCOMPARE(got.originalMaxLen, std::int64_t{64});
    const Json yarn{{"rope_type", "yarn"}, {"factor", 4.0}, {"beta_fast", 16.0}};
    const ModelConfig yarned = read(changed("qwen2", "rope_parameters", yarn));
    QVERIFY(yarned.rope.scaling == RopeSettings::Scaling::Yarn);
    QCOMPARE(yarned.rope.betaFast, 16.0);
    QCOMPARE(yarned.rope.theta, 10000.0);
    const ModelConfig neox = read(configOf("gpt_neox"));
    QCOMPARE(neox.rope.dimensions, neox.headDim() / 2);
    QVERIFY(neox.isParallel());
}

void TstHuggingFaceConfig::windowsAreRead()
{
    QVERIFY(read(configOf("mistral")).window ==
            configOf("mistral").at("sliding_window").get<std::int64_t>());
    QVERIFY(!read(changed("mistral", "sliding_window", nullptr)).window);
    Json qwen = changed("qwen2", "sliding_window", 16);
    QVERIFY(!read(qwen).window);
    qwen["use_sliding_window"] = true;
    qwen["max_window_layers"] = 0;
    QVERIFY(!read(qwen).window); // "layer_types" counts, as in transformers
    qwen.erase("layer_types");
    QVERIFY(read(qwen).window == 16);
    qwen["max_window_layers"] = 1;
    const ModelConfig mixed = read(qwen);
    QVERIFY(!mixed.layer(0).window);
    QVERIFY(mixed.layer(1).window == 16);
}

void TstHuggingFaceConfig::localLayersAreRead()
{
    Json neo = configOf("gpt_neo");
    neo["attention_layers"] = {"local", "local",
                               "local"}; // a copy, of which transformers reads none
    ModelConfig config = read(neo);
    QVERIFY(!config.layer(0).window);
    QVERIFY(config.layer(1).window == 4);
    QVERIFY(!config.layer(2).window);
    neo.erase("attention_types");
    neo["num_layers"] = 4;
    config = read(neo);
    QVERIFY(config.layer(3).window == 4);
    QVERIFY(!config.layer(2).window);
    Json cohere = configOf("cohere2");
    cohere.erase("layer_types");
    cohere["sliding_window_pattern"] = 2;
    config = read(cohere);
    QVERIFY(config.layer(0).rotates && config.layer(0).window == 4);
    QVERIFY(!config.layer(1).rotates && !config.layer(1).window);
    Json exaone = configOf("exaone4");
    exaone["sliding_window"] = nullptr;
    config = read(exaone);
    QVERIFY(config.layer(1).rotates && !config.layer(0).window);
    Json modern = configOf("modernbert");
    modern.erase("layer_types");
    modern["global_attn_every_n_layers"] = 2;
    config = read(modern);
    QVERIFY(!config.layer(0).window && config.layer(1).window && !config.layer(2).window);
}

void TstHuggingFaceConfig::aPatternOfOneHasGlobalLayersAlone()
{
    for (const char* const name : {"cohere2", "exaone4"}) {
        Json json = configOf(name);
        json.erase("layer_types");
        json["sliding_window_pattern"] = 1;
        const ModelConfig config = read(json);
        for (std::int64_t layer = 0; layer < config.layers; ++layer)
            QVERIFY2(!config.layer(layer).window && !config.layer(layer).rotates, name);
        json["sliding_window_pattern"] = 0;
        QVERIFY2(refusalOf(json).find("sliding_window_pattern") != std::string::npos, name);
    }
}

void TstHuggingFaceConfig::lengthsHaveDocumentedDefaults()
{
    QCOMPARE(read(configOf("bloom")).maxLen, std::int64_t{2048});
    QCOMPARE(read(changed("bloom", "seq_length", 100)).maxLen, std::int64_t{100});
    QCOMPARE(read(configOf("t5")).maxLen, std::int64_t{512});
    QCOMPARE(read(changed("t5", "n_positions", 64)).maxLen, std::int64_t{64});
}

void TstHuggingFaceConfig::otherSettingsHaveTheDefaultsOfTransformers()
{
    for (const char* const name : {"gemma", "cohere", "cohere2", "ernie4_5"}) {
        Json json = configOf(name);
        json.erase("tie_word_embeddings");
        QVERIFY2(read(json).tieEmbeddings, name);
    }
    Json glm = configOf("glm");
    glm["rope_parameters"].erase("partial_rotary_factor");
    QCOMPARE(read(glm).rope.dimensions, read(configOf("glm")).headDim() / 2);
    const ModelConfig widest = read(changed("mpt", "expansion_ratio", 64));
    QCOMPARE(widest.dFf, 64 * widest.dModel);
    QVERIFY(!refusalOf(changed("mpt", "expansion_ratio", 65)).empty());
}

void TstHuggingFaceConfig::headsOfBertComeFromTheFile()
{
    const ModelConfig masked = loadHuggingFaceModel(goldenDir() / "hf" / "bert").config();
    QVERIFY(masked.languageHead && masked.headTransform && masked.headBias);
    QVERIFY(!masked.nextSentence);
    QVERIFY(masked.normPosition == NormPosition::Post);
    const ModelConfig bare = read(configOf("bert"));
    QVERIFY(!bare.languageHead && !bare.headTransform);
    const ModelConfig both =
        huggingFaceConfig(configOf("bert"),
                          {"bert.pooler.dense.weight", "cls.seq_relationship.weight",
                           "cls.predictions.transform.dense.weight"},
                          "config.json");
    QVERIFY(both.nextSentence && both.languageHead);
}

void TstHuggingFaceConfig::unknownArithmeticIsRefused_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("named"); // in the message: our own word where a range is wrong
    const auto add = [](const char* name, const char* key, const char* value,
                        const char* named = nullptr) {
        QTest::addRow("%s %s %s", name, key, value)
            << name << key << value << (named ? named : key);
    };
    add("gpt2", "model_type", "\"mamba\"");
    add("gpt2", "model_type", "null");
    add("gpt2", "activation_function", "\"mish\"");
    add("gpt2", "scale_attn_by_inverse_layer_idx", "true");
    add("gpt2", "add_cross_attention", "true");
    add("gpt2", "n_embd", "\"wide\"");
    add("gpt2", "n_embd", "null");
    add("gpt2", "n_embd", "-4", "d_model is -4");
    add("gpt2", "n_embd", "9223372036854775807");
    add("gpt2", "vocab_size", "18446744073709551615");
    add("gpt2", "vocab_size", "0");
    add("llama", "hidden_act", "\"relu\"");
    add("llama", "rope_parameters", R"({"rope_type": "longrope"})");
    add("llama", "rope_parameters", R"({"rope_type": "yarn", "factor": 2, "mscale": 1.0})");
    add("llama", "rope_parameters", R"({"rope_type": "linear"})");
    add("llama", "rope_parameters", "7");
    add("llama", "quantization_config", R"({"bits": 4})");
    add("llama", "num_key_value_heads", "3", "n_kv_heads is 3");
    add("gpt_neox", "rope_parameters", R"({"partial_rotary_factor": 2.0})");
    add("bloom", "apply_residual_connection_post_layernorm", "true");
    add("bert", "position_embedding_type", "\"relative_key\"");
    add("bert", "is_decoder", "true");
    add("t5", "feed_forward_proj", "\"gated-relu\"");
    add("t5", "tie_word_embeddings", "1");
    add("gemma2", "layer_types", R"(["full_attention"])");
    add("gemma2", "layer_types", R"(["full_attention", "full_attention", "chunked_attention"])");
    add("gemma2", "query_pre_attn_scalar", "0");
    add("gemma3", "use_bidirectional_attention", "true");
    add("phi3", "rope_parameters", R"({"rope_type": "longrope", "short_factor": [1.0]})");
    add("qwen3_moe", "decoder_sparse_step", "0");
    add("qwen3_moe", "num_experts_per_tok", "9", "top_k is 9");
    add("smollm3", "no_rope_layers", "[1]");
    add("granite", "logits_scaling", "0");
    add("falcon", "num_ln_in_parallel_attn", "2");
    add("falcon_new", "parallel_attn", "false");
    add("opt", "_remove_final_layer_norm", "true");
    add("qwen2_moe", "decoder_sparse_step", "0");
    add("qwen2_moe", "shared_expert_intermediate_size", "-1", "shared_width is -1");
    add("llama", "quantization_config", R"({"quant_method": "awq", "bits": 4})");
    add("llama_fp8", "quantization_config",
        R"({"quant_method": "compressed-tensors", "format": "pack-quantized"})", "format");
    add("qwen3_fp8", "quantization_config",
        R"({"quant_method": "fp8", "weight_block_size": [128]})", "weight_block_size");
    add("qwen3_fp8", "quantization_config",
        R"({"quant_method": "fp8", "weight_block_size": [128, 0]})", "weight_block_size");
    add("gpt_oss", "swiglu_limit", "6.0");
    add("gpt_oss", "hidden_act", "\"gelu\"");
    add("gpt_oss", "attention_bias", "false");
    add("roberta", "pad_token_id", "0");
    add("electra", "embedding_size", "15", "embedding_width is 15");
    add("electra", "embedding_size", "-2", "embedding_width is -2");
    add("modernbert", "global_attn_every_n_layers", "0");
    add("modernbert", "layer_types", R"(["full_attention", "sliding_attention"])");
    add("modernbert", "local_attention", "-4", "window");
    add("modernbert", "hidden_activation", "\"mish\"");
    add("marian", "decoder_ffn_dim", "48");
    add("marian", "share_encoder_decoder_embeddings", "false");
    add("gptj", "rotary_dim", "0");
    add("gptj", "rotary_dim", "10", "rope.dimensions is 10");
    add("codegen", "n_embd", "30");
    add("codegen", "n_embd", "2");
    add("gpt_neo", "attention_types", R"([[["global"], 2]])");
    add("gpt_neo", "attention_types", R"([[["global", "local"], 1], [["sparse"], 1]])");
    add("gpt_neo", "attention_types", R"([[["global", 3], 1], [["local"], 1]])");
    add("gpt_neo", "attention_types", R"([["global", "local", "global"]])");
    add("gpt_neo", "attention_types", R"([[["global"], 1e300]])");
    add("mpt", "no_bias", "false");
    add("mpt", "logit_scale", "0.5");
    add("mpt", "norm_type", "\"rmsnorm\"");
    add("mpt", "expansion_ratio", "0");
    add("mpt", "attn_config", R"({"alibi": false})", "alibi");
    add("mpt", "attn_config", R"({"alibi_bias_max": 16})", "alibi_bias_max");
    add("mpt", "attn_config", R"({"clip_qkv": 6.0})", "clip_qkv");
    add("mpt", "attn_config", R"({"qk_ln": true})", "qk_ln");
    add("mpt", "attn_config", R"({"attn_type": "multiquery_attention"})", "attn_type");
    add("gpt_bigcode", "add_cross_attention", "true");
    add("olmo", "clip_qkv", "8.0");
    add("olmoe", "clip_qkv", "8.0");
    add("olmoe", "attention_bias", "true");
    add("granitemoe", "attention_bias", "true");
    add("granitemoe", "num_experts_per_tok", "5", "top_k is 5");
    add("cohere2", "layer_types", R"(["full_attention"])");
    add("exaone4", "layer_types", R"(["full_attention"])");
    add("seed_oss", "attention_out_bias", "true");
    add("seed_oss", "mlp_bias", "true");
    add("internlm2", "bias", "true");
    add("baichuan", "vocab_size", "125696");
    add("baichuan", "max_position_embeddings", "null");
    add("bart", "decoder_attention_heads", "2");
    add("bart", "static_position_embeddings", "true");
    add("mbart", "decoder_ffn_dim", "48");
    add("mt5", "feed_forward_proj", "\"gated-relu\"");
}

void TstHuggingFaceConfig::unknownArithmeticIsRefused()
{
    QFETCH(const QString, name);
    QFETCH(const QString, key);
    QFETCH(const QString, value);
    QFETCH(const QString, named);
    const std::string refusal =
        refusalOf(changed(name.toStdString(), key.toStdString(), Json::parse(value.toStdString())));
    QVERIFY(!refusal.empty());
    QVERIFY2(refusal.find("config.json") != std::string::npos, refusal.c_str());
    QVERIFY2(refusal.find('\n') == std::string::npos, refusal.c_str());
    QVERIFY2(refusal.find(named.toStdString()) != std::string::npos, refusal.c_str());
}

HEADSCOPE_TEST(TstHuggingFaceConfig)
#include "tst_hugging_face_config.moc"
