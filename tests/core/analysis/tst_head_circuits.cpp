// labels: threads
#include "core/analysis/heads/head_circuits.h"

#include "core/base/error.h"
#include "core/ops/linear.h"
#include "core/ops/norm.h"
#include "tests/support/plain_circuits.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/small_models.h"
#include "tests/support/tensors.h"
#include "tests/support/test_program.h"
#include "tests/support/traced_kinds.h"

#include <QTest>

#include <cmath>
#include <numeric>

using namespace headscope;
using namespace headscope::test;

namespace {

/// [rows, columns] with `entries` at (row, column, value), 0 elsewhere.
struct Entry
{
    std::int64_t row;
    std::int64_t column;
    float value;
};

Tensor sparse(std::int64_t rows, std::int64_t columns, const std::vector<Entry>& entries)
{
    Tensor matrix({rows, columns});
    for (const Entry& entry : entries)
        matrix.view()(entry.row, entry.column) = entry.value;
    return matrix;
}

/// As many tokens as channels, each embedded in its own and read from its own: copying is what W_OV
/// itself does. Two heads of two channels.
VocabularyCircuit ownChannels(std::int64_t width)
{
    Tensor product({width, width});
    for (std::int64_t i = 0; i < width; ++i)
        product.view()(i, i) = 1.0F;
    return {product, NormGains::AsStored};
}

double scoreOf(const Tensor& value, const Tensor& output)
{
    HeadMatrices head;
    head.value = value;
    head.output = output;
    return copyingScore(copyingEigenvalues(head, ownChannels(4)));
}

std::vector<double> productOf(const std::vector<double>& a, const std::vector<double>& b,
                              std::size_t n)
{
    std::vector<double> c(n * n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < n; ++k)
            for (std::size_t j = 0; j < n; ++j)
                c[i * n + j] += a[i * n + k] * b[k * n + j];
    return c;
}

double traceOfSquare(const std::vector<double>& matrix, std::size_t n)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i)
        sum += matrix[i * n + i];
    return sum;
}

/// W_E W_V W_O W_U [V, V] by the long way.
std::vector<double> wholeCircuit(TensorView embedded, const Tensor& circuit, TensorView unembedded)
{
    const std::int64_t vocabulary = embedded.shape[0];
    const std::int64_t width = embedded.shape[1];
    std::vector<double> whole(static_cast<std::size_t>(vocabulary * vocabulary));
    for (std::int64_t from = 0; from < vocabulary; ++from) {
        std::vector<double> written(static_cast<std::size_t>(width));
        for (std::int64_t i = 0; i < width; ++i)
            for (std::int64_t j = 0; j < width; ++j)
                written[static_cast<std::size_t>(j)] +=
                    double{embedded(from, i)} * double{circuit.view()(i, j)};
        for (std::int64_t to = 0; to < vocabulary; ++to)
            for (std::int64_t j = 0; j < width; ++j)
                whole[static_cast<std::size_t>(from * vocabulary + to)] +=
                    written[static_cast<std::size_t>(j)] * double{unembedded(to, j)};
    }
    return whole;
}

/// Sum of lambda^power, whose imaginary part is 0.
double powerSum(const std::vector<std::complex<double>>& eigenvalues, int power)
{
    std::complex<double> sum = 0.0;
    for (const auto& value : eigenvalues)
        sum += std::pow(value, power);
    return sum.real();
}

bool near(double got, double expected, double allowed = 1e-4)
{
    return std::abs(got - expected) <= allowed * (1.0 + std::abs(expected));
}

/// Gains of all norms drawn at random, linear layers without biases.
Model modelWithGains(Norm norm, bool tied)
{
    ModelConfig config = smallConfig();
    config.norm = norm;
    config.bias = false;
    config.tieEmbeddings = tied;
    config.keyHeads = 2;
    ParameterSet parameters = Model::initialised(config, 5).parameters();
    Random random(11);
    for (const ParameterSpec& spec : parameters.specs())
        if (spec.name.find("ln") != std::string::npos && spec.name.ends_with("weight"))
            for (std::int64_t i = 0; i < spec.shape[0]; ++i)
                parameters.view(spec)(i) = static_cast<float>(0.5 + random.uniform());
    return {config, std::move(parameters)};
}

/// Rows of the stream of the last layer behind its norm; `gained`: times the norm's gain.
Tensor normedStream(const Trace& trace, const Model& model, bool gained)
{
    const auto stream = trace.find({Site::ResidPre, 2});
    const ModelConfig& config = model.config();
    const TensorView gamma = model.parameters().view("h.2.ln1.weight");
    Tensor plain(gamma.shape);
    if (config.norm != Norm::RmsUnitOffset)
        std::fill(plain.values().begin(), plain.values().end(), 1.0F);
    Tensor rows(stream->shape());
    norm({config.norm, static_cast<float>(config.normEpsilon), gained ? gamma : plain.view(), {}},
         stream->view(), rows.view());
    return rows;
}

