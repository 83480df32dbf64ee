#include "core/base/content_language.h"
#include "core/base/error.h"
#include "core/base/json_overlay.h"
#include "tests/support/test_program.h"

#include <nlohmann/json.hpp>

#include <QTest>

using namespace headscope;
using nlohmann::json;

class TstJsonOverlay : public QObject
{
    Q_OBJECT

private slots:
    void textsAreReplacedInPlace();
    void whatDoesNotFitIsRefused_data();
    void whatDoesNotFitIsRefused();
    void theLanguageOfTheProcessDecides();
};

namespace {

const json kLab = json::parse(R"({"name": "ring", "low": 1, "title": "Ring",
                                  "choices": [{"name": "on", "title": "On"}, {"title": "Off"}]})");

} // namespace

void TstJsonOverlay::textsAreReplacedInPlace()
{
    const json overlay = json::parse(R"({"title": "Anneau", "choices": [null, {"title": "Non"}]})");
    json expected = kLab;
    expected["title"] = "Anneau";
    expected["choices"][1]["title"] = "Non";
    QVERIFY(withOverlay(kLab, overlay, "fr") == expected);
    QVERIFY(withOverlay(kLab, json::object(), "fr") == kLab);
}

void TstJsonOverlay::whatDoesNotFitIsRefused_data()
{
    QTest::addColumn<QString>("overlay");
    QTest::addColumn<QString>("place");
    QTest::newRow("unknown key") << R"({"titel": "Anneau"})"
                                 << "/titel";
    QTest::newRow("shorter list") << R"({"choices": [{"title": "Oui"}]})"
                                  << "/choices";
    QTest::newRow("number") << R"({"low": 2})"
                            << "/low";
    QTest::newRow("text for a list") << R"({"choices": "Oui"})"
                                     << "/choices";
    QTest::newRow("object for a text") << R"({"title": {}})"
                                       << "/title";
}

void TstJsonOverlay::whatDoesNotFitIsRefused()
{
    QFETCH(QString, overlay);
    QFETCH(QString, place);
    try {
        withOverlay(kLab, json::parse(overlay.toStdString()), "fr/labs/ring.json");
        QFAIL("accepted");
    } catch (const FormatError& error) {
        const QString sentence = error.what();
        QVERIFY2(sentence.contains('"' + place + '"'), qPrintable(sentence));
        QVERIFY2(sentence.contains("fr/labs/ring.json"), qPrintable(sentence));
    }
}

void TstJsonOverlay::theLanguageOfTheProcessDecides()
{
    const std::string text = R"({"title":"Ring"})";
    QCOMPARE(contentText("labs/ring.json", text), text);
    setContentLanguage({"fr", [](const std::string& resource) {
                            return resource == "labs/ring.json"
                                       ? std::string_view(R"({"title": "Anneau"})")
                                       : std::string_view();
                        }});
    QCOMPARE(contentLocale(), std::string("fr"));
    QCOMPARE(contentText("labs/ring.json", text), std::string(R"({"title":"Anneau"})"));
    QCOMPARE(contentText("labs/other.json", text), text);
    setContentLanguage({});
    QCOMPARE(contentText("labs/ring.json", text), text);
}

HEADSCOPE_TEST(TstJsonOverlay)
#include "tst_json_overlay.moc"
