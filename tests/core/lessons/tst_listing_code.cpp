// The C++ of each listing computes the numbers of its worked example, or those of the program.
#include "core/attention/reference_attention.h"
#include "core/base/file.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/listings/listing.h"
#include "core/lessons/worked/example_catalogue.h"
#include "core/model/recurrent/recurrent_layer.h"
#include "core/ops/positions.h"
#include "core/train/measures/bleu.h"
#include "core/train/word_vectors/skip_gram.h"
#include "tests/core/lessons/lab_runs.h"
#include "tests/core/lessons/listing_code.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QTest>

#include <set>

using namespace headscope;

namespace {

Tensor input(const ExampleInputs& inputs, const char* name)
{
    const ExampleInputs::Matrix& matrix = inputs.matrix(name);
    Tensor tensor({static_cast<std::int64_t>(matrix.rowLabels.size()),
                   static_cast<std::int64_t>(matrix.columnLabels.size())});
    std::ranges::transform(matrix.values, tensor.data(),
                           [](double value) { return static_cast<float>(value); });
    return tensor;
}

double number(const ExampleInputs& inputs, const char* name)
{
    return inputs.matrix(name).values.front();
}

void compare(const Tensor& got, const WorkedExample& example, const char* name)
{
    const WorkedMatrix* expected = example.find(name);
    QVERIFY2(expected, name);
    QCOMPARE(got.size(), expected->values.size());
    for (std::size_t i = 0; i < got.size(); ++i)
        QVERIFY2(std::abs(static_cast<double>(got.data()[i]) - expected->values[i]) < 2e-6,
                 qPrintable(QString("%1 %2: %3 instead of %4")
                                .arg(name)
                                .arg(i)
                                .arg(static_cast<double>(got.data()[i]))
                                .arg(expected->values[i])));
}

Tensor ones(std::int64_t columns, float value)
{
    Tensor row({1, columns});
    std::ranges::fill(row.values(), value);
    return row;
}

Tensor randomTensor(const Shape& shape, std::uint64_t seed)
{
    Random random(seed);
    Tensor tensor(shape);
    for (float& value : tensor.values())
        value = static_cast<float>(random.normal());
    return tensor;
}

} // namespace

class TstListingCode : public QObject
{
    Q_OBJECT

private slots:
    void everyListingIsCompiledHere();
    void attention_data();
    void attention();
    void masks();
    void softDictionary();
    void multiHead();
    void positions();
    void rotary();
    void scoreVariance();
    void layerNorm();
    void encoderBlock();
    void decoderLayer();
    void wholeModel();
    void trainingLoop();
    void cachedAttention();
    void crossEntropy();
    void adamW();
    void tiles();
    void sampling();
    void alibi();
    void bytePairs();
    void recurrent();
    void bleu();
    void wordVectors();
};

void TstListingCode::everyListingIsCompiledHere()
{
    const std::string source =
        readFile(std::string(HEADSCOPE_SOURCE_DIR) + "/tests/core/lessons/listing_code.h", 1 << 20);
    for (const Listing& listing : listingCatalogue())
        QVERIFY2(source.find("resources/listings/" + listing.name + ".cpp") != std::string::npos,
                 listing.name.c_str());
}

void TstListingCode::attention_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : {"attention", "two-tokens", "cross-attention"})
        QTest::newRow(name) << name;
}

void TstListingCode::attention()
{
    QFETCH(QString, name);
    const ExampleInputs inputs = exampleInputs(name.toStdString());
    const Tensor Q = input(inputs, "Q");
    const Tensor K = input(inputs, "K");
    const Tensor V = input(inputs, "V");
    const WorkedExample example = workExample(inputs);
    compare(listing::dot_product::attention(Q, K, V), example, "output");
    compare(listing::decoder_layer::attention(Q, K, V), example, "output");
}

void TstListingCode::masks()
{
    ExampleInputs inputs = exampleInputs("attention");
    inputs.set("causal", "on");
    compare(
        listing::masks::maskedAttention(input(inputs, "Q"), input(inputs, "K"), input(inputs, "V")),
        workExample(inputs), "output");
    const Tensor large = listing::masks::blindRow(4, -1e9F);
    for (const float weight : large.values())
        QCOMPARE(weight, 0.25F);
    const Tensor blind = listing::masks::blindRow(4, -listing::masks::kInfinity);
    for (const float weight : blind.values())
        QVERIFY(std::isnan(weight));
}

void TstListingCode::softDictionary()
{
    const ExampleInputs inputs = exampleInputs("soft-dictionary");
    compare(
        listing::soft_dictionary::softDictionary(input(inputs, "weights"), input(inputs, "values")),
        workExample(inputs), "result");
}

