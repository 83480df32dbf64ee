#include "core/attention/cpu_attention.h"
#include "core/attention/reference_attention.h"
#include "core/base/error.h"
#include "core/model/edits/edited_model.h"
#include "core/model/edits/weight_matrix.h"
#include "core/model/pass/tracer.h"
#include "core/model/weights/lazy_parameters.h"
#include "tests/support/model_kinds.h"
#include "tests/support/small_models.h"
#include "tests/support/stored_weights.h"
#include "tests/support/test_program.h"

#include <QRegularExpression>
#include <QTest>

#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

using namespace headscope;
using namespace headscope::test;

using ModelPtr = std::shared_ptr<const Model>;

Q_DECLARE_METATYPE(headscope::ModelConfig)

namespace {

const std::vector<TokenId> kIds{3, 17, 5, 5, 30, 1, 8};

ModelPtr modelOf(const ModelConfig& config, std::uint64_t seed = 3)
{
    return smallModel(seed, config).model;
}

ModelConfig untied()
{
    ModelConfig config = smallConfig();
    config.tieEmbeddings = false;
    return config;
}

ModelConfig grouped()
{
    ModelConfig config = smallConfig();
    config.keyHeads = 2;
    return config;
}

Tensor logitsOf(const Model& model, const Interventions& interventions = {})
{
    CpuAttention backend;
    KvCache cache(model.config());
    if (model.config().isEncoderDecoder())
        model.encode(kIds, backend, cache);
    return model.forward(kIds, backend, cache, nullptr, interventions);
}

ModelPtr edited(const ModelPtr& base, const std::vector<std::string>& texts,
                const OpenCheckpoint& open = {})
{
    std::vector<WeightEdit> edits;
    for (const std::string& text : texts)
        edits.push_back(parseWeightEdit(text));
    return editedModel(base, edits, open);
}

double largestDifference(const Tensor& a, const Tensor& b)
{
    double largest = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
        largest = std::max(largest, std::abs(double{a.data()[i]} - double{b.data()[i]}));
    return largest;
}

bool sameBits(const Tensor& a, const Tensor& b)
{
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

std::string refusalOf(const std::function<void()>& call)
{
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

constexpr double kClose = 1e-5;

} // namespace

class TstWeightEdits : public QObject
{
    Q_OBJECT

private slots:

    void textAndJsonAreTheSameEdit_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text :
             {"blocks.0.attn.W_Q[3,5]=0.1", "blocks.0.attn.W_Q*=0", "W_E[3,:]=1,2,-0.5",
              "W_E[:,2]*=-1.5", "blocks.1.attn.W_O[H3]*=0", "blocks.0.attn[H1,H2]=swap",
              "blocks.1.mlp.W_in=@runs/a/checkpoints/step-3.safetensors",
              "W_E[7,:]=@builtin:dates"})
            QTest::newRow(text) << QString(text);
    }

    void textAndJsonAreTheSameEdit()
    {
        QFETCH(QString, text);
        const WeightEdit edit = parseWeightEdit(text.toStdString());
        QCOMPARE(toString(edit), text.toStdString());
        QVERIFY(weightEditFromJson(toJson(edit), "here") == edit);
        QVERIFY(weightEditFromJson(nlohmann::json(text.toStdString()), "here") == edit);
    }

    void aRowMayBeWrittenAlone()
    {
        QCOMPARE(toString(parseWeightEdit("W_E[3]*=0")), std::string("W_E[3,:]*=0"));
    }