/// x W against the recorded rows of one head.
bool reads(const Tensor& x, const Tensor& matrix, const Tensor& recorded, std::int64_t head)
{
    for (std::int64_t row = 0; row < x.shape()[0]; ++row)
        for (std::int64_t column = 0; column < matrix.shape()[1]; ++column) {
            double sum = 0.0;
            for (std::int64_t i = 0; i < x.shape()[1]; ++i)
                sum += double{x.view()(row, i)} * double{matrix.view()(i, column)};
            if (!near(recorded.view()(row, head, column), sum))
                return false;
        }
    return true;
}

} // namespace

class TstHeadCircuits : public QObject
{
    Q_OBJECT

private slots:

    void aHeadThatWritesWhatItReadsCopies()
    {
        const Tensor value = sparse(4, 2, {{0, 0, 1.0F}, {2, 1, 1.0F}});
        QVERIFY(near(scoreOf(value, sparse(2, 4, {{0, 0, 1.0F}, {1, 2, 1.0F}})), 1.0, 1e-12));
        QVERIFY(near(scoreOf(value, sparse(2, 4, {{0, 0, -1.0F}, {1, 2, -3.0F}})), -1.0, 1e-12));
        // +1 and -1 in two directions; a quarter turn: lambda = +-i; only into other channels: 0.
        QVERIFY(near(scoreOf(value, sparse(2, 4, {{0, 0, 1.0F}, {1, 2, -1.0F}})), 0.0, 1e-12));
        QVERIFY(near(scoreOf(value, sparse(2, 4, {{0, 2, 1.0F}, {1, 0, -1.0F}})), 0.0, 1e-12));
        QVERIFY(std::isnan(scoreOf(value, sparse(2, 4, {{0, 1, 1.0F}, {1, 3, 1.0F}}))));
        // lambda = 3 and -1
        QVERIFY(near(scoreOf(value, sparse(2, 4, {{0, 0, 3.0F}, {1, 2, -1.0F}})), 0.5, 1e-12));
    }

    void theSmallProductHasTheEigenvaluesOfTheWholeCircuit_data()
    {
        QTest::addColumn<bool>("tied");
        QTest::newRow("tied") << true;
        QTest::newRow("own unembedding") << false;
    }

    void theSmallProductHasTheEigenvaluesOfTheWholeCircuit()
    {
        QFETCH(bool, tied);
        const Model model = modelWithGains(Norm::Layer, tied);
        const VocabularyCircuit vocabulary = vocabularyCircuit(model);
        const HeadMatrices head = headMatrices(model, {1, 2});
        const auto eigenvalues = copyingEigenvalues(head, vocabulary);
        QCOMPARE(eigenvalues.size(), std::size_t{8});
        const TensorView embedded = model.parameters().view("tok_emb.weight");
        const std::vector<double> whole =
            wholeCircuit(embedded, outputValueCircuit(head),
                         model.parameters().view(tied ? "tok_emb.weight" : "head.weight"));
        const auto n = static_cast<std::size_t>(embedded.shape[0]);
        std::vector<double> power = whole;
        for (int exponent = 1; exponent <= 4; ++exponent) {
            QVERIFY(near(powerSum(eigenvalues, exponent), traceOfSquare(power, n), 2e-3));
            power = productOf(power, whole, n);
        }
        const auto score = copyingScore(model, {1, 2}, vocabulary);
        QVERIFY(score && std::abs(*score) <= 1.0);
    }

    void everyMatrixIsWhatTheModelUses_data()
    {
        QTest::addColumn<int>("norm");
        QTest::newRow("LayerNorm") << static_cast<int>(Norm::Layer);
        QTest::newRow("RMSNorm") << static_cast<int>(Norm::Rms);
        QTest::newRow("RMSNorm, 1 + gain") << static_cast<int>(Norm::RmsUnitOffset);
    }

    void everyMatrixIsWhatTheModelUses()
    {
        QFETCH(int, norm);
        LoadedModel loaded;
        loaded.model = std::make_shared<const Model>(modelWithGains(static_cast<Norm>(norm), true));
        const TracePtr trace = freshTrace(loaded, randomTexts(loaded.model->config(), 3, 7));
        const auto query = trace->find({Site::Query, 2});
        const auto key = trace->find({Site::Key, 2});
        const auto value = trace->find({Site::Value, 2});
        for (const NormGains gains : {NormGains::AsStored, NormGains::Folded}) {
            const Tensor x = normedStream(*trace, *loaded.model, gains == NormGains::AsStored);
            for (int head = 0; head < 4; ++head) {
                const HeadMatrices found = headMatrices(*loaded.model, {2, head}, gains);
                QVERIFY(reads(x, found.query, *query, head));
                QVERIFY(reads(x, found.key, *key, head / 2)); // two heads share one of keys
                QVERIFY(reads(x, found.value, *value, head / 2));
            }
        }
    }

