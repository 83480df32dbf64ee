#include "core/train/data/text_dataset.h"
#include "core/train/stories/story_cases.h"
#include "core/train/stories/story_grammar.h"
#include "core/train/stories/story_words.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <regex>
#include <set>

using namespace headscope;

namespace {

constexpr std::uint64_t kSeed = 1;

std::vector<std::string> documentsOf(StoryKind kind, std::size_t count)
{
    std::vector<std::string> documents;
    for (std::uint64_t index = 0; index < count; ++index)
        documents.push_back(storyDocument(kind, kSeed, index));
    return documents;
}

/// Singular of either form of a noun, or "".
std::string singularOf(const std::string& word)
{
    for (const StoryNounClass& nounClass : storyNounClasses()) {
        for (const StoryNoun& noun : nounClass.nouns) {
            if (noun.singular == word || noun.plural == word)
                return std::string(noun.singular);
        }
    }
    return {};
}

bool isPlural(const std::string& word)
{
    return !word.empty() && singularOf(word) != word;
}

std::vector<std::string> sentencesOf(const std::string& document)
{
    static const std::regex end("[^.]+\\.");
    std::vector<std::string> sentences;
    for (std::sregex_iterator it(document.begin(), document.end(), end), last; it != last; ++it)
        sentences.push_back(it->str());
    return sentences;
}

struct Agreement
{
    std::string head;
    std::string second;
    std::string verb;
    std::string rest;
};

/// Reads an agreement sentence back: first and last noun in front of the verb.
std::optional<Agreement> readAgreement(const std::string& sentence)
{
    static const std::regex pattern(
        "^ ?The (.*) (is|are|was|were|has been|have been) (not |still )?(.*)\\.$");
    std::smatch match;
    if (!std::regex_match(sentence, match, pattern))
        return std::nullopt;
    Agreement result{{}, {}, match[2], match[4]};
    std::istringstream words(match[1].str());
    for (std::string word; words >> word;) {
        if (singularOf(word).empty())
            continue;
        if (result.head.empty())
            result.head = word;
        result.second = word;
    }
    return result;
}

bool holdsWord(const std::string& text, const std::string& word)
{
    return std::regex_search(text, std::regex("(^|[^A-Za-z])" + word + "($|[^A-Za-z])"));
}

} // namespace

class TstStoryGrammar : public QObject
{
    Q_OBJECT

private slots:

    void aTextOfOneKindHoldsItsDocumentsAlone()
    {
        std::string expected(kEndOfText);
        for (std::uint64_t index = 0; expected.size() < 5000; ++index)
            expected += storyDocument(StoryKind::Agree, 7, index) + std::string(kEndOfText);
        QVERIFY(generateStories(StoryKind::Agree, 7, 5000) == expected);
    }

