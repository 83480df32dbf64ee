#include "core/attention/cpu_attention.h"
#include "core/attention/reference_attention.h"
#include "core/base/error.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <functional>
#include <limits>

using namespace headscope;

namespace {

/// Valid operands of a small layer, for tests that spoil one thing.
struct Layer
{
    Tensor queries{{2, 4, 5, 8}};
    Tensor keys{{2, 2, 7, 8}};
    Tensor values{{2, 2, 7, 6}};
    Tensor bias{{4, 5, 7}};
    Tensor slopes{{4}};
    Tensor context{{2, 4, 5, 6}};
    Tensor pattern{{2, 4, 5, 7}};
    Tensor scores{{2, 4, 5, 7}};
    Tensor logSumExp{{2, 4, 5}};
    Tensor upstream{{2, 4, 5, 6}};
    Tensor queryGradient{{2, 4, 5, 8}};
    Tensor keyGradient{{2, 2, 7, 8}};
    Tensor valueGradient{{2, 2, 7, 6}};
    Tensor biasGradient{{4, 5, 7}};
    std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(2 * 4 * 5 * 7, 1);

    AttentionInputs inputs;
    AttentionOutputs outputs;
    AttentionSaved saved;
    AttentionGradients gradients;

    Layer()
    {
        inputs.queries = queries.view();
        inputs.keys = keys.view();
        inputs.values = values.view();
        inputs.bias = bias.view();
        inputs.alibiSlopes = slopes.view();
        outputs = {context.view(), pattern.view(), scores.view(), logSumExp.view()};
        saved = {outputs.context, outputs.logSumExp, upstream.view()};
        gradients = {queryGradient.view(), keyGradient.view(), valueGradient.view(),
                     biasGradient.view()};
    }
};

using Spoil = std::function<void(Layer&)>;

template<class View>
void reshape(View& view, const Shape& shape)
{
    view = View(view.data, shape);
}

template<class Call>
QString sentenceOf(Call call)
{
    try {
        call();
    } catch (const ShapeError& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

} // namespace

Q_DECLARE_METATYPE(Spoil)

class TstAttentionBackend : public QObject
{
    Q_OBJECT

private slots:
    void acceptsWhatFits();
    void refusesWhatDoesNotFit_data();
    void refusesWhatDoesNotFit();
    void refusesGradientsThatDoNotFit_data();
    void refusesGradientsThatDoNotFit();
    void emptyLayersAreNoError();
    void notANumberPassesThrough();
};

void TstAttentionBackend::acceptsWhatFits()
{
    Layer layer;
    CpuAttention backend;
    backend.forward(layer.inputs, layer.outputs);
    backend.backward(layer.inputs, layer.saved, layer.gradients);
    // Zero scores everywhere: every key gets the same weight.
    QCOMPARE(layer.pattern.data()[0], 1.0F / 7.0F);
    QVERIFY(std::abs(layer.logSumExp.data()[0] - std::log(7.0F)) < 1e-6F);
}

void TstAttentionBackend::refusesWhatDoesNotFit_data()
{
    QTest::addColumn<Spoil>("spoil");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, Spoil spoil, const char* expected) {
        QTest::newRow(name) << spoil << QString(expected);
    };
    row(
        "three axes",
        [](Layer& l) {
            reshape(l.inputs.queries, {4, 5, 8});
        },
        "four axes");
    row(
        "no heads",
        [](Layer& l) {
            reshape(l.inputs.queries, {2, 0, 5, 8});
        },
        "positive");
    row(
        "no channels",
        [](Layer& l) {
            reshape(l.inputs.values, {2, 2, 7, 0});
        },
        "positive");
    row(
        "batches",
        [](Layer& l) {
            reshape(l.inputs.keys, {1, 2, 7, 8});
        },
        "batch sizes differ");
    row(
        "heads",
        [](Layer& l) {
            reshape(l.inputs.queries, {2, 3, 5, 8});
        },
        "divide");
    row(
        "values missing",
        [](Layer& l) {
            reshape(l.inputs.values, {2, 2, 6, 6});
        },
        "keys and values differ");
    row(
        "head sizes",
        [](Layer& l) {
            reshape(l.inputs.keys, {2, 2, 7, 4});
        },
        "different head sizes");
    row(
        "no data", [](Layer& l) { l.inputs.keys.data = nullptr; }, "keys [2, 2, 7, 8] has no data");
    row(
        "strided channels", [](Layer& l) { l.inputs.queries.strides[3] = 2; },
        "last axis of queries");
    row(
        "negative stride", [](Layer& l) { l.inputs.values.strides[2] = -6; },
        "values [2, 2, 7, 6] has a negative stride");
    row(
        "bias",
        [](Layer& l) {
            reshape(l.inputs.bias, {4, 5, 6});
        },
        "bias is [4, 5, 6], but [4, 5, 7] was expected");
    row(
        "slopes", [](Layer& l) { reshape(l.inputs.alibiSlopes, {3}); }, "alibiSlopes is [3]");
    row(
        "scale", [](Layer& l) { l.inputs.scale = std::numeric_limits<float>::infinity(); },
        "scale is inf");
    row(
        "soft cap", [](Layer& l) { l.inputs.softCap = -1.0F; }, "softCap is -1");
    row(
        "dropout of everything", [](Layer& l) { l.inputs.dropout = 1.0F; }, "dropout is 1");
    row(
        "dropout without mask", [](Layer& l) { l.inputs.dropout = 0.5F; }, "needs a keep mask");
    row(
        "window", [](Layer& l) { l.inputs.mask.window = -2; }, "window is -2");
    row(
        "mask strides", [](Layer& l) { l.inputs.mask.allowedQueryStride = -1; },
        "allowed mask has strides 0 and -1");
    row(
        "context missing", [](Layer& l) { l.outputs.context = {}; }, "context is []");
    row(
        "context",
        [](Layer& l) {
            reshape(l.outputs.context, {2, 4, 5, 8});
        },
        "context is [2, 4, 5, 8], but [2, 4, 5, 6] was expected");
    row(
        "context overlaps", [](Layer& l) { l.outputs.context.strides[0] = 0; },
        "context [2, 4, 5, 6] has strides that make elements overlap");
    row(
        "context rows overlap", [](Layer& l) { l.outputs.context.strides[2] = 5; }, "overlap");
    row(
        "pattern",
        [](Layer& l) {
            reshape(l.outputs.pattern, {2, 4, 7, 5});
        },
        "pattern is");
    row(
        "scores",
        [](Layer& l) {
            reshape(l.outputs.scores, {2, 4, 5, 5});
        },
        "scores is");
    row(
        "logSumExp",
        [](Layer& l) {
            reshape(l.outputs.logSumExp, {2, 4});
        },
        "logSumExp is [2, 4]");
}

void TstAttentionBackend::refusesWhatDoesNotFit()
{
    QFETCH(Spoil, spoil);
    QFETCH(QString, expected);
    Layer layer;
    spoil(layer);
    CpuAttention backend;
    const QString sentence = sentenceOf([&] { backend.forward(layer.inputs, layer.outputs); });
    QVERIFY2(sentence.startsWith("attention forward: "), qPrintable(sentence));
    QVERIFY2(sentence.contains(expected), qPrintable(sentence));
}

void TstAttentionBackend::refusesGradientsThatDoNotFit_data()
{
    QTest::addColumn<Spoil>("spoil");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, Spoil spoil, const char* expected) {
        QTest::newRow(name) << spoil << QString(expected);
    };
    row(
        "operands",
        [](Layer& l) {
            reshape(l.inputs.keys, {1, 2, 7, 8});
        },
        "batch sizes differ");
    row(
        "context",
        [](Layer& l) {
            reshape(l.saved.context, {2, 4, 6, 5});
        },
        "context is");
    row(
        "logSumExp", [](Layer& l) { l.saved.logSumExp = {}; }, "logSumExp is []");
    row(
        "upstream", [](Layer& l) { l.saved.contextGradient.data = nullptr; },
        "contextGradient [2, 4, 5, 6] has no data");
    row(
        "queries", [](Layer& l) { l.gradients.queries = {}; }, "gradient of queries is []");
    row(
        "keys",
        [](Layer& l) {
            reshape(l.gradients.keys, {2, 4, 7, 8});
        },
        "gradient of keys");
    row(
        "values", [](Layer& l) { l.gradients.values.strides[1] = 1; },
        "gradient of values [2, 2, 7, 6] has strides that make elements overlap");
    row(
        "bias",
        [](Layer& l) {
            reshape(l.gradients.bias, {4, 5, 5});
        },
        "gradient of bias");
}

