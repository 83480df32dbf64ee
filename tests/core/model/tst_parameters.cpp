#include "core/model/weights/parameters.h"

#include "core/base/error.h"
#include "tests/support/model_kinds.h"
#include "tests/support/test_program.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <cstdint>
#include <set>

using namespace headscope;
using namespace headscope::test;

namespace {

ModelConfig kindNamed(const std::string& name)
{
    for (const auto& [known, config] : modelKinds())
        if (known == name)
            return config;
    throw Error("no kind " + name);
}

/// "tok_emb.weight[37,24] ..." of the parameters whose names begin so.
QStringList described(const ModelConfig& config, const std::string& prefix = {})
{
    QStringList list;
    for (const ParameterSpec& spec : parameterLayout(config))
        if (spec.name.starts_with(prefix))
            list << QString::fromStdString(spec.name.substr(prefix.size()) + spec.shape.toString());
    return list;
}

QStringList words(const char* text)
{
    return QString(text).simplified().split("; ");
}

} // namespace

class TstParameters : public QObject
{
    Q_OBJECT

private slots:
    void aDecoderIsNamedAndPlacedAsEver();
    void blocksHaveTheirNames_data();
    void blocksHaveTheirNames();
    void whatSurroundsTheBlocks_data();
    void whatSurroundsTheBlocks();
    void fusedGroupsHaveNoGaps_data();
    void fusedGroupsHaveNoGaps();
    void parametersDoNotOverlap_data();
    void parametersDoNotOverlap();
    void unknownParameterIsNamed();
    void aModelBeyondMemoryIsRefusedBeforeItIsMade();

private:
    void addKinds() const;
};

void TstParameters::addKinds() const
{
    QTest::addColumn<QString>("kind");
    for (const auto& [name, config] : modelKinds())
        QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

/// Offsets of the layout that the shipped checkpoints were written with.
void TstParameters::aDecoderIsNamedAndPlacedAsEver()
{
    ModelConfig config;
    config.vocabularySize = 37;
    config.dModel = 24;
    config.heads = 3;
    config.layers = 1;
    config.dFf = 40;
    config.maxLen = 19;
    config.tieEmbeddings = false;
    const std::vector<std::pair<const char*, std::size_t>> expected{
        {"tok_emb.weight", 0},       {"pos_emb.weight", 896},     {"h.0.ln1.weight", 1360},
        {"h.0.ln1.bias", 1392},      {"h.0.attn.q.weight", 1424}, {"h.0.attn.k.weight", 2000},
        {"h.0.attn.v.weight", 2576}, {"h.0.attn.q.bias", 3152},   {"h.0.attn.k.bias", 3176},
        {"h.0.attn.v.bias", 3200},   {"h.0.attn.o.weight", 3232}, {"h.0.attn.o.bias", 3808},
        {"h.0.ln2.weight", 3840},    {"h.0.ln2.bias", 3872},      {"h.0.fc1.weight", 3904},
        {"h.0.fc1.bias", 4864},      {"h.0.fc2.weight", 4912},    {"h.0.fc2.bias", 5872},
        {"ln_f.weight", 5904},       {"ln_f.bias", 5936},         {"head.weight", 5968}};
    const std::vector<ParameterSpec> specs = parameterLayout(config);
    QCOMPARE(specs.size(), expected.size());
    for (std::size_t i = 0; i < specs.size(); ++i) {
        QCOMPARE(specs[i].name, std::string(expected[i].first));
        QCOMPARE(specs[i].offset, expected[i].second);
    }
}

void TstParameters::blocksHaveTheirNames_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("block");
    QTest::addColumn<QStringList>("expected");
    const auto row = [](const char* kind, const char* block, const char* expected) {
        QTest::newRow(kind) << kind << block << words(expected);
    };
    row("grouped queries, q k v without bias", "h.1.",
        "ln1.weight[24]; ln1.bias[24]; attn.q.weight[24, 24]; attn.k.weight[12, 24]; "
        "attn.v.weight[12, 24]; attn.o.weight[24, 24]; attn.o.bias[24]; ln2.weight[24]; "
        "ln2.bias[24]; fc1.weight[40, 24]; fc1.bias[40]; fc2.weight[24, 40]; fc2.bias[24]");
    row("one key head, bias on q k v alone", "h.0.attn.",
        "q.weight[24, 24]; k.weight[6, 24]; v.weight[6, 24]; q.bias[24]; k.bias[6]; v.bias[6]; "
        "o.weight[24, 24]");
    row("wide heads", "h.0.attn.q", ".weight[40, 24]; .bias[40]");
    row("latent, both ranks and rope", "h.0.attn.",
        "q_down.weight[16, 24]; q_norm.weight[16]; q_up.weight[48, 16]; kv_down.weight[16, 24]; "
        "kv_norm.weight[12]; kv_up.weight[56, 12]; o.weight[24, 24]; o.bias[24]");
    row("latent, queries from the stream", "h.1.attn.",
        "q.weight[40, 24]; kv_down.weight[12, 24]; kv_norm.weight[12]; kv_up.weight[70, 12]; "
        "o.weight[24, 30]; o.bias[24]");
    row("rms, swiglu, no bias", "h.0.",
        "ln1.weight[24]; attn.q.weight[24, 24]; attn.k.weight[24, 24]; attn.v.weight[24, 24]; "
        "attn.o.weight[24, 24]; ln2.weight[24]; gate.weight[40, 24]; up.weight[40, 24]; "
        "down.weight[24, 40]");
    row("rms with unit offset, geglu", "h.0.g", "ate.weight[40, 24]; ate.bias[40]");
    row("no feed-forward part", "h.1.",
        "ln1.weight[24]; ln1.bias[24]; attn.q.weight[24, 24]; attn.k.weight[24, 24]; "
        "attn.v.weight[24, 24]; attn.q.bias[24]; attn.k.bias[24]; attn.v.bias[24]; "
        "attn.o.weight[24, 24]; attn.o.bias[24]");
    row("experts", "h.0.expert.2.",
        "fc1.weight[40, 24]; fc1.bias[40]; fc2.weight[24, 40]; "
        "fc2.bias[24]");
    row("gated experts", "h.1.expert.3.",
        "gate.weight[40, 24]; up.weight[40, 24]; gate.bias[40]; up.bias[40]; down.weight[24, 40]; "
        "down.bias[24]");
    row("2017", "dec.1.",
        "ln1.weight[24]; ln1.bias[24]; attn.q.weight[24, 24]; attn.k.weight[24, 24]; "
        "attn.v.weight[24, 24]; attn.q.bias[24]; attn.k.bias[24]; attn.v.bias[24]; "
        "attn.o.weight[24, 24]; attn.o.bias[24]; ln_cross.weight[24]; ln_cross.bias[24]; "
        "cross.q.weight[24, 24]; cross.q.bias[24]; cross.k.weight[24, 24]; "
        "cross.v.weight[24, 24]; cross.k.bias[24]; cross.v.bias[24]; cross.o.weight[24, 24]; "
        "cross.o.bias[24]; ln2.weight[24]; ln2.bias[24]; fc1.weight[40, 24]; fc1.bias[40]; "
        "fc2.weight[24, 40]; fc2.bias[24]");
    row("t5", "dec.2.",
        "ln1.weight[24]; attn.q.weight[24, 24]; attn.k.weight[24, 24]; attn.v.weight[24, 24]; "
        "attn.o.weight[24, 24]; ln_cross.weight[24]; cross.q.weight[24, 24]; "
        "cross.k.weight[24, 24]; cross.v.weight[24, 24]; cross.o.weight[24, 24]; ln2.weight[24]; "
        "fc1.weight[40, 24]; fc2.weight[24, 40]");
    row("learned positions and norms in both stacks, grouped", "dec.0.cross.",
        "q.weight[24, 24]; q.bias[24]; k.weight[12, 24]; v.weight[12, 24]; k.bias[12]; v.bias[12]; "
        "o.weight[24, 24]; o.bias[24]");
}

