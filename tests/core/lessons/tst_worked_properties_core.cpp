// The last steps of every example are what the program's own operations compute.
#include "core/attention/reference_attention.h"
#include "core/lessons/worked/example_catalogue.h"
#include "core/lessons/worked/worked_example.h"
#include "core/ops/cross_entropy.h"
#include "core/ops/linear.h"
#include "core/ops/norm.h"
#include "core/ops/parameter_updates.h"
#include "core/ops/rope.h"
#include "tests/core/lessons/worked_inputs.h"
#include "tests/support/test_program.h"

#include <QTest>
#include <cmath>

using namespace headscope;

namespace {

constexpr int kRounds = 200;

std::vector<float> floats(const ExampleInputs& inputs, const char* name)
{
    const auto& values = inputs.matrix(name).values;
    return {values.begin(), values.end()};
}

std::int64_t rowsOf(const ExampleInputs& inputs, const char* name)
{
    return static_cast<std::int64_t>(inputs.matrix(name).rowLabels.size());
}

std::int64_t columnsOf(const ExampleInputs& inputs, const char* name)
{
    return static_cast<std::int64_t>(inputs.matrix(name).columnLabels.size());
}

void compare(const WorkedExample& example, const char* name, std::span<const float> expected)
{
    const WorkedMatrix* matrix = example.find(name);
    QVERIFY2(matrix, name);
    QCOMPARE(matrix->values.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const double number = static_cast<double>(expected[i]);
        QVERIFY2(std::abs(matrix->values[i] - number) <= 1e-6 * std::max(1.0, std::abs(number)),
                 qPrintable(QString("%1 %2: %3, core %4")
                                .arg(name)
                                .arg(i)
                                .arg(matrix->values[i], 0, 'g', 9)
                                .arg(number, 0, 'g', 9)));
    }
}

struct Attended
{
    Tensor context;
    Tensor pattern;
};

/// The core's attention over the inputs Q, K and V, cut into heads.
Attended attended(const ExampleInputs& inputs, std::int64_t heads)
{
    const std::vector<float> q = floats(inputs, "Q");
    const std::vector<float> k = floats(inputs, "K");
    const std::vector<float> v = floats(inputs, "V");
    const std::int64_t n = rowsOf(inputs, "Q");
    const std::int64_t m = rowsOf(inputs, "K");
    const std::int64_t width = columnsOf(inputs, "Q");
    const auto byHead = [&](const std::vector<float>& values, std::int64_t tokens) {
        TensorView view(values.data(), {1, heads, tokens, width / heads});
        view.strides = {0, width / heads, width, 1};
        return view;
    };
    AttentionInputs operands;
    operands.queries = byHead(q, n);
    operands.keys = byHead(k, m);
    operands.values = byHead(v, m);
    operands.scale = inputs.isOn("scale")
                         ? static_cast<float>(1.0 / std::sqrt(static_cast<double>(width / heads)))
                         : 1.0F;
    operands.mask.causal = inputs.isOn("causal");
    std::vector<std::uint8_t> allowed;
    if (inputs.isOn("own-mask")) {
        for (const double value : inputs.matrix("mask").values)
            allowed.push_back(value == 1.0 ? 1 : 0);
        operands.mask.allowed = allowed.data();
        operands.mask.allowedQueryStride = m;
    }
    Attended result{Tensor({1, n, heads, width / heads}), Tensor({1, heads, n, m})};
    MutableTensorView context(result.context.data(), {1, heads, n, width / heads});
    context.strides = {0, width / heads, width, 1};
    ReferenceAttention().forward(operands, {context, result.pattern.view(), {}, {}});
    return result;
}

} // namespace

class TstWorkedPropertiesCore : public QObject
{
    Q_OBJECT

private slots:
    void attentionIsTheCores_data();
    void attentionIsTheCores();
    void headsAreTheCores();
    void normsAreTheCores();
    void rotaryPositionsAreTheCores();
    void scoreOfRotaryPositionsDependsOnTheirDifferenceOnly();
    void crossEntropyIsTheCores();
    void adamStepIsTheCores();
    void softDictionaryIsAWeightedSum();
    void encoderBlockIsTheCores();

private:
    template<class Check>
    static void forRandomInputs(const char* name, Check check)
    {
        RandomInputs random(99);
        for (int round = 0; round < kRounds && !QTest::currentTestFailed(); ++round) {
            const ExampleInputs inputs = random(name);
            check(inputs, workExample(inputs));
        }
    }
};

void TstWorkedPropertiesCore::attentionIsTheCores_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : {"attention", "two-tokens", "cross-attention"})
        QTest::newRow(name) << name;
}

