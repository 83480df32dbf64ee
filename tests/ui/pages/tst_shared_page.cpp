#include "core/base/error.h"
#include "tests/support/test_program.h"
#include "tests/ui/pages/session_fixture.h"
#include "ui/pages/shared/figures/figure_file.h"
#include "ui/pages/shared/figures/head_figure.h"
#include "ui/pages/shared/sharing/shared_page.h"
#include "ui/pages/shared/sharing/shared_patterns.h"

#include <QCryptographicHash>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtEndian>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::SessionFixture;

namespace {

const QString kHostile =
    QStringLiteral("</script><img src=x onerror=alert(1)> {{data}} <!-- \u2028 ]]>");

SharedPage pageOf(SessionFixture& fixture)
{
    const ViewSnapshot view = fixture.session.viewSnapshot();
    SessionState state = stateOf(fixture.session);
    state.page = "head";
    return {"Head", "Which keys does each query attend to?", headFigure(view, {}), view,
            sessionJson(state)};
}

/// Between the opening tag that ends in `tagEnd` and the next </script>.
QByteArray scriptAfter(const QByteArray& html, const QByteArray& tagEnd)
{
    const qsizetype begin = html.indexOf(tagEnd) + tagEnd.size();
    return html.mid(begin, html.indexOf("</script>", begin) - begin);
}

QJsonObject dataOf(const QByteArray& html)
{
    return QJsonDocument::fromJson(scriptAfter(html, "id=\"page-data\">")).object();
}

/// Of a page with all heads: the weight that its script would show.
double weightIn(const QJsonObject& data, int head, int query, int key)
{
    const QJsonObject kind = data["kinds"].toArray()[0].toObject();
    const QByteArray levels = QByteArray::fromBase64(data["patterns"].toString().toLatin1());
    qsizetype place = 0;
    qsizetype cells = 0;
    const QJsonArray lengths = kind["lengths"].toArray();
    for (int row = 0; row < lengths.size(); ++row) {
        place += row < query ? lengths[row].toInt() : 0;
        cells += lengths[row].toInt();
    }
    place += head * cells + key;
    if (data["bits"].toInt() == 8)
        return static_cast<unsigned char>(levels[place]) / 254.0;
    return qFromLittleEndian<quint16>(levels.constData() + 2 * place) / 65534.0;
}

bool isRefused(const std::filesystem::path& path, const char* why)
{
    try {
        openSession(path);
    } catch (const FormatError& error) {
        const QByteArray sentence = error.what();
        return sentence.contains(why) && !sentence.contains('\n') &&
               sentence.contains(path.filename().string().c_str());
    }
    return false;
}

} // namespace