void TstListingCode::multiHead()
{
    const ExampleInputs inputs = exampleInputs("multi-head");
    compare(listing::multi_head::multiHead(input(inputs, "Q"), input(inputs, "K"),
                                           input(inputs, "V"), input(inputs, "W_O"), 2),
            workExample(inputs), "output");
}

void TstListingCode::positions()
{
    const ExampleInputs inputs = exampleInputs("sinusoidal");
    compare(listing::positions::sinusoidal(inputs.matrix("positions").values, 4, 10000.0),
            workExample(inputs), "PE");
}

void TstListingCode::rotary()
{
    const ExampleInputs inputs = exampleInputs("rope");
    const std::vector<double>& at = inputs.matrix("positions").values;
    compare(listing::rotary::rotaryScore(input(inputs, "q"), input(inputs, "k"), at[0], at[1],
                                         number(inputs, "base")),
            workExample(inputs), "score");
}

void TstListingCode::scoreVariance()
{
    const double variance = listing::score_variance::scaledVariance(64, 1.0, 10000, 1);
    QVERIFY(std::abs(variance - 1.0) < 5.0 * std::sqrt(2.0 / 10000.0));
}

void TstListingCode::layerNorm()
{
    const ExampleInputs inputs = exampleInputs("layer-norm");
    compare(listing::layer_norm::layerNormByHand(input(inputs, "x"), input(inputs, "gamma"),
                                                 input(inputs, "beta"), number(inputs, "epsilon")),
            workExample(inputs), "output");
}

void TstListingCode::encoderBlock()
{
    const ExampleInputs inputs = exampleInputs("encoder-block");
    const listing::block::BlockWeights weights{
        input(inputs, "W_Q"), input(inputs, "W_K"), input(inputs, "W_V"), input(inputs, "W_O"),
        input(inputs, "W_1"), input(inputs, "b_1"), input(inputs, "W_2"), input(inputs, "b_2"),
        ones(4, 1.0F),        ones(4, 0.0F)};
    compare(listing::block::encoderBlock(input(inputs, "x"), weights, number(inputs, "epsilon")),
            workExample(inputs), "output");
}

/// With projections of 0 only the feed-forward network is left: a block without attention.
void TstListingCode::decoderLayer()
{
    const ExampleInputs inputs = exampleInputs("encoder-block");
    const Tensor x = input(inputs, "x");
    listing::decoder_layer::DecoderWeights w;
    for (Tensor* each : {&w.q, &w.k, &w.v, &w.cross_q, &w.cross_k, &w.cross_v})
        *each = input(inputs, "W_V");
    w.o = input(inputs, "W_O");
    w.cross_o = Tensor({2, 4});
    w.w1 = input(inputs, "W_1");
    w.b1 = input(inputs, "b_1");
    w.w2 = Tensor({4, 4});
    w.b2 = Tensor({1, 4});
    w.gamma = ones(4, 1.0F);
    w.beta = ones(4, 0.0F);
    const Tensor alone = listing::decoder_layer::decoderLayer(x, x, w);
    ExampleInputs causal = exampleInputs("two-tokens");
    causal.set("causal", "on");
    const Tensor QKV = listing::times(x, w.v);
    for (const char* name : {"Q", "K", "V"})
        causal.matrix(name).values.assign(QKV.values().begin(), QKV.values().end());
    const std::vector<double> own = workExample(causal).find("output")->values;
    Tensor context({2, 2});
    std::ranges::transform(own, context.data(), [](double v) { return static_cast<float>(v); });
    Tensor expected = listing::plus(x, listing::times(context, w.o));
    for (int sublayer = 0; sublayer < 3; ++sublayer)
        expected = listing::layerNorm(expected, w.gamma, w.beta, 1e-5);
    for (std::size_t i = 0; i < expected.size(); ++i)
        QVERIFY(std::abs(alone.data()[i] - expected.data()[i]) < 1e-5F);
    w.cross_o = input(inputs, "W_O"); // now the source counts, and every one of its tokens
    const Tensor first = listing::decoder_layer::decoderLayer(x, x, w);
    const Tensor other =
        listing::decoder_layer::decoderLayer(x, listing::stacked({x, listing::scaledBy(x, 2)}), w);
    QVERIFY(std::abs(first.data()[0] - other.data()[0]) > 1e-4F);
}

