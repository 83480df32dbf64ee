#include "tests/support/test_program.h"

#ifdef HEADSCOPE_TEST_WIDGETS
#include <QApplication>
#else
#include <QCoreApplication>
#endif

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::test {
namespace {

std::vector<TestClass>& tests()
{
    static std::vector<TestClass> all; // made by the first test that is added
    return all;
}

std::string nameOf(const TestClass& test)
{
    std::string_view file = test.file;
    file.remove_prefix(file.rfind("tst_") + 4);
    return std::string(file.substr(0, file.rfind('.')));
}

std::string g_running;

const TestClass* find(std::string_view name)
{
    for (const TestClass& test : tests()) {
        if (nameOf(test) == name)
            return &test;
    }
    return nullptr;
}

int execute(const TestClass& test, int argc, char** argv)
{
    std::vector<char*> arguments(argv, argv + argc);
    arguments.erase(arguments.begin() + 1);
    // Qt's handler forks inside abort() and hangs after heap corruption; a crash is a failure at once.
    static char noCrashHandler[] = "-nocrashhandler";
    arguments.push_back(noCrashHandler);
    int count = static_cast<int>(arguments.size());
    arguments.push_back(nullptr);

    test.initMain();
    std::unique_ptr<QCoreApplication> application;
    if (test.application == Application::Core)
        application = std::make_unique<QCoreApplication>(count, arguments.data());
#ifdef HEADSCOPE_TEST_WIDGETS
    if (test.application == Application::Widgets)
        application = std::make_unique<QApplication>(count, arguments.data());
#endif
    if (application)
        application->setAttribute(Qt::AA_Use96Dpi, true);
    const auto object = test.make();
    return QTest::qExec(object.get(), count, arguments.data());
}

} // namespace

bool addTest(const TestClass& test)
{
    tests().push_back(test);
    return true;
}

QString testName()
{
    return QString::fromStdString(g_running);
}

int runTestProgram(int argc, char** argv)
{
    const TestClass* test = argc < 2 ? nullptr : find(argv[1]);
    if (!test) {
        std::fprintf(stderr, "usage: %s TEST [ARGUMENTS OF QTest]; its tests:\n", argv[0]);
        for (const TestClass& each : tests())
            std::fprintf(stderr, "  %s\n", nameOf(each).c_str());
        return 2;
    }
    g_running = argv[1];
    return execute(*test, argc, argv);
}

} // namespace headscope::test

int main(int argc, char** argv)
{
    return headscope::test::runTestProgram(argc, argv);
}