class TstSharedPage : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase() { QVERIFY(m_folder.isValid()); }

    void everyPatternIsInThePage()
    {
        SessionFixture fixture;
        QTRY_VERIFY(fixture.isCurrent());
        fixture.session.view().activateHead(1, 1);
        fixture.session.view().selectPair(3, 1);
        const QByteArray html = sharedPageHtml(pageOf(fixture));
        const QJsonObject data = dataOf(html);
        const QJsonObject kind = data["kinds"].toArray()[0].toObject();
        const Trace& trace = *fixture.session.traceA();
        const QJsonArray stored = kind["stored"].toArray();
        QCOMPARE(data["bits"].toInt(), 16);
        QCOMPARE(stored.size(), trace.layerCount() * trace.headCount());
        QCOMPARE(stored[0].toArray()[0].toInt(), 1); // the active head comes first
        QCOMPARE(stored[0].toArray()[1].toInt(), 1);
        QCOMPARE(stored[0].toArray()[2].toString(), headTitle(fixture.session.selection()));
        QCOMPARE(kind["rows"].toArray().size(), static_cast<int>(trace.tokens().size()));
        QCOMPARE(data["start"].toObject()["query"].toInt(), 3);
        QCOMPARE(data["start"].toObject()["key"].toInt(), 1);
        for (int head = 0; head < stored.size(); ++head) {
            const QJsonArray id = stored[head].toArray();
            const auto pattern = trace.find({Site::Pattern, id[0].toInt()});
            const TensorView expected = pattern->view()[id[1].toInt()];
            for (int query = 0; query < expected.shape[0]; ++query)
                for (int key = 0; key <= query; ++key)
                    QVERIFY(std::abs(weightIn(data, head, query, key) -
                                     double{expected(query, key)}) < 1e-5);
        }
    }

    void masksWordsAndDifferencesAreThoseOfTheWindow()
    {
        SessionFixture fixture;
        QTRY_VERIFY(fixture.isCurrent());
        Changes changes;
        changes.mask.kind = MaskChange::Kind::None;
        fixture.session.document().setChanges(changes, "changes");
        QTRY_VERIFY(fixture.isCurrent() && fixture.session.traceB());
        ViewSnapshot view = fixture.session.viewSnapshot();
        view.shown = ui::Variant::Difference;
        view.display.hideFirst = true;
        const SharedPatterns patterns = sharedPatterns(view, 1 << 20);
        QVERIFY(patterns.isSigned && patterns.isComplete());
        const SharedKind& kind = patterns.kinds.front();
        qsizetype place = 0;
        for (const GridCell head : kind.stored) {
            const ShownPattern shown = shownPattern(view, head);
            QCOMPARE(shown.rowLabels, kind.rows);
            for (int row = 0; row < shown.matrix.rows; ++row) {
                for (int column = 0; column < kind.lengths[static_cast<std::size_t>(row)];
                     ++column, place += 2) {
                    const int level =
                        qFromLittleEndian<quint16>(patterns.levels.constData() + place);
                    const HeatmapCell cell{row, column};
                    QCOMPARE(level == patterns.maskedLevel(), shown.mask.hides(cell, shown.matrix));
                    if (level != patterns.maskedLevel())
                        QVERIFY(std::abs(2.0 * level / 65534.0 - 1.0 -
                                         double{shown.matrix.at(cell)}) <= patterns.rounding());
                }
            }
        }
        QCOMPARE(place, patterns.levels.size());
    }

    void theSessionComesBack()
    {
        SessionFixture fixture;
        fixture.session.document().replaceText(kHostile);
        QTRY_VERIFY(fixture.isCurrent());
        fixture.session.view().selectPair(2, 0);
        const SharedPage page = pageOf(fixture);
        for (const char* name : {"page.html", "PAGE.HTM"}) {
            saveSharedPage(page, path(name));
            QVERIFY(mayHoldSession(path(name)));
            SessionState expected = stateOf(fixture.session);
            expected.page = "head";
            QVERIFY(openSession(path(name)) == expected);
        }
    }

    void textOfThePersonIsNeverMarkup()
    {
        SessionFixture fixture;
        fixture.session.document().replaceText(kHostile);
        QTRY_VERIFY(fixture.isCurrent());
        SharedPage page = pageOf(fixture);
        page.title = page.question = page.figure.title = page.figure.caption = kHostile;
        page.view.modelA.name = kHostile.toStdString();
        const QByteArray html = sharedPageHtml(page);
        QCOMPARE(html.count("</script>"), 3); // of data, session and script
        QCOMPARE(html.count("<script"), 3);
        QVERIFY(!html.contains("<img src=x"));
        QVERIFY(!html.contains("<!-- "));
        QVERIFY(html.contains("{{data}}")); // a place of the template, but as text
        QCOMPARE(dataOf(html)["kinds"].toArray().size(), 1);
    }

    void nothingIsFetchedAndOnlyOurScriptRuns()
    {
        SessionFixture fixture;
        QTRY_VERIFY(fixture.isCurrent());
        const QByteArray html = sharedPageHtml(pageOf(fixture));
        const QRegularExpression address("\\b(src|href|action|srcset)=\"(?!data:|#)");
        QVERIFY(!address.match(QString::fromUtf8(html)).hasMatch());
        QVERIFY(!html.contains("@import"));
        const QByteArray script = scriptAfter(html, "<script>");
        const QByteArray hash =
            QCryptographicHash::hash(script, QCryptographicHash::Sha256).toBase64();
        QVERIFY(html.contains("default-src 'none'; script-src 'sha256-" + hash + "'"));
        QVERIFY(html.contains("<svg"));
        QCOMPARE(html.count("class=\"figure "), 2); // light and dark
        QVERIFY(!html.contains("<metadata"));
    }

    void aPageStaysWithinItsBudget()
    {
        SessionFixture fixture;
        QTRY_VERIFY(fixture.isCurrent());
        const ViewSnapshot view = fixture.session.viewSnapshot();
        const SharedPatterns all = sharedPatterns(view, 1 << 20);
        QCOMPARE(all.bits, 16);
        QVERIFY(all.isComplete());
        const SharedPatterns coarse = sharedPatterns(view, all.levels.size() / 2);
        QCOMPARE(coarse.bits, 8);
        QVERIFY(coarse.isComplete());
        const qsizetype head = all.levels.size() / 2 / all.allHeads;
        const SharedPatterns few = sharedPatterns(view, 2 * head + 1);
        QCOMPARE(few.storedHeads, 2);
        QCOMPARE(few.levels.size(), 2 * head);
        const SharedPatterns none = sharedPatterns(view, 0);
        QVERIFY(none.kinds.empty() && none.levels.isEmpty());

        const SharedPage page = pageOf(fixture);
        const qsizetype whole = sharedPageHtml(page).size();
        QVERIFY(whole < kLargestSharedPage);
        QVERIFY(sharedPageHtml(page, whole + 1000).size() <= whole); // nothing left for patterns
        QVERIFY_THROWS_EXCEPTION(Error, sharedPageHtml(page, 10'000));
    }

    void aPageWithoutAFigureIsShared()
    {
        SessionFixture fixture;
        QVERIFY_THROWS_EXCEPTION(Error, sharedPageHtml(pageOf(fixture)));
        QTRY_VERIFY(fixture.isCurrent());
        SharedPage page = pageOf(fixture);
        page.figure = {};
        const QByteArray html = sharedPageHtml(page);
        QVERIFY(!html.contains("<svg"));
        QVERIFY(html.contains("<h1>Head</h1>"));
        QVERIFY_THROWS_EXCEPTION(Error, saveSharedPage(page, path("none/page.html")));
    }

    void foreignAndBrokenPagesAreRefusedInOneSentence()
    {
        SessionFixture fixture;
        QTRY_VERIFY(fixture.isCurrent());
        const QByteArray html = sharedPageHtml(pageOf(fixture));
        const QByteArray start = "id=\"headscope-session\">";
        const qsizetype session = html.indexOf(start) + start.size();
        QByteArray unknown = html;
        unknown.replace("\"format\": \"headscope-session\"", "\"format\": \"other\"");
        QByteArray deep = html;
        deep.insert(session, QByteArray(100'000, '['));
        QByteArray binary = html;
        binary.insert(session, QByteArray("\0\xFF\xFE", 3));
        const std::pair<QByteArray, const char*> pages[] = {
            {"", "contains no session"},
            {"<!DOCTYPE html><title>x</title><script>alert(1)</script>", "contains no session"},
            {html.left(session + 40), "contains no session"},
            {html.left(session) + "</script>", "contains no session"},
            {html.left(session) + "{}</script>", "format"},
            {html.left(session) + "null</script>", "object"},
            {unknown, "format"},
            {deep, ""},
            {binary, ""},
        };
        for (const auto& [content, why] : pages) {
            QFile file(m_folder.filePath("foreign.html"));
            QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
            file.write(content);
            file.close();
            QVERIFY2(isRefused(path("foreign.html"), why), why);
        }
    }

private:
    std::filesystem::path path(const QString& name) const
    {
        return m_folder.filePath(name).toStdString();
    }

    QTemporaryDir m_folder;
};

HEADSCOPE_WINDOW_TEST(TstSharedPage)
#include "tst_shared_page.moc"
