#include "core/base/error.h"
#include "core/lessons/manual/manual.h"
#include "core/lessons/manual/markdown_text.h"
#include "tests/support/test_program.h"

using namespace headscope;

namespace {

const std::string kContents = "# Manual\n\nWords.\n\n## Start\n\n- [First](first.md)\n\n"
                              "## Pages\n\n- [Query · Key](qk.md)\n- [Lens](lens.md)\n";

std::vector<ManualPage> pages()
{
    return {{"lens", {}, {}, "# Lens\n\nRead **each** layer. More.\n\nA logit lens, a tuned lens."},
            {"qk", {}, {}, "# Query · Key\n\nOne weight,\nby `q·k`."},
            {"first", {}, {}, "# First\n\nOpen the [lens](lens.md).\n"}};
}

QString problemOf(const std::string& contents, const std::vector<ManualPage>& pages)
{
    try {
        Manual(contents, pages);
    } catch (const FormatError& error) {
        return QString::fromStdString(error.problem());
    }
    return {};
}

QStringList namesOf(const std::vector<const ManualPage*>& found)
{
    QStringList names;
    for (const ManualPage* page : found)
        names << QString::fromStdString(page->name);
    return names;
}

} // namespace

class TstManual : public QObject
{
    Q_OBJECT

private slots:
    void theContentsGiveOrderAndChapters();
    void contentsAndPagesAgree();
    void pagesAreFoundByNameAndTitle();
    void aTitleOutweighsMatchesInTheText();
    void linksInCodeAreNoLinks();
    void theFirstSentenceHasNoMarks();
    void aTerminalGetsPlainText();
};

void TstManual::theContentsGiveOrderAndChapters()
{
    const Manual manual(kContents, pages());
    QCOMPARE(manual.pages().size(), std::size_t{3});
    QCOMPARE(manual.pages()[0].chapter, std::string("Start"));
    QCOMPARE(manual.pages()[1].name, std::string("qk"));
    QCOMPARE(manual.pages()[1].title, std::string("Query · Key"));
    QCOMPARE(manual.pages()[2].chapter, std::string("Pages"));
}

void TstManual::contentsAndPagesAgree()
{
    auto less = pages();
    less.erase(less.begin());
    QVERIFY(problemOf(kContents, less).contains("lens.md"));
    auto more = pages();
    more.push_back({"other", {}, {}, "# Other\n"});
    QVERIFY(problemOf(kContents, more).contains("other"));
    QVERIFY(problemOf(kContents + "- [Lens](lens.md)\n", pages()).contains("twice"));
    auto renamed = pages();
    renamed[0].text = "# Lenses\n";
    QVERIFY(problemOf(kContents, renamed).contains("Lenses"));
    auto untitled = pages();
    untitled[0].text = "Lens\n";
    QVERIFY(problemOf(kContents, untitled).contains("title"));
}

void TstManual::pagesAreFoundByNameAndTitle()
{
    const Manual manual(kContents, pages());
    QCOMPARE(manual.page("LENS").name, std::string("lens"));
    QCOMPARE(manual.page("query · key").name, std::string("qk"));
    QVERIFY(!manual.find("lenz"));
    try {
        manual.page("lenz");
        QFAIL("it was found");
    } catch (const Error& error) {
        QVERIFY2(QByteArray(error.what()).contains("Did you mean \"lens\"?"), error.what());
    }
}

void TstManual::aTitleOutweighsMatchesInTheText()
{
    const Manual manual(kContents, pages());
    QCOMPARE(namesOf(manual.search("")), (QStringList{"first", "qk", "lens"}));
    QCOMPARE(namesOf(manual.search("lens")), (QStringList{"lens", "first"}));
    QCOMPARE(namesOf(manual.search("OPEN lens")), QStringList{"first"});
    QCOMPARE(namesOf(manual.search("nothing of the kind")), QStringList{});
}

void TstManual::linksInCodeAreNoLinks()
{
    const auto links = markdownLinks("[a](page:head) `[b](c)`\n```\n[d](e)\n```\n[f](g.md)");
    QCOMPARE(links, (std::vector<std::string>{"page:head", "g.md"}));
}

void TstManual::theFirstSentenceHasNoMarks()
{
    const Manual manual(kContents, pages());
    QCOMPARE(firstSentence(manual.page("lens")), std::string("Read each layer."));
    QCOMPARE(firstSentence(manual.page("qk")), std::string("One weight, by q·k."));
}

void TstManual::aTerminalGetsPlainText()
{
    const std::string markdown = "# Lens · B\n\n<picture><img src=\"a\"></picture>\n\n"
                                 "See **each** A[i] [layer](lens.md), [paper](https://a.b).\n\n"
                                 "- one two\n- three\n\n| A | B |\n|---|---|\n| `x*y` | long |\n"
                                 "| zz | w |\n\n```\nheadscope *\n```\n";
    QCOMPARE(terminalText(markdown, 24),
             std::string("Lens · B\n========\n\nSee each A[i] layer,\n"
                         "paper (https://a.b).\n\n- one two\n- three\n\n"
                         "A    B\nx*y  long\nzz   w\n\n"
                         "    headscope *\n"));
    QCOMPARE(terminalText("| Key | What |\n|---|---|\n| abcdef | a rather long cell |\n", 14),
             std::string("abcdef\n    a rather\n    long cell\n"));
    QCOMPARE(withoutImages("a\n<picture>b</picture>\nc"), std::string("a\nc\n"));
}

HEADSCOPE_TEST(TstManual)
#include "tst_manual.moc"
