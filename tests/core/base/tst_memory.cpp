#include "core/base/memory.h"

#include "core/base/error.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cstring>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

using namespace headscope;

namespace {

/// Pages that go back to the kernel at once. An allocator may keep what it is given (AddressSanitizer does).
class MappedPages
{
public:
    explicit MappedPages(std::size_t bytes)
        : bytes_(bytes)
        , data_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
    {
        if (data_ != MAP_FAILED)
            std::memset(data_, 1, bytes_);
    }

    ~MappedPages()
    {
        if (data_ != MAP_FAILED)
            munmap(data_, bytes_);
    }

    MappedPages(const MappedPages&) = delete;
    MappedPages& operator=(const MappedPages&) = delete;

    bool isWritten() const
    {
        return data_ != MAP_FAILED && static_cast<const char*>(data_)[bytes_ - 1] == 1;
    }

private:
    std::size_t bytes_;
    void* data_;
};

} // namespace

class TstMemory : public QObject
{
    Q_OBJECT

private slots:
    void whatFitsPasses();
    void tooMuchIsRefusedWithBothNumbers();
    void theMachineHasSomeButNotMoreThanThereIs();
    void thePeakFollowsWhatIsTakenUntilItIsReset();
};

void TstMemory::whatFitsPasses()
{
    requireMemory(0, "none", 0);
    requireMemory(1000, "a model", 1000);
}

void TstMemory::tooMuchIsRefusedWithBothNumbers()
{
    try {
        requireMemory(1001, "a model of 250 parameters", 1000);
        QFAIL("1001 of 1000 bytes were granted");
    } catch (const Error& error) {
        const std::string text = error.what();
        QVERIFY2(text.find("a model of 250 parameters") != std::string::npos, text.c_str());
        QVERIFY2(text.find("1001") != std::string::npos, text.c_str());
        QVERIFY2(text.find("1000") != std::string::npos, text.c_str());
    }
}

void TstMemory::theMachineHasSomeButNotMoreThanThereIs()
{
    const std::uint64_t available = availableMemory();
    QVERIFY(available > 1'000'000);
    const auto pages = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES));
    QVERIFY(available <= pages * static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE)));
    QVERIFY_EXCEPTION_THROWN(requireMemory(std::uint64_t{1} << 60, "an exabyte"), Error);
}

void TstMemory::thePeakFollowsWhatIsTakenUntilItIsReset()
{
    constexpr std::size_t kBytes = std::size_t{64} << 20;
    resetPeakMemory();
    const std::uint64_t before = peakMemory();
    if (before == 0)
        QSKIP("the kernel does not count it");
    {
        const MappedPages taken(kBytes);
        QVERIFY(taken.isWritten());
    }
    QVERIFY(peakMemory() >= before + kBytes / 2);
    resetPeakMemory();
    QVERIFY(peakMemory() < before + kBytes / 2);
}

HEADSCOPE_TEST(TstMemory)
#include "tst_memory.moc"
