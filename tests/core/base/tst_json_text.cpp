#include "core/base/error.h"
#include "core/base/json_text.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;

namespace {

QString refusal(const std::string& text, int maxDepth = 64)
{
    try {
        parseJson(text, "file.json", maxDepth);
    } catch (const FormatError& error) {
        return QString::fromStdString(error.what());
    }
    return "accepted";
}

} // namespace

class TstJsonText : public QObject
{
    Q_OBJECT

private slots:

    void validTextBecomesAValue()
    {
        const nlohmann::json value =
            parseJson(R"( {"a": [1, -2.5e3, "\u00e9", null, true]} )", "x");
        QCOMPARE(value["a"][0].get<int>(), 1);
        QCOMPARE(value["a"][1].get<double>(), -2500.0);
        QCOMPARE(value["a"][2].get<std::string>(), std::string("\xc3\xa9"));
        QVERIFY(value["a"][3].is_null());
    }

    void brokenTextIsRefusedWithItsPlace_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("reported");
        const auto row = [](const char* name, const QByteArray& text, const char* reported) {
            QTest::newRow(name) << text << QString(reported);
        };
        row("empty", "", "(file.json, byte 0)");
        row("cut", "{\"a\": [1", "unexpected end of input");
        row("duplicate key", "{\"a\":1, \"a\":2}", "once (file.json, byte 11)");
        row("duplicate key below", "[{\"a\":{\"b\":1,\"b\":1}}]", "\"b\" more");
        row("duplicate key by an escape", "{\"a\":1,\"\\u0061\":2}", "\"a\" more");
        row("invalid UTF-8", "[\"\xc3\x28\"]", "UTF-8");
        row("unpaired surrogate", "[\"\\ud800\"]", "invalid");
        row("overlong UTF-8", "[\"\xc0\xaf\"]", "UTF-8");
        row("something after", "{} {}", "byte 4");
        row("too large a number", "[1e400]", "exceeds the range");
        row("not a number", "[NaN]", "invalid");
        row("infinity", "[Infinity]", "invalid");
        row("comment", "[1 /* one */]", "invalid");
        row("trailing comma", "[1,]", "invalid");
        row("leading zero", "[01]", "expected");
        row("NUL", QByteArray("[1\0]", 4), "invalid");
        row("deep arrays", QByteArray(100'000, '['), "deeper than 64 levels");
        row("deep objects", QByteArray("{\"a\":").repeated(100'000), "deeper than 64 levels");
    }

    void brokenTextIsRefusedWithItsPlace()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, reported);
        const QString sentence = refusal(text.toStdString());
        QVERIFY2(sentence.contains(reported), qPrintable(sentence));
        QVERIFY(sentence.contains("file.json, byte "));
        QVERIFY2(sentence.size() < 250, qPrintable(sentence));
    }

    void equalKeysInDifferentObjectsAreFine()
    {
        QCOMPARE(refusal(R"([{"a":1},{"a":{"a":2}},{"b":[{"a":3}]}])"), QString("accepted"));
    }

    void theDepthLimitIsExact()
    {
        QCOMPARE(refusal("[[[]]]", 3), QString("accepted"));
        QVERIFY(refusal("[[[]]]", 2).contains("deeper than 2 levels"));
    }

    void offsetsCountFromWhereTheTextBegins()
    {
        try {
            parseJson("{\"a\":1,\"a\":1}", "x", 4, 1000);
            QFAIL("accepted");
        } catch (const FormatError& error) {
            QVERIFY(QString(error.what()).contains("byte 1010"));
        }
    }

    void invalidBytesAreWrittenAsReplacementCharacters()
    {
        QCOMPARE(dumpJson({{"a", "x\xffy"}}), std::string("{\"a\":\"x\xef\xbf\xbdy\"}"));
        QCOMPARE(dumpJson("line\nbreak"), std::string("\"line\\nbreak\""));
    }

    void theNearestNameIsFound_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("nearest");
        QTest::newRow("swap") << "sede"
                              << "seed";
        QTest::newRow("missing letter") << "max_le"
                                        << "max_len";
        QTest::newRow("other separator") << "max-len"
                                         << "max_len";
        QTest::newRow("same") << "seed"
                              << "seed";
        QTest::newRow("far") << "bananas"
                             << "";
        QTest::newRow("empty") << ""
                               << "";
        QTest::newRow("very long") << QString(1'000'000, 'x') << "";
    }

    void theNearestNameIsFound()
    {
        QFETCH(QString, name);
        QFETCH(QString, nearest);
        const std::vector<std::string> known{"steps", "max_len", "seed", "dropout"};
        QCOMPARE(QString::fromStdString(nearestName(name.toStdString(), known)), nearest);
    }

    void unknownKeysAreRefusedWithTheNearest()
    {
        const std::vector<std::string> known{"steps", "seed"};
        refuseUnknownKeys({{"steps", 1}}, known, "c.json");
        try {
            refuseUnknownKeys({{"setps", 1}}, known, "c.json");
            QFAIL("accepted");
        } catch (const Error& error) {
            QCOMPARE(std::string(error.what()),
                     std::string("unknown key \"setps\" (c.json). Did you mean \"steps\"?"));
        }
        QVERIFY_THROWS_EXCEPTION(Error, refuseUnknownKeys(nlohmann::json::array(), known, "c"));
    }

    void quotedTextStaysOnOneShortLine()
    {
        QCOMPARE(inQuotes("a\n\x7f\xff"), std::string("\"a\\x0a\\x7f\\xff\""));
        QCOMPARE(inQuotes("\xc3\xa9"), std::string("\"\xc3\xa9\""));
        QVERIFY(inQuotes(std::string(1000, 'x')).size() < 80);
    }
};

HEADSCOPE_TEST(TstJsonText)
#include "tst_json_text.moc"