    void theLastGainIsFoldedIntoTheVocabulary()
    {
        const Model model = modelWithGains(Norm::Rms, true);
        const Tensor plain = vocabularyCircuit(model).product;
        const Tensor folded = vocabularyCircuit(model, NormGains::Folded).product;
        const TensorView gain = model.parameters().view("ln_f.weight");
        for (std::int64_t i = 0; i < gain.shape[0]; ++i)
            for (std::int64_t j = 0; j < gain.shape[0]; ++j)
                QVERIFY(near(folded.view()(i, j), double{gain(i)} * double{plain.view()(i, j)}));
        const TensorView embedded = model.parameters().view("tok_emb.weight");
        double sum = 0.0;
        for (std::int64_t id = 0; id < embedded.shape[0]; ++id)
            sum += double{embedded(id, 3)} * double{embedded(id, 7)};
        QVERIFY(near(plain.view()(3, 7), sum));
    }

    void spectraAreThoseOfTheProducts()
    {
        HeadMatrices head;
        head.query = sparse(5, 2, {{1, 0, 3.0F}, {4, 1, 1.0F}});
        head.key = sparse(5, 2, {{0, 0, -2.0F}, {2, 1, 0.5F}});
        head.value = sparse(5, 2, {{3, 0, 1.0F}, {1, 1, 2.0F}});
        head.output = sparse(2, 5, {{0, 4, 4.0F}, {1, 0, 5.0F}});
        const CircuitSpectra spectra = circuitSpectra(head);
        QCOMPARE(spectra.queryKey.size(), std::size_t{2});
        QVERIFY(near(spectra.queryKey[0], 6.0, 1e-12) && near(spectra.queryKey[1], 0.5, 1e-12));
        QVERIFY(near(spectra.outputValue[0], 10.0, 1e-12));
        QVERIFY(near(spectra.outputValue[1], 4.0, 1e-12));
    }

    void theirSquaresAddUpToTheNorms()
    {
        const Model model = modelWithGains(Norm::Layer, true);
        const HeadMatrices head = headMatrices(model, {0, 3});
        const CircuitSpectra spectra = circuitSpectra(head);
        const auto squares = [](std::span<const double> values) {
            return std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
        };
        const auto norm = [](const Tensor& matrix) { return weightedSum(matrix, matrix); };
        QVERIFY(near(squares(spectra.queryKey), norm(queryKeyCircuit(head))));
        QVERIFY(near(squares(spectra.outputValue), norm(outputValueCircuit(head))));
        QVERIFY(std::is_sorted(spectra.queryKey.rbegin(), spectra.queryKey.rend()));
    }

    void everyKindOfModelHasCircuitsOrSaysWhyNot_data()
    {
        QTest::addColumn<int>("kind");
        const auto kinds = tracedKinds();
        for (std::size_t kind = 0; kind < kinds.size(); ++kind)
            QTest::newRow(kinds[kind].first.c_str()) << static_cast<int>(kind);
    }

    void everyKindOfModelHasCircuitsOrSaysWhyNot()
    {
        QFETCH(int, kind);
        const ModelConfig config = tracedKinds()[static_cast<std::size_t>(kind)].second;
        if (config.layers == 0)
            return;
        const LoadedModel loaded = kindModel(config);
        const bool twoStacks = hasTwoStacks(config);
        const HeadId place{twoStacks ? AttentionKind::DecoderSelf : AttentionKind::Self, 0, 1};
        for (const NormGains gains : {NormGains::AsStored, NormGains::Folded}) {
            if (!whyNoCircuits(config).empty()) {
                QVERIFY_THROWS_EXCEPTION(Error, headMatrices(*loaded.model, place, gains));
                continue;
            }
            const HeadMatrices head = headMatrices(*loaded.model, place, gains);
            QCOMPARE(head.query.shape(), (Shape{config.dModel, config.headDim()}));
            QCOMPARE(head.output.shape(), (Shape{config.valueDim(), config.dModel}));
            if (twoStacks)
                headMatrices(*loaded.model, {AttentionKind::Cross, 0, 1}, gains);
            if (!whyNoCopying(config).empty()) {
                QVERIFY_THROWS_EXCEPTION(Error, vocabularyCircuit(*loaded.model, gains));
                continue;
            }
            const VocabularyCircuit vocabulary = vocabularyCircuit(*loaded.model, gains);
            QVERIFY(copyingScore(*loaded.model, place, vocabulary).has_value());
            QVERIFY(!copyingScore(*loaded.model, {AttentionKind::EncoderSelf, 0, 1}, vocabulary));
            QVERIFY(!copyingScore(*loaded.model, {AttentionKind::Cross, 0, 1}, vocabulary));
        }
    }

    void headsThatAreNotThereAreRefused()
    {
        const LoadedModel model = smallModel();
        for (const HeadId& place : {HeadId{3, 0},
                                    {0, 4},
                                    {-1, 0},
                                    {AttentionKind::EncoderSelf, 0, 0},
                                    {AttentionKind::Cross, 0, 0}})
            QVERIFY_THROWS_EXCEPTION(ShapeError, headMatrices(*model.model, place));
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_THROWS_EXCEPTION(
            Cancelled, vocabularyCircuit(*model.model, NormGains::AsStored, stop.get_token()));
    }
};

HEADSCOPE_TEST(TstHeadCircuits)
#include "tst_head_circuits.moc"