/// builtin:stories computes the same logits.
void TstListingCode::wholeModel()
{
    const Model& model = *test::storyModel().model;
    const ModelConfig& config = model.config();
    listing::model::Weights weights;
    for (const ParameterSpec& spec : model.parameters().specs()) {
        Tensor tensor(spec.shape);
        std::copy_n(model.parameters().view(spec).data, tensor.size(), tensor.data());
        weights[spec.name] = tensor;
    }
    const std::vector<int> ids = {0, 40, 17, 301, 5, 99};
    const Tensor logits = listing::model::gpt(
        ids, weights, static_cast<int>(config.layers), static_cast<int>(config.heads),
        sinusoidalPositions(16, config.dModel), config.embeddingScale);
    CpuAttention backend;
    KvCache cache(config);
    const Tensor expected = model.forward(ids, backend, cache);
    QCOMPARE(logits.size(), expected.size());
    float largest = 0.0F;
    for (std::size_t i = 0; i < logits.size(); ++i)
        largest = std::max(largest, std::abs(logits.data()[i] - expected.data()[i]));
    QVERIFY2(largest < 2e-3F, qPrintable(QString::number(largest)));
}

void TstListingCode::trainingLoop()
{
    const auto lossOf = [](std::span<const float> w, std::span<float> gradient) {
        double loss = 0.0;
        for (std::size_t i = 0; i < w.size(); ++i) {
            gradient[i] = 2.0F * (w[i] - 1.0F);
            loss += static_cast<double>((w[i] - 1.0F) * (w[i] - 1.0F));
        }
        return loss;
    };
    std::vector<float> weights = {0.0F, 2.0F, 3.0F};
    const double first = listing::training::train(weights, lossOf, 1, 0.1, 1);
    QCOMPARE(first, 6.0);
    QVERIFY(std::abs(weights[0] - 0.1F) < 1e-5F); // by the peak rate, whatever the gradient
    QVERIFY(listing::training::train(weights, lossOf, 200, 0.1, 20) < 0.05);
    QCOMPARE(listing::training::rateAt(10, 100, 0.5, 20), 0.25);
    QVERIFY(listing::training::rateAt(100, 100, 0.5, 20) < 1e-12);
}

void TstListingCode::cachedAttention()
{
    const ExampleInputs inputs = exampleInputs("kv-cache-steps");
    compare(listing::cached_attention::decode(input(inputs, "x"), input(inputs, "W_Q"),
                                              input(inputs, "W_K"), input(inputs, "W_V")),
            workExample(inputs), "output");
}

void TstListingCode::crossEntropy()
{
    const ExampleInputs inputs = exampleInputs("cross-entropy");
    const WorkedExample example = workExample(inputs);
    const std::vector<double>& typed = inputs.matrix("targets").values;
    const std::vector<std::int32_t> targets(typed.begin(), typed.end());
    const auto result = listing::cross_entropy::lossAndGradient(input(inputs, "logits"), targets);
    QVERIFY(std::abs(result.loss - example.number("loss[0,0]")) < 1e-6);
    QVERIFY(std::abs(result.perplexity - example.number("perplexity[0,0]")) < 1e-5);
    compare(result.gradient, example, "gradient");
}

void TstListingCode::adamW()
{
    const ExampleInputs inputs = exampleInputs("adamw");
    AdamUpdate update{number(inputs, "rate"), number(inputs, "beta1"), number(inputs, "beta2"),
                      number(inputs, "epsilon")};
    update.decay = number(inputs, "decay");
    update.step = static_cast<std::int64_t>(number(inputs, "step"));
    Tensor weights = input(inputs, "weights");
    Tensor first = input(inputs, "first");
    Tensor second = input(inputs, "second");
    const Tensor gradient = input(inputs, "gradient");
    listing::adamw::adamwStep(update, gradient.values(),
                              {weights.values(), first.values(), second.values()});
    const WorkedExample example = workExample(inputs);
    compare(weights, example, "new_weights");
    compare(first, example, "new_first");
    compare(second, example, "new_second");
}

/// In the second example a later tile has the largest score.
void TstListingCode::tiles()
{
    for (const char* name : {"attention", "two-tokens"}) {
        const ExampleInputs inputs = exampleInputs(name);
        for (const std::int64_t tile : {1, 2, 3, 7})
            compare(listing::flash::flash(input(inputs, "Q"), input(inputs, "K"),
                                          input(inputs, "V"), tile),
                    workExample(inputs), "output");
    }
}

void TstListingCode::sampling()
{
    Tensor logits({1, 4});
    const std::vector<float> values = {1.0F, 3.0F, 2.0F, -9.0F};
    std::ranges::copy(values, logits.data());
    std::set<int> all, two, nucleus;
    Random random(1);
    for (int i = 0; i < 2000; ++i) {
        all.insert(listing::sampling::nextToken(logits, 1.0, 0, 1.0, random));
        two.insert(listing::sampling::nextToken(logits, 1.0, 2, 1.0, random));
        nucleus.insert(listing::sampling::nextToken(logits, 1.0, 0, 0.6, random));
        QCOMPARE(listing::sampling::nextToken(logits, 0.01, 0, 1.0, random), 1);
    }
    QVERIFY(all.contains(0) && all.contains(1) && all.contains(2));
    QCOMPARE(two, (std::set<int>{1, 2}));
    QCOMPARE(nucleus, std::set<int>{1});
}

