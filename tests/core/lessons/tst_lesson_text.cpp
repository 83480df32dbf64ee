#include "core/base/error.h"
#include "core/lessons/lesson_references.h"
#include "core/lessons/lesson_text.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <cmath>

using namespace headscope;

namespace {

using Span = TextSpan::Kind;

std::vector<TextSpan> onlySpans(std::string_view text)
{
    const std::vector<TextBlock> blocks = parseLessonText(text);
    return blocks.size() == 1 ? blocks.front().spans : std::vector<TextSpan>();
}

std::string filled(std::string_view text, double value, const std::string& exact = {})
{
    return fillIn(text, [&](std::string_view) { return ReferencedNumber{value, exact}; });
}

} // namespace

class LessonTextTest : public QObject
{
    Q_OBJECT

private slots:

    void paragraphsItemsAndFormulasAreBlocks()
    {
        const auto blocks = parseLessonText("One\ntwo.\n\n- first\n- second\n\n$$ a^2 $$\nend");
        QCOMPARE(blocks.size(), std::size_t{5});
        QCOMPARE(blocks[0].spans.front().text, std::string("One two."));
        QVERIFY(blocks[1].kind == TextBlock::Kind::Item && blocks[2].kind == TextBlock::Kind::Item);
        QVERIFY(blocks[3].kind == TextBlock::Kind::Formula);
        QCOMPARE(blocks[3].spans.front().text, std::string("a^2"));
        QVERIFY(blocks[4].kind == TextBlock::Kind::Paragraph);
    }

    void marksBecomeSpans()
    {
        const std::vector<TextSpan> wanted{
            {Span::Plain, "a ", {}},     {Span::Strong, "b", {}},      {Span::Plain, " ", {}},
            {Span::Emphasis, "c", {}},   {Span::Plain, " ", {}},       {Span::Code, "d*", {}},
            {Span::Plain, " ", {}},      {Span::Formula, "e_{1}", {}}, {Span::Plain, " ", {}},
            {Span::Link, "f", "term:f"}, {Span::Plain, " *g", {}}};
        QCOMPARE(onlySpans("a **b** *c* `d*` $e_{1}$ [f](term:f) \\*g"), wanted);
    }

    void whatIsNotClosedIsNamed_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("bold") << "so **bold";
        QTest::newRow("empty bold") << "so ****";
        QTest::newRow("italic") << "so *it";
        QTest::newRow("formula") << "$a";
        QTest::newRow("link") << "[words]";
        QTest::newRow("target") << "[words](there";
    }

    void whatIsNotClosedIsNamed()
    {
        QFETCH(QString, text);
        QVERIFY_THROWS_EXCEPTION(Error, parseLessonText(text.toStdString()));
    }

    void aBookIsRefused()
    {
        QVERIFY_THROWS_EXCEPTION(Error, parseLessonText(std::string(30'000, 'a')));
    }

    void plainTextHasNoMarks()
    {
        QCOMPARE(plainText(parseLessonText("**a** $b$\n\n- [c](d)")), std::string("a b\n\n- c"));
    }

    void formatsSayNumbersAsPeopleReadThem()
    {
        QCOMPARE(filled("x {{a}} y", 0.40111), std::string("x 0.4011 y"));
        QCOMPARE(filled("{{a}}", 0.5), std::string("0.5"));
        QCOMPARE(filled("{{a|2}}", -0.126), std::string("\u22120.13"));
        QCOMPARE(filled("{{a|1}}", -0.01), std::string("0.0"));
        QCOMPARE(filled("{{a|int}}", 10737418240.0), std::string("10\u202F737\u202F418\u202F240"));
        QCOMPARE(filled("{{a|percent}}", 0.248), std::string("24.8 %"));
        QCOMPARE(filled("{{a|bytes}}", 1342177280.0), std::string("1.34 GB"));
        QCOMPARE(filled("{{a|bytes}}", 512.0), std::string("512 B"));
        QCOMPARE(filled("{{a|short}}", 6.98771e-4), std::string("0.000698771"));
        QCOMPARE(filled("{{a|exact}}", 0.7071, "\u221a2/2"), std::string("\u221a2/2"));
        QCOMPARE(filled("{{a|exact}}", 0.25), std::string("0.25"));
    }

    void unknownFormatsAndOpenReferencesAreErrors()
    {
        QVERIFY_THROWS_EXCEPTION(Error, filled("{{a|nice}}", 1.0));
        QVERIFY_THROWS_EXCEPTION(Error, filled("{{a", 1.0));
    }

    void aConclusionFollowsFromTheNumbers()
    {
        const auto with = [](double a, double b) {
            return fillIn("{{a}}{{if a > 2 b}} is far above {{b}}{{else}} is near {{b}}{{end}}.",
                          [&](std::string_view name) {
                              return ReferencedNumber{name == "a" ? a : b, {}};
                          });
        };
        QCOMPARE(with(5.0, 2.0), std::string("5 is far above 2."));
        QCOMPARE(with(4.0, 2.0), std::string("4 is near 2."));
        QCOMPARE(with(-5.0, -2.0), std::string("\u22125 is near \u22122."));
        QCOMPARE(filled("{{if a < 1.5}}low{{end}}", 1.0), std::string("low"));
        QCOMPARE(filled("{{if a < 1.5}}low{{end}}", 2.0), std::string());
        QCOMPARE(filled("{{if a < 1.5}}low{{end}}", std::nan("")), std::string());
        QCOMPARE(references("{{if a > 2 b}}{{c|1}}{{else}}{{d}}{{end}}{{e}}"),
                 (std::vector<std::string>{"a", "b", "c", "d", "e"}));
    }

    void conditionsThatCannotBeReadAreErrors_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text :
             {"{{if a > 1}}x", "x{{end}}", "x{{else}}y{{end}}", "{{if a}}x{{end}}",
              "{{if a = 1}}x{{end}}", "{{if a > b c}}x{{end}}", "{{if a > 1 b c}}x{{end}}",
              "{{if a > 1}}{{if a > 2}}x{{end}}{{end}}"})
            QTest::newRow(text) << QString(text);
    }

    void conditionsThatCannotBeReadAreErrors()
    {
        QFETCH(const QString, text);
        QVERIFY_THROWS_EXCEPTION(Error, filled(text.toStdString(), 1.0));
        QVERIFY_THROWS_EXCEPTION(Error, references(text.toStdString()));
    }

    void referencesAreFoundInOrder()
    {
        QCOMPARE(references("{{a[1,2]|3}} and {{b}}"), (std::vector<std::string>{"a[1,2]", "b"}));
    }
};

HEADSCOPE_TEST(LessonTextTest)
#include "tst_lesson_text.moc"
