#include "core/attention/cpu_attention.h"
#include "core/attention/reference_attention.h"
#include "tests/support/model_weights.h"
#include "tests/support/run_record.h"
#include "tests/support/test_program.h"
#include "tests/support/traced_kinds.h"

#include <QTest>

#include <cmath>

using namespace headscope;
using namespace headscope::test;

namespace {

constexpr std::size_t kTokens = 13;
constexpr Exactness kBits{};
constexpr Exactness kRounding{1e-5};

ModelConfig plainConfig()
{
    return tracedKinds().front().second;
}

ModelConfig kindNamed(const std::string& name)
{
    for (const auto& [kind, config] : tracedKinds())
        if (kind == name)
            return config;
    return {};
}

WholePass run(const Model& model, ForwardOptions options = {})
{
    ReferenceAttention backend;
    return wholePass(model, randomText(model.config(), 1, kTokens), kTokens, backend, options);
}

std::string logitsDifference(const Model& got, const Model& expected, Exactness exactness)
{
    return difference(run(got).logits.values(), run(expected).logits.values(), exactness);
}

WholePass runWithPositions(const Model& model, PositionsChoice choice)
{
    Interventions interventions;
    interventions.positions = choice;
    ForwardOptions options;
    options.interventions = &interventions;
    return run(model, options);
}

/// "h.0.expert.2.fc1.weight" -> "h.0.fc1.weight"
std::string withoutExpert(const std::string& name)
{
    const std::size_t at = name.find(".expert.");
    if (at == std::string::npos)
        return name;
    const std::size_t end = name.find('.', at + std::size(".expert.") - 1);
    return name.substr(0, at) + name.substr(end);
}

} // namespace

#define HS_SAME(problem)                                                                           \
    do {                                                                                           \
        const std::string problem_ = (problem);                                                    \
        QVERIFY2(problem_.empty(), problem_.c_str());                                              \
    } while (false)

/// Two configurations that are one function when their weights are the same.
class TstEquivalentModels : public QObject
{
    Q_OBJECT

private slots:
    void oneKeyHeadEqualsItsCopies();
    void asManyKeyHeadsAsQueryHeadsEqualMultiHead();
    void aWindowOfTheWholeTextEqualsNone();
    void dynamicRotationEqualsALargerBase();

    void oneExpertEqualsAFeedForwardPart_data() { activations(); }

    void oneExpertEqualsAFeedForwardPart();

    void equalExpertsEqualAFeedForwardPart_data() { activations(); }

    void equalExpertsEqualAFeedForwardPart();
    void absorbedLatentAttentionEqualsOurs_data();
    void absorbedLatentAttentionEqualsOurs();
    void aTiedHeadEqualsACopyOfTheTable();
    void anEmbeddingScaleEqualsAScaledTable();
    void normsBeforeAndAfterAreDifferentModels();
    void dropoutDoesNotTouchInference();
    void leftOutPositionsEqualAZeroTable();
    void replacedPositionsEqualThoseOfAnotherConfiguration_data();
    void replacedPositionsEqualThoseOfAnotherConfiguration();

private:
    void activations()
    {
        QTest::addColumn<int>("activation");
        QTest::newRow("gelu") << static_cast<int>(Activation::GeluExact);
        QTest::newRow("relu") << static_cast<int>(Activation::Relu);
        QTest::newRow("swiglu") << static_cast<int>(Activation::SwiGlu);
    }
};

void TstEquivalentModels::oneKeyHeadEqualsItsCopies()
{
    ModelConfig config = plainConfig();
    config.keyHeads = 1;
    const Model one = Model::initialised(config, 1);
    for (const std::int64_t keyHeads : {2, 4}) {
        config.keyHeads = keyHeads;
        HS_SAME(logitsDifference(withWeights(config, one.parameters()), one, kRounding));
    }
}

void TstEquivalentModels::asManyKeyHeadsAsQueryHeadsEqualMultiHead()
{
    ModelConfig config = plainConfig();
    const Model all = Model::initialised(config, 1);
    config.keyHeads = config.heads;
    HS_SAME(logitsDifference(withWeights(config, all.parameters()), all, kBits));
}

void TstEquivalentModels::dynamicRotationEqualsALargerBase()
{
    const ModelConfig dynamic = kindNamed("rope, dynamic, outgrown"); // twice 4 tokens
    ModelConfig larger = dynamic;
    larger.rope = RopeSettings();
    const double dimensions = static_cast<double>(dynamic.headDim());
    const double growth = dynamic.rope.factor * double{kTokens} / 4.0 - (dynamic.rope.factor - 1.0);
    larger.rope.theta *= std::pow(growth, dimensions / (dimensions - 2.0));
    const Model grown = Model::initialised(dynamic, 7);
    HS_SAME(logitsDifference(grown, Model::initialised(larger, 7), kRounding));
    larger.rope.theta = dynamic.rope.theta;
    QVERIFY(!logitsDifference(grown, Model::initialised(larger, 7), kRounding).empty());
}

