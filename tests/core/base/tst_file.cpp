#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/file_fault.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace headscope;
namespace fs = std::filesystem;

namespace {

std::size_t fileCount(const fs::path& folder)
{
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

std::string content(const fs::path& path)
{
    return readFile(path, 1 << 20);
}

void writeInPieces(const fs::path& path, const std::string& text)
{
    writeAtomically(path, [&](const ByteSink& sink) {
        for (const char& letter : text)
            sink(std::as_bytes(std::span(&letter, 1)));
    });
}

template<class Action>
bool isDenied(Action action)
{
    try {
        action();
    } catch (const Error& error) {
        return error.problem().find("Permission denied") != std::string::npos;
    }
    return false;
}

/// Fails the call number `failing`, counted from 0; `calls` counts on.
FileFault failAt(int failing, int error, int& calls)
{
    return [=, &calls](std::string_view) { return calls++ == failing ? error : 0; };
}

} // namespace

class TstFile : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase() { std::signal(SIGBUS, SIG_DFL); } // QtTest's handler runs a debugger

    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
    }

    void whatWasWrittenIsRead()
    {
        std::string bytes = "line\n";
        bytes += '\0';
        bytes += "\xff end";
        writeAtomically(path("a"), bytes);
        QCOMPARE(content(path("a")), bytes);
        QCOMPARE(fileCount(folder()), std::size_t{1});
    }

    void aMapShowsTheBytesAndOutlivesTheFile()
    {
        writeAtomically(path("a"), "mapped");
        const MappedFile mapped(path("a"));
        fs::resize_file(path("a"), 0);
        fs::remove(path("a"));
        QCOMPARE(std::string(reinterpret_cast<const char*>(mapped.bytes().data()),
                             mapped.bytes().size()),
                 std::string("mapped"));
    }

    void aLargeFileThatBecomesShorterIsZerosAndSaidSo()
    {
        constexpr std::size_t kSize = std::size_t{3} << 20;
        writeAtomically(path("a"), std::string(kSize, 'x'));
        const MappedFile mapped(path("a"));
        mapped.requireUnchanged();
        QVERIFY(mapped.bytes()[kSize - 1] == std::byte{'x'});
        fs::resize_file(path("a"), 5000);
        QVERIFY(mapped.bytes()[kSize - 1] == std::byte{0}); // no SIGBUS
        QVERIFY(mapped.bytes()[0] == std::byte{'x'});
        try {
            mapped.requireUnchanged();
            QFAIL("the change went unnoticed");
        } catch (const FormatError& error) {
            QCOMPARE(error.problem(),
                     std::string("the file had 3145728 bytes when it was opened and has 5000 now"));
        }
        fs::resize_file(path("a"), kSize); // of zeros where there were letters
        QVERIFY_THROWS_EXCEPTION(FormatError, mapped.requireUnchanged());
    }

    void aLargeFileThatIsOverwrittenIsSaidSo()
    {
        writeAtomically(path("a"), std::string(std::size_t{2} << 20, 'x'));
        const MappedFile mapped(path("a"));
        writeAtomically(path("a"), "another file of the same name");
        mapped.requireUnchanged(); // the mapped one is still whole
        writeAtomically(path("b"), std::string(std::size_t{2} << 20, 'x'));
        const MappedFile changed(path("b"));
        fs::last_write_time(path("b"), fs::file_time_type::clock::now() + std::chrono::hours(1));
        QVERIFY_THROWS_EXCEPTION(FormatError, changed.requireUnchanged());
    }

    void otherBusErrorsStillEndTheProcess()
    {
        writeAtomically(path("a"), std::string(std::size_t{2} << 20, 'x'));
        const MappedFile mapped(path("a")); // the handler is in place
        const pid_t child = ::fork();
        if (child == 0) {
            ::raise(SIGBUS);
            ::_exit(0);
        }
        int status = 0;
        QCOMPARE(::waitpid(child, &status, 0), child);
        QVERIFY(!WIFEXITED(status) || WEXITSTATUS(status) != 0);
    }

    void anEmptyFileIsAnEmptyMap()
    {
        writeAtomically(path("a"), "");
        QCOMPARE(MappedFile(path("a")).bytes().size(), std::size_t{0});
        QCOMPARE(content(path("a")), std::string());
    }

    void aLargerFileThanAllowedIsRefused()
    {
        writeAtomically(path("a"), "12345");
        QCOMPARE(readFile(path("a"), 5), std::string("12345"));
        QVERIFY_THROWS_EXCEPTION(FormatError, readFile(path("a"), 4));
    }

    void onlyRegularFilesAreRead_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("reported");
        QTest::newRow("folder") << "."
                                << "this is a folder";
        QTest::newRow("fifo") << "fifo"
                              << "this is a pipe";
        QTest::newRow("endless device") << "/dev/zero"
                                        << "this is a device";
        QTest::newRow("missing") << "missing"
                                 << "No such file";
        QTest::newRow("file as a folder") << "plain/x"
                                          << "Not a directory";
        QTest::newRow("link to itself") << "loop"
                                        << "symbolic links";
    }

    void onlyRegularFilesAreRead()
    {
        QFETCH(QString, file);
        QFETCH(QString, reported);
        QCOMPARE(::mkfifo(path("fifo").c_str(), 0600), 0);
        writeAtomically(path("plain"), "x");
        fs::create_symlink("loop", path("loop"));
        const fs::path target = folder() / file.toStdString();
        const auto refused = [&](auto read) {
            try {
                read();
            } catch (const FormatError& error) {
                const QString sentence = QString::fromStdString(error.what());
                return sentence.contains(reported) &&
                       sentence.contains(QString::fromStdString(target.string()));
            }
            return false;
        };
        QVERIFY(refused([&] { readFile(target, 100); }));
        QVERIFY(refused([&] { const MappedFile mapped(target); }));
    }

    void withoutPermissionThereIsASentence()
    {
        writeAtomically(path("secret"), "x");
        fs::permissions(path("secret"), fs::perms::none);
        const pid_t child = ::fork(); // which may give up being root
        if (child == 0) {
            if (::geteuid() == 0 && ::setuid(65534) != 0)
                ::_exit(1);
            ::_exit(isDenied([&] { readFile(path("secret"), 100); }) &&
                            isDenied([&] { writeAtomically(path("secret"), "y"); })
                        ? 0
                        : 2);
        }
        int status = 0;
        QCOMPARE(::waitpid(child, &status, 0), child);
        QVERIFY(WIFEXITED(status));
        QCOMPARE(WEXITSTATUS(status), 0);
    }

    void everyFailingCallLeavesTheOldFileAndNoOther()
    {
        const std::string before = "before";
        writeAtomically(path("a"), before);
        int calls = 0;
        {
            const ScopedFileFault count(failAt(-1, 0, calls));
            writeInPieces(path("b"), "after");
        }
        fs::remove(path("b"));
        const int total = calls;
        QCOMPARE(total, 1 + 5 + 3); // open, five writes, fsync, close, rename
        for (int failing = 0; failing < total; ++failing) {
            for (const int error : {ENOSPC, EIO, EACCES}) {
                calls = 0;
                const ScopedFileFault fault(failAt(failing, error, calls));
                QVERIFY_THROWS_EXCEPTION(Error, writeInPieces(path("a"), "after"));
                QCOMPARE(content(path("a")), before);
                QCOMPARE(fileCount(folder()), std::size_t{1});
            }
        }
        writeInPieces(path("a"), "after");
        QCOMPARE(content(path("a")), std::string("after"));
    }

    void anErrorNamesPathReasonAndAdvice()
    {
        int calls = 0;
        const ScopedFileFault fault(failAt(1, ENOSPC, calls));
        try {
            writeAtomically(path("a"), "text");
            QFAIL("it was written");
        } catch (const Error& error) {
            QVERIFY(error.problem().find("No space left") != std::string::npos);
            QCOMPARE(error.where(), path("a").string());
            QVERIFY(error.advice().find("Free some space") != std::string::npos);
        }
    }

    void aCrashAtEveryPointLeavesTheOldOrTheNewFile()
    {
        writeAtomically(path("a"), "before");
        for (int point = 0; point < 9; ++point) {
            const pid_t child = ::fork();
            if (child == 0) {
                int calls = 0;
                const ScopedFileFault crash([&](std::string_view) {
                    if (calls++ == point)
                        ::_exit(3);
                    return 0;
                });
                writeInPieces(path("a"), "after");
                ::_exit(4);
            }
            int status = 0;
            QCOMPARE(::waitpid(child, &status, 0), child);
            QVERIFY(WIFEXITED(status));
            QCOMPARE(WEXITSTATUS(status), 3);
            QCOMPARE(content(path("a")), std::string("before"));
        }
        writeInPieces(path("a"), "after"); // what crashed runs left behind is not in the way
        QCOMPARE(content(path("a")), std::string("after"));
    }

    void aWriterThatThrowsLeavesNothing()
    {
        const auto write = [](const ByteSink& sink) {
            sink(std::as_bytes(std::span("some")));
            throw Error("stopped");
        };
        QVERIFY_THROWS_EXCEPTION(Error, writeAtomically(path("a"), write));
        QCOMPARE(fileCount(folder()), std::size_t{0});
    }

    void onlyRegularFilesAreReplaced()
    {
        QCOMPARE(::mkfifo(path("fifo").c_str(), 0600), 0);
        fs::create_directory(path("sub"));
        QVERIFY_THROWS_EXCEPTION(Error, writeAtomically(path("fifo"), "x"));
        QVERIFY_THROWS_EXCEPTION(Error, writeAtomically(path("sub"), "x"));
        QVERIFY_THROWS_EXCEPTION(Error, writeAtomically(path("none") / "a", "x"));
        QVERIFY_THROWS_EXCEPTION(Error, writeAtomically("", "x"));
        QVERIFY(fs::is_fifo(path("fifo")));
        QCOMPARE(fileCount(folder()), std::size_t{2});
    }

    void theUmaskDecidesAndAnOldFileKeepsItsMode()
    {
        const mode_t before = ::umask(027);
        writeAtomically(path("a"), "x");
        ::umask(before);
        QCOMPARE(static_cast<unsigned>(fs::status(path("a")).permissions()), 0640U);
        fs::permissions(path("a"), fs::perms(0604));
        writeAtomically(path("a"), "y");
        QCOMPARE(static_cast<unsigned>(fs::status(path("a")).permissions()), 0604U);
    }

    void aLinkStaysALink()
    {
        writeAtomically(path("real"), "x");
        fs::create_symlink("real", path("link"));
        writeAtomically(path("link"), "y");
        QVERIFY(fs::is_symlink(path("link")));
        QCOMPARE(content(path("real")), std::string("y"));
    }

    void aRelativeNameIsWrittenInTheWorkingFolder()
    {
        const fs::path before = fs::current_path();
        fs::current_path(folder());
        writeAtomically("plain", "x");
        fs::current_path(before);
        QCOMPARE(content(path("plain")), std::string("x"));
    }

    void aNameOfTheGreatestLengthIsWritten()
    {
        const std::string name(255, 'n');
        writeAtomically(path(name.c_str()), "x");
        QCOMPARE(content(path(name.c_str())), std::string("x"));
    }

private:
    fs::path folder() const { return m_folder->path().toStdString(); }

    fs::path path(const char* name) const { return folder() / name; }

    std::unique_ptr<QTemporaryDir> m_folder;
};

HEADSCOPE_TEST(TstFile)
#include "tst_file.moc"
