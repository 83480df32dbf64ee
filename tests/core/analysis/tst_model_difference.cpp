#include "core/analysis/difference/model_difference_json.h"
#include "core/analysis/difference/pattern_divergence.h"
#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/model/edits/edited_model.h"
#include "core/model/edits/weight_matrix.h"
#include "core/model/weights/lazy_parameters.h"
#include "core/text/tokenizers/id_tokenizer.h"
#include "tests/support/small_models.h"
#include "tests/support/stored_weights.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

using namespace headscope;
using namespace headscope::test;

namespace {

using ModelPtr = std::shared_ptr<const Model>;
using Row = std::vector<float>;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

bool isClose(double got, double expected, double tolerance = 1e-7)
{
    return std::abs(got - expected) <= tolerance;
}

TracePtr traceOf(const LoadedModel& model, const std::vector<TokenId>& ids)
{
    Tracer tracer(model, std::make_unique<CpuAttention>());
    return tracer.trace(tokensOf(ids), TraceRequest{{"blocks.*.attn.hook_pattern", "logits"}});
}

LoadedModel editedFrom(const LoadedModel& model, const std::string& edit)
{
    LoadedModel edited = model;
    edited.model = editedModel(model.model, {parseWeightEdit(edit)}, {});
    return edited;
}

WeightDifference weightsOf(const ModelPtr& a, const ModelPtr& b)
{
    Progress progress;
    return weightDifference(a, b, progress);
}

const MatrixDifference& matrixOf(const WeightDifference& difference, const std::string& name)
{
    for (const MatrixDifference& matrix : difference.matrices)
        if (matrix.name == name)
            return matrix;
    throw Error("no such matrix", name);
}

/// Sum over keys and the sink of p log2(p / m), in the form that the definition has.
double plainDivergence(TensorView a, TensorView b)
{
    double total = 0.0;
    for (std::int64_t query = 0; query < a.shape[0]; ++query) {
        for (std::int64_t key = 0; key < a.shape[1]; ++key) {
            const double p = double{a(query, key)};
            const double q = double{b(query, key)};
            total += p > 0.0 ? 0.5 * p * std::log2(2.0 * p / (p + q)) : 0.0;
            total += q > 0.0 ? 0.5 * q * std::log2(2.0 * q / (p + q)) : 0.0;
        }
    }
    return total / static_cast<double>(a.shape[0]);
}

} // namespace

class TstModelDifference : public QObject
{
    Q_OBJECT

private slots:

    // ------------------------------------------------------------------------------------ patterns

    void rowsHaveClosedForms_data()
    {
        QTest::addColumn<Row>("p");
        QTest::addColumn<Row>("q");
        QTest::addColumn<double>("bits");
        QTest::newRow("equal") << Row{0.25F, 0.75F} << Row{0.25F, 0.75F} << 0.0;
        QTest::newRow("disjoint") << Row{1.0F, 0.0F} << Row{0.0F, 1.0F} << 1.0;
        // half of log2(4/3), and half of (log2(2/3) + log2(2)) / 2
        QTest::newRow("one key against two")
            << Row{1.0F, 0.0F} << Row{0.5F, 0.5F}
            << 0.5 * std::log2(4.0 / 3.0) + 0.25 * (std::log2(2.0 / 3.0) + 1.0);
        QTest::newRow("masked cells") << Row{1.0F, 0.0F, 0.0F} << Row{0.0F, 1.0F, 0.0F} << 1.0;
        QTest::newRow("a sink with three quarters of both")
            << Row{0.25F, 0.0F} << Row{0.0F, 0.25F} << 0.25;
        QTest::newRow("all weight moves into the sink")
            << Row{1.0F, 0.0F} << Row{0.0F, 0.0F} << 1.0;
        QTest::newRow("nothing but the sink") << Row{0.0F, 0.0F} << Row{0.0F, 0.0F} << 0.0;
        QTest::newRow("an edited row of sum 2") << Row{2.0F, 0.0F} << Row{0.0F, 1.0F} << 1.0;
        QTest::newRow("an edited row of sum 2, same keys")
            << Row{1.5F, 0.5F} << Row{0.75F, 0.25F} << 0.0;
    }

    void rowsHaveClosedForms()
    {
        QFETCH(const Row, p);
        QFETCH(const Row, q);
        QFETCH(const double, bits);
        QVERIFY2(isClose(rowDivergence(p, q), bits),
                 qPrintable(QString::number(rowDivergence(p, q))));
        QCOMPARE(rowDivergence(p, q), rowDivergence(q, p));
    }

