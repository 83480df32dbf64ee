#include "core/base/error.h"
#include "core/base/random.h"
#include "core/train/stories/story_grammar.h"
#include "core/train/word_vectors/skip_gram.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <cmath>

using namespace headscope;

namespace {

constexpr std::int64_t kWidth = 7;

Tensor sampled(const Shape& shape, std::uint64_t seed)
{
    Tensor tensor(shape);
    Random random(seed);
    for (float& value : tensor.values())
        value = static_cast<float>(random.normal());
    return tensor;
}

std::span<const float> row(const Tensor& tensor)
{
    return {tensor.data(), static_cast<std::size_t>(kWidth)};
}

double lossOf(const Tensor& centre, const Tensor& outputs)
{
    return skipGramLoss(row(centre), outputs.view(), {}, {});
}

/// Slope of the loss along one value, by central differences.
double slopeAt(Tensor& changed, std::int64_t index, const Tensor& centre, const Tensor& outputs)
{
    constexpr float kStep = 1e-2F;
    float& value = changed.values()[static_cast<std::size_t>(index)];
    const float before = value;
    value = before + kStep;
    const double above = lossOf(centre, outputs);
    value = before - kStep;
    const double below = lossOf(centre, outputs);
    value = before;
    return (above - below) / (2.0 * static_cast<double>(kStep));
}

WordVectors storyVectors(std::uint64_t seed = 1)
{
    SkipGramSettings settings;
    settings.seed = seed;
    settings.epochs = 1;
    return trainSkipGram(generateStories(1, 100'000), settings);
}

} // namespace

class TstSkipGram : public QObject
{
    Q_OBJECT

private slots:

    void theGradientIsTheSlopeOfTheLoss()
    {
        Tensor centre = sampled({kWidth}, 1);
        Tensor outputs = sampled({4, kWidth}, 2);
        std::vector<float> centreGradient(kWidth);
        Tensor outputGradients({4, kWidth});
        const double loss =
            skipGramLoss(row(centre), outputs.view(), centreGradient, outputGradients.view());
        QCOMPARE(loss, lossOf(centre, outputs));
        for (std::int64_t i = 0; i < kWidth; ++i) {
            const double slope = slopeAt(centre, i, centre, outputs);
            QVERIFY(std::abs(slope - static_cast<double>(
                                         centreGradient[static_cast<std::size_t>(i)])) < 1e-3);
        }
        for (std::int64_t i = 0; i < 4 * kWidth; ++i) {
            const double slope = slopeAt(outputs, i, centre, outputs);
            const float exact = outputGradients.values()[static_cast<std::size_t>(i)];
            QVERIFY(std::abs(slope - static_cast<double>(exact)) < 1e-3);
        }
    }

    /// By hand: scores 0 and ln 3, so -ln(1/2) - ln(1 - 3/4).
    void theLossIsThatOfMikolov()
    {
        Tensor centre({2});
        centre.values()[0] = 1.0F;
        Tensor outputs({2, 2});
        outputs.view()(0, 1) = 5.0F;
        outputs.view()(1, 0) = std::log(3.0F);
        const double loss = skipGramLoss({centre.data(), 2}, outputs.view(), {}, {});
        QVERIFY(std::abs(loss - (std::log(2.0) + std::log(4.0))) < 1e-6);
    }

    void wordsAreLowerCaseLetters()
    {
        QCOMPARE(wordsOf("The bank, by Tom's river.\n42 ducks"),
                 (std::vector<std::string>{"the", "bank", "by", "tom's", "river", "ducks"}));
        QVERIFY(wordsOf("1, 2").empty());
    }

    void cosinesAreThoseOfVectors()
    {
        const std::vector<float> a{3.0F, 4.0F};
        const std::vector<float> b{4.0F, 3.0F};
        QVERIFY(std::abs(cosineOf(a, b) - 24.0 / 25.0) < 1e-12);
        QVERIFY(std::abs(cosineOf(a, a) - 1.0) < 1e-12);
        QCOMPARE(cosineOf(a, std::vector<float>{0.0F, 0.0F}), 0.0);
    }

    /// Words that fill the same place in the sentences of the stories are near each other.
    void wordsOfOneKindAreNear()
    {
        const WordVectors vectors = trainSkipGram(generateStories(1, 600'000));
        const auto word = [&](const char* text) { return vectors.find(text).value(); };
        QVERIFY(vectors.cosine(word("red"), word("blue")) >
                vectors.cosine(word("red"), word("bank")) + 0.2);
        QVERIFY(vectors.cosine(word("bank"), word("water")) >
                vectors.cosine(word("bank"), word("seven")) + 0.1);
        QVERIFY(std::abs(vectors.cosine(word("bank"), word("bank")) - 1.0) < 1e-12);
        const auto near = vectors.neighbours(word("bank"), 8);
        QCOMPARE(near.size(), std::size_t{8});
        for (std::size_t i = 1; i < near.size(); ++i)
            QVERIFY(near[i - 1].cosine >= near[i].cosine);
        QCOMPARE(near[0].count, vectors.count(word(near[0].word.c_str())));
    }

    void theSameSeedGivesTheSameVectors()
    {
        const WordVectors one = storyVectors();
        const WordVectors same = storyVectors();
        const WordVectors other = storyVectors(2);
        const auto bank = one.find("bank").value();
        const auto values = [&](const WordVectors& of) {
            const TensorView vector = of.vector(bank);
            return std::vector<float>(vector.data, vector.data + vector.shape[0]);
        };
        QCOMPARE(values(one), values(same));
        QVERIFY(values(one) != values(other));
    }

    /// A word's first vector is uniform in +-0.5 / dimensions, and only an epoch moves it.
    void vectorsStartSmallAndStayWithoutAnEpoch()
    {
        SkipGramSettings settings;
        settings.dimensions = 10;
        settings.epochs = 0;
        settings.learningRate = 1e5; // whatever moves, moves far
        const WordVectors vectors = trainSkipGram(generateStories(1, 20'000), settings);
        float largest = 0.0F;
        for (std::size_t word = 0; word < vectors.words().size(); ++word) {
            for (std::int64_t i = 0; i < 10; ++i)
                largest = std::max(largest, std::abs(vectors.vector(word)(i)));
        }
        QVERIFY2(largest > 0.045F && largest <= 0.05F, qPrintable(QString::number(largest)));
    }

    void shortTextsAndStopsAreRefused()
    {
        QVERIFY_THROWS_EXCEPTION(Error, trainSkipGram("one two three"));
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_THROWS_EXCEPTION(Cancelled,
                                 trainSkipGram(generateStories(1, 20'000), {}, stop.get_token()));
    }
};

HEADSCOPE_TEST_WITHOUT_APPLICATION(TstSkipGram)
#include "tst_skip_gram.moc"
