#include "core/generate/generator.h"

#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "tests/support/small_models.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

using namespace headscope;
using namespace headscope::test;

namespace {

/// Token i reads "<i>"; one of them ends a text.
class NumberTokenizer : public Tokenizer
{
public:
    explicit NumberTokenizer(TokenId end) : m_end(end) {}

    std::string_view kind() const override { return "numbers"; }

    std::size_t vocabularySize() const override { return 37; }

    TokenSequence encode(std::string_view, bool) const override { return {}; }

    std::string decode(std::span<const TokenId> ids, bool skipSpecial) const override
    {
        std::string text;
        for (const TokenId id : ids)
            if (!skipSpecial || !isSpecial(id))
                text += tokenBytes(id);
        return text;
    }

    const std::string& tokenText(TokenId) const override { return m_text; }

    std::string tokenBytes(TokenId id) const override { return "<" + std::to_string(id) + ">"; }

    bool isSpecial(TokenId id) const override { return id == m_end; }

    std::optional<TokenId> find(std::string_view) const override { return std::nullopt; }

    std::optional<TokenId> endOfText() const override { return m_end; }

private:
    TokenId m_end;
    std::string m_text;
};

Generation run(const LoadedModel& model, const std::vector<TokenId>& prompt,
               const GenerationSettings& settings)
{
    CpuAttention backend;
    return generate(model, backend, prompt, settings);
}

GenerationSettings greedy(std::int64_t tokens)
{
    GenerationSettings settings;
    settings.maxTokens = tokens;
    settings.sampling.temperature = 0.0;
    return settings;
}

} // namespace

class TstGenerator : public QObject
{
    Q_OBJECT

private slots:
    void greedyFollowsTheWholePass();
    void sameSeedSameText();
    void stepsAreReportedAsTheyCome();
    void candidatesAreSortedAndTrue();
    void idsOutsideTheVocabularyHaveNoText();
    void endOfTextEnds();
    void stopsWhenThePositionsAreFull();
    void emptyPromptBeginsADocument();
    void encoderDecodersAnswerThePrompt();
    void cancelStops();
    void badPromptIsRefused();
};

void TstGenerator::greedyFollowsTheWholePass()
{
    const LoadedModel loaded = smallModel();
    const Generation got = run(loaded, {4, 5, 6}, greedy(10));
    QCOMPARE(got.ids.size(), std::size_t{13});
    QVERIFY(got.end == GenerationEnd::MaxTokens);
    for (std::size_t length = 3; length < got.ids.size(); ++length) {
        CpuAttention backend;
        KvCache cache(loaded.model->config());
        const Tensor logits =
            loaded.model->forward(std::span(got.ids).first(length), backend, cache);
        const std::span<const float> last = logits.values().last(37);
        const auto best = std::max_element(last.begin(), last.end()) - last.begin();
        QCOMPARE(got.ids[length], static_cast<TokenId>(best));
    }
}

void TstGenerator::sameSeedSameText()
{
    const LoadedModel loaded = smallModel();
    GenerationSettings settings;
    settings.maxTokens = 20;
    settings.sampling.temperature = 3.0;
    settings.seed = 5;
    const Generation first = run(loaded, {1}, settings);
    QVERIFY(run(loaded, {1}, settings).ids == first.ids);
    settings.seed = 6;
    QVERIFY(run(loaded, {1}, settings).ids != first.ids);
}

void TstGenerator::stepsAreReportedAsTheyCome()
{
    const LoadedModel loaded = smallModel();
    CpuAttention backend;
    std::vector<TokenId> seen;
    const Generation got = generate(loaded, backend, std::vector<TokenId>{2}, greedy(4),
                                    [&](const GenerationStep& step) { seen.push_back(step.id); });
    QCOMPARE(seen.size(), std::size_t{4});
    QVERIFY(std::equal(seen.begin(), seen.end(), got.ids.begin() + 1));
    QCOMPARE(got.steps.size(), std::size_t{4});
}

void TstGenerator::candidatesAreSortedAndTrue()
{
    const NumberTokenizer tokenizer(36);
    const std::vector<float> probabilities{0.1F, 0.0F, 0.4F, 0.1F, 0.4F};
    const std::vector<Candidate> got = topCandidates(probabilities, 10, &tokenizer);
    std::vector<TokenId> ids;
    for (const Candidate& candidate : got)
        ids.push_back(candidate.id);
    QVERIFY(ids == (std::vector<TokenId>{2, 4, 0, 3}));
    QCOMPARE(got[0].text, std::string("<2>"));
    QCOMPARE(got[0].probability, static_cast<double>(0.4F));
    QCOMPARE(topCandidates(probabilities, 2, nullptr).size(), std::size_t{2});
    QVERIFY(topCandidates(probabilities, 0, nullptr).empty());
}

