#include "core/base/error.h"
#include "core/lessons/labs/builtin_labs.h"
#include "core/lessons/labs/lab_file.h"
#include "tests/core/lessons/lab_runs.h"
#include "tests/support/test_program.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <algorithm>
#include <filesystem>
#include <set>

using namespace headscope;

namespace {

const BuiltinLab& builtinLab(std::string_view name)
{
    return *std::ranges::find(builtinLabs(), name, &BuiltinLab::name);
}

/// What is said about the text of a lab; "" when nothing is wrong.
QString complaintAbout(const std::string& text)
{
    try {
        parseLab("kv-cache", text);
    } catch (const FormatError& error) {
        return QString::fromStdString(error.what());
    }
    return {};
}

} // namespace

class TstLabFiles : public QObject
{
    Q_OBJECT

private slots:

    void everyFileIsALabAndComputes()
    {
        std::set<std::string> files;
        const std::filesystem::path folder =
            std::filesystem::path(HEADSCOPE_SOURCE_DIR) / "resources/labs";
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            files.insert(entry.path().stem().string());
        std::set<std::string> names;
        for (const Lab& lab : labCatalogue()) {
            names.insert(lab.name);
            QVERIFY2(lab.run != nullptr, lab.name.c_str());
            QCOMPARE(&catalogueLab(lab.name), &lab);
        }
        QVERIFY(names == files);
        QCOMPARE(names.size(), labCatalogue().size());
        QCOMPARE(builtinLabs().size(), labCatalogue().size());
    }

    void theCatalogueGoesThroughTheSubjectsInOrder()
    {
        std::vector<const Lab*> bySubject;
        for (int subject = 0; subject <= static_cast<int>(LabSubject::Heads); ++subject) {
            const std::span<const Lab> labs = labsOf(static_cast<LabSubject>(subject));
            QVERIFY(!labs.empty());
            QVERIFY(std::ranges::is_sorted(labs, {}, &Lab::order));
            for (const Lab& lab : labs)
                bySubject.push_back(&lab);
        }
        QCOMPARE(bySubject.size(), labCatalogue().size());
        for (std::size_t i = 0; i < bySubject.size(); ++i)
            QCOMPARE(bySubject[i], &labCatalogue()[i]);
        QCOMPARE(labCatalogue().front().name, std::string("bpe-merges"));
        QCOMPARE(labCatalogue().back().name, std::string("not-an-explanation"));
    }

    void aFileIsReadAsItIsWritten()
    {
        const Lab lab = parseLab("kv-cache", builtinLab("kv-cache").text);
        QCOMPARE(lab.title, std::string("The KV cache"));
        QVERIFY(lab.subject == LabSubject::Attention);
        QVERIFY(!lab.usesModel && !lab.isSlow);
        QCOMPARE(lab.controls.size(), std::size_t{4});
        const LabControl& tokens = lab.controls[1];
        QCOMPARE(tokens.initial, std::string("4096"));
        QVERIFY(tokens.low == 1.0 && tokens.high == 131072.0 && tokens.step == 1.0);
        QVERIFY(tokens.isLogarithmic);
        QCOMPARE(lab.controls[0].titleOf("gpt2"), std::string("GPT-2 small"));
        QCOMPARE(catalogueLab("flash").controls[2].initial, std::string("on"));
        QCOMPARE(catalogueLab("norms").controls[2].initial, std::string("1e-05"));
        QVERIFY(catalogueLab("flash-measured").isSlow && catalogueLab("beam").usesModel);
    }

    /// What is often said stands below the answer, with the number that is computed here.
    void oftenSaidIsPartOfTheAnswer()
    {
        const std::string answer = catalogueLab("kv-cache").answer;
        QVERIFY(answer.find("\n\n**Often said:** ") != std::string::npos);
        QVERIFY(answer.find("**Computed here:** {{said_gqa|int}}") != std::string::npos);
        QVERIFY(catalogueLab("window").answer.find("Often said") == std::string::npos);
        for (const std::string& wanted : {std::string("said"), std::string("here")}) {
            nlohmann::json lab = nlohmann::json::parse(builtinLab("kv-cache").text);
            lab["often_said"][0].erase(wanted);
            const std::string error = whatIsThrown([&] { parseLab("kv-cache", lab.dump()); });
            QVERIFY2(error.find("\"" + wanted + "\"") != std::string::npos, error.c_str());
        }
    }

    /// An answer says what these settings show, not what they usually show.
    void answersFollowTheNumbers_data()
    {
        QTest::addColumn<QString>("lab");
        QTest::addColumn<QString>("control");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("words");
        QTest::addColumn<bool>("isSaid");
        const auto row = [](const char* lab, const char* control, const char* value,
                            const char* words, bool isSaid) {
            QTest::addRow("%s %s", lab, value) << lab << control << value << words << isSaid;
        };
        row("parameters", "model", "gpt2", "more than half", false);
        row("parameters", "model", "llama3-70b", "more than half", true);
        row("feed-forward", "times", "1", "Not here", true);
        row("feed-forward", "times", "4", "Not here", false);
        row("next-word-table", "mask", "off", "see their own answer", true);
        row("next-word-table", "mask", "on", "no row sees its own answer", true);
        row("why-scale", "d_k", "1", "little of it is left", false);
        row("why-scale", "d_k", "512", "little of it is left", true);
        row("initialisation", "std", "1", "confident and wrong", true);
        row("initialisation", "std", "0.02", "confident and wrong", false);
        row("beam", "beams", "1", "Not always", false);
        row("embedding", "d", "16", "drowns the word", true);
    }