    void nearlyEqualRowsKeepTheirDigits()
    {
        // To second order the divergence is sum of d^2 / (8 p ln 2), each key's weight p moved by d.
        constexpr float kMoved = 0x1p-18F;
        const double bits = rowDivergence(Row{0.5F + kMoved, 0.5F - kMoved}, Row{0.5F, 0.5F});
        const double expected = 2.0 * double{kMoved} * double{kMoved} / (8.0 * 0.5 * std::log(2.0));
        QVERIFY2(std::abs(bits - expected) < 1e-3 * expected, qPrintable(QString::number(bits)));
        QVERIFY(std::isnan(rowDivergence(Row{kNaN, 0.0F}, Row{0.0F, 1.0F})));
    }

    void aPatternHasTheMeanOfItsRows()
    {
        const Row a{1.0F, 0.0F, 0.5F, 0.5F, 0.0F, 1.0F};
        const Row b{1.0F, 0.0F, 0.5F, 0.5F, 1.0F, 0.0F};
        const PatternDivergence result =
            patternDivergence({a.data(), Shape{3, 2}}, {b.data(), Shape{3, 2}});
        QVERIFY(isClose(result.mean, 1.0 / 3.0));
        QCOMPARE(result.largest, 1.0);
        QCOMPARE(result.query, 2);
        QVERIFY_EXCEPTION_THROWN(
            patternDivergence({a.data(), Shape{3, 2}}, {b.data(), Shape{2, 3}}), ShapeError);
        QCOMPARE(patternDivergence({a.data(), Shape{0, 2}}, {b.data(), Shape{0, 2}}).mean, 0.0);
    }

    // --------------------------------------------------------------------------------- predictions

    void predictionsHaveClosedForms()
    {
        const auto logs = [](double p) { return static_cast<float>(std::log(p)); };
        const Row a{logs(0.5), logs(0.5)};
        const Row b{logs(0.25), logs(0.75)};
        const PredictionDivergence moved = predictionDivergence(a, b);
        QVERIFY(isClose(moved.bits, 0.5 * 1.0 + 0.5 * std::log2(2.0 / 3.0)));
        QCOMPARE(moved.topA, 0);
        QCOMPARE(moved.topB, 1);
        QVERIFY(isClose(moved.probabilityA, 0.5) && isClose(moved.probabilityB, 0.75));
        QVERIFY(isClose(predictionDivergence(b, a).bits,
                        0.25 * std::log2(0.5) + 0.75 * std::log2(1.5)));
        // large logits, equal up to a constant
        QVERIFY(isClose(predictionDivergence(Row{1000.0F, 1001.0F}, Row{-3.0F, -2.0F}).bits, 0.0));
    }

    void ruledOutTokensAreNoAccident()
    {
        QCOMPARE(predictionDivergence(Row{0.0F, -kInfinity}, Row{0.0F, 0.0F}).bits, 1.0);
        QVERIFY(std::isinf(predictionDivergence(Row{0.0F, 0.0F}, Row{0.0F, -kInfinity}).bits));
        QVERIFY(std::isnan(predictionDivergence(Row{kNaN, 0.0F}, Row{0.0F, 0.0F}).bits));
        QVERIFY_EXCEPTION_THROWN(predictionDivergence(Row{0.0F}, Row{0.0F, 1.0F}), ShapeError);
    }

    // -------------------------------------------------------------------------------------- traces

    void headsAndTokensAreThoseOfTheTraces()
    {
        const std::vector<TokenId> ids = randomIds(5, 9, 37);
        const TracePtr a = traceOf(smallModel(1), ids);
        const TracePtr b = traceOf(smallModel(2), ids);
        const TraceDifference difference = traceDifference(*a, *b);
        QCOMPARE(difference.heads.size(), std::size_t{12});
        QCOMPARE(difference.unmatchedHeads, 0);
        for (const HeadDifference& one : difference.heads) {
            const TraceKey key = patternKey(AttentionKind::Self, one.head.layer);
            const TensorView ofA = a->find(key)->view()[one.head.head];
            const TensorView ofB = b->find(key)->view()[one.head.head];
            QVERIFY(isClose(one.divergence, plainDivergence(ofA, ofB), 1e-6));
        }
        QCOMPARE(difference.tokens.size(), ids.size());
        QCOMPARE(difference.tokens[3].id, ids[3]);
        double sum = 0.0;
        for (const TokenDifference& token : difference.tokens)
            sum += token.prediction.bits;
        QVERIFY(sum > 0.1);
        QVERIFY(isClose(difference.meanBits(), sum / 9.0));
    }

