// labels: threads
#include "core/attention/reference_attention.h"
#include "core/base/error.h"
#include "core/model/model.h"
#include "core/model/pass/gradient_trace.h"
#include "core/model/weights/lazy_parameters.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/small_models.h"
#include "tests/support/stored_weights.h"
#include "tests/support/test_program.h"
#include "tests/support/tolerances.h"

#include <QTest>

#include <cstring>
#include <thread>

using namespace headscope;
using namespace headscope::test;

namespace {

/// Rows of 256 and 512 numbers: whole blocks of every format.
ModelConfig gptConfig()
{
    ModelConfig config = smallConfig();
    config.dModel = 256;
    config.dFf = 512;
    config.layers = 2;
    return config;
}

ModelConfig llamaConfig()
{
    ModelConfig config = gptConfig();
    config.norm = Norm::Rms;
    config.bias = false;
    config.keyHeads = 2;
    config.positions = Positions::Rope;
    config.activation = Activation::SwiGlu;
    config.tieEmbeddings = false;
    return config;
}

std::vector<std::pair<std::string, ModelConfig>> kinds()
{
    return {{"GPT, tied", gptConfig()}, {"Llama", llamaConfig()}};
}

/// The numbers of stored parameters, all in F32.
std::vector<StoredParameter> inFloats(const std::vector<StoredParameter>& stored)
{
    std::vector<StoredParameter> plain;
    for (const StoredParameter& parameter : stored)
        plain.push_back(storedFloats(floatsOf(parameter)));
    return plain;
}

ParameterSet owned(const ModelConfig& config, const std::vector<StoredParameter>& stored)
{
    ParameterSet parameters(config);
    for (std::size_t i = 0; i < stored.size(); ++i)
        unpackParameter(stored[i], parameters.view(parameters.specs()[i]));
    return parameters;
}

Tensor logitsOf(const Model& model, const std::vector<TokenId>& ids)
{
    ReferenceAttention backend;
    KvCache cache(model.config());
    return model.forward(ids, backend, cache);
}

bool sameBits(std::span<const float> a, std::span<const float> b)
{
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

std::vector<double> widened(const Tensor& tensor)
{
    return {tensor.values().begin(), tensor.values().end()};
}

/// The gradient of the first residual stream, which everything has passed through.
struct KeepFirst : ActivationObserver
{
    bool wants(TraceKey key) const override { return key == TraceKey{Site::ResidPre, 0}; }

    void record(TraceKey, TensorView gradient, std::int64_t) override
    {
        kept = Tensor(gradient.shape);
        std::copy_n(gradient.data, kept.size(), kept.data());
    }

    Tensor kept;
};

} // namespace

class TstStoredParameters : public QObject
{
    Q_OBJECT

private slots:
    void modelGivesTheBitsOfItsFloats_data();
    void modelGivesTheBitsOfItsFloats();
    void tokenByTokenGivesTheSameBits();
    void lookingUnpacksThatParameterAlone();
    void lookingFromSeveralThreadsIsSafe();
    void copiesShareAndChangesDoNot();
    void gradientsAreThoseOfTheFloats();
    void absentParametersAreZeros();
    void whatDoesNotFitIsRefused();
};

void TstStoredParameters::modelGivesTheBitsOfItsFloats_data()
{
    QTest::addColumn<BlockFormat>("format");
    for (const BlockLayout& layout : kBlockLayouts)
        QTest::newRow(std::string(layout.name).c_str()) << layout.format;
}

void TstStoredParameters::modelGivesTheBitsOfItsFloats()
{
    QFETCH(BlockFormat, format);
    for (const auto& [name, config] : kinds()) {
        const std::vector<StoredParameter> stored = randomStored(config, format, 1);
        const std::vector<TokenId> ids = randomIds(2, 11, config.vocabularySize);
        const Tensor got = logitsOf(Model(config, ParameterSet(config, stored)), ids);
        const Tensor floats = logitsOf(Model(config, ParameterSet(config, inFloats(stored))), ids);
        QVERIFY2(sameBits(got.values(), floats.values()), name.c_str());
        const Tensor panels = logitsOf(Model(config, owned(config, stored)), ids);
        HS_COMPARE(got.values(), widened(panels), (Tolerance{1e-4, 1e-4}));
    }
}

void TstStoredParameters::tokenByTokenGivesTheSameBits()
{
    const ModelConfig config = llamaConfig();
    const Model model(config, ParameterSet(config, randomStored(config, BlockFormat::Q4_1, 3)));
    const std::vector<TokenId> ids = randomIds(4, 14, config.vocabularySize);
    const Tensor whole = logitsOf(model, ids);
    ReferenceAttention backend;
    KvCache cache(config);
    std::int64_t row = 0;
    for (const std::size_t end : {1, 2, 9, 10, 14}) {
        const Tensor step = model.forward(std::span(ids).first(end), backend, cache);
        for (std::int64_t i = 0; i < step.shape()[0]; ++i)
            QVERIFY(sameBits({step.view()[i].data, 37}, {whole.view()[row++].data, 37}));
    }
    QCOMPARE(row, std::int64_t{14});
}

void TstStoredParameters::lookingUnpacksThatParameterAlone()
{
    const ModelConfig config = llamaConfig();
    const std::vector<StoredParameter> stored = randomStored(config, BlockFormat::Q6_K, 5);
    const Model model(config, ParameterSet(config, stored));
    const LazyParameters& lazy = *model.parameters().stored();
    QCOMPARE(lazy.unpackedBytes(), std::size_t{0});
    model.pack();
    logitsOf(model, {1, 2, 3});
    QCOMPARE(lazy.unpackedBytes(), std::size_t{5 * 256 * sizeof(float)}); // gains alone
    const TensorView up = model.parameters().view("h.1.up.weight");
    QCOMPARE(lazy.unpackedBytes(), std::size_t{(5 + 512) * 256 * sizeof(float)});
    QCOMPARE(model.parameters().view("h.1.up.weight").data, up.data);
    const auto& specs = model.parameters().specs();
    for (std::size_t i = 0; i < specs.size(); ++i) {
        const TensorView view = model.parameters().view(specs[i]);
        QVERIFY(sameBits({view.data, static_cast<std::size_t>(view.shape.elementCount())},
                         floatsOf(stored[i]).values()));
    }
    QCOMPARE(lazy.unpackedBytes(), model.parameters().parameterCount() * sizeof(float));
    QCOMPARE(std::as_const(model).parameters().values().data() + specs.back().offset,
             model.parameters().view(specs.back()).data);
}

void TstStoredParameters::lookingFromSeveralThreadsIsSafe()
{
    const ModelConfig config = gptConfig();
    const std::vector<StoredParameter> stored = randomStored(config, BlockFormat::Q5_K, 6);
    const Model model(config, ParameterSet(config, stored));
    const ParameterSet expected = owned(config, stored);
    const std::vector<TokenId> ids = randomIds(7, 5, config.vocabularySize);
    std::vector<std::jthread> threads;
    std::vector<int> different(6);
    std::vector<Tensor> logits(6);
    for (std::size_t thread = 0; thread < different.size(); ++thread)
        threads.emplace_back([&, thread] {
            const auto& specs = model.parameters().specs();
            for (std::size_t i = 0; i < specs.size(); ++i) {
                const ParameterSpec& spec = specs[(i * 7 + thread * 11) % specs.size()];
                const TensorView view = model.parameters().view(spec);
                const auto count = static_cast<std::size_t>(spec.shape.elementCount());
                different[thread] +=
                    sameBits({view.data, count}, {expected.view(spec).data, count}) ? 0 : 1;
            }
            logits[thread] = logitsOf(model, ids);
        });
    threads.clear();
    QVERIFY(different == std::vector<int>(6, 0));
    for (const Tensor& some : logits)
        QVERIFY(sameBits(some.values(), logits.front().values()));
}

void TstStoredParameters::copiesShareAndChangesDoNot()
{
    const ModelConfig config = gptConfig();
    const ParameterSet stored(config, randomStored(config, BlockFormat::Q8_0, 8));
    ParameterSet copy = stored;
    QCOMPARE(copy.stored(), stored.stored());
    const float before = stored.view("h.0.fc1.weight").data[3];
    copy.view("h.0.fc1.weight").data[3] = 42.0F;
    QVERIFY(copy.stored() == nullptr);
    QCOMPARE(stored.view("h.0.fc1.weight").data[3], before);
    QCOMPARE(std::as_const(copy).view("h.0.fc1.weight").data[3], 42.0F);
    QCOMPARE(copy.values().size(), stored.values().size());
    copy.view("h.0.fc1.weight").data[3] = before;
    QVERIFY(sameBits(copy.values(), stored.values()));
}

void TstStoredParameters::gradientsAreThoseOfTheFloats()
{
    const ModelConfig config = llamaConfig();
    const std::vector<StoredParameter> stored = randomStored(config, BlockFormat::Q4_K, 9);
    const Model mapped(config, ParameterSet(config, stored));
    const Model floats(config, owned(config, stored));
    const std::vector<TokenId> ids = randomIds(10, 6, config.vocabularySize);
    GradientText text;
    text.ids = ids;
    GradientTarget target;
    target.token = 3;
    ReferenceAttention backend;
    std::vector<Tensor> gradients;
    for (const Model* model : {&mapped, &floats}) {
        KeepFirst keep;
        traceGradients(*model, text, target, backend, keep);
        gradients.push_back(std::move(keep.kept));
    }
    QVERIFY(!gradients.front().empty());
    QVERIFY(sameBits(gradients.front().values(), gradients.back().values()));
}

void TstStoredParameters::absentParametersAreZeros()
{
    const ModelConfig config = gptConfig();
    std::vector<StoredParameter> stored = randomStored(config, BlockFormat::Q4_0, 11);
    const std::vector<ParameterSpec> layout = parameterLayout(config);
    for (std::size_t i = 0; i < layout.size(); ++i)
        if (layout[i].name == "h.0.attn.o.bias" || layout[i].name == "h.1.fc2.weight")
            stored[i] = {};
    const ParameterSet parameters(config, stored);
    QCOMPARE(parameters.view("h.0.attn.o.bias").data[255], 0.0F);
    const ParameterSet floats = owned(config, stored);
    const std::vector<TokenId> ids{1, 5, 2};
    HS_COMPARE(logitsOf(Model(config, parameters), ids).values(),
               widened(logitsOf(Model(config, floats), ids)), (Tolerance{1e-4, 1e-4}));
}

void TstStoredParameters::whatDoesNotFitIsRefused()
{
    const StoredParameter good = randomBlocks(BlockFormat::Q8_0, 6, 64, 12);
    checkStored(good, "x", {6, 64});
    const auto refused = [&](auto change, const Shape& shape) {
        StoredParameter bad = good;
        change(bad);
        try {
            checkStored(bad, "h.0.fc1.weight", shape);
        } catch (const ShapeError& error) {
            return std::string(error.what()).find("h.0.fc1.weight") != std::string::npos;
        }
        return false;
    };
    const auto nothing = [](StoredParameter&) {};
    QVERIFY(refused(nothing, {6, 32}));
    QVERIFY(refused(nothing, {64, 6}));
    QVERIFY(refused(nothing, {384}));
    QVERIFY(
        refused([](StoredParameter& p) { p.bytes = p.bytes.first(p.bytes.size() - 1); }, {6, 64}));
    QVERIFY(refused([](StoredParameter& p) { p.rows = 7; }, {7, 64}));
    QVERIFY(refused([](StoredParameter& p) { p.columns = 63; }, {6, 63}));
    QVERIFY(refused([](StoredParameter& p) { p.rows = -6; }, {6, 64}));
    QVERIFY(refused([](StoredParameter& p) { p.order = {0, 6}; }, {2, 64}));
    QVERIFY(refused([](StoredParameter& p) { p.order = {-1, 0}; }, {2, 64}));
    QVERIFY(refused([](StoredParameter& p) { p.transposed = true; }, {6, 64}));
    QVERIFY(
        refused([](StoredParameter& p) { p.rows = p.columns = std::int64_t{1} << 40; }, {6, 64}));
    const ModelConfig config = gptConfig();
    std::vector<StoredParameter> stored = randomStored(config, BlockFormat::Q8_0, 13);
    std::swap(stored.front(), stored.back());
    QVERIFY_EXCEPTION_THROWN(ParameterSet(config, stored), ShapeError);
    stored.pop_back();
    QVERIFY_EXCEPTION_THROWN(ParameterSet(config, stored), ShapeError);
}

HEADSCOPE_TEST(TstStoredParameters)
#include "tst_stored_parameters.moc"