void TstWorkedPropertiesCore::attentionIsTheCores()
{
    QFETCH(QString, name);
    int blindRows = 0;
    forRandomInputs(qPrintable(name),
                    [&](const ExampleInputs& inputs, const WorkedExample& worked) {
                        const Attended expected = attended(inputs, 1);
                        compare(worked, "weights", expected.pattern.values());
                        compare(worked, "output", expected.context.values());
                        const WorkedMatrix& sums = *worked.find("sums");
                        blindRows += static_cast<int>(std::ranges::count(sums.values, 0.0));
                    });
    QVERIFY(blindRows > 0);
}

void TstWorkedPropertiesCore::headsAreTheCores()
{
    forRandomInputs("multi-head", [](const ExampleInputs& inputs, const WorkedExample& worked) {
        const Attended expected = attended(inputs, 2);
        compare(worked, "weights", expected.pattern.values());
        compare(worked, "concatenated", expected.context.values());
        const std::vector<float> projection = floats(inputs, "W_O"); // [in, out]
        std::vector<float> transposed(16);
        for (std::size_t i = 0; i < 16; ++i)
            transposed[i % 4 * 4 + i / 4] = projection[i];
        Tensor output({3, 4});
        linear({expected.context.data(), {3, 4}}, {transposed.data(), {4, 4}}, {}, output.view());
        compare(worked, "output", output.values());
    });
}

void TstWorkedPropertiesCore::normsAreTheCores()
{
    int kinds[3] = {0, 0, 0};
    forRandomInputs("layer-norm", [&](const ExampleInputs& inputs, const WorkedExample& worked) {
        NormParameters parameters;
        parameters.kind = inputs.isOn("rms")       ? NormKind::Rms
                          : inputs.isOn("std-eps") ? NormKind::StdEps
                                                   : NormKind::Layer;
        ++kinds[inputs.isOn("rms") ? 0 : inputs.isOn("std-eps") ? 1 : 2];
        const std::vector<float> x = floats(inputs, "x");
        const std::vector<float> gamma = floats(inputs, "gamma");
        const std::vector<float> beta = floats(inputs, "beta");
        parameters.epsilon = floats(inputs, "epsilon").front();
        parameters.gamma = TensorView(gamma.data(), {4});
        if (parameters.kind != NormKind::Rms)
            parameters.beta = TensorView(beta.data(), {4});
        Tensor y({2, 4});
        norm(parameters, {x.data(), {2, 4}}, y.view());
        compare(worked, "output", y.values());
    });
    for (const int count : kinds)
        QVERIFY(count > kRounds / 10);
}

void TstWorkedPropertiesCore::rotaryPositionsAreTheCores()
{
    forRandomInputs("rope", [](const ExampleInputs& inputs, const WorkedExample& worked) {
        RopeSettings settings;
        settings.theta = inputs.matrix("base").values.front();
        settings.layout =
            inputs.isOn("half") ? RopeSettings::Layout::Half : RopeSettings::Layout::Interleaved;
        const RopeTable table(settings, 4, 64, 64);
        const double shift = inputs.matrix("shift").values.front();
        for (const bool isQuery : {true, false}) {
            std::vector<float> turned = floats(inputs, isQuery ? "q" : "k");
            const double position = inputs.matrix("positions").values[isQuery ? 0 : 1] + shift;
            rope(table, {turned.data(), 1, 4, 1, 4, static_cast<std::int64_t>(position), 1});
            compare(worked, isQuery ? "turned_q" : "turned_k", turned);
        }
    });
}

void TstWorkedPropertiesCore::scoreOfRotaryPositionsDependsOnTheirDifferenceOnly()
{
    forRandomInputs("rope", [](ExampleInputs inputs, const WorkedExample& worked) {
        inputs.set("shift[0,0]", "1234");
        const double slid = workExample(inputs).number("score[0,0]");
        QVERIFY(std::abs(slid - worked.number("score[0,0]")) < 1e-9);
        const double q = inputs.matrix("positions").values[0];
        inputs.matrix("positions").values[0] = q + 1.0;
        const bool turns = inputs.matrix("q").values != std::vector<double>(4) &&
                           inputs.matrix("k").values != std::vector<double>(4);
        if (turns)
            QVERIFY(workExample(inputs).number("score[0,0]") != slid);
    });
}

void TstWorkedPropertiesCore::crossEntropyIsTheCores()
{
    forRandomInputs("cross-entropy", [](const ExampleInputs& inputs, const WorkedExample& worked) {
        const std::vector<float> logits = floats(inputs, "logits");
        std::vector<std::int32_t> targets;
        for (const double target : inputs.matrix("targets").values)
            targets.push_back(static_cast<std::int32_t>(target));
        const auto kept = static_cast<double>(keptTargets(targets));
        CrossEntropySettings settings;
        settings.scale = static_cast<float>(1.0 / kept);
        Tensor gradient({3, 4});
        const double sum =
            crossEntropy({logits.data(), {3, 4}}, targets, settings, gradient.view());
        QVERIFY(std::abs(worked.number("loss[0,0]") - sum / kept) < 1e-6);
        QVERIFY(std::abs(worked.number("perplexity[0,0]") / std::exp(sum / kept) - 1.0) < 1e-6);
        compare(worked, "gradient", gradient.values());
    });
}

