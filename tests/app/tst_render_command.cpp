#include "tests/app/run_headscope.h"
#include "tests/support/tiny_model.h"

#include <QDir>
#include <QImage>
#include <QTemporaryDir>

using namespace headscope;
using test::Outcome;
using test::runHeadscope;

class TstRenderCommand : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase()
    {
        m_model =
            QString::fromStdString(test::saveTinyModel(m_folder.path().toStdString()).string());
        QVERIFY(QDir(m_folder.path()).mkdir("out"));
    }

    void everyViewIsDrawnInEveryFormat_data()
    {
        QTest::addColumn<QString>("view");
        QTest::addColumn<QString>("ending");
        QTest::addColumn<QByteArray>("magic");
        for (const char* view : {"grid", "head", "positions", "mask"}) {
            QTest::addRow("%s png", view) << view << "png" << QByteArray("\x89PNG");
            QTest::addRow("%s svg", view) << view << "svg" << QByteArray("<?xml");
            QTest::addRow("%s pdf", view) << view << "pdf" << QByteArray("%PDF");
        }
    }

    void everyViewIsDrawnInEveryFormat()
    {
        QFETCH(QString, view);
        QFETCH(QString, ending);
        QFETCH(QByteArray, magic);
        const QString out = m_folder.filePath("picture." + ending);
        HS_DONE(render({"--text", "the cat sat", "--view", view, "--out", out}));
        QFile file(out);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.read(magic.size()), magic);
        QVERIFY(file.size() > 1000);
    }

    void scaleThemeAndHeadChangeThePicture()
    {
        const QImage plain = picture({});
        QVERIFY(!plain.isNull());
        const QImage large = picture({"--scale", "2"});
        QCOMPARE(large.size(), plain.size() * 2);
        QVERIFY(picture({"--theme", "dark"}) != plain);
        QVERIFY(picture({"--layer", "1", "--head", "1"}) != plain);
        QVERIFY(picture({"--mask", "none"}) != plain);
        QVERIFY(picture({}) == plain);
    }

    void aTraceFileIsDrawnAsItsText()
    {
        const QString trace = m_folder.filePath("trace.safetensors");
        HS_DONE(runHeadscope({"trace", "--model", m_model, "--device", "cpu", "--text",
                              "the cat sat", "--out", trace}));
        const QString out = m_folder.filePath("traced.png");
        HS_DONE(runHeadscope({"render", "--trace", trace, "--out", out}));
        QVERIFY(!QImage(out).isNull());
    }

    void wrongPicturesAreRefusedAndLeaveNothing()
    {
        const QString out = m_folder.filePath("out/x.png");
        HS_REFUSED(render({"--text", "x", "--layer", "9", "--out", out}), 1, "L9H0");
        HS_REFUSED(render({"--text", "x", "--out", m_folder.filePath("out/x.bmp")}), 1, ".png");
        HS_REFUSED(render({"--text", "x", "--out", m_folder.filePath("none/x.png")}), 1,
                   "cannot write");
        HS_REFUSED(render({"--text", "x", "--view", "circle", "--out", out}), 2, "--view");
        HS_REFUSED(render({"--out", out}), 2, "--text");
        HS_REFUSED(render({"--text", "x"}), 2, "--out");
        QVERIFY(QDir(m_folder.filePath("out")).entryList(QDir::Files | QDir::Hidden).isEmpty());
    }

    void theWindowIsWrittenAsAPicture()
    {
        const QString out = m_folder.filePath("window.png");
        HS_DONE(runHeadscope({"--model", m_model, "--text", "the cat", "--device", "cpu",
                              "--screenshot", out, "--size", "1600x1000"}));
        QCOMPARE(QImage(out).size(), QSize(1600, 1000));
    }

private:
    Outcome render(const QStringList& arguments) const
    {
        return runHeadscope(QStringList{"render", "--model", m_model, "--device", "cpu"} +
                            arguments);
    }

    QImage picture(const QStringList& arguments) const
    {
        const QString out = m_folder.filePath("compared.png");
        const Outcome outcome =
            render(QStringList{"--text", "the cat sat", "--out", out} + arguments);
        return outcome.status == 0 ? QImage(out) : QImage();
    }

    QTemporaryDir m_folder;
    QString m_model;
};

QTEST_GUILESS_MAIN(TstRenderCommand)
#include "tst_render_command.moc"
