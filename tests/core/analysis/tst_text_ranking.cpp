#include "core/analysis/difference/model_difference.h"
#include "core/analysis/difference/text_ranking.h"
#include "core/attention/cpu_attention.h"
#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_model.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace headscope;
using namespace headscope::test;

namespace {

std::unique_ptr<AttentionBackend> cpu()
{
    return std::make_unique<CpuAttention>();
}

std::vector<TextDifference> compared(const LoadedModel& a, const LoadedModel& b,
                                     const std::vector<std::string>& texts)
{
    Progress progress;
    return compareOnTexts(a, b, texts, cpu, progress);
}

TracePtr traceOf(const LoadedModel& model, const std::string& text)
{
    Tracer tracer(model, cpu());
    return tracer.trace(model.tokenizer->encode(text), TraceRequest{{"logits"}});
}

std::string refusal(const LoadedModel& a, const LoadedModel& b)
{
    try {
        compared(a, b, {"the cat"});
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

LoadedModel madeWith(const std::function<void(ModelConfig&)>& change)
{
    LoadedModel model = tinyModel();
    ModelConfig config = model.model->config();
    change(config);
    model.model = std::make_shared<const Model>(Model::initialised(config, 1));
    return model;
}

} // namespace

class TstTextRanking : public QObject
{
    Q_OBJECT

private slots:

    void textsHaveTheMeanOfTheirTokens()
    {
        const LoadedModel a = tinyModel(1);
        const LoadedModel b = tinyModel(2);
        const std::vector<std::string> texts{"the cat sat", "the cat sat on the mat", "a"};
        const std::vector<TextDifference> results = compared(a, b, texts);
        QCOMPARE(results.size(), texts.size());
        for (std::size_t i = 0; i < texts.size(); ++i) {
            const TraceDifference expected =
                traceDifference(*traceOf(a, texts[i]), *traceOf(b, texts[i]));
            QCOMPARE(results[i].text, texts[i]);
            QCOMPARE(results[i].tokens, static_cast<std::int64_t>(expected.tokens.size()));
            QVERIFY(std::abs(results[i].meanBits - expected.meanBits()) < 1e-5);
            const TokenDifference largest = ranked(expected.tokens).front();
            QCOMPARE(results[i].largestAt, largest.position);
            QVERIFY(std::abs(results[i].largestBits - largest.prediction.bits) < 1e-5);
        }
        const std::vector<TextDifference> order = ranked(results);
        QVERIFY(order[0].meanBits >= order[1].meanBits && order[1].meanBits >= order[2].meanBits);
    }

    void oneModelDoesNotDiffer()
    {
        const LoadedModel a = tinyModel(1);
        for (const TextDifference& text : compared(a, a, builtinTexts()))
            QCOMPARE(text.meanBits, 0.0);
    }

    void undefinedTextsAreLast()
    {
        std::vector<TextDifference> texts(3);
        texts[0].meanBits = NAN;
        texts[1].meanBits = 0.5;
        texts[2].meanBits = 2.0;
        texts = ranked(std::move(texts));
        QCOMPARE(texts[0].meanBits, 2.0);
        QVERIFY(std::isnan(texts[2].meanBits));
    }

    void otherModelsAreRefused()
    {
        const LoadedModel a = tinyModel();
        const LoadedModel larger = madeWith([](ModelConfig& config) { ++config.vocabularySize; });
        QVERIFY(refusal(a, larger).find("different numbers of tokens") != std::string::npos);
        const LoadedModel twoStacks = madeWith(
            [](ModelConfig& config) { config.architecture = Architecture::EncoderDecoder; });
        QVERIFY(refusal(a, twoStacks).find("read one text") != std::string::npos);
        const LoadedModel headless =
            madeWith([](ModelConfig& config) { config.languageHead = false; });
        QVERIFY(refusal(headless, a).find("predicts no tokens") != std::string::npos);
    }

    void aStoppedRankingIsCancelled()
    {
        std::stop_source stop;
        int told = 0;
        Progress progress(stop.get_token(), [&](std::uint64_t, std::uint64_t) {
            ++told;
            stop.request_stop();
        });
        const LoadedModel a = tinyModel(1);
        const std::vector<std::string> texts = builtinTexts();
        QVERIFY_EXCEPTION_THROWN(compareOnTexts(a, tinyModel(2), texts, cpu, progress), Cancelled);
        QCOMPARE(told, 1);
    }

    void linesAreTexts()
    {
        QTemporaryDir folder;
        const std::filesystem::path path =
            std::filesystem::path(folder.path().toStdString()) / "lines.txt";
        writeAtomically(path, "one\r\n\n \t\ntwo \n  three");
        QCOMPARE(textLines(path), (std::vector<std::string>{"one", "two ", "  three"}));
        writeAtomically(path, "\n\n");
        QVERIFY_EXCEPTION_THROWN(textLines(path), Error);
        std::string many;
        for (std::size_t line = 0; line < kMostTexts + 5; ++line)
            many += "line\n";
        writeAtomically(path, many);
        QCOMPARE(textLines(path).size(), kMostTexts);
        QVERIFY_EXCEPTION_THROWN(textLines(path.parent_path() / "none.txt"), Error);
    }
};

HEADSCOPE_TEST(TstTextRanking)
#include "tst_text_ranking.moc"
