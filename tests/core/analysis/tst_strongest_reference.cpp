#include "core/analysis/scores/strongest_reference.h"

#include "core/trace/trace.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;

namespace {

struct Weight
{
    int layer = 0;
    int head = 0;
    int query = 0;
    int key = 0;
    float value = 0.0F;
};

/// A token per word, each with the space before it.
TokenSequence wordTokens(const std::string& text)
{
    TokenSequence tokens;
    tokens.text = text;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(' ', begin + 1), text.size());
        tokens.tokens.push_back({0, {begin, end}, false});
        begin = end;
    }
    return tokens;
}

/// Two layers of two heads, zero but for the given weights.
Trace traceOf(const std::string& text, const std::vector<Weight>& weights)
{
    TokenSequence tokens = wordTokens(text);
    const auto size = static_cast<std::int64_t>(tokens.size());
    std::vector<Tensor> layers(2, Tensor({2, size, size}));
    for (const Weight& weight : weights)
        layers[static_cast<std::size_t>(weight.layer)].view()(weight.head, weight.query,
                                                              weight.key) = weight.value;
    Trace::Activations activations;
    for (int layer = 0; layer < 2; ++layer)
        activations[{Site::Pattern, layer}] =
            std::make_shared<const Tensor>(layers[static_cast<std::size_t>(layer)]);
    return {std::move(tokens), std::move(activations), {}};
}

const std::string kText = "But the animal didn't cross the street because it was tired";

class TstStrongestReference : public QObject
{
    Q_OBJECT

private slots:
    void findsTheLargestWeightFromAPronounToASubject();
    void takesAnyNounWhereThereIsNoSubject();
    void leavesOutTheFirstAndThePreviousToken();
    void hasNoneWithoutAPronoun();
};

void TstStrongestReference::findsTheLargestWeightFromAPronounToASubject()
{
    const Trace trace = traceOf(kText, {{0, 1, 8, 2, 0.3F},
                                        {1, 0, 8, 2, 0.4F},    // it: animal
                                        {1, 1, 8, 6, 0.9F},    // it: street, an object
                                        {0, 0, 8, 4, 0.8F},    // it: cross, no noun
                                        {0, 0, 10, 2, 0.7F}}); // tired: animal
    QVERIFY(strongestReference(trace) == PronounReference({HeadId(1, 0), 8, 2, 0.4F}));
}

void TstStrongestReference::takesAnyNounWhereThereIsNoSubject()
{
    const Trace trace = traceOf("Mary saw the dog, but it slept", {{0, 1, 5, 3, 0.2F}});
    QVERIFY(strongestReference(trace) == PronounReference({HeadId(0, 1), 5, 3, 0.2F}));
    const Trace clause = traceOf("Mary saw a cat, the dog ran when it slept", {{0, 1, 8, 3, 0.9F}});
    QCOMPARE(strongestReference(clause)->key, 5); // the dog begins a clause
}

void TstStrongestReference::leavesOutTheFirstAndThePreviousToken()
{
    QVERIFY(!strongestReference(traceOf("the dog it chased", {{0, 0, 2, 1, 0.9F}})));
    TokenSequence joined = wordTokens("the dog ran because it slept");
    joined.tokens.erase(joined.tokens.begin()); // the text begins with "dog"
    QVERIFY(!strongestReference(Trace(joined, {}, {})));
}

void TstStrongestReference::hasNoneWithoutAPronoun()
{
    QVERIFY(!strongestReference(traceOf("the dog ran when the cat slept", {{0, 0, 5, 1, 0.9F}})));
    QVERIFY(!strongestReference(traceOf("", {})));
}

} // namespace

HEADSCOPE_TEST(TstStrongestReference)
#include "tst_strongest_reference.moc"
