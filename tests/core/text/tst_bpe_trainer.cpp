#include "core/base/error.h"
#include "core/base/random.h"
#include "core/text/splitting/pretokenizer.h"
#include "core/text/tokenizers/byte_alphabet.h"
#include "core/text/training/bpe_trainer.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <map>

using namespace headscope;

namespace {

BpeTrainerSettings settingsFor(std::size_t merges)
{
    BpeTrainerSettings settings;
    settings.vocabularySize = 257 + merges;
    return settings;
}

/// The rule, restated without any cleverness: count all pairs anew before every merge.
std::vector<std::string> mergesByRecounting(const std::vector<std::string>& texts,
                                            std::size_t count)
{
    std::map<std::string, int> ids;
    for (const std::uint8_t byte : bytesBySymbol())
        ids.emplace(std::string(1, static_cast<char>(byte)), static_cast<int>(ids.size()));
    std::vector<std::vector<std::string>> words;
    for (const std::string& text : texts) {
        for (const ByteRange& range : splitWords(text)) {
            auto& word = words.emplace_back();
            for (std::size_t i = range.begin; i < range.end; ++i)
                word.push_back(text.substr(i, 1));
        }
    }
    std::vector<std::string> learned;
    while (learned.size() < count) {
        std::map<std::pair<int, int>, int> counts;
        for (const auto& word : words) {
            for (std::size_t i = 0; i + 1 < word.size(); ++i)
                ++counts[{ids[word[i]], ids[word[i + 1]]}];
        }
        const auto best = std::max_element(counts.begin(), counts.end(), [](auto& a, auto& b) {
            return a.second < b.second; // the first of equals is the smallest pair
        });
        if (best == counts.end())
            break;
        std::string joined;
        for (auto& word : words) {
            for (std::size_t i = 0; i + 1 < word.size(); ++i) {
                if (std::pair(ids[word[i]], ids[word[i + 1]]) == best->first) {
                    word[i] += word[i + 1];
                    joined = word[i];
                    word.erase(word.begin() + static_cast<std::ptrdiff_t>(i) + 1);
                }
            }
        }
        if (ids.emplace(joined, static_cast<int>(ids.size())).second)
            learned.push_back(joined);
    }
    return learned;
}

} // namespace

class TstBpeTrainer : public QObject
{
    Q_OBJECT

private slots:

    void mergesAreThoseOfRecounting()
    {
        Random random(5);
        for (const std::size_t letters : {1, 2, 3, 5}) {
            std::vector<std::string> texts;
            std::vector<std::string_view> views;
            for (int i = 0; i < 12; ++i) {
                std::string text(random.below(60) + 1, ' ');
                for (char& letter : text) {
                    if (random.below(7) != 0)
                        letter = static_cast<char>('a' + random.below(letters));
                }
                texts.push_back(text);
            }
            for (const std::string& text : texts)
                views.push_back(text);
            const auto trained = trainBpe(views, settingsFor(40));
            const auto& tokens = trained->vocabulary().tokens;
            const auto expected = mergesByRecounting(texts, 40);
            QCOMPARE(tokens.size(), 257 + expected.size());
            for (std::size_t i = 0; i < expected.size(); ++i)
                QCOMPARE(trained->tokenBytes(static_cast<TokenId>(257 + i)), expected[i]);
        }
    }

    void endsWhenNoPairIsLeft()
    {
        const auto trained = trainBpeOnLines("aaaa\naaaa", settingsFor(1000));
        QCOMPARE(trained->vocabulary().merges.size(), std::size_t{2});
        QCOMPARE(trained->encode("aaaa").size(), std::size_t{1});
    }

    void emptyTextTeachesNothing()
    {
        QCOMPARE(trainBpeOnLines("", settingsFor(10))->vocabularySize(), std::size_t{257});
        QCOMPARE(trainBpeOnLines("\n\r\n\n", settingsFor(10))->vocabularySize(), std::size_t{257});
    }

    void specialTokensAreNotLearnedFrom()
    {
        const auto trained = trainBpeOnLines("x<|endoftext|>y<|endoftext|>z", settingsFor(10));
        QCOMPARE(trained->vocabularySize(), std::size_t{257});
    }

    void rarePairsCanBeLeftOut()
    {
        BpeTrainerSettings settings = settingsFor(10);
        settings.minimumCount = 3;
        const auto trained = trainBpeOnLines("ab ab ab cd cd", settings);
        QCOMPARE(trained->vocabulary().merges.size(), std::size_t{1}); // " ab" occurs twice only
    }

    void sameTextSameTokenizer()
    {
        std::string text;
        Random random(9);
        for (int i = 0; i < 50'000; ++i)
            text += static_cast<char>(random.below(6) == 0 ? ' ' : 'a' + random.below(20));
        const auto once = trainBpeOnLines(text, settingsFor(200));
        const auto twice = trainBpeOnLines(text, settingsFor(200));
        QVERIFY(once->vocabulary() == twice->vocabulary());
        QCOMPARE(once->vocabulary().merges.size(), std::size_t{200});
    }

    void aMegabyteOfOneWordIsLearned()
    {
        Random random(2);
        std::string word(1 << 20, 'a');
        for (char& letter : word)
            letter = static_cast<char>('a' + random.below(3));
        const auto trained = trainBpeOnLines(word, settingsFor(500));
        QCOMPARE(trained->vocabulary().merges.size(), std::size_t{500});
        const auto uniform = trainBpeOnLines(std::string(1 << 20, 'a'), settingsFor(500));
        QCOMPARE(uniform->vocabulary().merges.size(), std::size_t{20});
    }

    void impossibleSettingsAreRefused()
    {
        BpeTrainerSettings settings;
        settings.vocabularySize = 256;
        QVERIFY_EXCEPTION_THROWN(trainBpeOnLines("a", settings), Error);
        settings.vocabularySize = std::size_t{1} << 40;
        QVERIFY_EXCEPTION_THROWN(trainBpeOnLines("a", settings), Error);
        settings.vocabularySize = 300;
        settings.specialTokens = {""};
        QVERIFY_EXCEPTION_THROWN(trainBpeOnLines("a", settings), Error);
        settings.specialTokens = {"<a>", "<a>"};
        QVERIFY_EXCEPTION_THROWN(trainBpeOnLines("a", settings), Error);
    }

    void stopsWhenAsked()
    {
        std::stop_source source;
        std::string text;
        for (int i = 0; i < 3000; ++i)
            text += std::to_string(mixBits(static_cast<std::uint64_t>(i))) + " ";
        std::size_t last = 0;
        const auto progress = [&](std::size_t merges, std::size_t wanted) {
            QCOMPARE(wanted, std::size_t{2000});
            last = merges;
            source.request_stop();
        };
        QVERIFY_EXCEPTION_THROWN(
            trainBpeOnLines(text, settingsFor(2000), progress, source.get_token()), Cancelled);
        QVERIFY(last > 0 && last < 200);
    }
};

HEADSCOPE_TEST(TstBpeTrainer)
#include "tst_bpe_trainer.moc"
