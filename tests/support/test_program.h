#pragma once

#include <QTest>

#include <memory>

/// One program holds the tests of a room: `tests_core_text bpe [ARGUMENTS OF QTest]` runs tst_bpe.cpp alone.
/// Each tst_*.cpp ends with one of the macros below instead of QTEST_MAIN.
namespace headscope::test {

enum class Application { None, Core, Widgets };

struct TestClass
{
    const char* file; ///< __FILE__ of its source; "tests/core/text/tst_bpe.cpp" is the test "bpe"
    Application application;
    void (*initMain)(); ///< before the application is made, as with QTEST_MAIN
    std::unique_ptr<QObject> (*make)();
};

/// Returns true, so that it can be called before main().
bool addTest(const TestClass& test);

/// The name of the test that this process runs: the first argument for a child that continues it.
QString testName();

} // namespace headscope::test

#define HEADSCOPE_ADD_TEST(Class, kind)                                                            \
    [[maybe_unused]] static const bool added##Class = headscope::test::addTest(                    \
        {__FILE__, headscope::test::Application::kind,                                             \
         [] { QTest::Internal::callInitMain<Class>(); },                                           \
         []() -> std::unique_ptr<QObject> { return std::make_unique<Class>(); }});

#define HEADSCOPE_TEST_WITHOUT_APPLICATION(Class) HEADSCOPE_ADD_TEST(Class, None)
#define HEADSCOPE_TEST(Class) HEADSCOPE_ADD_TEST(Class, Core)
#define HEADSCOPE_WINDOW_TEST(Class) HEADSCOPE_ADD_TEST(Class, Widgets)
