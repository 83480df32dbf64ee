#include "core/base/error.h"
#include "core/model/recurrent/recurrent_pass.h"
#include "tests/support/numeric_gradient.h"
#include "tests/support/tensors.h"
#include "tests/support/test_program.h"
#include "tests/support/tolerances.h"

#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace headscope;
using namespace headscope::test;

namespace {

RecurrentKind kindOf(const std::string& name)
{
    return name == "lstm" ? RecurrentKind::Lstm : RecurrentKind::Elman;
}

/// One layer with its operands, for all tests here.
struct SmallLayer
{
    explicit SmallLayer(RecurrentKind of)
        : kind(of)
        , layer(makeRecurrentLayer(kind))
        , x(randomTensor({5, 2, 3}, 1))
        , inputs(randomTensor({gatesOf(kind) * 4, 3}, 2, 0.35))
        , states(randomTensor({gatesOf(kind) * 4, 4}, 3, 0.35))
        , bias(randomTensor({gatesOf(kind) * 4}, 4, 0.5))
        , dInputs(inputs.shape())
        , dStates(states.shape())
        , dBias(bias.shape())
        , dx(x.shape())
    {
    }

    RecurrentWeights<TensorView> weights() const
    {
        return {inputs.view(), states.view(), bias.view()};
    }

    Tensor forward(RecurrentState& state) const
    {
        const TensorView output = layer->forward(weights(), x.view(), state);
        Tensor copy(output.shape);
        std::copy_n(output.data, copy.size(), copy.data());
        return copy;
    }

    Tensor forward() const
    {
        RecurrentState state = emptyState(kind, x.shape()[1], states.shape()[1]);
        return forward(state);
    }

    void backward(Tensor dHidden, std::int64_t firstStep = 0)
    {
        layer->backward(weights(), x.view(), dHidden.view(),
                        {dInputs.view(), dStates.view(), dBias.view()}, dx.view(), firstStep);
    }

    RecurrentKind kind;
    std::unique_ptr<RecurrentLayer> layer;
    Tensor x, inputs, states, bias;
    Tensor dInputs, dStates, dBias, dx;
};

/// Gradient of the last output alone.
Tensor lastOnly(const Shape& shape)
{
    Tensor gradient(shape);
    const std::int64_t count = gradient.view().stride(0);
    const Tensor last = randomTensor({count}, 9);
    std::copy_n(last.data(), count, gradient.data() + (shape[0] - 1) * count);
    return gradient;
}

bool isZero(TensorView view)
{
    return std::all_of(view.data, view.data + view.shape.elementCount(),
                       [](float value) { return value == 0.0F; });
}

/// Stacked layers on a golden file's operands, forward and backward.
class GoldenStack
{
public:
    explicit GoldenStack(const std::string& path)
        : m_file(path)
        , m_kind(kindOf(path.substr(path.find('/') + 1, path.find('_') - path.find('/') - 1)))
        , m_inputs{m_file.tensor("in.x")}
    {
        for (std::int64_t layer = 0; layer < m_file.params()["layers"]; ++layer)
            addLayer(layer);
    }

    std::string checkForward()
    {
        for (std::size_t layer = 0; layer < m_layers.size(); ++layer) {
            const TensorView output =
                m_layers[layer]->forward(weights(layer), m_inputs[layer].view(), m_states[layer]);
            m_inputs.emplace_back(output.shape);
            std::copy_n(output.data, m_inputs.back().size(), m_inputs.back().data());
        }
        std::string flaw = mismatch(floats(m_inputs.back()), m_file.expected("out.out"), kOps);
        flaw += mismatch(joined(&RecurrentState::hidden), m_file.expected("out.h"), kOps);
        if (m_kind == RecurrentKind::Lstm)
            flaw += mismatch(joined(&RecurrentState::cell), m_file.expected("out.c"), kOps);
        return flaw;
    }

    std::string checkBackward()
    {
        std::string flaw;
        Tensor gradient = m_file.tensor("in.dout");
        for (std::size_t layer = m_layers.size(); layer-- > 0;) {
            Tensor dInputs(m_weights[layer].inputs.shape());
            Tensor dStates(m_weights[layer].states.shape());
            Tensor dBias(m_weights[layer].bias.shape());
            Tensor dx(m_inputs[layer].shape());
            m_layers[layer]->backward(weights(layer), m_inputs[layer].view(), gradient.view(),
                                      {dInputs.view(), dStates.view(), dBias.view()}, dx.view());
            const std::string name = "grad.l" + std::to_string(layer);
            flaw += compare(dInputs, name + ".weight_ih") + compare(dStates, name + ".weight_hh") +
                    compare(dBias, name + ".bias_ih") + compare(dBias, name + ".bias_hh");
            gradient = std::move(dx);
        }
        return flaw + compare(gradient, "grad.x");
    }

private:
    struct Weights
    {
        Tensor inputs, states, bias;
    };