    void oneModelDoesNotMove()
    {
        const std::vector<TokenId> ids = randomIds(5, 9, 37);
        const TracePtr a = traceOf(smallModel(1), ids);
        const TraceDifference difference = traceDifference(*a, *a);
        for (const HeadDifference& one : difference.heads) {
            QCOMPARE(one.divergence, 0.0);
            QCOMPARE(one.query, -1);
        }
        QCOMPARE(difference.meanBits(), 0.0);
    }

    void theEditedHeadMovesFirst()
    {
        const std::vector<TokenId> ids = randomIds(6, 12, 37);
        const LoadedModel model = smallModel(1);
        const TracePtr a = traceOf(model, ids);
        const TracePtr b = traceOf(editedFrom(model, "blocks.2.attn.W_Q[H3]*=0"), ids);
        const std::vector<HeadDifference> heads = ranked(traceDifference(*a, *b).heads);
        QVERIFY(heads.front().head == (HeadId{2, 3}));
        QVERIFY(heads.front().divergence > 0.0);
        QCOMPARE(heads[1].divergence, 0.0); // no other head of the last layer, and no earlier one
        QVERIFY(heads[1].head == (HeadId{0, 0}));
    }

    void otherTokensAreNotCompared()
    {
        const LoadedModel model = smallModel(1);
        const TraceDifference difference =
            traceDifference(*traceOf(model, {1, 2, 3}), *traceOf(model, {1, 2, 4}));
        QVERIFY(difference.heads.empty() && difference.tokens.empty());
        QCOMPARE(difference.headsMissing, std::string("A and B read different tokens"));
        QVERIFY(std::isnan(difference.meanBits()));
    }

    void otherSizesAreAlignedByLayerAndHead()
    {
        ModelConfig config = smallConfig();
        config.layers = 2;
        const std::vector<TokenId> ids = randomIds(5, 9, 37);
        const TraceDifference difference =
            traceDifference(*traceOf(smallModel(1), ids), *traceOf(smallModel(1, config), ids));
        QCOMPARE(difference.heads.size(), std::size_t{8});
        QCOMPARE(difference.unmatchedHeads, 4);
    }

    void undefinedValuesAreLast()
    {
        std::vector<HeadDifference> heads{
            {{0, 0}, NAN}, {{0, 1}, 0.25}, {{0, 2}, 0.5}, {{0, 3}, 0.25}};
        heads = ranked(std::move(heads));
        QCOMPARE(heads[0].head.head, 2);
        QCOMPARE(heads[1].head.head, 1);
        QCOMPARE(heads[2].head.head, 3);
        QCOMPARE(heads[3].head.head, 0);
    }

    void aStoppedComparisonIsCancelled()
    {
        std::stop_source stop;
        stop.request_stop();
        const TracePtr a = traceOf(smallModel(1), {1, 2, 3});
        QVERIFY_EXCEPTION_THROWN(traceDifference(*a, *a, stop.get_token()), Cancelled);
        Progress progress(stop.get_token());
        const ModelPtr model = smallModel(1).model;
        QVERIFY_EXCEPTION_THROWN(weightDifference(model, model, progress), Cancelled);
    }

    // ------------------------------------------------------------------------------------- weights

    void aScaledMatrixMovesByItsFactor()
    {
        const LoadedModel a = smallModel(1);
        const LoadedModel b = editedFrom(a, "blocks.1.attn.W_Q*=1.5");
        const WeightDifference difference = weightsOf(a.model, b.model);
        QCOMPARE(difference.matrices.size(), weightMatrices(a.model->config()).size());
        const MatrixDifference& moved = matrixOf(difference, "blocks.1.attn.W_Q");
        QVERIFY(isClose(moved.relative, 0.5, 1e-6));
        QVERIFY(isClose(moved.difference, 0.5 * moved.norm, 1e-6 * moved.norm));
        QVERIFY(!moved.isShared);
        for (const MatrixDifference& other : difference.matrices)
            if (other.name != moved.name)
                QVERIFY2(other.isShared && other.relative == 0.0, other.name.c_str());
        QVERIFY(isClose(difference.relative(), 0.5, 1e-6));
        QCOMPARE(ranked(difference.matrices).front().name, moved.name);
    }

