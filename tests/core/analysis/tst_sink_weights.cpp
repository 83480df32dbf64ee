// labels: golden

#include "core/analysis/heads/sink_weights.h"
#include "core/attention/cpu_attention.h"
#include "core/io/trace_file.h"
#include "core/model/pass/tracer.h"
#include "tests/support/golden.h"
#include "tests/support/hugging_face_model.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_model.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace headscope;
using namespace headscope::test;

namespace {

constexpr Tolerance kWeights{2e-5, 0.0};

/// A head's weights on its sink, from the scores before softmax: e^s over the sum of all e^.
std::vector<double> sinkFromScores(const Trace& trace, const Model& model, HeadId head)
{
    const auto scores = trace.find(scoresKey(head.attention, head.layer)); // [h, n, m]
    const std::string name = "h." + std::to_string(head.layer) + ".attn.sinks.bias";
    const double sink = std::exp(double{model.parameters().view(name)(head.head)});
    std::vector<double> weights;
    for (std::int64_t query = 0; query < scores->shape()[1]; ++query) {
        double sum = sink;
        for (std::int64_t key = 0; key < scores->shape()[2]; ++key)
            sum += std::exp(double{scores->view()(head.head, query, key)}); // masked: e^-inf
        weights.push_back(sink / sum);
    }
    return weights;
}

} // namespace

class TstSinkWeights : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase()
    {
        const GoldenFile file("hf/gpt_oss.expected.safetensors");
        m_model.name = "gpt_oss";
        m_model.model =
            std::make_shared<const Model>(loadHuggingFaceModel(goldenDir() / "hf/gpt_oss"));
        const std::vector<std::int64_t> ids = file.integers("in.ids");
        for (std::int64_t place = 0; place < file.shape("in.ids")[1]; ++place)
            m_tokens.tokens.push_back(
                {static_cast<TokenId>(ids[static_cast<std::size_t>(place)]), {0, 0}});
        m_expected = file.expected("out.attn"); // [layer, batch, head, query, key]
        m_shape = file.shape("out.attn");
    }

    /// Both by the patterns that transformers computed and by the scores before softmax.
    void aRowAndItsSinkSumToOne()
    {
        const TracePtr trace = traced({});
        const SinkWeights sinks(*trace);
        QVERIFY(sinks.hasSinks(AttentionKind::Self));
        float largest = 0.0F;
        for (int layer = 0; layer < trace->layerCount(); ++layer) {
            for (int head = 0; head < trace->headCount(); ++head) {
                const std::vector<float> weights =
                    sinks.of({layer, head}, pattern(*trace, layer, head));
                HS_COMPARE(weights, expectedSink(layer, head), kWeights);
                HS_COMPARE(weights, sinkFromScores(*trace, *m_model.model, {layer, head}),
                           kWeights);
                largest = std::max(largest, *std::max_element(weights.begin(), weights.end()));
            }
        }
        QVERIFY2(largest > 0.1F, "the golden model says little about sinks");
    }

    void rowsFromTheMiddleAreThoseOfTheWhole()
    {
        const TracePtr trace = traced({});
        const TensorView whole = pattern(*trace, 1, 2);
        const std::vector<float> all = SinkWeights(*trace).of({1, 2}, whole);
        const TensorView last{&whole(4, 0), {whole.shape[0] - 4, whole.shape[1]}};
        const std::vector<float> some = SinkWeights(*trace).of({1, 2}, last, 4);
        QVERIFY(std::equal(some.begin(), some.end(), all.begin() + 4, all.end()));
    }

    void aReplacedRowHasNone()
    {
        Interventions edits;
        edits.patternEdits.push_back({{Site::Pattern, 1}, 2, 5, 0, {0.5F}, false});
        edits.patternEdits.push_back({{Site::Pattern, 1}, 2, 6, 0, {0.1F}, true});
        const TracePtr trace = traced(edits);
        const std::vector<float> edited = SinkWeights(*trace).of({1, 2}, pattern(*trace, 1, 2), 0);
        const std::vector<double> before = expectedSink(1, 2);
        QVERIFY(std::isnan(edited[5]));
        QVERIFY(std::abs(double{edited[6]} - before[6]) < 2e-5); // its sum is kept
        QVERIFY(std::abs(double{edited[4]} - before[4]) < 2e-5);
        const std::vector<float> other = SinkWeights(*trace).of({1, 3}, pattern(*trace, 1, 3));
        QVERIFY(std::none_of(other.begin(), other.end(), [](float w) { return std::isnan(w); }));
        const TensorView last{&pattern(*trace, 1, 2)(5, 0), {2, pattern(*trace, 1, 2).shape[1]}};
        QVERIFY(std::isnan(SinkWeights(*trace).of({1, 2}, last, 5)[0]));
    }

    void otherModelsHaveNone()
    {
        Tracer tracer(tinyModel(), std::make_unique<CpuAttention>());
        const TracePtr trace =
            tracer.trace(tinyModel().tokenizer->encode("the cat"), TraceRequest::forViews());
        QVERIFY(!SinkWeights(*trace).hasSinks(AttentionKind::Self));
        QVERIFY(SinkWeights(*trace).of({0, 0}, pattern(*trace, 0, 0)).empty());
        QVERIFY(!SinkWeights(*traced({})).hasSinks(AttentionKind::Cross));
    }

    /// A trace file says it in its settings, and its rows are nothing to remark on.
    void aTraceFileKeepsIt()
    {
        QTemporaryDir folder;
        const auto path = std::filesystem::path(folder.path().toStdString()) / "t.safetensors";
        const TracePtr before = traced({});
        saveTrace(path, *before, *tinyModel().tokenizer);
        const TraceFile file = openTraceFile(path);
        QVERIFY(file.notes.empty());
        const std::vector<float> weights =
            SinkWeights(*file.trace).of({0, 1}, pattern(*file.trace, 0, 1));
        HS_COMPARE(weights, expectedSink(0, 1), kWeights);
    }

private:
    TracePtr traced(const Interventions& interventions) const
    {
        Tracer tracer(m_model, std::make_unique<CpuAttention>());
        return tracer.trace(m_tokens, TraceRequest::everything(), interventions);
    }

    static TensorView pattern(const Trace& trace, int layer, int head)
    {
        return trace.find({Site::Pattern, layer})->view()[head]; // the trace keeps it
    }

    /// 1 - the sum of each row of the first text's pattern, as transformers computed it.
    std::vector<double> expectedSink(int layer, int head) const
    {
        const std::int64_t first =
            (layer * m_shape[1] * m_shape[2] + head) * m_shape[3] * m_shape[4];
        std::vector<double> weights;
        for (std::int64_t query = 0; query < m_shape[3]; ++query) {
            double sum = 0.0;
            for (std::int64_t key = 0; key < m_shape[4]; ++key)
                sum += m_expected[static_cast<std::size_t>(first + query * m_shape[4] + key)];
            weights.push_back(1.0 - sum);
        }
        return weights;
    }

    LoadedModel m_model;
    TokenSequence m_tokens;
    std::vector<double> m_expected;
    std::vector<std::int64_t> m_shape;
};

HEADSCOPE_TEST(TstSinkWeights)
#include "tst_sink_weights.moc"