    void addLayer(std::int64_t layer)
    {
        const std::string name = "w.l" + std::to_string(layer);
        Tensor bias = m_file.tensor(name + ".bias_ih");
        const Tensor other = m_file.tensor(name + ".bias_hh");
        for (std::size_t i = 0; i < bias.size(); ++i)
            bias.data()[i] += other.data()[i];
        m_weights.push_back({m_file.tensor(name + ".weight_ih"), m_file.tensor(name + ".weight_hh"),
                             std::move(bias)});
        RecurrentState state{layerOf("in.h0", layer), {}};
        if (m_kind == RecurrentKind::Lstm)
            state.cell = layerOf("in.c0", layer);
        m_states.push_back(std::move(state));
        m_layers.push_back(makeRecurrentLayer(m_kind));
    }

    Tensor layerOf(const std::string& name, std::int64_t layer) const
    {
        const Tensor all = m_file.tensor(name);
        const TensorView view = all.view()[layer];
        Tensor one(view.shape);
        std::copy_n(view.data, one.size(), one.data());
        return one;
    }

    RecurrentWeights<TensorView> weights(std::size_t layer) const
    {
        const Weights& w = m_weights[layer];
        return {w.inputs.view(), w.states.view(), w.bias.view()};
    }

    std::vector<float> joined(Tensor RecurrentState::*part) const
    {
        std::vector<float> all;
        for (const RecurrentState& state : m_states) {
            const auto values = floats(state.*part);
            all.insert(all.end(), values.begin(), values.end());
        }
        return all;
    }

    std::string compare(const Tensor& got, const std::string& name) const
    {
        const std::string flaw = mismatch(floats(got), m_file.expected(name), kOps);
        return flaw.empty() ? flaw : name + ": " + flaw + "\n";
    }

    GoldenFile m_file;
    RecurrentKind m_kind;
    std::vector<Tensor> m_inputs; ///< Input of each layer, and the last one's output.
    std::vector<Weights> m_weights;
    std::vector<RecurrentState> m_states;
    std::vector<std::unique_ptr<RecurrentLayer>> m_layers;
};

} // namespace

class TstRecurrentLayers : public QObject
{
    Q_OBJECT

private slots:

    void layersAgreeWithPyTorch_data()
    {
        QTest::addColumn<QString>("file");
        const auto files = goldenFiles("recurrent");
        QVERIFY(files.size() >= 4);
        for (const std::string& file : files)
            QTest::newRow(file.c_str()) << QString::fromStdString(file);
    }

    void layersAgreeWithPyTorch()
    {
        QFETCH(QString, file);
        GoldenStack stack(file.toStdString());
        const std::string output = stack.checkForward();
        QVERIFY2(output.empty(), output.c_str());
        const std::string gradients = stack.checkBackward();
        QVERIFY2(gradients.empty(), gradients.c_str());
    }

    void gradientsAgreeWithDifferences_data() { kinds(); }

    void gradientsAgreeWithDifferences()
    {
        QFETCH(QString, kind);
        SmallLayer small(kindOf(kind.toStdString()));
        const Tensor dHidden = randomTensor({5, 2, 4}, 8);
        small.forward();
        small.backward(dHidden);
        const auto value = [&] { return weightedSum(small.forward(), dHidden); };
        HS_COMPARE_GRADIENT(value, small.x.values(), floats(small.dx));
        HS_COMPARE_GRADIENT(value, small.inputs.values(), floats(small.dInputs));
        HS_COMPARE_GRADIENT(value, small.states.values(), floats(small.dStates));
        HS_COMPARE_GRADIENT(value, small.bias.values(), floats(small.dBias));
    }

    /// A text in two pieces, the state carried over, is the same text.
    void theStateIsAllThatTheFutureNeeds_data() { kinds(); }

    void theStateIsAllThatTheFutureNeeds()
    {
        QFETCH(QString, kind);
        SmallLayer small(kindOf(kind.toStdString()));
        const Tensor whole = small.forward();
        const Tensor x = small.x;
        RecurrentState state = emptyState(small.kind, 2, 4);
        std::vector<float> pieces;
        for (const auto& [first, count] : {std::pair{0, 2}, std::pair{2, 3}}) {
            small.x = Tensor({count, 2, 3});
            std::copy_n(x.view()[first].data, small.x.size(), small.x.data());
            const Tensor piece = small.forward(state);
            pieces.insert(pieces.end(), piece.values().begin(), piece.values().end());
        }
        QVERIFY(std::ranges::equal(pieces, whole.values()));
    }

    /// One state transition fewer than lie between them, and the last output has no gradient in
    /// the first input.
    void truncationCutsTheGradientExactlyThere_data() { kinds(); }