void TstAttentionBackend::refusesGradientsThatDoNotFit()
{
    QFETCH(Spoil, spoil);
    QFETCH(QString, expected);
    Layer layer;
    spoil(layer);
    ReferenceAttention backend;
    const QString sentence =
        sentenceOf([&] { backend.backward(layer.inputs, layer.saved, layer.gradients); });
    QVERIFY2(sentence.startsWith("attention backward: "), qPrintable(sentence));
    QVERIFY2(sentence.contains(expected), qPrintable(sentence));
}

void TstAttentionBackend::emptyLayersAreNoError()
{
    Layer layer;
    reshape(layer.inputs.queries, {2, 4, 0, 8});
    layer.inputs.bias = {};
    reshape(layer.saved.context, {2, 4, 0, 6});
    reshape(layer.saved.logSumExp, {2, 4, 0});
    reshape(layer.saved.contextGradient, {2, 4, 0, 6});
    reshape(layer.gradients.queries, {2, 4, 0, 8});
    layer.gradients.bias = {};
    std::fill_n(layer.keyGradient.data(), layer.keyGradient.size(), 3.0F);
    AttentionOutputs outputs;
    reshape(outputs.context, {2, 4, 0, 6});
    CpuAttention backend;
    backend.forward(layer.inputs, outputs);
    backend.backward(layer.inputs, layer.saved, layer.gradients);
    for (const float value : layer.keyGradient.values())
        QCOMPARE(value, 0.0F);
}

void TstAttentionBackend::notANumberPassesThrough()
{
    Layer layer;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    layer.queries.data()[0] = nan; // batch 0, head 0, query 0
    CpuAttention backend;
    backend.forward(layer.inputs, layer.outputs);
    backend.backward(layer.inputs, layer.saved, layer.gradients);
    QVERIFY(std::isnan(layer.context.data()[0]));
    QVERIFY(std::isnan(layer.logSumExp.data()[0]));
    QVERIFY(std::isnan(layer.pattern.data()[0]));
    QVERIFY(!std::isnan(layer.context.data()[6])); // the next query
    for (float& value : layer.keys.values())
        value = nan;
    backend.forward(layer.inputs, layer.outputs);
    backend.backward(layer.inputs, layer.saved, layer.gradients);
    QVERIFY(std::isnan(layer.context.data()[6]));
}

HEADSCOPE_TEST(TstAttentionBackend)
#include "tst_attention_backend.moc"
