// links: resources
#include "resources/resource.h"
#include "tests/support/test_program.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/window/actions/window_actions.h"
#include "ui/window/frame/translator.h"

#include <QDirIterator>
#include <QFile>
#include <QMenuBar>
#include <QRegularExpression>
#include <QSet>
#include <QXmlStreamReader>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::WindowFixture;

namespace {

const char* kChinese = "translations/headscope_zh_CN.qm";

struct Message
{
    QString context;
    QString source;
    QString translation;
    bool unfinished = false;
};

std::vector<Message> chineseMessages()
{
    QFile file(QStringLiteral(HEADSCOPE_SOURCE_DIR) + "/resources/translations/headscope_zh_CN.ts");
    if (!file.open(QIODevice::ReadOnly))
        return {};
    std::vector<Message> messages;
    QXmlStreamReader xml(&file);
    QString context;
    while (!xml.atEnd()) {
        xml.readNext();
        if (!xml.isStartElement())
            continue;
        if (xml.name() == QLatin1String("name")) {
            context = xml.readElementText();
        } else if (xml.name() == QLatin1String("source")) {
            messages.push_back({context, xml.readElementText(), {}, false});
        } else if (xml.name() == QLatin1String("translation")) {
            messages.back().unfinished =
                xml.attributes().value("type") == QLatin1String("unfinished");
            messages.back().translation =
                xml.readElementText(QXmlStreamReader::IncludeChildElements);
        }
    }
    return messages;
}

QStringList numberedArguments(const QString& text)
{
    static const QRegularExpression kPlace("%(\\d|n)");
    QStringList found;
    for (auto all = kPlace.globalMatch(text); all.hasNext();)
        found << all.next().captured();
    found.sort();
    return found;
}

/// Names that sources ask for: those of Qt's classes and those that are spelled out.
QSet<QString> askedContexts()
{
    static const QRegularExpression kClass("class (\\w+)[^;{]*\\{\\s*Q_OBJECT");
    static const QRegularExpression kNamed("(?:translate|QT_TRANSLATE_NOOP)\\(\\s*\"([^\"]+)\"");
    QSet<QString> names;
    for (const char* room : {"/ui", "/app"}) {
        QDirIterator files(QStringLiteral(HEADSCOPE_SOURCE_DIR) + room, {"*.h", "*.cpp"},
                           QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            if (!file.open(QIODevice::ReadOnly))
                continue;
            const QString text = QString::fromUtf8(file.readAll());
            for (auto all = kClass.globalMatch(text); all.hasNext();)
                names << "headscope::ui::" + all.next().captured(1);
            for (auto all = kNamed.globalMatch(text); all.hasNext();)
                names << all.next().captured(1);
        }
    }
    return names;
}

} // namespace

class TstTranslations : public QObject
{
    Q_OBJECT

private slots:
    void noTextIsUnfinished();
    void numberedArgumentsAreKept();
    void everyTextIsFoundWhereItIsAskedFor();
    void onlyFunctionsNamedTrTranslateLiterals();
    void theWindowSpeaksChinese();
};

void TstTranslations::noTextIsUnfinished()
{
    const std::vector<Message> messages = chineseMessages();
    QVERIFY(messages.size() > 400);
    for (const Message& message : messages)
        QVERIFY2(!message.unfinished && !message.translation.isEmpty(), qPrintable(message.source));
}

void TstTranslations::numberedArgumentsAreKept()
{
    for (const Message& message : chineseMessages())
        QCOMPARE(numberedArguments(message.translation), numberedArguments(message.source));
}

void TstTranslations::everyTextIsFoundWhereItIsAskedFor()
{
    const auto compiled = resourceText(kChinese);
    if (!compiled)
        QSKIP("built without Qt Linguist's tools");
    Translator translator;
    QVERIFY(translator.use(*compiled));
    const QSet<QString> asked = askedContexts();
    QVERIFY(asked.contains("headscope::ui::RunsPage") && asked.contains("headscope::ui"));
    for (const Message& message : chineseMessages()) {
        if (asked.contains(message.context) || message.context.startsWith('Q'))
            continue;
        QVERIFY2(!translator.translate("no class", message.source.toUtf8(), nullptr, 1).isEmpty(),
                 qPrintable(message.context + ": " + message.source));
    }
}

/// lupdate does not find texts that are passed to a function of another name.
void TstTranslations::onlyFunctionsNamedTrTranslateLiterals()
{
    static const QRegularExpression kWrapper(
        "QString (?!tr\\()\\w+\\(const char\\* ?\\w*\\)\\s*\\{\\s*"
        "return QCoreApplication::translate");
    QStringList found;
    QDirIterator files(QStringLiteral(HEADSCOPE_SOURCE_DIR "/ui"), {"*.cpp"}, QDir::Files,
                       QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        QVERIFY(file.open(QIODevice::ReadOnly));
        if (kWrapper.match(QString::fromUtf8(file.readAll())).hasMatch())
            found << file.fileName();
    }
    QVERIFY2(found.isEmpty(), qPrintable(found.join(' ')));
}

void TstTranslations::theWindowSpeaksChinese()
{
    const auto compiled = resourceText(kChinese);
    if (!compiled)
        QSKIP("built without Qt Linguist's tools");
    Translator translator;
    QVERIFY(translator.use(*compiled));
    QVERIFY(QCoreApplication::installTranslator(&translator));
    {
        WindowFixture fixture;
        QTRY_VERIFY(fixture.isPainted());
        const QString file = QString::fromUtf8("\xE6\x96\x87\xE4\xBB\xB6");
        QVERIFY(fixture.window->menuBar()->actions().front()->text().startsWith(file));
        QCOMPARE(fixture.window->sentence().accessibleName(),
                 QString::fromUtf8("\xE5\x8F\xA5\xE5\xAD\x90"));
        const QRegularExpression chinese("[\\x{4E00}-\\x{9FFF}]");
        int translated = 0;
        for (const QAction* action : fixture.window->findChild<WindowActions*>()->all())
            translated += action->text().contains(chinese) ? 1 : 0;
        QVERIFY2(translated > 40, qPrintable(QString::number(translated)));
        for (const char* page : {"overview", "what-if", "positions"}) {
            fixture.window->showPage(page);
            QTRY_VERIFY(fixture.isPainted());
        }
    }
    QCoreApplication::removeTranslator(&translator);
    // A function outside a class names a context of its own, and is found all the same.
    QCOMPARE(translator.translate("Window", "no text", nullptr, -1),
             QString::fromUtf8("\xE6\xB2\xA1\xE6\x9C\x89\xE6\x96\x87\xE6\x9C\xAC"));
    QVERIFY(translator.translate("Window", "never said", nullptr, -1).isNull());
}

HEADSCOPE_WINDOW_TEST(TstTranslations)
#include "tst_translations.moc"
