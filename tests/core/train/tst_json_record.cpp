#include "core/base/error.h"
#include "core/train/files/json_record.h"
#include "tests/support/test_program.h"

#include <QtTest>

using namespace headscope;

namespace {

JsonRecord record(const nlohmann::json& object)
{
    return {object, "task", {"name", "shown"}, "sort.json"};
}

} // namespace

class TstJsonRecord : public QObject
{
    Q_OBJECT

private slots:

    void theNameIsThatOfTheFile()
    {
        const nlohmann::json object = {{"name", "sort"}};
        QCOMPARE(record(object).nameAs("sort"), "sort");
        QVERIFY_THROWS_EXCEPTION(FormatError, record(object).nameAs("copy"));
    }

    void aSwitchIsOffUnlessTheFileTurnsItOn()
    {
        const nlohmann::json none = nlohmann::json::object();
        const nlohmann::json on = {{"shown", true}};
        QVERIFY(!record(none).isOn("shown"));
        QVERIFY(record(on).isOn("shown"));
    }
};

HEADSCOPE_TEST_WITHOUT_APPLICATION(TstJsonRecord)
#include "tst_json_record.moc"