void TstEquivalentModels::aWindowOfTheWholeTextEqualsNone()
{
    ModelConfig config = plainConfig();
    const Model without = Model::initialised(config, 1);
    for (const std::int64_t window : {std::int64_t{kTokens}, std::int64_t{20}}) {
        config.window = window;
        HS_SAME(logitsDifference(withWeights(config, without.parameters()), without, kBits));
    }
    config.window = kTokens - 1;
    QVERIFY(!logitsDifference(withWeights(config, without.parameters()), without, {1e-4}).empty());
}

void TstEquivalentModels::oneExpertEqualsAFeedForwardPart()
{
    QFETCH(int, activation);
    ModelConfig config = plainConfig();
    config.activation = static_cast<Activation>(activation);
    const Model dense = Model::initialised(config, 1);
    config.experts = {1, 1, 0.0};
    const Model mixed = withWeights(config, dense.parameters(), withoutExpert);
    HS_SAME(logitsDifference(mixed, dense, kBits));
}

void TstEquivalentModels::equalExpertsEqualAFeedForwardPart()
{
    QFETCH(int, activation);
    ModelConfig config = plainConfig();
    config.activation = static_cast<Activation>(activation);
    const Model dense = Model::initialised(config, 1);
    config.experts = {3, 2, 0.0};
    const ParameterSet routers = Model::initialised(config, 2).parameters();
    ParameterSet parameters = withWeights(config, dense.parameters(), withoutExpert).parameters();
    for (const char* name : {"h.0.router.weight", "h.1.router.weight"})
        std::copy_n(routers.view(name).data, routers.view(name).shape.elementCount(),
                    parameters.view(name).data);
    HS_SAME(logitsDifference(Model(config, std::move(parameters)), dense, kRounding));
}

void TstEquivalentModels::absorbedLatentAttentionEqualsOurs_data()
{
    QTest::addColumn<QString>("kind");
    QTest::newRow("with rotary keys") << "latent, both ranks and rope";
    QTest::newRow("ablated") << "latent, queries from the stream";
}

/// DeepSeek-V2 2024, section 2.1.2: W_uk can be absorbed into the queries and W_uv into W_o, so
/// that attention runs over the latents themselves.
void TstEquivalentModels::absorbedLatentAttentionEqualsOurs()
{
    QFETCH(QString, kind);
    const ModelConfig config = kindNamed(kind.toStdString());
    const Model model = Model::initialised(config, 1);
    const RunRecord record = run(model).record;
    const LatentSettings& latent = config.latent;
    const std::int64_t perHead = latent.nopeDim + latent.valueDim;
    const Site querySite = latent.ropeDim > 0 ? Site::RotatedQuery : Site::Query;
    for (int layer = 0; layer < config.layers; ++layer) {
        const auto at = [&](Site site) { return record.all().at({site, layer}).values.view(); };
        const TensorView up =
            model.parameters().view("h." + std::to_string(layer) + ".attn.kv_up.weight");
        const TensorView latents = at(Site::Latent);
        const TensorView queries = at(querySite);
        const TensorView scores = at(Site::AttnScores);
        const TensorView pattern = at(Site::Pattern);
        const TensorView z = at(Site::Z);
        const double scale = 1.0 / std::sqrt(static_cast<double>(config.queryDim()));
        const auto d = [](float value) { return static_cast<double>(value); };
        for (std::int64_t head = 0; head < config.heads; ++head)
            for (std::int64_t i = 0; i < latents.shape[0]; ++i) {
                std::vector<double> absorbed(static_cast<std::size_t>(latent.keyValueRank));
                std::vector<double> mixed(absorbed.size());
                for (std::size_t r = 0; r < absorbed.size(); ++r)
                    for (std::int64_t c = 0; c < latent.nopeDim; ++c)
                        absorbed[r] += d(queries(i, head, c)) * d(up(head * perHead + c, r));
                for (std::int64_t j = 0; j <= i; ++j) {
                    double score = 0.0;
                    for (std::size_t r = 0; r < absorbed.size(); ++r) {
                        score += absorbed[r] * d(latents(j, r));
                        mixed[r] += d(pattern(head, i, j)) * d(latents(j, r));
                    }
                    for (std::int64_t c = 0; c < latent.ropeDim; ++c)
                        score +=
                            d(queries(i, head, latent.nopeDim + c)) * d(at(Site::RotaryKey)(j, c));
                    QVERIFY(std::abs(scale * score - d(scores(head, i, j))) < 1e-5);
                }
                for (std::int64_t c = 0; c < latent.valueDim; ++c) {
                    double value = 0.0;
                    for (std::size_t r = 0; r < mixed.size(); ++r)
                        value += mixed[r] * d(up(head * perHead + latent.nopeDim + c, r));
                    QVERIFY(std::abs(value - d(z(i, head, c))) < 1e-5);
                }
            }
    }
}

