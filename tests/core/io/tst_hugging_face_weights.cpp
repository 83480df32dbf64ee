// labels: golden
#include "core/base/atomic_write.h"
#include "core/io/hugging_face/hugging_face.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/io/hugging_face/hugging_face_config.h"
#include "core/io/hugging_face/hugging_face_names.h"
#include "core/io/safetensors/safetensors_file.h"
#include "core/io/safetensors/safetensors_writer.h"
#include "tests/support/golden.h"
#include "tests/support/hugging_face_model.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace headscope;
using namespace headscope::test;

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

fs::path fixture(const std::string& name)
{
    return goldenDir() / "hf" / name;
}

Json configOf(const std::string& name)
{
    const fs::path path = fixture(name) / "config.json";
    return parseJson(readFile(path, 1 << 20), path.string());
}

/// A copy of a model that a test may damage.
class Copy
{
public:
    explicit Copy(const std::string& name) : m_config(configOf(name))
    {
        fs::copy(fixture(name), path(), fs::copy_options::recursive);
    }

    fs::path path() const { return m_folder.path().toStdString(); }

    Json& config() { return m_config; }

    Model load() const
    {
        writeAtomically(path() / "config.json", dumpJson(m_config));
        return loadHuggingFaceModel(path());
    }

    std::string refusal() const
    {
        try {
            load();
        } catch (const FormatError& error) {
            return error.what();
        }
        return {};
    }

private:
    QTemporaryDir m_folder;
    Json m_config;
};

/// Rewrites model.safetensors with one tensor changed, added or (empty values) left out.
void rewrite(const fs::path& path, const std::string& changed, const Tensor& values)
{
    const SafetensorsFile file = SafetensorsFile::open(path);
    SafetensorsWriter writer;
    std::vector<Tensor> kept;
    kept.reserve(file.tensors().size());
    for (const auto& [name, stored] : file.tensors()) {
        if (name == changed)
            continue;
        kept.push_back(stored.toTensor());
        writer.add(name, kept.back().view());
    }
    if (!values.empty())
        writer.add(changed, values.view());
    writer.write(path);
}

std::vector<float> allValues(const fs::path& folder)
{
    std::vector<float> values;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() != ".safetensors")
            continue;
        const SafetensorsFile file = SafetensorsFile::open(entry.path());
        for (const auto& [name, stored] : file.tensors()) {
            const std::vector<float> more = stored.toFloats();
            values.insert(values.end(), more.begin(), more.end());
        }
    }
    return values;
}

std::vector<float> allValues(const ParameterSet& parameters)
{
    std::vector<float> values;
    for (const ParameterSpec& spec : parameters.specs()) {
        const TensorView view = parameters.view(spec);
        values.insert(values.end(), view.data, view.data + spec.shape.elementCount());
    }
    return values;
}

ModelConfig read(const Json& json)
{
    return huggingFaceConfig(json, {}, "config.json");
}

} // namespace

class TstHuggingFaceWeights : public QObject
{
    Q_OBJECT

private slots:
    void everyNumberIsUsedOnce_data();
    void everyNumberIsUsedOnce();
    void everyParameterHasOneSource_data();
    void everyParameterHasOneSource();
    void wholeModelsLackNothing();
    void columnsOfConv1dBecomeRows();
    void fusedHeadsAreTakenApart_data();
    void fusedHeadsAreTakenApart();
    void partsOfT5AreWhereTheyBelong();
    void biasesOfLlamaMayDiffer();
    void prefixesAndBuffersDoNotMatter();
    void damagedFoldersAreRefused();
    void shardsStayInTheFolder();
};

namespace {

void addModels()
{
    QTest::addColumn<QString>("name");
    for (const char* name : {"gpt2", "llama", "llama_bf16_sharded", "mistral", "qwen2", "gpt_neox",
                             "bloom", "bert", "t5", "t5_v11"})
        QTest::newRow(name) << name;
}

} // namespace

void TstHuggingFaceWeights::everyNumberIsUsedOnce_data()
{
    addModels();
}

