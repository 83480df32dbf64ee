#include "core/model/pass/resumed_forward.h"

#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/model/pass/site_shape.h"
#include "core/trace/trace_recorder.h"
#include "tests/support/small_models.h"
#include "tests/support/stored_weights.h"
#include "tests/support/test_program.h"
#include "tests/support/traced_kinds.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace headscope;
using namespace headscope::test;

Q_DECLARE_METATYPE(headscope::ModelConfig)

namespace {

constexpr std::size_t kTokens = 7;

/// A whole pass, with every stream that it went through.
struct WholePass
{
    std::vector<TokenId> ids;
    Tensor memory;
    Trace::Activations streams;
    Tensor result;

    WholePass(const Model& model, const Interventions& interventions = {})
        : ids(randomTexts(model.config(), 3, kTokens).target.ids())
    {
        CpuAttention backend;
        KvCache cache(model.config());
        if (hasTwoStacks(model.config())) {
            model.encode(randomTexts(model.config(), 3, kTokens).source.ids(), backend, cache);
            memory = Tensor(cache.memory().shape);
            std::copy_n(cache.memory().data, memory.size(), memory.data());
        }
        TraceRecorder recorder(streamKeys(model.config()), static_cast<std::int64_t>(kTokens),
                               nullptr);
        result = model.forward(ids, backend, cache, &recorder, interventions);
        streams = recorder.take();
    }

    ResumedText text() const { return {ids, {}, memory.empty() ? TensorView() : memory.view()}; }

    static std::vector<TraceKey> streamKeys(const ModelConfig& config)
    {
        std::vector<TraceKey> keys;
        for (int layer = 0; layer < layerCount(config, config.mainStack()); ++layer)
            for (const Site site :
                 {Site::ResidPre, Site::ResidMid, Site::ResidMidCross, Site::ResidPost})
                keys.push_back({site, layer, config.mainStack()});
        std::sort(keys.begin(), keys.end());
        return keys;
    }
};

/// Largest difference, beside 1 + the largest value.
double difference(const Tensor& got, const Tensor& expected)
{
    double largest = 0.0;
    double scale = 1.0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const auto value = static_cast<double>(expected.data()[i]);
        largest = std::max(largest, std::abs(static_cast<double>(got.data()[i]) - value));
        scale = std::max(scale, std::abs(value));
    }
    return got.shape() == expected.shape() ? largest / scale : INFINITY;
}

void resumesEverywhere(const std::shared_ptr<const Model>& model)
{
    const ResumedForward resumed(model);
    const WholePass whole(*model);
    CpuAttention backend;
    int places = 0;
    for (const auto& [key, stream] : whole.streams) {
        const bool beside = model->config().isParallel() && key.site == Site::ResidMid;
        QCOMPARE(resumed.canResume(key), !beside);
        if (beside)
            continue;
        const Tensor got = resumed.forward(whole.text(), key, stream->view(), backend);
        QVERIFY2(difference(got, whole.result) <= 1e-6,
                 qPrintable(QString("%1: %2")
                                .arg(QString::fromStdString(toString(key)))
                                .arg(difference(got, whole.result))));
        ++places;
    }
    QVERIFY(places >= 2 * layerCount(model->config(), model->config().mainStack()));
}

} // namespace

class TstResumedForward : public QObject
{
    Q_OBJECT

private slots:

    void goesOnFromEveryStream_data()
    {
        QTest::addColumn<ModelConfig>("config");
        for (const auto& [name, config] : tracedKinds())
            QTest::newRow(name.c_str()) << config;
    }

    void goesOnFromEveryStream()
    {
        QFETCH(ModelConfig, config);
        resumesEverywhere(kindModel(config).model);
    }

    void weightsThatStayInTheirFile_data()
    {
        QTest::addColumn<int>("format");
        QTest::newRow("floats") << static_cast<int>(BlockFormat::F32);
        QTest::newRow("4 bits") << static_cast<int>(BlockFormat::Q4_0);
        QTest::newRow("8 bits") << static_cast<int>(BlockFormat::Q8_0);
    }