    void answersFollowTheNumbers()
    {
        QFETCH(QString, lab);
        QFETCH(QString, control);
        QFETCH(QString, value);
        QFETCH(QString, words);
        QFETCH(bool, isSaid);
        const LabResult result =
            runLab(lab.toStdString(), {{control.toStdString(), value.toStdString()}});
        const std::string answer =
            fillIn(catalogueLab(lab.toStdString()).answer, [&](std::string_view reference) {
                return ReferencedNumber{result.number(reference).value, {}};
            });
        QVERIFY2((answer.find(words.toStdString()) != std::string::npos) == isSaid, answer.c_str());
    }

    void aMistakeIsSaidWithItsFileAndKey_data()
    {
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("value"); // "": taken away
        QTest::addColumn<QString>("words");
        QTest::newRow("unknown key") << "/tilte"
                                     << "\"x\""
                                     << "unknown key \"tilte\"";
        QTest::newRow("no title") << "/title"
                                  << ""
                                  << "\"title\" of the lab is missing";
        QTest::newRow("no text") << "/title"
                                 << "5"
                                 << "\"title\" of the lab is 5";
        QTest::newRow("another name") << "/name"
                                      << "\"cache\""
                                      << "the name of the file";
        QTest::newRow("subject") << "/subject"
                                 << "\"atention\""
                                 << "\"attention\"";
        QTest::newRow("order") << "/order"
                               << "1.5"
                               << "\"order\" of the lab is 1.5";
        QTest::newRow("no order") << "/order"
                                  << ""
                                  << "\"order\" of the lab is missing";
        QTest::newRow("open reference") << "/answer"
                                        << "\"It is {{bytes\""
                                        << "\"answer\"";
        QTest::newRow("no controls") << "/controls"
                                     << "[]"
                                     << "\"controls\" of the lab is []";
        QTest::newRow("uses_model") << "/uses_model"
                                    << "1"
                                    << "\"uses_model\" of the lab is 1";
        QTest::newRow("control's key") << "/controls/1/lowest"
                                       << "1"
                                       << "unknown key \"lowest\"";
        QTest::newRow("key of other kinds") << "/controls/0/low"
                                            << "1"
                                            << "unknown key \"low\"";
        QTest::newRow("kind") << "/controls/0/kind"
                              << "\"list\""
                              << "\"kind\" of control 1 is";
        QTest::newRow("no control") << "/controls/0"
                                    << "3"
                                    << "control 1 is not a JSON object";
        QTest::newRow("twice") << "/controls/1/name"
                               << "\"model\""
                               << "a unique name for every";
        QTest::newRow("range") << "/controls/1/high"
                               << "1"
                               << "a number above \"low\"";
        QTest::newRow("no range") << "/controls/1/low"
                                  << ""
                                  << "\"low\" of control 2 is missing";
        QTest::newRow("logarithm of 0") << "/controls/1/low"
                                        << "0"
                                        << "logarithmic";
        QTest::newRow("out of range") << "/controls/1/initial"
                                      << "0"
                                      << "\"initial\"";
        QTest::newRow("no choice") << "/controls/0/initial"
                                   << "\"gpt5\""
                                   << "\"initial\"";
        QTest::newRow("choice twice") << "/controls/0/choices/0/name"
                                      << "\"gpt2\""
                                      << "a unique name for every choice";
        QTest::newRow("choice's key") << "/controls/0/choices/0/x"
                                      << "1"
                                      << "unknown key \"x\"";
    }

    void aMistakeIsSaidWithItsFileAndKey()
    {
        QFETCH(QString, place);
        QFETCH(QString, value);
        QFETCH(QString, words);
        nlohmann::json lab = nlohmann::json::parse(builtinLab("kv-cache").text);
        const nlohmann::json::json_pointer pointer(place.toStdString());
        if (value.isEmpty())
            lab[pointer.parent_pointer()].erase(pointer.back());
        else
            lab[pointer] = nlohmann::json::parse(value.toStdString());
        const QString complaint = complaintAbout(lab.dump());
        QVERIFY2(complaint.contains("resources/labs/kv-cache.json"), qPrintable(complaint));
        QVERIFY2(complaint.contains(words), qPrintable(complaint));
        QVERIFY2(!complaint.contains('\n'), qPrintable(complaint));
    }

    void whatIsNoJsonSaysWhere()
    {
        QVERIFY(complaintAbout("{\"name\": ").contains("resources/labs/kv-cache.json, byte"));
        QVERIFY(complaintAbout("[]").contains("resources/labs/kv-cache.json"));
        QCOMPARE(complaintAbout(std::string(builtinLab("kv-cache").text)), QString());
    }
};

HEADSCOPE_TEST(TstLabFiles)
#include "tst_lab_files.moc"
