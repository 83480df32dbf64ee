#include "core/base/content_language.h"
#include "core/base/error.h"
#include "core/base/message_catalogue.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <thread>

using namespace headscope;

namespace {

const char* const kFrench = R"({
    "Layers": "Couches",
    "none": "aucun",
    "layer": "couche",
    "layers": "couches",
    "{} tokens": "{} jetons",
    "{} of {} tokens": "{0} jetons sur {1}",
    "after {} {}": "après {} {}",
    "loss {:.2f}": "perte {}",
    "the word “{}” of {}": "le mot « {} » de {}",
    "rows of {0}: {1}, and {0} again": "lignes de {0} : {1}",
    "use {{name}} of {}": "employez {{name}} de {}",
    "use {{name}}": "employez {{name}}"
})";

MessageCatalogue french()
{
    MessageCatalogue catalogue;
    catalogue.add(kFrench, "fr.json");
    return catalogue;
}

} // namespace

class TstMessageCatalogue : public QObject
{
    Q_OBJECT

private slots:
    void textsAreTranslated_data();
    void textsAreTranslated();
    void filesThatDoNotFitAreRefused_data();
    void filesThatDoNotFitAreRefused();
    void theLanguageOfTheProcessDecides();
};

void TstMessageCatalogue::textsAreTranslated_data()
{
    QTest::addColumn<QString>("english");
    QTest::addColumn<QString>("translated");
    QTest::newRow("constant") << "Layers"
                              << "Couches";
    QTest::newRow("unknown") << "Heads"
                             << "Heads";
    QTest::newRow("argument") << "5 tokens"
                              << "5 jetons";
    QTest::newRow("longest literal wins") << "3 of 5 tokens"
                                          << "3 jetons sur 5";
    QTest::newRow("argument is a message") << "after none layers"
                                           << "après aucun couches";
    QTest::newRow("number") << "loss 0.25"
                            << "perte 0.25";
    QTest::newRow("no number") << "loss of none"
                               << "loss of none";
    QTest::newRow("quoted text stays") << "the word “none” of none"
                                       << "le mot « none » de aucun";
    QTest::newRow("argument used twice") << "rows of A: 3, and A again"
                                         << "lignes de A : 3";
    QTest::newRow("two arguments where one is meant") << "rows of A: 3, and B again"
                                                      << "rows of A: 3, and B again";
    QTest::newRow("braces") << "use {name} of 4"
                            << "employez {name} de 4";
    QTest::newRow("braces of a constant") << "use {name}"
                                          << "employez {name}";
    QTest::newRow("empty") << ""
                           << "";
}

void TstMessageCatalogue::textsAreTranslated()
{
    QFETCH(QString, english);
    QFETCH(QString, translated);
    QCOMPARE(QString::fromStdString(french().translated(english.toStdString())), translated);
}

void TstMessageCatalogue::filesThatDoNotFitAreRefused_data()
{
    QTest::addColumn<QString>("json");
    QTest::newRow("argument missing") << R"({"{} of {}, in all": "{} en tout"})";
    QTest::newRow("argument too many") << R"({"all layers": "{} couches"})";
    QTest::newRow("mixed") << R"({"{} of {}, in all": "{1} de {}, en tout"})";
    QTest::newRow("open brace") << R"({"a {} b": "a {} b {"})";
    QTest::newRow("fits everything") << R"({"{}: {}": "{} : {}"})";
    QTest::newRow("number") << R"({"Layers": 3})";
    QTest::newRow("list") << R"(["Layers"])";
    QTest::newRow("another translation") << R"({"Layers": "Niveaux"})";
}

void TstMessageCatalogue::filesThatDoNotFitAreRefused()
{
    QFETCH(QString, json);
    MessageCatalogue catalogue = french();
    QVERIFY_EXCEPTION_THROWN(catalogue.add(json.toStdString(), "fr.json"), FormatError);
}

void TstMessageCatalogue::theLanguageOfTheProcessDecides()
{
    QCOMPARE(message("5 tokens"), std::string("5 tokens"));
    setContentLanguage({"fr", [](const std::string& resource) {
                            return resource == "messages/labs.json" ? std::string_view(kFrench)
                                                                    : std::string_view();
                        }});
    std::string elsewhere;
    std::thread([&elsewhere] { elsewhere = message("5 tokens"); }).join();
    setContentLanguage({});
    QCOMPARE(elsewhere, std::string("5 jetons"));
    QCOMPARE(message("5 tokens"), std::string("5 tokens"));
}

HEADSCOPE_TEST(TstMessageCatalogue)
#include "tst_message_catalogue.moc"
