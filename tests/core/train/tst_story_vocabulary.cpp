#include "core/base/error.h"
#include "core/train/stories/story_grammar.h"
#include "core/train/stories/story_vocabulary.h"
#include "tests/support/test_program.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <cstdint>

using namespace headscope;

namespace {

nlohmann::json builtinWords()
{
    return nlohmann::json::parse(builtinText(builtinStories(), "words"));
}

/// What is said about these words; "" when nothing is wrong.
QString complaintAbout(const std::string& words)
{
    try {
        parseStoryVocabulary(words);
    } catch (const FormatError& error) {
        return QString::fromStdString(error.what());
    }
    return {};
}

/// FNV-1a.
std::uint64_t checksum(const std::string& text)
{
    std::uint64_t sum = 14695981039346656037U;
    for (const char byte : text) {
        sum ^= static_cast<unsigned char>(byte);
        sum *= 1099511628211U;
    }
    return sum;
}

} // namespace

class TstStoryVocabulary : public QObject
{
    Q_OBJECT

private slots:

    void theListsAreInTheOrderOfTheFile()
    {
        const StoryVocabulary& words = storyVocabulary();
        QCOMPARE(words.nounClasses.size(), std::size_t{9});
        QCOMPARE(words.nounClasses.back().name, std::string_view("plant"));
        QCOMPARE(words.nounClasses[1].nouns[2].plural, std::string_view("children"));
        QVERIFY(words.nounClasses[2].tooWhat.empty());
        QCOMPARE(words.places[3].tooWhat[1], std::string_view("weak"));
        QCOMPARE(words.places.back().verb, std::string_view("climb"));
        QVERIFY(!words.personNouns.front().female && words.personNouns.back().female);
        QCOMPARE(words.numbers[12], std::string_view("twelve"));
        const nlohmann::json file = builtinWords();
        QCOMPARE(words.plainWords.size(), file["plain_words"].size());
        for (std::size_t i = 0; i < words.plainWords.size(); ++i)
            QVERIFY(words.plainWords[i] == file["plain_words"][i].get<std::string>());
    }

    /// builtin:stories was trained on it.
    void theTextIsTheSameForEver()
    {
        const std::string text = generateStories(1, 1'000'000);
        QCOMPARE(text.size(), std::size_t{1'000'065});
        QCOMPARE(checksum(text), std::uint64_t{6'306'537'547'147'908'166U});
    }

    void aMistakeIsSaidWithItsFileAndKey_data()
    {
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("value"); // "": taken away
        QTest::addColumn<QString>("words");
        QTest::newRow("unknown key") << "/colors"
                                     << "[\"red\"]"
                                     << "unknown key \"colors\"";
        QTest::newRow("no colours") << "/colours"
                                    << ""
                                    << "\"colours\" of the words is missing";
        QTest::newRow("empty list") << "/things"
                                    << "[]"
                                    << "\"things\" of the words is []";
        QTest::newRow("no word") << "/sites/2"
                                 << "5"
                                 << "\"sites\" of the words";
        QTest::newRow("numbers") << "/numbers/13"
                                 << "\"thirteen\""
                                 << "zero to twelve";
        QTest::newRow("noun") << "/noun_classes/0/nouns/1"
                              << "[\"cat\"]"
                              << "\"nouns\" of noun class 1";
        QTest::newRow("class's key") << "/noun_classes/0/to"
                                     << "[]"
                                     << "unknown key \"to\"";
        QTest::newRow("no vehicles") << "/noun_classes/7/name"
                                     << "\"car\""
                                     << "a class \"vehicle\"";
        QTest::newRow("too nothing") << "/noun_classes/1/too"
                                     << ""
                                     << "a class \"person\"";
        QTest::newRow("place") << "/places/6/fact"
                               << ""
                               << "\"fact\" of place 7 is missing";
        QTest::newRow("person") << "/person_nouns/0/female"
                                << "0"
                                << "\"female\" of person noun 1";
    }

    void aMistakeIsSaidWithItsFileAndKey()
    {
        QFETCH(QString, place);
        QFETCH(QString, value);
        QFETCH(QString, words);
        nlohmann::json file = builtinWords();
        const nlohmann::json::json_pointer pointer(place.toStdString());
        if (value.isEmpty())
            file[pointer.parent_pointer()].erase(pointer.back());
        else
            file[pointer] = nlohmann::json::parse(value.toStdString());
        const QString complaint = complaintAbout(file.dump());
        QVERIFY2(complaint.contains("resources/stories/words.json"), qPrintable(complaint));
        QVERIFY2(complaint.contains(words), qPrintable(complaint));
    }

    void whatIsNoJsonSaysWhere()
    {
        QVERIFY(complaintAbout("{").contains("resources/stories/words.json, byte"));
        QCOMPARE(complaintAbout(builtinWords().dump()), QString());
    }
};

HEADSCOPE_TEST(TstStoryVocabulary)
#include "tst_story_vocabulary.moc"
