#include "core/train/stories/story_endings.h"

#include "core/base/error.h"
#include "core/train/data/masked_text_dataset.h"
#include "core/train/data/prepared_data.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace headscope;

class TstStoryEndings : public QObject
{
    Q_OBJECT

private slots:

    void happyAndSadOnesAlternateAndNoneOccursTwice()
    {
        const auto stories = storyEndings(3, 500);
        std::set<std::string> texts;
        for (std::size_t i = 0; i < stories.size(); ++i) {
            QCOMPARE(stories[i].isHappy, i % 2 == 0);
            QVERIFY(stories[i].text.find(stories[i].name) != std::string::npos);
            texts.insert(stories[i].text);
        }
        QCOMPARE(texts.size(), stories.size());
        QCOMPARE(storyEndings(3, 10)[7].text, stories[7].text);
        QVERIFY(storyEndings(4, 10)[7].text != stories[7].text);
        QVERIFY_EXCEPTION_THROWN(storyEndings(1, 1'000'000), Error);
    }

    /// The same second sentence always has the same label; the same first one has both.
    void theSecondSentenceDecides()
    {
        std::set<std::string> happy[2];
        std::set<std::string> sad[2];
        for (const StoryEnding& story : storyEndings(1, 4000)) {
            const auto sentences = splitSentences(story.text);
            QCOMPARE(sentences.size(), std::size_t{2});
            for (const int part : {0, 1})
                (story.isHappy ? happy : sad)[part].insert(
                    std::string(sentences[static_cast<std::size_t>(part)]));
        }
        const auto shared = [&](int part) {
            return std::ranges::count_if(
                happy[part], [&](const std::string& text) { return sad[part].contains(text); });
        };
        QCOMPARE(shared(1), 0);
        QVERIFY(shared(0) > 50);
    }

    /// In a trained vocabulary a typed mask includes the space before it, as words do.
    void aTypedMaskLeavesNoSpace()
    {
        const TrainingConfig config = parseTrainingConfig(
            R"({"data": {"task": "stories", "bytes": 60000, "vocab_size": 600},
                "model": {"architecture": "encoder", "max_len": 32}, "objective": "masked"})",
            "run.json");
        const PreparedData data = prepareData(config);
        const TokenSequence spaced = data.tokenizer->encode("The cat [MASK] there.");
        const TokenSequence joined = data.tokenizer->encode("The cat[MASK] there.");
        QCOMPARE(spaced.ids(), joined.ids());
        QVERIFY(std::ranges::count(spaced.ids(), *data.tokenizer->find("[MASK]")) == 1);
    }
};

HEADSCOPE_TEST(TstStoryEndings)
#include "tst_story_endings.moc"