    void zerosHaveNoRelativeDifference()
    {
        const LoadedModel a = editedFrom(smallModel(1), "blocks.0.ln1.w=0");
        const LoadedModel b = editedFrom(smallModel(1), "blocks.0.ln1.w=2");
        const MatrixDifference norm = matrixOf(weightsOf(a.model, b.model), "blocks.0.ln1.w");
        QVERIFY(std::isnan(norm.relative));
        QVERIFY(isClose(norm.difference, 2.0 * std::sqrt(32.0), 1e-9));
        QCOMPARE(matrixOf(weightsOf(a.model, a.model), "blocks.0.ln1.w").relative, 0.0);
        const MatrixDifference back = matrixOf(weightsOf(b.model, a.model), "blocks.0.ln1.w");
        QCOMPARE(back.relative, 1.0);
    }

    void storedWeightsAreComparedAsTheirFloats()
    {
        ModelConfig config = smallConfig();
        config.dModel = 256;
        config.layers = 1;
        const auto q8 = std::make_shared<const Model>(
            config, ParameterSet(config, randomStored(config, BlockFormat::Q8_0, 5)));
        const auto q4 = std::make_shared<const Model>(
            config, ParameterSet(config, randomStored(config, BlockFormat::Q4_K, 6)));
        const WeightDifference difference = weightsOf(q8, q4);
        QCOMPARE(q8->parameters().stored()->unpackedBytes(), std::size_t{0});
        QCOMPARE(q4->parameters().stored()->unpackedBytes(), std::size_t{0});
        const MatrixDifference& query = matrixOf(difference, "blocks.0.attn.W_Q");
        QCOMPARE(query.formatA, std::string("Q8_0"));
        QCOMPARE(query.formatB, std::string("Q4_K"));
        const TensorView a = q8->parameters().view("h.0.attn.q.weight");
        const TensorView b = q4->parameters().view("h.0.attn.q.weight");
        double moved = 0.0;
        double norm = 0.0;
        for (std::int64_t i = 0; i < a.shape.elementCount(); ++i) {
            moved += std::pow(double{b.data[i]} - double{a.data[i]}, 2.0);
            norm += std::pow(double{a.data[i]}, 2.0);
        }
        QVERIFY(isClose(query.relative, std::sqrt(moved / norm), 1e-12));
        QVERIFY(isClose(query.norm, std::sqrt(norm), 1e-9));
    }

    void otherSizesAreCounted()
    {
        ModelConfig config = smallConfig();
        config.layers = 2;
        const ModelPtr a = smallModel(1).model;
        const WeightDifference difference = weightsOf(a, smallModel(1, config).model);
        const auto all = static_cast<int>(weightMatrices(a->config()).size());
        QCOMPARE(static_cast<int>(difference.matrices.size()) + difference.unmatched, all);
        QVERIFY(difference.unmatched > 0);
    }

    // ---------------------------------------------------------------------------------------- JSON

    void jsonIsRanked()
    {
        const std::vector<TokenId> ids = randomIds(5, 9, 37);
        const LoadedModel a = smallModel(1);
        const LoadedModel b = editedFrom(a, "blocks.1.attn.W_Q*=1.5");
        const TraceDifference traces = traceDifference(*traceOf(a, ids), *traceOf(b, ids));
        const nlohmann::json heads = headsJson(traces).at("ranked");
        QCOMPARE(heads.size(), std::size_t{12});
        for (std::size_t i = 1; i < heads.size(); ++i)
            QVERIFY(heads[i - 1].at("js_bits").get<double>() >=
                    heads[i].at("js_bits").get<double>());
        const nlohmann::json tokens = tokensJson(traces, IdTokenizer(37));
        QVERIFY(isClose(tokens.at("mean_kl_bits").get<double>(), traces.meanBits()));
        const nlohmann::json matrices = toJson(weightsOf(a.model, b.model)).at("ranked");
        QCOMPARE(matrices[0].at("name").get<std::string>(), std::string("blocks.1.attn.W_Q"));
        QVERIFY(matrices[1].at("norm").is_null() && matrices[1].at("shared").get<bool>());
        const TraceDifference none = traceDifference(*traceOf(a, {1}), *traceOf(a, {2}));
        QVERIFY(headsJson(none).contains("missing"));
    }
};

HEADSCOPE_TEST(TstModelDifference)
#include "tst_model_difference.moc"
