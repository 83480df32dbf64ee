// labels: golden
// links: core/train
#include "core/attention/cpu_attention.h"
#include "core/attention/reference_attention.h"
#include "core/model/model.h"
#include "core/train/trainer.h"
#include "tests/support/each_isa.h"
#include "tests/support/test_program.h"
#include "tests/support/tolerances.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

using namespace headscope;
using namespace headscope::test;

namespace {

constexpr TokenId kPadding = 0;

/// The file's transformer of 2017: its name of a weight for every name of ours.
std::string goldenName(const std::string& name)
{
    if (name == "tok_emb.weight")
        return "emb.weight";
    std::string golden = name;
    if (const auto at = golden.find("ln_cross"); at != std::string::npos)
        golden.replace(at, 8, "ln2");
    else if (golden.starts_with("dec.") && golden.find(".ln2.") != std::string::npos)
        golden.replace(golden.find(".ln2."), 5, ".ln3.");
    return golden;
}

class Golden
{
public:
    Golden() : m_file("models/encoder_decoder.safetensors")
    {
        const nlohmann::json& params = m_file.params();
        ModelConfig& c = m_config;
        c.architecture = Architecture::EncoderDecoder;
        c.vocabularySize = params.at("vocab");
        c.dModel = params.at("d");
        c.heads = params.at("heads");
        c.layers = params.at("layers");
        c.dFf = params.at("ff");
        c.maxLen = std::max(m_file.shape("in.src")[1], m_file.shape("in.tgt_in")[1]);
        c.positions = Positions::Sinusoidal;
        c.activation = Activation::Relu;
        c.normPosition = NormPosition::Post;
        c.normEpsilon = params.at("ln_eps");
        c.embeddingScale = std::sqrt(static_cast<double>(c.dModel));
    }

    const GoldenFile& file() const { return m_file; }

    const ModelConfig& config() const { return m_config; }

    ParameterSet parameters() const
    {
        ParameterSet parameters(m_config);
        for (const ParameterSpec& spec : parameters.specs()) {
            const Tensor values = m_file.tensor("w." + goldenName(spec.name));
            std::ranges::copy(values.values(), parameters.view(spec).data);
        }
        return parameters;
    }

    Batch batch() const
    {
        Batch batch;
        batch.rows = m_file.shape("in.src")[0];
        batch.length = m_file.shape("in.tgt_in")[1];
        batch.sourceLength = m_file.shape("in.src")[1];
        batch.sources = ids("in.src");
        batch.inputs = ids("in.tgt_in");
        batch.targets = ids("in.tgt_out");
        std::ranges::replace(batch.targets, kPadding, kIgnoredTarget);
        batch.keyMask = maskOf(batch.inputs);
        batch.sourceKeyMask = maskOf(batch.sources);
        return batch;
    }

    /// Rows without any padding, which a model can run by itself.
    std::vector<std::int64_t> wholeRows() const
    {
        const Batch all = batch();
        std::vector<std::int64_t> rows;
        for (std::int64_t row = 0; row < all.rows; ++row) {
            const Batch one = batchRows(all, row, row + 1);
            if (std::ranges::count(one.sources, kPadding) == 0 &&
                std::ranges::count(one.inputs, kPadding) == 0)
                rows.push_back(row);
        }
        return rows;
    }

private:
    std::vector<TokenId> ids(const std::string& name) const
    {
        const std::vector<std::int64_t> stored = m_file.integers(name);
        return {stored.begin(), stored.end()};
    }

    static std::vector<std::uint8_t> maskOf(const std::vector<TokenId>& ids)
    {
        std::vector<std::uint8_t> mask;
        for (const TokenId id : ids)
            mask.push_back(id == kPadding ? 0 : 1);
        return mask;
    }

    GoldenFile m_file;
    ModelConfig m_config;
};

std::unique_ptr<AttentionBackend> backendOf(const QString& name)
{
    if (name == "reference")
        return std::make_unique<ReferenceAttention>();
    return std::make_unique<CpuAttention>();
}

Trainer trainerOf(const Golden& golden, const QString& backend, double smoothing)
{
    TrainingState state;
    state.parameters = golden.parameters();
    Trainer::Settings settings;
    settings.loss.labelSmoothing = smoothing;
    settings.makeBackend = [backend] { return backendOf(backend); };
    return {golden.config(), std::move(state), settings};
}

/// Keeps what the file has: patterns and residual streams after each block.
class Collector : public ActivationObserver
{
public:
    bool wants(TraceKey key) const override
    {
        return key.site == Site::Pattern || key.site == Site::CrossPattern ||
               key.site == Site::ResidPost;
    }

    void record(TraceKey key, TensorView activation, std::int64_t firstRow) override
    {
        std::vector<float>& values = m_values[key];
        if (firstRow == 0)
            values.clear();
        append(activation, values);
    }

    const std::map<TraceKey, std::vector<float>>& values() const { return m_values; }

private:
    static void append(TensorView view, std::vector<float>& values)
    {
        for (std::int64_t i = 0; i < view.shape[0]; ++i)
            if (view.shape.rank() == 1)
                values.push_back(view(i));
            else
                append(view[i], values);
    }