void TstParameters::blocksHaveTheirNames()
{
    QFETCH(QString, kind);
    QFETCH(QString, block);
    QFETCH(QStringList, expected);
    QCOMPARE(described(kindNamed(kind.toStdString()), block.toStdString()), expected);
}

void TstParameters::whatSurroundsTheBlocks_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QStringList>("expected");
    const auto row = [](const char* kind, const char* expected) {
        QTest::newRow(kind) << kind << words(expected);
    };
    row("relative", "tok_emb.weight[37, 24]; rel_bias.weight[9, 4]; ln_f.weight[24]; "
                    "ln_f.bias[24]");
    row("rope", "tok_emb.weight[37, 24]; ln_f.weight[24]; ln_f.bias[24]");
    row("post, std_eps, relu", "tok_emb.weight[37, 24]; pos_emb.weight[20, 24]");
    row("experts", "tok_emb.weight[37, 24]; pos_emb.weight[20, 24]; ln_f.weight[24]; "
                   "ln_f.bias[24]");
    row("scales, embedding norm, head bias",
        "tok_emb.weight[37, 24]; pos_emb.weight[20, 24]; ln_emb.weight[24]; ln_emb.bias[24]; "
        "ln_f.weight[24]; ln_f.bias[24]; head.weight[37, 24]; head.bias[37]");
    row("encoder with everything of BERT",
        "tok_emb.weight[37, 24]; type_emb.weight[2, 24]; pos_emb.weight[20, 24]; "
        "ln_emb.weight[24]; ln_emb.bias[24]; head.dense.weight[24, 24]; head.dense.bias[24]; "
        "head.ln.weight[24]; head.ln.bias[24]; head.bias[37]; pooler.weight[24, 24]; "
        "pooler.bias[24]; next_sentence.weight[2, 24]; next_sentence.bias[2]");
    row("encoder without a head", "tok_emb.weight[37, 24]; rel_bias.weight[32, 4]; "
                                  "ln_f.weight[24]; ln_f.bias[24]");
    row("2017", "tok_emb.weight[37, 24]; enc.tok_emb.weight[37, 24]; head.weight[37, 24]; "
                "head.bias[37]");
    row("t5", "tok_emb.weight[37, 24]; enc.rel_bias.weight[32, 4]; dec.rel_bias.weight[32, 4]; "
              "enc.ln_f.weight[24]; ln_f.weight[24]");
    row("t5 1.1: source and target share, the head does not",
        "tok_emb.weight[37, 24]; enc.rel_bias.weight[32, 4]; dec.rel_bias.weight[32, 4]; "
        "enc.ln_f.weight[24]; ln_f.weight[24]; head.weight[37, 24]");
    row("learned positions and norms in both stacks, grouped",
        "tok_emb.weight[37, 24]; enc.tok_emb.weight[37, 24]; enc.pos_emb.weight[20, 24]; "
        "enc.ln_emb.weight[24]; enc.ln_emb.bias[24]; dec.pos_emb.weight[20, 24]; "
        "dec.ln_emb.weight[24]; dec.ln_emb.bias[24]; enc.ln_f.weight[24]; enc.ln_f.bias[24]; "
        "ln_f.weight[24]; ln_f.bias[24]");
}