    void truncationCutsTheGradientExactlyThere()
    {
        QFETCH(QString, kind);
        for (std::int64_t firstStep = 0; firstStep < 5; ++firstStep) {
            SmallLayer small(kindOf(kind.toStdString()));
            const Tensor output = small.forward();
            small.backward(lastOnly(output.shape()), firstStep);
            for (std::int64_t step = 0; step < 5; ++step)
                QCOMPARE(isZero(small.dx.view()[step]), step < firstStep);
        }
    }

    /// With the forget gate wide open and the input gate shut, the cell and its gradient stay as
    /// they are over any distance; a tanh network of the same size loses both.
    void openForgetGateCarriesTheGradient()
    {
        RecurrentWeights<Tensor> weights{Tensor({4, 1}), Tensor({4, 1}), Tensor(Shape{4})};
        weights.bias.values()[0] = 30.0F; // input: open
        weights.bias.values()[1] = 30.0F; // forget: keep all
        weights.bias.values()[3] = 30.0F; // output: open
        weights.inputs.values()[2] = 1.0F;
        const RecurrentWeights<TensorView> views{weights.inputs.view(), weights.states.view(),
                                                 weights.bias.view()};
        Tensor x({100, 1, 1});
        x.data()[0] = 0.3F;
        RecurrentState state = emptyState(RecurrentKind::Lstm, 1, 1);
        const auto layer = makeRecurrentLayer(RecurrentKind::Lstm);
        const TensorView output = layer->forward(views, x.view(), state);
        const double cell = std::tanh(0.3);
        QVERIFY(std::abs(static_cast<double>(output(99, 0, 0)) - std::tanh(cell)) < 1e-6);
        Tensor dHidden(x.shape());
        dHidden.data()[99] = 1.0F;
        Tensor dx(x.shape());
        RecurrentWeights<Tensor> d{Tensor({4, 1}), Tensor({4, 1}), Tensor(Shape{4})};
        layer->backward(views, x.view(), dHidden.view(),
                        {d.inputs.view(), d.states.view(), d.bias.view()}, dx.view());
        const double expected = (1.0 - std::pow(std::tanh(cell), 2)) * (1.0 - cell * cell);
        QVERIFY(std::abs(static_cast<double>(dx.data()[0]) - expected) < 1e-6);
    }

    void wrongShapesAreNamed()
    {
        SmallLayer small(RecurrentKind::Elman);
        small.states = Tensor({4, 5});
        QVERIFY_THROWS_EXCEPTION(ShapeError, small.forward());
    }

    void aModelOfThisManyParameters()
    {
        RecurrentConfig config;
        config.kind = RecurrentKind::Lstm;
        config.vocabularySize = 11;
        config.hidden = 6;
        config.layers = 2;
        // embedding and head 11 * 6 each, bias 11, layers 4 * (6 * 6 + 6 * 6 + 6)
        QCOMPARE(parameterCount(config), std::int64_t{2 * 66 + 11 + 2 * 4 * 78});
        QCOMPARE(withParameters(config, 767).hidden, std::int64_t{6});
        QCOMPARE(withParameters(config, 768).hidden, std::int64_t{6});
        config.vocabularySize = 0;
        QVERIFY_THROWS_EXCEPTION(Error, config.validate());
    }

    void memoryKeepsItsSize()
    {
        RecurrentConfig config;
        config.vocabularySize = 7;
        config.hidden = 5;
        config.layers = 3;
        const RecurrentModel model = RecurrentModel::initialised(config, 1);
        RecurrentMemory memory = model.emptyMemory();
        QCOMPARE(memory.byteCount(), std::size_t{3 * 2 * 5 * 4});
        const std::vector<TokenId> ids{1, 2, 3, 4, 5, 6, 0, 1, 2};
        const Tensor whole = model.forward(ids, memory);
        QCOMPARE(memory.byteCount(), std::size_t{3 * 2 * 5 * 4});
        QCOMPARE(whole.shape(), (Shape{9, 7}));
        RecurrentMemory again = model.emptyMemory();
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const Tensor one = model.forward({&ids[i], 1}, again);
            for (std::int64_t v = 0; v < 7; ++v)
                QVERIFY(std::abs(one.view()(0, v) - whole.view()(i, v)) < 1e-5F);
        }
        QVERIFY(std::abs(model.view("h.0.bias")(5) - 1.0F) < 1e-6F); // the forget gate begins open
        QVERIFY_THROWS_EXCEPTION(ShapeError, model.view("h.3.bias"));
    }

private:
    static void kinds()
    {
        QTest::addColumn<QString>("kind");
        QTest::newRow("Elman") << "elman";
        QTest::newRow("LSTM") << "lstm";
    }
};

HEADSCOPE_TEST(TstRecurrentLayers)
#include "tst_recurrent_layers.moc"