    void nonsenseIsRefusedInOneSentence_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text :
             {"", "W_E", "W_E=", "=3", "W_E[=3", "W_E[1,2=3", "W_E[-1]=3", "W_E[a]=3", "W_E=x",
              "W_E=1,,2", "W_E=nan", "W_E=@", "W_E[H]=1", "W_E[H1,H2]=0", "W_E[H1,2]=swap",
              "W_E=swap", "W_E[H1,H2]*=2", "W_E*=1e999", "W_E[1]+=2"})
            QTest::newRow(text) << QString(text);
    }

    void nonsenseIsRefusedInOneSentence()
    {
        QFETCH(QString, text);
        const std::string reported = refusalOf([&] { parseWeightEdit(text.toStdString()); });
        QVERIFY2(reported.starts_with("no weight edit: "), reported.c_str());
    }

    void damagedJsonIsRefused_data()
    {
        QTest::addColumn<QString>("json");
        for (const char* json :
             {"3", "{}", R"({"matrix":"W_E"})", R"({"matrix":"W_E","set":[]})",
              R"({"matrix":"W_E","set":["x"]})", R"({"matrix":"","scale":1})",
              R"({"matrix":"W_E","row":-1,"scale":1})", R"({"matrix":"W_E","scale":1,"set":[1]})",
              R"({"matrix":"W_E","take":""})", R"({"matrix":"blocks.0.attn","swap":1})",
              R"({"matrix":"W_E","scael":1})",
              R"({"matrix":"W_E","head":1099511627775,"scale":1})"})
            QTest::newRow(json) << QString(json);
    }

    void damagedJsonIsRefused()
    {
        QFETCH(QString, json);
        const std::string reported = refusalOf(
            [&] { weightEditFromJson(nlohmann::json::parse(json.toStdString()), "file.json"); });
        QVERIFY2(reported.find("file.json") != std::string::npos, reported.c_str());
    }

    void everyParameterHasOneName_data()
    {
        QTest::addColumn<ModelConfig>("config");
        for (const auto& [name, config] : modelKinds())
            QTest::newRow(name.c_str()) << config;
    }

    void everyParameterHasOneName()
    {
        QFETCH(ModelConfig, config);
        const auto specs = parameterLayout(config);
        std::set<std::string> names;
        for (const WeightMatrix& matrix : weightMatrices(config)) {
            QVERIFY2(names.insert(matrix.name).second, matrix.name.c_str());
            QCOMPARE(matrix.rows * matrix.columns, specs[matrix.parameter].shape.elementCount());
            if (matrix.headAxis != WeightMatrix::Axis::None)
                QCOMPARE(matrix.headSize() * matrix.heads,
                         matrix.headAxis == WeightMatrix::Axis::Rows ? matrix.rows
                                                                     : matrix.columns);
            const bool isKnown = matrix.name.find("weight") == std::string::npos &&
                                 matrix.name.find("bias") == std::string::npos;
            QVERIFY2(isKnown, matrix.name.c_str());
        }
    }

    /// Scaling any matrix by 1 changes no bit of the logits, whatever was prepared and shared.
    void anEditThatChangesNothingKeepsEveryBit_data() { everyParameterHasOneName_data(); }

    void anEditThatChangesNothingKeepsEveryBit()
    {
        QFETCH(ModelConfig, config);
        const ModelPtr base = modelOf(config);
        const Tensor before = logitsOf(*base);
        for (const WeightMatrix& matrix : weightMatrices(config))
            QVERIFY2(sameBits(logitsOf(*edited(base, {matrix.name + "*=1"})), before),
                     matrix.name.c_str());
    }

    void matricesAreNamedAndOrientedAsInTheField()
    {
        const auto matrices = weightMatrices(grouped());
        const WeightMatrix& query = findMatrix(matrices, "blocks.2.attn.W_Q");
        QCOMPARE(query.rows, 32);
        QCOMPARE(query.columns, 32);
        QCOMPARE(query.heads, 4);
        const WeightMatrix& key = findMatrix(matrices, "blocks.2.attn.W_K");
        QCOMPARE(key.columns, 16);
        QCOMPARE(key.heads, 2);
        QCOMPARE(findMatrix(matrices, "W_E").rows, 37);
        QCOMPARE(findMatrix(matrices, "blocks.0.mlp.W_in").columns, smallConfig().dFf);
        QCOMPARE(findMatrix(weightMatrices(untied()), "W_U").columns, 37);
    }

    void oneValueIsTheCellOfXTimesW()
    {
        const ModelPtr base = modelOf(smallConfig());
        const ModelPtr changed = edited(base, {"blocks.1.attn.W_Q[3,5]=0.75"});
        const TensorView before = base->parameters().view("h.1.attn.q.weight"); // [out, in]
        const TensorView after = changed->parameters().view("h.1.attn.q.weight");
        for (std::int64_t out = 0; out < 32; ++out)
            for (std::int64_t in = 0; in < 32; ++in) {
                const float expected = out == 5 && in == 3 ? 0.75F : before[out].data[in];
                QCOMPARE(after[out].data[in], expected);
            }
    }

    void aRowOfTheEmbeddingIsThatOfItsToken()
    {
        const ModelPtr base = modelOf(untied());
        const ModelPtr changed = edited(base, {"W_E[17,:]*=0"});
        const TensorView row = changed->parameters().view("tok_emb.weight")[17];
        for (std::int64_t i = 0; i < 32; ++i)
            QCOMPARE(row.data[i], 0.0F);
        const Tensor a = logitsOf(*base);
        const Tensor b = logitsOf(*changed);
        QVERIFY(std::memcmp(a.data(), b.data(), 37 * sizeof(float)) == 0); // before the token
        QVERIFY(largestDifference(a, b) > 1e-3);
    }

    void zeroingAHeadsRowsOfWoAblatesIt()
    {
        for (const ModelConfig& config : {smallConfig(), grouped()}) {
            const ModelPtr base = modelOf(config);
            Interventions ablation;
            ablation.ablatedHeads = {{1, 2}};
            const Tensor expected = logitsOf(*base, ablation);
            const Tensor got = logitsOf(*edited(base, {"blocks.1.attn.W_O[H2]*=0"}));
            QVERIFY(largestDifference(got, expected) < kClose);
            QVERIFY(largestDifference(got, logitsOf(*base)) > 1e-3);
        }
    }

    void swappingTwoHeadsLeavesTheLogits_data()
    {
        QTest::addColumn<ModelConfig>("config");
        QTest::addColumn<QString>("edit");
        ModelConfig latent = smallConfig();
        latent.positions = Positions::Rope;
        latent.latent = {12, 0, 4, 8, 6};
        ModelConfig compressed = latent;
        compressed.latent.queryRank = 10;
        ModelConfig two = smallConfig();
        two.architecture = Architecture::EncoderDecoder;
        QTest::newRow("one stack") << smallConfig() << "blocks.1.attn[H0,H3]=swap";
        QTest::newRow("grouped") << grouped() << "blocks.1.attn[H2,H3]=swap";
        QTest::newRow("latent") << latent << "blocks.0.attn[H1,H3]=swap";
        QTest::newRow("latent queries") << compressed << "blocks.0.attn[H1,H3]=swap";
        QTest::newRow("cross") << two << "decoder.0.cross_attn[H1,H2]=swap";
        QTest::newRow("encoder") << two << "encoder.1.attn[H1,H2]=swap";
    }

    void swappingTwoHeadsLeavesTheLogits()
    {
        QFETCH(ModelConfig, config);
        QFETCH(QString, edit);
        const ModelPtr base = modelOf(config);
        const ModelPtr swapped = edited(base, {edit.toStdString()});
        QVERIFY(largestDifference(logitsOf(*swapped), logitsOf(*base)) < kClose);
        const auto attention = edit.toStdString().substr(0, edit.indexOf('['));
        const auto matrices = weightMatrices(config);
        const auto& output = findMatrix(matrices, attention + ".W_O");
        const auto& spec = base->parameters().specs()[output.parameter];
        QVERIFY(base->parameters().view(spec).data[0] != 0.0F);
        bool moved = false;
        for (std::int64_t i = 0; i < spec.shape.elementCount(); ++i)
            moved |=
                base->parameters().view(spec).data[i] != swapped->parameters().view(spec).data[i];
        QVERIFY(moved);
        QVERIFY(toString(swapped->edits().front()) == edit.toStdString());
    }

    void scalingWuScalesTheLogits()
    {
        const ModelPtr base = modelOf(untied());
        const Tensor before = logitsOf(*base);
        const Tensor after = logitsOf(*edited(base, {"W_U*=2"}));
        for (std::size_t i = 0; i < before.size(); ++i)
            QCOMPARE(after.data()[i], 2.0F * before.data()[i]);
    }

    void weightsOfAnotherModelAreTaken()
    {
        const ModelPtr base = modelOf(smallConfig(), 3);
        const ModelPtr other = modelOf(smallConfig(), 4);
        std::vector<std::string> opened;
        std::vector<std::string> all;
        for (const WeightMatrix& matrix : weightMatrices(smallConfig()))
            all.push_back(matrix.name + "=@other");
        const ModelPtr taken = edited(base, all, [&](const std::string& name) {
            opened.push_back(name);
            return other;
        });
        QVERIFY(sameBits(logitsOf(*taken), logitsOf(*other)));
        QCOMPARE(opened.size(), std::size_t{1});
    }

    void onlyTouchedMatricesAreCopied()
    {
        const ModelPtr base = modelOf(smallConfig());
        const Tensor before = logitsOf(*base);
        const ModelPtr changed = edited(base, {"blocks.0.attn.W_Q[0,0]=9"});
        QVERIFY(!sameBits(logitsOf(*changed), before));
        QVERIFY(sameBits(logitsOf(*base), before));
        for (const ParameterSpec& spec : base->parameters().specs()) {
            const bool isShared =
                changed->parameters().view(spec).data == base->parameters().view(spec).data;
            QCOMPARE(isShared, spec.name != "h.0.attn.q.weight");
        }
        QVERIFY(changed->parameters().stored()->unpackedBytes() <= 3 * 32 * 32 * sizeof(float));
    }

    /// Two tracers in turn on one text: neither reuses what the other computed.
    void tracesOfAAndBDoNotMix()
    {
        const LoadedModel a = smallModel(3);
        LoadedModel b = a;
        b.model = edited(a.model, {"blocks.0.attn.W_V[:,3]*=4"});
        Tracer first(a, std::make_unique<CpuAttention>());
        Tracer second(b, std::make_unique<CpuAttention>());
        const TraceRequest request = TraceRequest::everything();
        for (std::size_t length : {3U, 5U, 7U}) {
            const std::vector<TokenId> ids(kIds.begin(), kIds.begin() + length);
            const TracePtr traceA = first.trace(tokensOf(ids), request);
            const TracePtr traceB = second.trace(tokensOf(ids), request);
            Tracer fresh(b, std::make_unique<ReferenceAttention>());
            const TracePtr expected = fresh.trace(tokensOf(ids), request);
            QCOMPARE(traceDifference(*traceB, *expected, kClose), std::string());
            QVERIFY(!traceDifference(*traceA, *expected, 1e-3).empty());
            const auto settings = nlohmann::json::parse(traceB->info().settings);
            QCOMPARE(settings.at("weights").size(), std::size_t{1});
            QVERIFY(!nlohmann::json::parse(traceA->info().settings).contains("weights"));
        }
    }

    void aStoredMatrixIsExpandedWhereItIsEdited()
    {
        ModelConfig config = smallConfig();
        config.dModel = 256;
        config.dFf = 512;
        config.layers = 2;
        const auto stored = randomStored(config, BlockFormat::Q4_K, 5);
        const auto base = std::make_shared<const Model>(config, ParameterSet(config, stored));
        ParameterSet floats(config);
        for (std::size_t i = 0; i < stored.size(); ++i)
            unpackParameter(stored[i], floats.view(floats.specs()[i]));
        const auto plain = std::make_shared<const Model>(config, std::move(floats));
        const std::vector<std::string> edits{"blocks.0.attn.W_Q[:,40]*=-3",
                                             "blocks.1.mlp.W_out[11,:]=0.25", "W_E[5,:]*=2"};
        const ModelPtr changed = edited(base, edits);
        QVERIFY(largestDifference(logitsOf(*changed), logitsOf(*edited(plain, edits))) < 1e-3);
        const auto matrices = weightMatrices(config);
        QCOMPARE(storageFormat(*base, findMatrix(matrices, "blocks.0.attn.W_Q")),
                 std::string("Q4_K"));
        QCOMPARE(storageFormat(*changed, findMatrix(matrices, "blocks.0.attn.W_Q")), std::string());
        QCOMPARE(storageFormat(*changed, findMatrix(matrices, "blocks.0.attn.W_K")),
                 std::string("Q4_K"));
        QCOMPARE(storageFormat(*plain, findMatrix(matrices, "W_E")), std::string());
    }

    void whatDoesNotExistIsRefused_data()
    {
        QTest::addColumn<ModelConfig>("config");
        QTest::addColumn<QString>("edit");
        QTest::addColumn<QString>("reported");
        const auto row = [](const char* edit, const ModelConfig& config, const char* reported) {
            QTest::newRow(edit) << config << edit << reported;
        };
        row("blocks.9.attn.W_Q*=0", smallConfig(),
            "no such weight matrix: \"blocks.9.attn.W_Q\" (edit). Did you mean "
            "\"blocks.0.attn.W_Q\"?");
        row("W_U*=2", smallConfig(),
            "no such weight matrix: \"W_U\" (edit). The unembedding is the transposed W_E here "
            "(tied embeddings): edit W_E");
        row("W_E[37]*=0", smallConfig(), "W_E has no row 37 (edit). Choose row 0 to 36");
        row("W_E[0,32]=0", smallConfig(), "W_E has no column 32 (edit). Choose column 0 to 31");
        row("ln_final.w[40]=0", smallConfig(),
            "ln_final.w has no entry 40 (edit). Choose entry 0 to 31");
        row("blocks.0.attn.W_Q[H4]*=0", smallConfig(),
            "blocks.0.attn.W_Q has no head 4 (edit). Choose head 0 to 3");
        row("W_E[H0]*=0", smallConfig(),
            "W_E is not divided into heads (edit). Choose W_Q, W_K, "
            "W_V or W_O of an attention, or a row or a column");
        row("W_E[0]=1,2,3", smallConfig(),
            "3 values for 32 weights of W_E (edit). Give one number, or one for each weight");
        row("blocks.7.attn[H0,H1]=swap", smallConfig(),
            "no such attention: \"blocks.7.attn\" (edit). Did you mean \"blocks.0.attn\"?");
        row("blocks.0.attn[H0,H4]=swap", smallConfig(),
            "blocks.0.attn has no head 4 (edit). Choose head 0 to 3");
        row("blocks.0.attn[H1,H2]=swap", grouped(),
            "heads 1 and 2 use different keys and values (edit). Swap heads of one group, such as "
            "0 and 1");
        row("W_E=@wide", smallConfig(),
            "W_E is [37, 64] in \"wide\", but [37, 32] here (edit). "
            "Choose a checkpoint of the same sizes");
        row("W_pos=@wide", smallConfig(),
            "\"wide\" has no matrix W_pos (edit). Choose a "
            "checkpoint of the same architecture");
    }

    void whatDoesNotExistIsRefused()
    {
        QFETCH(ModelConfig, config);
        QFETCH(QString, edit);
        QFETCH(QString, reported);
        const ModelPtr base = modelOf(config);
        ModelConfig wide = smallConfig();
        wide.dModel = 64;
        wide.positions = Positions::Rope;
        const auto open = [&](const std::string&) { return modelOf(wide); };
        const std::string got = refusalOf([&] { edited(base, {edit.toStdString()}, open); });
        QCOMPARE(QString::fromStdString(got).remove(QRegularExpression("\\.$")), reported);
    }

    void anEditIsStopped()
    {
        std::stop_source stop;
        stop.request_stop();
        const auto edits = std::vector<WeightEdit>{parseWeightEdit("W_E*=2")};
        QVERIFY_EXCEPTION_THROWN(editedModel(modelOf(smallConfig()), edits, {}, stop.get_token()),
                                 Cancelled);
    }
};

HEADSCOPE_TEST(TstWeightEdits)
#include "tst_weight_edits.moc"
