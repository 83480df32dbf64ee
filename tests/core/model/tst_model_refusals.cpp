#include "core/model/model.h"

#include "core/attention/cpu_attention.h"
#include "core/attention/reference_attention.h"
#include "core/base/error.h"
#include "tests/support/small_models.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;
using namespace headscope::test;

class TstModelRefusals : public QObject
{
    Q_OBJECT

private slots:
    void badIdsAreRefused_data();
    void badIdsAreRefused();
    void segmentsAreThoseOfTheModel();
    void badInterventionsAreRefused();
    void cancelKeepsTheCache();
    void failingBackendKeepsTheCache();
    void nothingNewGivesNoRows();
    void foreignParametersAreRefused();
};

void TstModelRefusals::badIdsAreRefused_data()
{
    QTest::addColumn<QList<int>>("ids");
    QTest::newRow("negative") << QList<int>{1, -1};
    QTest::newRow("beyond the vocabulary") << QList<int>{37};
    QTest::newRow("beyond max_len") << QList<int>(25, 0);
}

void TstModelRefusals::badIdsAreRefused()
{
    QFETCH(QList<int>, ids);
    const LoadedModel loaded = smallModel();
    CpuAttention backend;
    KvCache cache(loaded.model->config());
    const std::vector<TokenId> text(ids.begin(), ids.end());
    QVERIFY_EXCEPTION_THROWN(loaded.model->forward(text, backend, cache), ShapeError);
    QCOMPARE(cache.size(), std::int64_t{0});
}

/// 0 is the segment of models without any.
void TstModelRefusals::segmentsAreThoseOfTheModel()
{
    const auto accepts = [](std::int64_t tokenTypes, std::int32_t segment) {
        ModelConfig config = smallConfig();
        config.architecture = Architecture::Encoder;
        config.tokenTypes = tokenTypes;
        const LoadedModel loaded = smallModel(1, config);
        CpuAttention backend;
        KvCache cache(config);
        const std::vector<std::int32_t> segments{0, segment};
        ForwardOptions options;
        options.segments = segments;
        try {
            loaded.model->forward(std::vector<TokenId>{1, 2}, backend, cache, options);
            return true;
        } catch (const ShapeError&) {
            return false;
        }
    };
    QVERIFY(accepts(0, 0) && !accepts(0, 1));
    QVERIFY(accepts(2, 1) && !accepts(2, 2) && !accepts(2, -1));
}

void TstModelRefusals::badInterventionsAreRefused()
{
    const LoadedModel loaded = smallModel();
    CpuAttention backend;
    KvCache cache(loaded.model->config());
    const std::vector<TokenId> ids{1, 2, 3};
    Interventions heads;
    heads.ablatedHeads = {{0, 4}};
    Interventions cells;
    cells.maskCells.assign(8, 1);
    Interventions window;
    window.mask = AttentionMask{.causal = true, .window = -1};
    for (const Interventions& bad : {heads, cells, window})
        QVERIFY_EXCEPTION_THROWN(loaded.model->forward(ids, backend, cache, nullptr, bad),
                                 ShapeError);
    ModelConfig other = smallConfig();
    other.layers = 2;
    KvCache foreign(other);
    QVERIFY_EXCEPTION_THROWN(loaded.model->forward(ids, backend, foreign), ShapeError);
}

void TstModelRefusals::cancelKeepsTheCache()
{
    /// Asks for the end while layer 1 runs.
    class Impatient : public ActivationObserver
    {
    public:
        bool wants(TraceKey key) const override { return key == TraceKey{Site::Z, 1}; }

        void record(TraceKey, TensorView, std::int64_t) override { source.request_stop(); }

        std::stop_source source;
    };

    const LoadedModel loaded = smallModel();
    CpuAttention backend;
    KvCache cache(loaded.model->config());
    const std::vector<TokenId> ids = randomIds(12, 8, 37);
    loaded.model->forward(std::span(ids).first(5), backend, cache);
    Impatient impatient;
    QVERIFY_EXCEPTION_THROWN(
        loaded.model->forward(ids, backend, cache, &impatient, {}, impatient.source.get_token()),
        Cancelled);
    QCOMPARE(cache.size(), std::int64_t{5});
    const Tensor resumed = loaded.model->forward(ids, backend, cache);
    KvCache fresh(loaded.model->config());
    const Tensor whole = loaded.model->forward(ids, backend, fresh);
    const std::span<const float> last = whole.values().last(resumed.size());
    HS_COMPARE(resumed.values(), std::vector<double>(last.begin(), last.end()),
               (Tolerance{1e-6, 1e-6}));
}

void TstModelRefusals::failingBackendKeepsTheCache()
{
    class Failing : public AttentionBackend
    {
    public:
        std::string_view name() const override { return "failing"; }

        std::string describe() const override { return "failing"; }

        bool supports(const AttentionInputs&) const override { return true; }

    private:
        void computeForward(const AttentionInputs& inputs, const AttentionOutputs& outputs) override
        {
            if (++m_calls > 1)
                throw BackendError("clEnqueueNDRangeKernel", -5);
            m_reference.forward(inputs, outputs);
        }

        void computeBackward(const AttentionInputs&, const AttentionSaved&,
                             const AttentionGradients&) override
        {
        }

        ReferenceAttention m_reference;
        int m_calls = 0;
    };

    const LoadedModel loaded = smallModel();
    Failing backend;
    KvCache cache(loaded.model->config());
    QVERIFY_EXCEPTION_THROWN(loaded.model->forward(randomIds(13, 4, 37), backend, cache),
                             BackendError);
    QCOMPARE(cache.size(), std::int64_t{0});
}

void TstModelRefusals::nothingNewGivesNoRows()
{
    const LoadedModel loaded = smallModel();
    CpuAttention backend;
    KvCache cache(loaded.model->config());
    const std::vector<TokenId> ids{1, 2};
    loaded.model->forward(ids, backend, cache);
    QCOMPARE(loaded.model->forward(ids, backend, cache).shape(), (Shape{0, 37}));
    QVERIFY_EXCEPTION_THROWN(loaded.model->forward(std::span(ids).first(1), backend, cache),
                             ShapeError);
}

void TstModelRefusals::foreignParametersAreRefused()
{
    ModelConfig wider = smallConfig();
    wider.dFf += 1;
    QVERIFY_EXCEPTION_THROWN(Model(wider, ParameterSet(smallConfig())), ShapeError);
    QVERIFY_EXCEPTION_THROWN(Model(smallConfig(), ParameterSet()), ShapeError);
}

HEADSCOPE_TEST(TstModelRefusals)
#include "tst_model_refusals.moc"