void TstGenerator::idsOutsideTheVocabularyHaveNoText()
{
    const NumberTokenizer tokenizer(36); // 37 tokens; a model may have more
    QCOMPARE(knownText(tokenizer, {35, 37, 4, 90}), std::string("<35><4>"));
    std::vector<float> probabilities(38);
    probabilities[36] = 0.5F;
    probabilities[37] = 0.5F;
    const std::vector<Candidate> got = topCandidates(probabilities, 2, &tokenizer);
    QCOMPARE(got[0].text, std::string("<36>"));
    QCOMPARE(got[1].text, std::string());
}

void TstGenerator::endOfTextEnds()
{
    LoadedModel loaded = smallModel();
    const Generation without = run(loaded, {4, 5, 6}, greedy(10));
    const TokenId end = without.ids[5];
    const auto firstEnd = std::find(without.ids.begin() + 3, without.ids.end(), end);
    loaded.tokenizer = std::make_shared<NumberTokenizer>(end);
    const Generation got = run(loaded, {4, 5, 6}, greedy(10));
    QVERIFY(got.end == GenerationEnd::EndOfText);
    QVERIFY(got.ids == std::vector<TokenId>(without.ids.begin(), firstEnd + 1));
    QVERIFY(got.text.starts_with("<4><5><6>"));
    QVERIFY(!got.text.ends_with(loaded.tokenizer->tokenBytes(end)));
    GenerationSettings on = greedy(10);
    on.stopAtEndOfText = false;
    QVERIFY(run(loaded, {4, 5, 6}, on).ids == without.ids);
}

void TstGenerator::stopsWhenThePositionsAreFull()
{
    const LoadedModel loaded = smallModel();
    const Generation got = run(loaded, randomIds(1, 20, 37), greedy(100));
    QVERIFY(got.end == GenerationEnd::MaxLen);
    QCOMPARE(got.ids.size(), std::size_t{25}); // 24 positions, and what follows the last
    const Generation none = run(loaded, randomIds(1, 30, 37), greedy(100));
    QVERIFY(none.end == GenerationEnd::MaxLen);
    QVERIFY(none.steps.empty());
}

void TstGenerator::emptyPromptBeginsADocument()
{
    LoadedModel loaded = smallModel();
    QCOMPARE(run(loaded, {}, greedy(1)).ids.front(), TokenId{0});
    loaded.tokenizer = std::make_shared<NumberTokenizer>(9);
    QCOMPARE(run(loaded, {}, greedy(1)).ids.front(), TokenId{9});
}

void TstGenerator::encoderDecodersAnswerThePrompt()
{
    ModelConfig config = smallConfig();
    config.architecture = Architecture::EncoderDecoder;
    const LoadedModel loaded = smallModel(4, config);
    GenerationSettings settings = greedy(6);
    settings.targetStart = 3;
    const Generation got = run(loaded, {8, 2, 19}, settings);
    QCOMPARE(got.ids.size(), std::size_t{7});
    QCOMPARE(got.ids.front(), TokenId{3});
    CpuAttention backend;
    DecodingState state(loaded.model, backend, std::vector<TokenId>{8, 2, 19});
    for (std::size_t length = 1; length < got.ids.size(); ++length) {
        const Tensor logits = state.logitsAfter(std::span(got.ids).first(length));
        const auto best = std::ranges::max_element(logits.values()) - logits.values().begin();
        QCOMPARE(got.ids[length], static_cast<TokenId>(best));
    }
    QCOMPARE(run(loaded, {8, 2, 19}, greedy(1)).ids.front(), TokenId{0});
}

void TstGenerator::cancelStops()
{
    const LoadedModel loaded = smallModel();
    CpuAttention backend;
    std::stop_source source;
    int steps = 0;
    const auto stopAfterThree = [&](const GenerationStep&) {
        if (++steps == 3)
            source.request_stop();
    };
    QVERIFY_EXCEPTION_THROWN(generate(loaded, backend, std::vector<TokenId>{1}, greedy(10),
                                      stopAfterThree, source.get_token()),
                             Cancelled);
    QCOMPARE(steps, 3);
}

void TstGenerator::badPromptIsRefused()
{
    QVERIFY_EXCEPTION_THROWN(run(smallModel(), {1, 37}, greedy(1)), ShapeError);
    QVERIFY_EXCEPTION_THROWN(run(LoadedModel{}, {1}, greedy(1)), Error);
}

HEADSCOPE_TEST(TstGenerator)
#include "tst_generator.moc"