    void weightsThatStayInTheirFile()
    {
        QFETCH(int, format);
        ModelConfig config = smallConfig();
        config.dModel = 256;
        config.dFf = 512;
        config.keyHeads = 2;
        config.norm = Norm::Rms;
        config.bias = false;
        config.positions = Positions::Rope;
        config.activation = Activation::SwiGlu;
        resumesEverywhere(std::make_shared<const Model>(
            config,
            ParameterSet(config, randomStored(config, static_cast<BlockFormat>(format), 5))));
    }

    void anotherStreamGivesWhatAPatchGives_data() { goesOnFromEveryStream_data(); }

    void anotherStreamGivesWhatAPatchGives()
    {
        QFETCH(ModelConfig, config);
        if (layerCount(config, config.mainStack()) == 0)
            return;
        const auto model = kindModel(config).model;
        const ResumedForward resumed(model);
        const TraceKey key{Site::ResidPost, 0, config.mainStack()};
        auto other = std::make_shared<Tensor>(*WholePass(*model).streams.at(key));
        for (std::size_t i = 0; i < other->size(); i += 3)
            other->data()[i] += 0.5F;
        Interventions patch;
        patch.patches = {{key, other, {}, {}}};
        const WholePass patched(*model, patch);
        CpuAttention backend;
        const Tensor got = resumed.forward(patched.text(), key, other->view(), backend);
        QVERIFY(difference(got, patched.result) <= 1e-6);
        QVERIFY(difference(got, WholePass(*model).result) > 1e-4);
    }

    void interventionsFurtherOnHold()
    {
        const auto model = kindModel(smallConfig()).model;
        const ResumedForward resumed(model);
        Interventions interventions;
        interventions.ablatedHeads = {{1, 0}};
        const WholePass ablated(*model, interventions);
        ForwardOptions options;
        options.interventions = &interventions;
        CpuAttention backend;
        const TraceKey key{Site::ResidPre, 1};
        const Tensor got =
            resumed.forward(ablated.text(), key, ablated.streams.at(key)->view(), backend, options);
        QVERIFY(difference(got, ablated.result) <= 1e-6);
        options.lastLogitsOnly = true;
        const Tensor last =
            resumed.forward(ablated.text(), key, ablated.streams.at(key)->view(), backend, options);
        QCOMPARE(last.shape()[0], std::int64_t(1));
        QVERIFY(std::abs(last.data()[0] - ablated.result.view()(kTokens - 1, 0)) < 1e-5F);
    }

    void whatCannotBeIsRefused()
    {
        const auto model = kindModel(smallConfig()).model;
        const ResumedForward resumed(model);
        const WholePass whole(*model);
        CpuAttention backend;
        const TensorView stream = whole.streams.at({Site::ResidPre, 1})->view();
        QVERIFY_EXCEPTION_THROWN(
            resumed.forward(whole.text(), {Site::ResidPre, 99}, stream, backend), ShapeError);
        QVERIFY_EXCEPTION_THROWN(resumed.forward(whole.text(), {Site::Z, 1}, stream, backend),
                                 ShapeError);
        const TensorView less(stream.data, {stream.shape[0] - 1, stream.shape[1]});
        QVERIFY_EXCEPTION_THROWN(resumed.forward(whole.text(), {Site::ResidPre, 1}, less, backend),
                                 ShapeError);
        ForwardOptions options;
        std::stop_source stop;
        stop.request_stop();
        options.stop = stop.get_token();
        QVERIFY_EXCEPTION_THROWN(
            resumed.forward(whole.text(), {Site::ResidPre, 1}, stream, backend, options),
            Cancelled);
    }
};

HEADSCOPE_TEST(TstResumedForward)
#include "tst_resumed_forward.moc"
