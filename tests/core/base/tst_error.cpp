#include "core/base/error.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;

class TstError : public QObject
{
    Q_OBJECT

private slots:

    void aSentenceSaysWhatWhereAndWhatToDo()
    {
        QCOMPARE(std::string(Error("it broke").what()), std::string("it broke"));
        QCOMPARE(std::string(Error("it broke", "here").what()), std::string("it broke (here)"));
        QCOMPARE(std::string(Error("it broke", "here", "Mend it").what()),
                 std::string("it broke (here). Mend it"));
        QCOMPARE(std::string(Error("it broke", {}, "Mend it").what()),
                 std::string("it broke. Mend it"));
    }

    void aFormatErrorNamesFileAndByte()
    {
        const FormatError error("bad length", "a.bin", 17, "Fetch it again");
        QCOMPARE(std::string(error.what()),
                 std::string("bad length (a.bin, byte 17). Fetch it again"));
        QCOMPARE(FormatError("bad", "a").where(), std::string("a"));
    }

    void aBackendErrorCarriesCallAndStatus()
    {
        const BackendError error("clFinish", -5, "Use the CPU");
        QCOMPARE(error.call(), std::string("clFinish"));
        QCOMPARE(error.status(), -5);
        QCOMPARE(std::string(error.what()),
                 std::string("clFinish failed with status -5. Use the CPU"));
    }
};

HEADSCOPE_TEST(TstError)
#include "tst_error.moc"