void TstListingCode::alibi()
{
    const LabResult lab = test::runLab("alibi");
    const std::vector<Tensor> biases = listing::alibi::alibi(8, 8);
    QCOMPARE(biases.size(), std::size_t{8});
    QCOMPARE(static_cast<double>(biases[0].view()(7, 0)), lab.number("farthest").value);
    QCOMPARE(static_cast<double>(biases[3].view()(1, 0)), -lab.number("slope_4").value);
}

void TstListingCode::bytePairs()
{
    const LabResult lab = test::runLab("bpe-merges");
    std::size_t tokens = 0;
    for (const auto& word :
         listing::bpe::train({"unhappy", " happy", " happiness", " unkind", " kind", " kindness"},
                             static_cast<int>(lab.number("merges").value)))
        tokens += word.size();
    QCOMPARE(static_cast<double>(tokens), lab.number("tokens").value);
}

/// The program's own layers, whose weights are the transposed ones.
void TstListingCode::recurrent()
{
    constexpr std::int64_t kTokens = 5, kIn = 3, kHidden = 4;
    for (const RecurrentKind kind : {RecurrentKind::Elman, RecurrentKind::Lstm}) {
        const std::int64_t gates = gatesOf(kind) * kHidden;
        const Tensor x = randomTensor({kTokens, kIn}, 1);
        const Tensor W = randomTensor({kIn, gates}, 2);
        const Tensor U = randomTensor({kHidden, gates}, 3);
        const Tensor b = randomTensor({1, gates}, 4);
        const Tensor got = kind == RecurrentKind::Lstm ? listing::recurrent::lstm(x, W, U, b)
                                                       : listing::recurrent::rnn(x, W, U, b);
        const Tensor inputs = listing::transposed(W);
        const Tensor states = listing::transposed(U);
        RecurrentState state = emptyState(kind, 1, kHidden);
        const auto layer = makeRecurrentLayer(kind);
        const TensorView expected =
            layer->forward({inputs.view(), states.view(), TensorView(b.data(), {gates})},
                           TensorView(x.data(), {kTokens, 1, kIn}), state);
        QCOMPARE(static_cast<std::int64_t>(got.size()), expected.shape.elementCount());
        for (std::size_t i = 0; i < got.size(); ++i)
            QVERIFY(std::abs(got.data()[i] - expected.data[i]) < 1e-5F);
    }
}

void TstListingCode::bleu()
{
    const std::vector<std::string> reference = {"the", "cat", "sat", "on", "the", "mat"};
    const std::vector<std::vector<std::string>> candidates = {
        reference, {"the", "cat", "sat", "on", "the"}, {"the", "the", "cat", "sat", "on", "a"}};
    for (const std::vector<std::string>& candidate : candidates) {
        Bleu expected;
        expected.add(candidate, reference);
        QVERIFY(expected.score() > 0.0);
        QVERIFY(std::abs(listing::word_score::bleu(candidate, reference) - expected.score()) <
                1e-12);
    }
    QCOMPARE(listing::word_score::bleu({"a"}, reference), 0.0);
}

void TstListingCode::wordVectors()
{
    Tensor word = randomTensor({1, 6}, 1);
    Tensor contexts = randomTensor({4, 6}, 2);
    const Tensor second = listing::rowsOf(contexts, 1, 1);
    QVERIFY(std::abs(listing::word_vectors::cosine(word, second) -
                     cosineOf(word.values(), second.values())) < 1e-6);
    std::vector<float> gradient(6);
    Tensor gradients({4, 6});
    skipGramLoss(word.values(), contexts.view(), gradient, gradients.view());
    const Tensor before = word, contextsBefore = contexts;
    listing::word_vectors::skipGram(word, contexts, 0.5);
    for (std::size_t i = 0; i < word.size(); ++i)
        QVERIFY(std::abs(word.data()[i] - (before.data()[i] - 0.5F * gradient[i])) < 1e-5F);
    for (std::size_t i = 0; i < contexts.size(); ++i)
        QVERIFY(std::abs(contexts.data()[i] -
                         (contextsBefore.data()[i] - 0.5F * gradients.data()[i])) < 1e-5F);
}

HEADSCOPE_TEST(TstListingCode)

#include "tst_listing_code.moc"
