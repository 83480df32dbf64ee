// links: gpu/attention
#include "tests/gpu/gpu_test.h"

#include "core/base/error.h"
#include "gpu/cl/status.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>

#include <array>

using namespace headscope;
using gpu::ProgramCache;
using gpu::ProgramKey;

namespace {

const ProgramKey kKey{"a device", "driver 1.0", "kernel void f() {}", "-DA=1"};

QByteArray bytesOf(const std::filesystem::path& path)
{
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void overwrite(const std::filesystem::path& path, const QByteArray& bytes)
{
    QFile file(QString::fromStdString(path.string()));
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    QCOMPARE(file.write(bytes), bytes.size());
}

const std::string kSource = "kernel void fill(global int* x, int value)\n"
                            "{\n    x[get_global_id(0)] = value + EXTRA;\n}\n";

} // namespace

class TstProgramCache : public QObject
{
    Q_OBJECT

private slots:
    void whatIsStoredIsFound();
    void everyPartOfTheKeyCounts();
    void everyTruncationIsNoEntry();
    void everyChangedByteIsNoEntry();
    void anEntryOfAnotherKeyUnderItsNameIsNoEntry();
    void anUnwritableFolderKeepsNothing();
    void noFolderKeepsNothing();
    void theDefaultFolderFollowsXdg();
    void aSecondBuildComesFromTheCacheAndComputesTheSame();
    void aDamagedBinaryIsBuiltAgain();
    void attentionKernelsComeFromTheCacheToo();
    void aBuildErrorCarriesTheLog();
    void aLogNamesFilesWhereTheDriverDoesNot();

private:
    int runFill(const gpu::OpenClDevice& device, const ProgramCache& cache, bool expectCached);
};

void TstProgramCache::whatIsStoredIsFound()
{
    const QTemporaryDir folder;
    const ProgramCache cache(folder.filePath("new/folder").toStdString());
    QVERIFY(!cache.load(kKey).has_value());
    const std::string binary("\0binary\n\xff with anything", 22);
    QVERIFY(cache.store(kKey, binary));
    QCOMPARE(cache.load(kKey), std::optional(binary));
}

void TstProgramCache::everyPartOfTheKeyCounts()
{
    const QTemporaryDir folder;
    const ProgramCache cache(folder.path().toStdString());
    QVERIFY(cache.store(kKey, "binary"));
    std::array<ProgramKey, 4> others{kKey, kKey, kKey, kKey};
    others[0].device += "!";
    others[1].driver += "!";
    others[2].source += "!";
    others[3].options += "!";
    for (const ProgramKey& other : others)
        QVERIFY(!cache.load(other).has_value());
}

void TstProgramCache::everyTruncationIsNoEntry()
{
    const QTemporaryDir folder;
    const ProgramCache cache(folder.path().toStdString());
    QVERIFY(cache.store(kKey, "binary"));
    const QByteArray whole = bytesOf(cache.pathOf(kKey));
    for (qsizetype size = 0; size < whole.size(); ++size) {
        overwrite(cache.pathOf(kKey), whole.first(size));
        QVERIFY(!cache.load(kKey).has_value());
    }
    overwrite(cache.pathOf(kKey), whole + "more");
    QVERIFY(!cache.load(kKey).has_value());
}

void TstProgramCache::everyChangedByteIsNoEntry()
{
    const QTemporaryDir folder;
    const ProgramCache cache(folder.path().toStdString());
    QVERIFY(cache.store(kKey, "binary"));
    const QByteArray whole = bytesOf(cache.pathOf(kKey));
    for (qsizetype at = 0; at < whole.size(); ++at) {
        QByteArray changed = whole;
        changed[at] = static_cast<char>(changed[at] ^ 0x55);
        overwrite(cache.pathOf(kKey), changed);
        QVERIFY(!cache.load(kKey).has_value());
    }
}

void TstProgramCache::anEntryOfAnotherKeyUnderItsNameIsNoEntry()
{
    const QTemporaryDir folder;
    const ProgramCache cache(folder.path().toStdString());
    ProgramKey other = kKey;
    other.driver = "driver 2.0";
    QVERIFY(cache.store(other, "binary of another driver"));
    std::filesystem::rename(cache.pathOf(other), cache.pathOf(kKey));
    QVERIFY(!cache.load(kKey).has_value());
}

void TstProgramCache::anUnwritableFolderKeepsNothing()
{
    const QTemporaryDir folder;
    overwrite(folder.filePath("file").toStdString(), "in the way");
    const ProgramCache cache(folder.filePath("file/below").toStdString());
    QVERIFY(!cache.store(kKey, "binary"));
    QVERIFY(!cache.load(kKey).has_value());
}

void TstProgramCache::noFolderKeepsNothing()
{
    const ProgramCache cache({});
    QVERIFY(!cache.store(kKey, "binary"));
    QVERIFY(!cache.load(kKey).has_value());
}

void TstProgramCache::theDefaultFolderFollowsXdg()
{
    const QByteArray before = qgetenv("XDG_CACHE_HOME");
    qputenv("XDG_CACHE_HOME", "/some/cache");
    QCOMPARE(ProgramCache::defaultFolder(), std::filesystem::path("/some/cache/headscope/opencl"));
    qputenv("XDG_CACHE_HOME", "relative/paths/are/ignored");
    QVERIFY(ProgramCache::defaultFolder().is_absolute() || ProgramCache::defaultFolder().empty());
    before.isNull() ? qunsetenv("XDG_CACHE_HOME") : qputenv("XDG_CACHE_HOME", before);
}

int TstProgramCache::runFill(const gpu::OpenClDevice& device, const ProgramCache& cache,
                             bool expectCached)
{
    const gpu::Context context = gpu::createContext(device.id);
    const gpu::Queue queue = gpu::createQueue(context.get(), device.id);
    const gpu::BuiltProgram built =
        gpu::buildProgram(context.get(), device, kSource, "-DEXTRA=40", cache);
    const gpu::Kernel kernel = gpu::createKernel(built.program.get(), "fill");
    const gpu::Buffer buffer = gpu::createBuffer(context.get(), CL_MEM_READ_WRITE, sizeof(cl_int));
    gpu::setArguments(kernel.get(), buffer.get(), cl_int{2});
    const std::size_t one = 1;
    HS_CL(clEnqueueNDRangeKernel(queue.get(), kernel.get(), 1, nullptr, &one, &one, 0, nullptr,
                                 nullptr));
    cl_int result = 0;
    HS_CL(clEnqueueReadBuffer(queue.get(), buffer.get(), CL_TRUE, 0, sizeof result, &result, 0,
                              nullptr, nullptr));
    gpu::keepProgram(built, cache);
    return built.fromCache == expectCached ? result : -1;
}

void TstProgramCache::aSecondBuildComesFromTheCacheAndComputesTheSame()
{
    const auto devices = gpu::findDevices();
    HS_NEED_DEVICE(!devices.empty());
    const QTemporaryDir folder;
    const ProgramCache cache(folder.path().toStdString());
    QCOMPARE(runFill(devices[0], cache, false), 42);
    QCOMPARE(QDir(folder.path()).entryList({"*.clbin"}, QDir::Files).size(), 1);
    QCOMPARE(runFill(devices[0], cache, true), 42);
}

void TstProgramCache::aDamagedBinaryIsBuiltAgain()
{
    const auto devices = gpu::findDevices();
    HS_NEED_DEVICE(!devices.empty());
    const QTemporaryDir folder;
    const ProgramCache cache(folder.path().toStdString());
    QCOMPARE(runFill(devices[0], cache, false), 42);
    const QString entry =
        folder.filePath(QDir(folder.path()).entryList({"*.clbin"}, QDir::Files).at(0));
    const QByteArray whole = bytesOf(entry.toStdString());
    for (const QByteArray& damaged : {whole.first(whole.size() / 2), QByteArray("garbage")}) {
        overwrite(entry.toStdString(), damaged);
        QCOMPARE(runFill(devices[0], cache, false), 42);
        QCOMPARE(runFill(devices[0], cache, true), 42);
    }
}

void TstProgramCache::attentionKernelsComeFromTheCacheToo()
{
    const QTemporaryDir folder;
    for (const bool isCached : {false, true}) {
        const auto library = test::testLibrary(folder.path().toStdString());
        HS_NEED_DEVICE(library);
        const gpu::KernelFamily family = gpu::KernelFamily::Block;
        const gpu::ProgramSpec spec{family, false, 16, 16,
                                    gpu::chooseTuning(family, library->device().facts, 16, 16)};
        QCOMPARE(library->request(spec).get()->fromCache, isCached);
    } // destroying the library waits until the program is kept
    QCOMPARE(QDir(folder.path()).entryList({"*.clbin"}, QDir::Files).size(), 1);
}

void TstProgramCache::aBuildErrorCarriesTheLog()
{
    const auto devices = gpu::findDevices();
    HS_NEED_DEVICE(!devices.empty());
    const gpu::Context context = gpu::createContext(devices[0].id);
    try {
        gpu::buildProgram(context.get(), devices[0],
                          "#line 1 \"gpu/kernels/broken.cl\"\nkernel void f() { nonsense; }\n", "",
                          ProgramCache({}));
        QFAIL("a broken kernel was built");
    } catch (const BackendError& error) {
        QCOMPARE(error.status(), CL_BUILD_PROGRAM_FAILURE);
        const std::string sentence = error.what();
        QVERIFY2(sentence.find("CL_BUILD_PROGRAM_FAILURE") != std::string::npos, error.what());
        QVERIFY2(sentence.find("broken.cl") != std::string::npos, error.what());
        QVERIFY2(sentence.find("nonsense") != std::string::npos, error.what());
    }
}

void TstProgramCache::aLogNamesFilesWhereTheDriverDoesNot()
{
    const std::string source = "#line 1 \"gpu/kernels/a.cl\"\nint a;\nint b;\n"
                               "#line 1 \"gpu/kernels/b.cl\"\nint c;\n";
    QCOMPARE(gpu::namingFiles("<kernel>:3:5: error: x\n<kernel>:5:1: note: y\n", source),
             std::string("gpu/kernels/a.cl:2:5: error: x\ngpu/kernels/b.cl:1:1: note: y\n"));
    QCOMPARE(gpu::namingFiles("gpu/kernels/a.cl:2:5: error", source),
             std::string("gpu/kernels/a.cl:2:5: error"));
    QCOMPARE(gpu::namingFiles("<kernel>:99:1: error", "int a;\n"),
             std::string("<kernel>:1:1: error"));
}

HEADSCOPE_TEST(TstProgramCache)
#include "tst_program_cache.moc"