void TstParameters::whatSurroundsTheBlocks()
{
    QFETCH(QString, kind);
    QFETCH(QStringList, expected);
    QStringList got = described(kindNamed(kind.toStdString()));
    got.erase(
        std::remove_if(got.begin(), got.end(),
                       [](const QString& name) {
                           return QRegularExpression("^(h|enc|dec)\\.[0-9]").match(name).hasMatch();
                       }),
        got.end());
    QCOMPARE(got, expected);
}

void TstParameters::fusedGroupsHaveNoGaps_data()
{
    addKinds();
}

void TstParameters::fusedGroupsHaveNoGaps()
{
    QFETCH(QString, kind);
    const std::vector<ParameterSpec> specs = parameterLayout(kindNamed(kind.toStdString()));
    for (std::size_t i = 1; i < specs.size(); ++i) {
        const auto follows = [&](const char* part, const char* previous) {
            std::string expected = specs[i].name;
            const std::size_t at = expected.find(part);
            if (at == std::string::npos)
                return false;
            expected.replace(at, std::string(part).size(), previous);
            return specs[i - 1].name == expected;
        };
        const bool fused = follows("attn.k.", "attn.q.") || follows("attn.v.", "attn.k.") ||
                           follows("cross.v.", "cross.k.") || follows("up.", "gate.");
        const std::size_t end =
            specs[i - 1].offset + static_cast<std::size_t>(specs[i - 1].shape.elementCount());
        if (fused)
            QCOMPARE(specs[i].offset, end);
        else
            QCOMPARE(specs[i].offset % 16, std::size_t{0});
        const bool neverAlone = specs[i].name.find("attn.k.") != std::string::npos ||
                                specs[i].name.find(".v.") != std::string::npos ||
                                specs[i].name.find(".up.") != std::string::npos;
        QVERIFY2(fused || !neverAlone, specs[i].name.c_str());
    }
}

void TstParameters::parametersDoNotOverlap_data()
{
    addKinds();
}

void TstParameters::parametersDoNotOverlap()
{
    QFETCH(QString, kind);
    const ModelConfig config = kindNamed(kind.toStdString());
    std::size_t end = 0;
    std::set<std::string> names;
    for (const ParameterSpec& spec : parameterLayout(config)) {
        QVERIFY(spec.offset >= end);
        end = spec.offset + static_cast<std::size_t>(spec.shape.elementCount());
        QVERIFY2(names.insert(spec.name).second, spec.name.c_str());
    }
    const ParameterSet parameters(config);
    QCOMPARE(parameters.values().size(), end);
    QCOMPARE(parameters.parameterCount(), static_cast<std::size_t>(parameterCount(config)));
    QCOMPARE(reinterpret_cast<std::uintptr_t>(parameters.values().data()) % 64, std::uintptr_t{0});
    QVERIFY(std::all_of(parameters.values().begin(), parameters.values().end(),
                        [](float value) { return value == 0.0F; }));
}

void TstParameters::unknownParameterIsNamed()
{
    const ParameterSet parameters(kindNamed("learned"));
    try {
        parameters.view("h.2.ln1.weight");
        QFAIL("an unknown parameter was found");
    } catch (const ShapeError& error) {
        QVERIFY(std::string(error.what()).find("h.2.ln1.weight") != std::string::npos);
    }
}

void TstParameters::aModelBeyondMemoryIsRefusedBeforeItIsMade()
{
    ModelConfig config; // two terabytes
    config.vocabularySize = std::int64_t{1} << 22;
    config.dModel = std::int64_t{1} << 17;
    config.layers = 0;
    config.positions = Positions::None;
    try {
        const ParameterSet parameters(config);
        QFAIL("two terabytes were allocated");
    } catch (const Error& error) {
        const std::string text = error.what();
        QVERIFY2(text.find("549756076032 parameters") != std::string::npos, text.c_str());
        QVERIFY2(text.find("2199024304128 bytes") != std::string::npos, text.c_str());
    }
}

HEADSCOPE_TEST(TstParameters)
#include "tst_parameters.moc"