void TstHuggingFaceWeights::everyNumberIsUsedOnce()
{
    QFETCH(const QString, name);
    const fs::path folder = fixture(name.toStdString());
    const Model model = loadHuggingFaceModel(folder);
    std::vector<float> stored = allValues(folder);
    std::vector<float> got = allValues(model.parameters());
    QCOMPARE(got.size(), stored.size());
    std::sort(stored.begin(), stored.end());
    std::sort(got.begin(), got.end());
    QVERIFY(got == stored);
}

void TstHuggingFaceWeights::everyParameterHasOneSource_data()
{
    addModels();
}

void TstHuggingFaceWeights::everyParameterHasOneSource()
{
    QFETCH(const QString, name);
    const Json json = configOf(name.toStdString());
    const ModelConfig config = loadHuggingFaceModel(fixture(name.toStdString())).config();
    const auto weights = storedWeights(json.at("model_type").get<std::string>(), config);
    const std::vector<ParameterSpec> layout = parameterLayout(config);
    QCOMPARE(weights.size(), layout.size());
    std::set<std::string> sources;
    for (std::size_t i = 0; i < layout.size(); ++i) {
        QCOMPARE(weights[i].parameter, layout[i].name);
        QVERIFY(!weights[i].names.empty());
        const std::string source = weights[i].names[0] + std::to_string(weights[i].part);
        QVERIFY2(sources.insert(source).second, source.c_str());
    }
}

/// Biases that no model of a family has are not missing, nor are those of a feed-forward network
/// where only attention has biases.
void TstHuggingFaceWeights::wholeModelsLackNothing()
{
    int models = 0;
    std::string missing;
    for (const fs::directory_entry& entry : fs::directory_iterator(goldenDir() / "hf")) {
        if (!entry.is_directory())
            continue;
        ++models;
        for (const std::string& zeros : findHuggingFaceModel(entry.path()).zeros)
            missing += entry.path().filename().string() + ": " + zeros + "; ";
    }
    QVERIFY2(missing.empty(), missing.c_str());
    QVERIFY(models > 60);
}

void TstHuggingFaceWeights::columnsOfConv1dBecomeRows()
{
    const Model model = loadHuggingFaceModel(fixture("gpt2"));
    const SafetensorsFile file = SafetensorsFile::open(fixture("gpt2") / "model.safetensors");
    const std::int64_t d = model.config().dModel;
    const Tensor fused = file.tensor("transformer.h.1.attn.c_attn.weight").toTensor();
    const Tensor bias = file.tensor("transformer.h.1.attn.c_attn.bias").toTensor();
    const Tensor wide = file.tensor("transformer.h.1.mlp.c_fc.weight").toTensor();
    const ParameterSet& ours = model.parameters();
    const char* const parts[] = {"q", "k", "v"};
    for (std::int64_t part = 0; part < 3; ++part) {
        const std::string name = std::string("h.1.attn.") + parts[part];
        for (std::int64_t out = 0; out < d; ++out) {
            QCOMPARE(ours.view(name + ".bias")(out), bias.view()(part * d + out));
            for (std::int64_t in = 0; in < d; ++in)
                QCOMPARE(ours.view(name + ".weight")(out, in), fused.view()(in, part * d + out));
        }
    }
    QCOMPARE(ours.view("h.1.fc1.weight")(5, 2), wide.view()(2, 5));
    QCOMPARE(ours.view("tok_emb.weight")(7, 3),
             file.tensor("transformer.wte.weight").toTensor().view()(7, 3));
}

void TstHuggingFaceWeights::fusedHeadsAreTakenApart_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("tensor");
    QTest::newRow("gpt_neox") << "gpt_neox"
                              << "gpt_neox.layers.0.attention.query_key_value";
    QTest::newRow("bloom") << "bloom"
                           << "transformer.h.0.self_attention.query_key_value";
}

void TstHuggingFaceWeights::fusedHeadsAreTakenApart()
{
    QFETCH(const QString, name);
    QFETCH(const QString, tensor);
    const fs::path folder = fixture(name.toStdString());
    const Model model = loadHuggingFaceModel(folder);
    const SafetensorsFile file = SafetensorsFile::open(folder / "model.safetensors");
    const Tensor weight = file.tensor(tensor.toStdString() + ".weight").toTensor();
    const Tensor bias = file.tensor(tensor.toStdString() + ".bias").toTensor();
    const std::int64_t channels = model.config().headDim();
    const char* const parts[] = {"q", "k", "v"};
    for (std::int64_t head = 0; head < model.config().heads; ++head)
        for (std::int64_t part = 0; part < 3; ++part)
            for (std::int64_t i = 0; i < channels; ++i) {
                const std::string ours = std::string("h.0.attn.") + parts[part];
                const std::int64_t stored = (head * 3 + part) * channels + i;
                QCOMPARE(model.parameters().view(ours + ".weight")(head * channels + i, 4),
                         weight.view()(stored, 4));
                QCOMPARE(model.parameters().view(ours + ".bias")(head * channels + i),
                         bias.view()(stored));
            }
}

