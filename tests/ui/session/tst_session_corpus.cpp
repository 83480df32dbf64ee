// links: fuzz/session

#include "tests/fuzz/replay.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;

/// The seeds of the session's fuzz target, read again by every build.
class TstSessionCorpus : public QObject
{
    Q_OBJECT

private slots:

    void seedsAreReadOrRefusedAsPromised_data()
    {
        QTest::addColumn<QString>("seed");
        for (const auto& seed : fuzz::seedsOf("session"))
            QTest::addRow("%s", seed.filename().c_str()) << QString::fromStdString(seed.string());
    }

    void seedsAreReadOrRefusedAsPromised()
    {
        QFETCH(QString, seed);
        const std::string fault = fuzz::replay({"session", fuzz::readSession}, seed.toStdString());
        QVERIFY2(fault.empty(), fault.c_str());
    }

    void endlessNestsAreRefused()
    {
        for (const char* start : {"[", "{\"pages\":"}) {
            const std::string file = QByteArray(start).repeated(100'000).toStdString();
            const std::string fault =
                fuzz::replay({"session", fuzz::readSession}, file, "bad_nest");
            QVERIFY2(fault.empty(), fault.c_str());
        }
    }
};

HEADSCOPE_TEST(TstSessionCorpus)
#include "tst_session_corpus.moc"