    void sameSeedSameText()
    {
        QCOMPARE(generateStories(5, 20'000), generateStories(5, 20'000));
        QVERIFY(generateStories(5, 20'000) != generateStories(6, 20'000));
        QVERIFY(generateStories(5, 20'000).starts_with(generateStories(5, 1000)));
    }

    void textIsDocumentsBetweenMarks()
    {
        const std::string text = generateStories(kSeed, 100'000);
        QVERIFY(text.starts_with(kEndOfText) && text.ends_with(kEndOfText));
        QVERIFY(text.size() >= 100'000 && text.size() < 102'000);
        for (const std::string_view document : splitDocuments(text)) {
            QVERIFY2(document.find_first_of("\n<|{}") == std::string_view::npos,
                     std::string(document).c_str());
            QVERIFY(document.ends_with('.'));
            QVERIFY(document.find("  ") == std::string_view::npos);
        }
    }

    void sharesAreAsPlanned()
    {
        double sum = 0.0;
        std::map<StoryKind, int> counts;
        constexpr int kDocuments = 40'000;
        for (std::uint64_t index = 0; index < kDocuments; ++index)
            ++counts[storyKind(kSeed, index)];
        for (const StoryFraction& entry : storyFractions()) {
            sum += entry.fraction;
            const double fraction = counts[entry.kind] / static_cast<double>(kDocuments);
            const double spread = std::sqrt(entry.fraction * (1.0 - entry.fraction) / kDocuments);
            QVERIFY2(std::abs(fraction - entry.fraction) < 5.0 * spread,
                     std::string(entry.name).c_str());
        }
        QVERIFY(std::abs(sum - 1.0) < 1e-12);
    }

    void verbsAgreeWithTheirSubjects()
    {
        const std::set<std::string> plurals = {"are", "were", "have been"};
        int read = 0;
        std::map<bool, int> distracted;
        for (const std::string& document : documentsOf(StoryKind::Agree, 3000)) {
            for (const std::string& sentence : sentencesOf(document)) {
                const auto agreement = readAgreement(sentence);
                QVERIFY2(agreement.has_value(), sentence.c_str());
                QVERIFY2(plurals.contains(agreement->verb) == isPlural(agreement->head),
                         sentence.c_str());
                ++distracted[isPlural(agreement->head) != isPlural(agreement->second)];
                ++read;
            }
        }
        QVERIFY(read > 5000);
        QVERIFY(std::abs(distracted[true] - distracted[false]) < read / 10);
    }

    void predicatesFitTheSubjectAndNotItsNeighbour()
    {
        for (const std::string& document : documentsOf(StoryKind::Agree, 1000)) {
            for (const std::string& sentence : sentencesOf(document)) {
                const auto agreement = readAgreement(sentence);
                const std::string head = singularOf(agreement->head);
                const std::string second = singularOf(agreement->second);
                for (const StoryNounClass& nounClass : storyNounClasses()) {
                    const auto holds = [&](const std::string& word) {
                        return std::any_of(nounClass.nouns.begin(), nounClass.nouns.end(),
                                           [&](auto& noun) { return noun.singular == word; });
                    };
                    const auto& predicates = nounClass.predicates;
                    const bool says = std::find(predicates.begin(), predicates.end(),
                                                agreement->rest) != predicates.end();
                    QVERIFY2(says == holds(head), sentence.c_str());
                    QVERIFY2(!(holds(head) && holds(second)), sentence.c_str());
                }
            }
        }
    }

    void heldOutPairsAreNeverWritten()
    {
        static const std::regex because("The (\\w+) (didn't|did not|couldn't) (cross|climb) the "
                                        "(\\w+) because");
        int pairs = 0;
        for (const StoryKind kind : {StoryKind::Agree, StoryKind::Because, StoryKind::Story}) {
            for (const std::string& document : documentsOf(kind, 4000)) {
                for (const std::string& sentence : sentencesOf(document)) {
                    const auto agreement = readAgreement(sentence);
                    if (agreement && agreement->head != agreement->second) {
                        QVERIFY2(!isHeldOutPair(singularOf(agreement->head),
                                                singularOf(agreement->second)),
                                 sentence.c_str());
                        ++pairs;
                    }
                    std::smatch match;
                    if (std::regex_search(sentence, match, because)) {
                        QVERIFY2(!isHeldOutPair(match[1].str(), match[4].str()), sentence.c_str());
                        ++pairs;
                    }
                }
            }
        }
        QVERIFY(pairs > 10'000);
    }

    void testCasesUseHeldOutPairsAlone()
    {
        for (const ContinuationCase& question : agreementCases(3, 300)) {
            const auto agreement = readAgreement(question.prompt + question.right + " x.");
            QVERIFY2(agreement.has_value(), question.prompt.c_str());
            QVERIFY(isHeldOutPair(singularOf(agreement->head), singularOf(agreement->second)));
            const bool plural = question.right == " are" || question.right == " were";
            QCOMPARE(plural, isPlural(agreement->head));
            QVERIFY(question.right != question.wrong);
        }
        static const std::regex because("The (\\w+) .* the (\\w+) because it was too (\\w+)\\.");
        for (const ContinuationCase& question : antecedentCases(3, 300)) {
            std::smatch match;
            QVERIFY2(std::regex_search(question.prompt, match, because), question.prompt.c_str());
            QVERIFY(isHeldOutPair(match[1].str(), match[2].str()));
            const auto& ofAnimals = storyNounClass("animal").tooWhat;
            const bool meansAnimal =
                std::find(ofAnimals.begin(), ofAnimals.end(), match[3].str()) != ofAnimals.end();
            const std::string wanted = meansAnimal ? match[1].str() : match[2].str();
            const std::string verb = meansAnimal ? " lay" : " had";
            QVERIFY2(question.right == " " + wanted || question.right == verb,
                     question.prompt.c_str());
        }
    }

    void causalPronounsFollowTheVerb()
    {
        static const std::regex pattern("^ ?(\\w+) (\\w+)( to)? (\\w+) because (he|she) ");
        const std::set<std::string> meansFirst = {"called", "visited", "phoned", "apologized"};
        const auto isFemale = [](const std::string& name) {
            const auto& names = storyFemaleNames();
            return std::find(names.begin(), names.end(), name) != names.end();
        };
        const auto isKnown = [&](const std::string& name) {
            const auto& names = storyMaleNames();
            return isFemale(name) || std::find(names.begin(), names.end(), name) != names.end();
        };
        int read = 0;
        for (const std::string& document : documentsOf(StoryKind::Causal, 2000)) {
            for (const std::string& sentence : sentencesOf(document)) {
                std::smatch match;
                if (!std::regex_search(sentence, match, pattern))
                    continue;
                const std::string meant = meansFirst.contains(match[2]) ? match[1] : match[4];
                if (!isKnown(meant))
                    continue;
                QVERIFY2((match[5] == "she") == isFemale(meant), sentence.c_str());
                ++read;
            }
        }
        QVERIFY(read > 1000);
    }

    void wordsOfTheSampleSentencesAreLearned()
    {
        const std::string text = generateStories(kSeed, 1'000'000);
        for (const std::string sentence :
             {"The cat sat on the mat", "The bank by the river flooded", "it was too tired",
              "it was too wide", "dog bites man", "man bites dog", "I like you",
              "I like your red hat"})
            QVERIFY2(text.find(sentence) != std::string::npos, sentence.c_str());
        for (const std::string word :
             {"animal", "didn't", "cross", "street", "because", "unhappiness", "unhappy", "happy",
              "apple", "banana", "chair", "sat", "cat", "bank", "river", "flooded", "money"})
            QVERIFY2(holdsWord(text.substr(0, 300'000), word) || holdsWord(text, word),
                     word.c_str());
    }

    void theFamousSentenceIsNotHeldOut()
    {
        QVERIFY(!isHeldOutPair("animal", "street"));
        const std::string text = generateStories(kSeed, 13'000'000);
        QVERIFY(text.find("The animal didn't cross the street because it was too tired.") !=
                std::string::npos);
    }

    void attentionCasesPointAtTheirWords()
    {
        const auto at = [](const AttentionTargetCase& question, ByteRange range) {
            return question.text.substr(range.begin, range.end - range.begin);
        };
        for (const AttentionTargetCase& question : subjectVerbCases(4, 100)) {
            const std::set<std::string> verbs = {"is", "are", "was", "were"};
            QVERIFY(verbs.contains(at(question, question.query)));
            QVERIFY(!singularOf(at(question, question.key)).empty());
            QCOMPARE(question.query.end, question.text.size());
        }
        for (const AttentionTargetCase& question : pronounCases(4, 100)) {
            QCOMPARE(at(question, question.query), std::string("it"));
            QVERIFY(!singularOf(at(question, question.key)).empty());
        }
        int toPlace = 0;
        for (const AttentionTargetCase& question : meaningCases(4, 200)) {
            QCOMPARE(at(question, question.query), std::string("It"));
            QVERIFY(question.contrast.has_value());
            toPlace += singularOf(at(question, question.key)).empty() ? 1 : 0;
            QVERIFY(at(question, question.key) != at(question, *question.contrast));
        }
        QVERIFY(toPlace > 30 && toPlace < 130);
    }
};

HEADSCOPE_TEST(TstStoryGrammar)
#include "tst_story_grammar.moc"