    std::map<TraceKey, std::vector<float>> m_values;
};

/// "dec_attn.1" for the decoder's pattern of layer 1.
std::string goldenName(TraceKey key)
{
    const bool encoder = key.stack == Stack::Encoder;
    const char* what = key.site == Site::CrossPattern ? "cross_attn"
                       : key.site == Site::Pattern    ? (encoder ? "enc_attn" : "dec_attn")
                       : encoder                      ? "enc_hidden"
                                                      : "dec_hidden";
    return fmt::format("out.{}.{}", what, key.layer);
}

std::vector<double> rowOf(const GoldenFile& file, const std::string& name, std::int64_t row)
{
    const std::vector<double> all = file.expected(name);
    const auto count = static_cast<std::ptrdiff_t>(all.size()) / file.shape(name)[0];
    return {all.begin() + row * count, all.begin() + (row + 1) * count};
}

} // namespace

class TstGoldenEncoderDecoder : public QObject
{
    Q_OBJECT

private slots:

    void lossAndEveryGradientAreThoseOfTorch_data()
    {
        QTest::addColumn<QString>("backend");
        QTest::newRow("reference") << "reference";
        QTest::newRow("cpu") << "cpu";
    }

    void lossAndEveryGradientAreThoseOfTorch()
    {
        QFETCH(QString, backend);
        const Golden golden;
        const double smoothing = golden.file().params().at("label_smoothing");
        Trainer trainer = trainerOf(golden, backend, smoothing);
        ParameterSet gradients;
        const std::vector<double> loss{trainer.lossAndGradients(golden.batch(), gradients)};
        HS_COMPARE(std::span<const double>(loss), golden.file().expected("out.loss"),
                   kModelOutputs);
        std::size_t compared = 0;
        for (const ParameterSpec& spec : gradients.specs()) {
            const std::string name = goldenName(spec.name);
            const auto values = std::as_const(gradients).values().subspan(
                spec.offset, static_cast<std::size_t>(spec.shape.elementCount()));
            const std::string problem =
                mismatch(values, golden.file().expected("grad." + name), kModelGradients);
            QVERIFY2(problem.empty(), (spec.name + ": " + problem).c_str());
            ++compared;
        }
        const auto& tensors = golden.file().file().tensors();
        QCOMPARE(static_cast<std::ptrdiff_t>(compared),
                 std::count_if(tensors.begin(), tensors.end(),
                               [](const auto& tensor) { return tensor.first.starts_with("w."); }));
    }

    void evaluationDoesNotSmooth()
    {
        const Golden golden;
        Trainer trainer = trainerOf(golden, "cpu", 0.1);
        const Batch batch = golden.batch();
        const std::vector<double> logits = golden.file().expected("out.logits");
        const auto vocabulary = static_cast<std::size_t>(golden.config().vocabularySize);
        double sum = 0.0;
        int kept = 0;
        for (std::size_t i = 0; i < batch.targets.size(); ++i) {
            if (batch.targets[i] == kIgnoredTarget)
                continue;
            const auto row = std::span(logits).subspan(i * vocabulary, vocabulary);
            double total = 0.0;
            for (const double logit : row)
                total += std::exp(logit);
            sum += std::log(total) - row[static_cast<std::size_t>(batch.targets[i])];
            ++kept;
        }
        QVERIFY(std::abs(trainer.evaluate(batch) - sum / kept) < 1e-5);
    }

    void bothStacksShowWhatTorchComputes_data()
    {
        QTest::addColumn<QString>("backend");
        QTest::addColumn<int>("tokensAtOnce");
        QTest::newRow("reference, whole") << "reference" << 1000;
        QTest::newRow("cpu, whole") << "cpu" << 1000;
        QTest::newRow("cpu, token after token") << "cpu" << 1;
    }

    void bothStacksShowWhatTorchComputes()
    {
        QFETCH(QString, backend);
        QFETCH(int, tokensAtOnce);
        const Golden golden;
        const Model model(golden.config(), golden.parameters());
        const auto attention = backendOf(backend);
        QVERIFY(!golden.wholeRows().empty());
        for (const std::int64_t row : golden.wholeRows()) {
            const Batch one = batchRows(golden.batch(), row, row + 1);
            Collector collector;
            ForwardOptions options;
            options.observer = &collector;
            KvCache cache(golden.config());
            model.encode(one.sources, *attention, cache, options);
            std::vector<float> logits;
            for (std::size_t end = 0; end < one.inputs.size();) {
                end = std::min(one.inputs.size(), end + static_cast<std::size_t>(tokensAtOnce));
                const Tensor some =
                    model.forward(std::span(one.inputs).first(end), *attention, cache, options);
                logits.insert(logits.end(), some.values().begin(), some.values().end());
            }
            HS_COMPARE(std::span<const float>(logits), rowOf(golden.file(), "out.logits", row),
                       kModelOutputs);
            QCOMPARE(collector.values().size(), std::size_t(golden.config().layers * 5));
            for (const auto& [key, values] : collector.values()) {
                if (tokensAtOnce == 1 && key.stack == Stack::Decoder && key.site != Site::ResidPost)
                    continue; // [head, query, key] rows of one query each
                const std::string problem =
                    mismatch(std::span<const float>(values),
                             rowOf(golden.file(), goldenName(key), row), kModelOutputs);
                QVERIFY2(problem.empty(), (toString(key) + ": " + problem).c_str());
            }
        }
    }

    void everyInstructionSetPasses()
    {
        const QString problem = narrowerIsaProblem();
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
    }
};

HEADSCOPE_TEST(TstGoldenEncoderDecoder)
#include "tst_golden_encoder_decoder.moc"