void TstHuggingFaceWeights::partsOfT5AreWhereTheyBelong()
{
    const Model model = loadHuggingFaceModel(fixture("t5_v11"));
    const SafetensorsFile file = SafetensorsFile::open(fixture("t5_v11") / "model.safetensors");
    const std::vector<std::pair<const char*, const char*>> pairs{
        {"enc.1.attn.k.weight", "encoder.block.1.layer.0.SelfAttention.k.weight"},
        {"enc.1.gate.weight", "encoder.block.1.layer.1.DenseReluDense.wi_0.weight"},
        {"enc.1.up.weight", "encoder.block.1.layer.1.DenseReluDense.wi_1.weight"},
        {"enc.1.ln2.weight", "encoder.block.1.layer.1.layer_norm.weight"},
        {"enc.ln_f.weight", "encoder.final_layer_norm.weight"},
        {"enc.rel_bias.weight",
         "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight"},
        {"dec.rel_bias.weight",
         "decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight"},
        {"dec.0.cross.v.weight", "decoder.block.0.layer.1.EncDecAttention.v.weight"},
        {"dec.0.ln_cross.weight", "decoder.block.0.layer.1.layer_norm.weight"},
        {"dec.0.down.weight", "decoder.block.0.layer.2.DenseReluDense.wo.weight"},
        {"dec.0.ln2.weight", "decoder.block.0.layer.2.layer_norm.weight"},
        {"ln_f.weight", "decoder.final_layer_norm.weight"},
        {"tok_emb.weight", "shared.weight"},
        {"head.weight", "lm_head.weight"}};
    for (const auto& [ours, theirs] : pairs) {
        const TensorView view = model.parameters().view(ours);
        const std::vector<float> stored = file.tensor(theirs).toFloats();
        QVERIFY2(std::equal(stored.begin(), stored.end(), view.data), ours);
    }
    QCOMPARE(model.config().headScale, 1.0);
    QVERIFY(!model.config().scaleScores);
    const ModelConfig tied = read(configOf("t5"));
    QCOMPARE(tied.headScale, 1.0 / std::sqrt(static_cast<double>(tied.dModel)));
    QVERIFY(tied.activation == Activation::Relu);
    QVERIFY(model.config().activation == Activation::GeGlu);
}

void TstHuggingFaceWeights::biasesOfLlamaMayDiffer()
{
    Copy copy("llama");
    copy.config()["attention_bias"] = true;
    const fs::path file = copy.path() / "model.safetensors";
    const ModelConfig before = read(configOf("llama"));
    const std::int64_t d = before.dModel;
    const std::int64_t keys = before.keyHeadCount() * before.headDim();
    for (std::int64_t layer = 0; layer < before.layers; ++layer)
        for (const auto& [name, size] :
             {std::pair("q", before.heads * before.headDim()), std::pair("k", keys),
              std::pair("v", keys), std::pair("o", d)}) {
            Tensor bias(Shape{size});
            std::fill(bias.values().begin(), bias.values().end(), 0.5F);
            rewrite(file,
                    "model.layers." + std::to_string(layer) + ".self_attn." + name + "_proj.bias",
                    bias);
        }
    const Model model = copy.load();
    QCOMPARE(model.parameters().view("h.1.attn.o.bias")(d - 1), 0.5F);
    QCOMPARE(model.parameters().view("h.0.attn.k.bias")(0), 0.5F);
    QCOMPARE(model.parameters().view("h.0.down.bias")(0), 0.0F);
    copy.config()["mlp_bias"] = true;
    QVERIFY2(copy.refusal().find("contain no such bias") != std::string::npos,
             copy.refusal().c_str());
    Tensor bias(Shape{d});
    bias.values()[0] = 0.25F;
    rewrite(file, "model.layers.0.mlp.down_proj.bias", bias);
    QVERIFY2(copy.refusal().find("mlp.down_proj.bias\" is missing") != std::string::npos,
             copy.refusal().c_str());
    rewrite(file, "model.layers.1.mlp.down_proj.bias", bias);
    QCOMPARE(copy.load().parameters().view("h.1.down.bias")(0), 0.25F);
    QCOMPARE(copy.load().parameters().view("h.1.up.bias")(0), 0.0F);
}