void TstWorkedPropertiesCore::adamStepIsTheCores()
{
    int clipped = 0;
    forRandomInputs("adamw", [&](const ExampleInputs& inputs, const WorkedExample& worked) {
        const auto setting = [&](const char* name) { return inputs.matrix(name).values.front(); };
        std::vector<float> weights = floats(inputs, "weights");
        std::vector<float> gradient = floats(inputs, "gradient");
        std::vector<float> first = floats(inputs, "first");
        std::vector<float> second = floats(inputs, "second");
        AdamUpdate update{setting("rate"), setting("beta1"), setting("beta2"), setting("epsilon")};
        (inputs.isOn("decoupled") ? update.decay : update.coupledDecay) = setting("decay");
        update.step = static_cast<std::int64_t>(setting("step"));
        double squares = 0.0;
        for (const float each : gradient)
            squares += static_cast<double>(each) * static_cast<double>(each);
        if (inputs.isOn("clip"))
            update.gradientScale = clipCoefficient(std::sqrt(squares), setting("largest_norm"));
        clipped += update.gradientScale < 1.0 ? 1 : 0;
        adam(update, gradient, {weights, first, second});
        compare(worked, "new_first", first);
        compare(worked, "new_second", second);
        compare(worked, "new_weights", weights);
    });
    QVERIFY(clipped > 0 && clipped < kRounds);
}

void TstWorkedPropertiesCore::softDictionaryIsAWeightedSum()
{
    forRandomInputs(
        "soft-dictionary", [](const ExampleInputs& inputs, const WorkedExample& worked) {
            std::vector<double> weights = inputs.matrix("weights").values;
            if (inputs.isOn("scores")) {
                const auto& q = inputs.matrix("query").values;
                const auto& k = inputs.matrix("keys").values;
                double total = 0.0;
                for (std::size_t i = 0; i < 3; ++i)
                    total += weights[i] = std::exp(q[0] * k[2 * i] + q[1] * k[2 * i + 1]);
                for (double& weight : weights)
                    weight /= total;
            }
            double expected = 0.0;
            for (std::size_t i = 0; i < 3; ++i)
                expected += weights[i] * inputs.matrix("values").values[i];
            QVERIFY(std::abs(worked.number("result[0,0]") - expected) < 1e-12);
        });
}

/// From the context on: attention itself is compared above.
void TstWorkedPropertiesCore::encoderBlockIsTheCores()
{
    forRandomInputs("encoder-block", [](const ExampleInputs& inputs, const WorkedExample& worked) {
        const auto transposed = [&](const char* name) { // [in, out] to [out, in]
            const std::int64_t in = rowsOf(inputs, name);
            const std::int64_t out = columnsOf(inputs, name);
            const std::vector<float> values = floats(inputs, name);
            Tensor result({out, in});
            for (std::int64_t i = 0; i < in * out; ++i)
                result.data()[i % out * in + i / out] = values[static_cast<std::size_t>(i)];
            return result;
        };
        const std::vector<double>& given = worked.find("context")->values;
        const std::vector<float> context(given.begin(), given.end());
        const std::vector<float> epsilon = floats(inputs, "epsilon");
        NormParameters normal;
        normal.epsilon = epsilon.front();
        const std::vector<float> one(4, 1.0F);
        normal.gamma = TensorView(one.data(), {4});
        const std::vector<float> x = floats(inputs, "x");
        const auto added = [&](Tensor& update, std::span<const float> to) {
            for (std::size_t i = 0; inputs.isOn("residual") && i < to.size(); ++i)
                update.data()[i] += to[i];
        };
        Tensor stream({2, 4});
        const Tensor project = transposed("W_O");
        linear({context.data(), {2, 2}}, project.view(), {}, stream.view());
        added(stream, x);
        norm(normal, stream.view(), stream.view());
        const std::vector<float> b1 = floats(inputs, "b_1");
        const std::vector<float> b2 = floats(inputs, "b_2");
        const Tensor widen = transposed("W_1");
        const Tensor narrow = transposed("W_2");
        Tensor hidden({2, 4});
        linear(stream.view(), widen.view(), {b1.data(), {4}}, hidden.view());
        for (float& value : hidden.values())
            value = std::max(0.0F, value);
        Tensor output({2, 4});
        linear(hidden.view(), narrow.view(), {b2.data(), {4}}, output.view());
        added(output, std::as_const(stream).values());
        norm(normal, output.view(), output.view());
        const WorkedMatrix& shown = *worked.find("output");
        for (std::size_t i = 0; i < shown.values.size(); ++i)
            QVERIFY(std::abs(shown.values[i] - static_cast<double>(output.data()[i])) < 1e-4);
    });
}

HEADSCOPE_TEST(TstWorkedPropertiesCore)

#include "tst_worked_properties_core.moc"