void TstEquivalentModels::aTiedHeadEqualsACopyOfTheTable()
{
    ModelConfig config = plainConfig();
    const Model tied = Model::initialised(config, 1);
    config.tieEmbeddings = false;
    const auto nameOf = [](const std::string& name) {
        return name == "head.weight" ? std::string("tok_emb.weight") : name;
    };
    HS_SAME(logitsDifference(withWeights(config, tied.parameters(), nameOf), tied, kBits));
}

void TstEquivalentModels::anEmbeddingScaleEqualsAScaledTable()
{
    ModelConfig config = plainConfig();
    config.tieEmbeddings = false;
    config.embeddingScale = 4.0; // exact in binary
    const Model scaled = Model::initialised(config, 1);
    config.embeddingScale = 1.0;
    ParameterSet parameters = withWeights(config, scaled.parameters()).parameters();
    const MutableTensorView table = parameters.view("tok_emb.weight");
    for (std::int64_t i = 0; i < table.shape.elementCount(); ++i)
        table.data[i] *= 4.0F;
    HS_SAME(logitsDifference(Model(config, std::move(parameters)), scaled, kBits));
    QVERIFY(!logitsDifference(withWeights(config, scaled.parameters()), scaled, {1e-2}).empty());
}

void TstEquivalentModels::normsBeforeAndAfterAreDifferentModels()
{
    ModelConfig config = plainConfig();
    const Model before = Model::initialised(config, 1);
    config.normPosition = NormPosition::Post;
    const Model after = withWeights(config, before.parameters());
    QVERIFY(!logitsDifference(after, before, {1e-2}).empty());
    config.layers = 0;
    const Model nothing = withWeights(config, before.parameters());
    config.normPosition = NormPosition::Pre; // its final norm is the one difference
    QVERIFY(!logitsDifference(withWeights(config, before.parameters()), nothing, {1e-2}).empty());
}

void TstEquivalentModels::dropoutDoesNotTouchInference()
{
    ModelConfig config = plainConfig();
    const Model without = Model::initialised(config, 1);
    config.dropout = 0.5;
    HS_SAME(logitsDifference(withWeights(config, without.parameters()), without, kBits));
}

void TstEquivalentModels::leftOutPositionsEqualAZeroTable()
{
    const Model model = Model::initialised(plainConfig(), 1);
    const auto nameOf = [](const std::string& name) {
        return name == "pos_emb.weight" ? std::string() : name;
    };
    const Model zeros = withWeights(model.config(), model.parameters(), nameOf);
    const WholePass without = runWithPositions(model, {Positions::None});
    HS_SAME(difference(without.logits.values(), run(zeros).logits.values(), kBits));
    QVERIFY(!logitsDifference(model, zeros, {1e-3}).empty());
}

void TstEquivalentModels::replacedPositionsEqualThoseOfAnotherConfiguration_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<double>("base");
    QTest::newRow("none") << static_cast<int>(Positions::None) << 10000.0;
    QTest::newRow("sinusoidal") << static_cast<int>(Positions::Sinusoidal) << 10000.0;
    QTest::newRow("sinusoidal, base 100") << static_cast<int>(Positions::Sinusoidal) << 100.0;
    QTest::newRow("rope") << static_cast<int>(Positions::Rope) << 10000.0;
    QTest::newRow("rope, theta 50") << static_cast<int>(Positions::Rope) << 50.0;
    QTest::newRow("alibi") << static_cast<int>(Positions::Alibi) << 10000.0;
}

void TstEquivalentModels::replacedPositionsEqualThoseOfAnotherConfiguration()
{
    QFETCH(int, kind);
    QFETCH(double, base);
    const Model learned = Model::initialised(plainConfig(), 1);
    ModelConfig config = plainConfig();
    config.positions = static_cast<Positions>(kind);
    config.sinusoidalBase = base;
    config.rope.theta = base;
    const Model other = withWeights(config, learned.parameters());
    const WholePass replaced = runWithPositions(learned, {config.positions, base});
    const WholePass expected = run(other);
    HS_SAME(difference(replaced.logits.values(), expected.logits.values(), kBits));
    HS_SAME(difference(replaced.record, expected.record, kBits));
    QCOMPARE(replaced.record.all().size(), expected.record.all().size());
    const WholePass back = runWithPositions(other, {Positions::None});
    const WholePass none = runWithPositions(learned, {Positions::None});
    HS_SAME(difference(back.logits.values(), none.logits.values(), kBits));
}

HEADSCOPE_TEST(TstEquivalentModels)
#include "tst_equivalent_models.moc"
