// labels: threads
#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "tests/support/gguf_models.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_model.h"
#include "ui/workers/models/model_loader.h"
#include "ui/workers/models/model_search.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <semaphore>
#include <thread>

using namespace headscope;
using namespace headscope::ui;

namespace {

LoadedModel tinyNamed(const std::string& name)
{
    LoadedModel model = test::tinyModel();
    model.name = name;
    return model;
}

/// Reads two of four bytes of anything "slow" and goes on until it is told to stop.
struct SlowOpener
{
    std::atomic<int> begun = 0;
    std::atomic<int> stopped = 0;

    OpenedModel open(const std::string& name, Progress& progress)
    {
        if (name != "slow")
            return {tinyNamed(name), {}};
        progress.expect(4);
        progress.add(2);
        ++begun;
        try {
            for (;; std::this_thread::sleep_for(std::chrono::milliseconds(1)))
                progress.requireGoingOn();
        } catch (const Cancelled&) {
            ++stopped;
            throw;
        }
    }

    ModelOpener opener()
    {
        return [this](const std::string& name, Progress& progress) { return open(name, progress); };
    }
};

/// What a loader says.
struct Listener : QObject
{
    explicit Listener(ModelLoader& loader)
    {
        connect(&loader, &ModelLoader::loaded, this, [this](const OpenedModel& opened) {
            loaded << QString::fromStdString(opened.model.name);
            last = opened;
        });
        connect(&loader, &ModelLoader::failed, this,
                [this](const QString&, const QString& sentence) { failed << sentence; });
        connect(&loader, &ModelLoader::advanced, this,
                [this](const QString& name, quint64 done, quint64 total) {
                    advanced << QStringLiteral("%1 %2/%3").arg(name).arg(done).arg(total);
                });
    }

    QStringList loaded;
    QStringList failed;
    QStringList advanced;
    OpenedModel last;
};

} // namespace

class TstModelLoader : public QObject
{
    Q_OBJECT

private slots:
    void theNewestWishAloneIsAnswered();
    void errorsBecomeSentences();
    void aModelIsNeededAndItsTokenizer();
    void progressIsToldAndTheAuditComes();
    void aNewerWishStopsTheOneThatRuns();
    void aCancelledWishIsNotAnswered();
    void closingStopsTheOneThatRuns();
    void aPlainFunctionIsAnOpener();
    void modelsOfThisMachineAreFound();
};

void TstModelLoader::theNewestWishAloneIsAnswered()
{
    std::counting_semaphore<> gate(0);
    ModelLoader loader([&gate](const std::string& name) {
        gate.acquire();
        return tinyNamed(name);
    });
    const Listener listener(loader);
    loader.load("one");
    loader.load("two");
    loader.load("three");
    gate.release(3);
    QTRY_COMPARE(listener.loaded, QStringList{"three"});
    QVERIFY(listener.failed.isEmpty());
}

void TstModelLoader::errorsBecomeSentences()
{
    ModelLoader loader([](const std::string& name) -> LoadedModel {
        throw FormatError("this is no checkpoint", name, 12, "Choose another file.");
    });
    const Listener listener(loader);
    loader.load("some.safetensors");
    QTRY_COMPARE(listener.failed.size(), 1);
    QVERIFY2(listener.failed.front().contains("this is no checkpoint"),
             qPrintable(listener.failed.front()));
    QVERIFY(listener.failed.front().contains("some.safetensors"));
}

void TstModelLoader::aModelIsNeededAndItsTokenizer()
{
    ModelLoader loader([](const std::string&) { return LoadedModel(); });
    const Listener listener(loader);
    loader.load("none");
    QTRY_COMPARE(listener.failed.size(), 1);
    QVERIFY(listener.failed.front().contains("incomplete"));
}

void TstModelLoader::progressIsToldAndTheAuditComes()
{
    const QTemporaryDir folder;
    const std::string path = folder.filePath("small.gguf").toStdString();
    writeAtomically(path, test::smallGguf());
    ModelLoader loader(
        [](const std::string& name, Progress& progress) { return openGgufModel(name, progress); });
    const Listener listener(loader);
    loader.load(QString::fromStdString(path));
    QTRY_COMPARE(listener.loaded.size(), 1);
    QCOMPARE(listener.last.audit.family, std::string("llama"));
    QCOMPARE(listener.last.audit.path, path);
    QVERIFY(!listener.advanced.isEmpty());
    const QString all = QString::number(listener.last.audit.tensorBytes);
    QCOMPARE(listener.advanced.back(),
             QString::fromStdString(path) + QStringLiteral(" %1/%1").arg(all));
}

void TstModelLoader::aNewerWishStopsTheOneThatRuns()
{
    SlowOpener slow;
    ModelLoader loader(slow.opener());
    const Listener listener(loader);
    loader.load("slow");
    QTRY_COMPARE(listener.advanced, QStringList{"slow 2/4"});
    loader.load("quick");
    QTRY_COMPARE(listener.loaded, QStringList{"quick"});
    QCOMPARE(slow.stopped.load(), 1);
    QVERIFY(listener.failed.isEmpty());
}

void TstModelLoader::aCancelledWishIsNotAnswered()
{
    SlowOpener slow;
    ModelLoader loader(slow.opener());
    const Listener listener(loader);
    loader.load("slow");
    QTRY_COMPARE(slow.begun.load(), 1);
    loader.cancel();
    QTRY_COMPARE(slow.stopped.load(), 1);
    loader.load("next"); // answered after everything about the one before
    QTRY_COMPARE(listener.loaded, QStringList{"next"});
    QVERIFY(listener.failed.isEmpty());
}

void TstModelLoader::closingStopsTheOneThatRuns()
{
    SlowOpener slow;
    {
        ModelLoader loader(slow.opener());
        loader.load("slow");
        QTRY_COMPARE(slow.begun.load(), 1);
    }
    QCOMPARE(slow.stopped.load(), 1);
}

void TstModelLoader::aPlainFunctionIsAnOpener()
{
    const ModelOpener opener = tinyNamed;
    QVERIFY(opener && !ModelOpener());
    Progress progress;
    QVERIFY(opener("one", progress).audit.tensors.empty());
    const std::function<LoadedModel(const std::string&)> open = opener;
    QCOMPARE(open("two").name, std::string("two"));
    std::stop_source stop;
    stop.request_stop();
    Progress stopped(stop.get_token());
    QVERIFY_EXCEPTION_THROWN(opener("three", stopped), Cancelled);
}

void TstModelLoader::modelsOfThisMachineAreFound()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath("small.gguf");
    writeAtomically(path.toStdString(), test::smallGguf());
    qputenv("HEADSCOPE_MODELS", folder.path().toUtf8());
    ModelSearch search;
    QVERIFY(!search.shelf());
    const QSignalSpy started(&search, &ModelSearch::started);
    const QSignalSpy finished(&search, &ModelSearch::finished);
    search.look();
    search.look(); // the first is enough
    QCOMPARE(started.size(), 1);
    QTRY_COMPARE(finished.size(), 1);
    qunsetenv("HEADSCOPE_MODELS");
    QVERIFY(!search.isReading() && search.shelf());
    const auto& installed = search.shelf()->installed;
    QVERIFY(std::any_of(installed.begin(), installed.end(), [&](const InstalledModel& model) {
        return model.path == path.toStdString() && model.kind == "GGUF" && model.bytes > 0;
    }));
    QCOMPARE(search.shelf()->recipes.size(), modelRecipes().size());
    QVERIFY(!search.shelf()->places.folders.empty());
}

HEADSCOPE_TEST(TstModelLoader)
#include "tst_model_loader.moc"