void TstHuggingFaceWeights::prefixesAndBuffersDoNotMatter()
{
    const std::vector<float> expected =
        allValues(loadHuggingFaceModel(fixture("gpt2")).parameters());
    Copy copy("gpt2");
    const fs::path path = copy.path() / "model.safetensors";
    {
        const SafetensorsFile file = SafetensorsFile::open(fixture("gpt2") / "model.safetensors");
        SafetensorsWriter writer;
        std::vector<Tensor> kept;
        kept.reserve(file.tensors().size());
        for (const auto& [name, stored] : file.tensors()) {
            kept.push_back(stored.toTensor());
            writer.add(name.substr(std::string("transformer.").size()), kept.back().view());
        }
        const Tensor mask(Shape{1, 1, 4, 4});
        writer.add("h.0.attn.bias", mask.view());
        writer.write(path);
    }
    QVERIFY(allValues(copy.load().parameters()) == expected);
}

void TstHuggingFaceWeights::damagedFoldersAreRefused()
{
    Copy copy("llama");
    const fs::path weights = copy.path() / "model.safetensors";
    const auto restore = [&] {
        fs::copy(fixture("llama") / "model.safetensors", weights,
                 fs::copy_options::overwrite_existing);
    };
    QCOMPARE(copy.refusal(), std::string());
    rewrite(weights, "model.layers.1.mlp.up_proj.weight", Tensor());
    QVERIFY(copy.refusal().find("layers.1.mlp.up_proj.weight\" is missing") != std::string::npos);
    restore();
    rewrite(weights, "model.layers.0.self_attn.q_norm.weight", Tensor(Shape{8}));
    QVERIFY(copy.refusal().find("q_norm.weight\" is not part of any known llama") !=
            std::string::npos);
    restore();
    rewrite(weights, "model.norm.weight", Tensor(Shape{3}));
    QVERIFY(copy.refusal().find("has the shape [3]") != std::string::npos);
    restore();
    Tensor broken(Shape{copy.config().at("hidden_size").get<std::int64_t>()});
    broken.data()[1] = NAN;
    rewrite(weights, "model.norm.weight", broken);
    QVERIFY(copy.refusal().find("index 1") != std::string::npos);
    restore();
    copy.config()["num_hidden_layers"] = 1000;
    QVERIFY(copy.refusal().find("1000 layers") != std::string::npos);
    copy.config()["num_hidden_layers"] = 3;
    QVERIFY(copy.refusal().find("is missing") != std::string::npos);
    fs::remove(weights);
    QVERIFY(copy.refusal().find("no model.safetensors") != std::string::npos);
    QVERIFY_EXCEPTION_THROWN(loadHuggingFaceModel(copy.path() / "nowhere"), FormatError);
}

void TstHuggingFaceWeights::shardsStayInTheFolder()
{
    Copy copy("llama_bf16_sharded");
    const fs::path index = copy.path() / "model.safetensors.index.json";
    Json json = parseJson(readFile(index, 1 << 20), index.string());
    for (const Json& place : {Json("../model.safetensors"), Json("/etc/passwd"), Json(".."),
                              Json(""), Json(3), Json("missing.safetensors")}) {
        Json damaged = json;
        damaged["weight_map"]["model.norm.weight"] = place;
        writeAtomically(index, dumpJson(damaged));
        QVERIFY2(!copy.refusal().empty(), place.dump().c_str());
    }
    writeAtomically(index, "{\"weight_map\": []}");
    QVERIFY(copy.refusal().find("weight_map") != std::string::npos);
    writeAtomically(index, dumpJson(json));
    QCOMPARE(copy.refusal(), std::string());
}

HEADSCOPE_TEST(TstHuggingFaceWeights)
#include "tst_hugging_face_weights.moc"
