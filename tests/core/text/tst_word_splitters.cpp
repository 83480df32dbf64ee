#include "core/base/error.h"
#include "core/text/splitting/marking_splitters.h"
#include "core/text/splitting/word_splitter.h"
#include "tests/support/test_program.h"

#include <QtTest>

using namespace headscope;

namespace {

using Texts = std::vector<std::string>;

WordList oneWord(const std::string& text)
{
    return {NormalizedText::of(text), {{0, text.size()}}};
}

Texts wordsOf(const WordList& list)
{
    Texts words;
    for (const ByteRange& word : list.words)
        words.emplace_back(list.text.part(word));
    return words;
}

Texts split(const WordSplitter& splitter, const std::string& text)
{
    WordList list = oneWord(text);
    splitter(list);
    return wordsOf(list);
}

/// Bytes of the text in brackets where the pattern matches.
std::string marked(const std::string& expression, const std::string& text)
{
    std::string result;
    for (const auto& [bytes, isMatch] : TextPattern::regex(expression, "x").segments(text)) {
        const std::string part = text.substr(bytes.begin, bytes.end - bytes.begin);
        result += isMatch ? "[" + part + "]" : part + "|";
    }
    return result;
}

std::string refusal(const std::string& expression, const std::string& text)
{
    try {
        marked(expression, text);
    } catch (const FormatError& error) {
        return error.what();
    }
    return {};
}

} // namespace

class TstWordSplitters : public QObject
{
    Q_OBJECT

private slots:

    /// U+0085 is white space, which ICU's \s leaves out.
    void spacesOfAnExpressionAreThoseOfUnicode()
    {
        QCOMPARE(marked("\\s", "a\u0085b"), "a|[\u0085]b|");
        QCOMPARE(marked("\\s+c", "a\u0085\u000Bc"), "a|[\u0085\u000Bc]");
        QCOMPARE(marked("\\S", "a\u0085"), "[a]\u0085|");
        QVERIFY(refusal("a\\", "a").find("not valid") != std::string::npos);
    }

    void nothingFollowsAMatchAtTheEnd()
    {
        QCOMPARE(marked("b+", "abb"), "a|[bb]");
        QCOMPARE(marked("b+", "abba"), "a|[bb]a|");
    }

    /// By the limit of one match, of a whole text, and of the memory for backtracking.
    void slowExpressionsAreRefusedByWhatTheyDo()
    {
        const std::string line = std::string(24, 'a') + "c\n";
        std::string lines;
        while (lines.size() < 50'000)
            lines += line;
        for (const auto& [expression, text] : {std::pair{"(a+)+$", std::string(5'000, 'a') + "c"},
                                               {"(a+)+$", lines},
                                               {"(?:a|b)*c", std::string(2'000'000, 'a')}}) {
            const std::string problem = refusal(expression, text);
            QVERIFY2(problem.find("takes too many steps") != std::string::npos, problem.c_str());
        }
    }

    /// Python's string.punctuation, and no other character of ASCII.
    void punctuationIsThatOfAscii()
    {
        const std::string punctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
        const auto splitter = punctuationSplitter(SplitBehavior::Isolated);
        for (char c = 1; c < 127; ++c) {
            const bool isPunctuation = punctuation.find(c) != std::string::npos;
            QCOMPARE(split(splitter, std::string("a") + c + "b").size(),
                     std::size_t{isPunctuation ? 3U : 1U});
        }
        QCOMPARE(split(splitter, "a\u3002b").size(), std::size_t{3});
        QCOMPARE(split(splitter, "a\u007Fb").size(), std::size_t{1});
    }

    void everyWordGetsOneSpaceBeforeIt()
    {
        const auto splitter = byteLevelSplitter(true, false);
        QCOMPARE(split(splitter, "ab"), (Texts{" ab"}));
        QCOMPARE(split(splitter, " ab"), (Texts{" ab"}));
        WordList list = oneWord("ab");
        splitter(list);
        QVERIFY((list.text.sourceOf({0, 2}) == ByteRange{0, 1})); // the space is of no byte
    }

    void marksBeginWordsWhereTheTextHasSpacesOrMarks()
    {
        const auto splitter = metaspaceSplitter("\u2581", PrefixScheme::Always, true);
        QCOMPARE(split(splitter, "a bc"), (Texts{"\u2581a", "\u2581bc"}));
        QCOMPARE(split(splitter, "a\u2581bc"), (Texts{"\u2581a", "\u2581bc"}));
        QCOMPARE(split(splitter, " a"), (Texts{"\u2581a"}));
        const auto whole = metaspaceSplitter("\u2581", PrefixScheme::Never, false);
        QCOMPARE(split(whole, "a bc"), (Texts{"a\u2581bc"}));
    }
};

HEADSCOPE_TEST_WITHOUT_APPLICATION(TstWordSplitters)
#include "tst_word_splitters.moc"
