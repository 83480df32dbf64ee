#include "core/base/error.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_model.h"
#include "ui/window/benchmarks/window_benchmark.h"
#include "ui/window/frame/application.h"

#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>

using namespace headscope;
using namespace headscope::ui;

namespace {

ApplicationServices tinyServices()
{
    ApplicationServices services;
    services.openModel = [](const std::string& name) {
        if (name != "builtin:tiny")
            throw FormatError("this is no checkpoint", name, 0, "Choose another file.");
        LoadedModel model = headscope::test::tinyModel();
        model.name = name;
        return model;
    };
    services.builtinModels = {"builtin:tiny"};
    services.device = "cpu";
    return services;
}

/// argc and argv of a program without arguments.
struct Arguments
{
    int count = 1;
    char name[10] = "headscope";
    char* values[2] = {name, nullptr};
};

} // namespace

/// runApplication and the benchmark create the QApplication, so this test has none.
class TstApplication : public QObject
{
    Q_OBJECT

private slots:
    void aScreenshotShowsTheTextOnEveryPage_data();
    void aScreenshotShowsTheTextOnEveryPage();
    void withoutAModelThereIsStillAWindow();
    void aBrokenModelIsAnError();
    void aMissingFolderIsAnError();
    void noDisplayIsAnError();
    void theBenchmarkMeasuresEveryKey();
};

void TstApplication::aScreenshotShowsTheTextOnEveryPage_data()
{
    QTest::addColumn<QString>("page");
    QTest::addColumn<QString>("theme");
    QTest::newRow("overview, light") << "overview"
                                     << "light";
    QTest::newRow("what-if, dark") << "what-if"
                                   << "dark";
    QTest::newRow("positions, light") << "positions"
                                      << "light";
}

void TstApplication::aScreenshotShowsTheTextOnEveryPage()
{
    QFETCH(QString, page);
    QFETCH(QString, theme);
    const QTemporaryDir folder;
    const auto shoot = [&](const QString& name, const std::string& text) {
        ApplicationServices services = tinyServices();
        services.text = text;
        services.page = page.toStdString();
        services.theme = theme.toStdString();
        services.size = QSize(1400, 800);
        services.screenshotPath = folder.filePath(name).toStdString();
        Arguments arguments;
        runApplication(arguments.count, arguments.values, std::move(services));
        return QImage(folder.filePath(name));
    };
    const QImage first = shoot("first.png", "the cat");
    const QImage second = shoot("second.png", "the cat sat on the mat");
    QCOMPARE(first.size() / first.devicePixelRatio(), QSize(1400, 800));
    QVERIFY(first != second);
    QCOMPARE(shoot("again.png", "the cat"), first); // no clock, no caret that blinks
    const bool dark = first.pixelColor(2, 400).lightness() < 128;
    QCOMPARE(dark, theme == "dark");
}

void TstApplication::withoutAModelThereIsStillAWindow()
{
    const QTemporaryDir folder;
    ApplicationServices services = tinyServices();
    services.builtinModels.clear();
    services.screenshotPath = folder.filePath("empty.png").toStdString();
    Arguments arguments;
    QCOMPARE(runApplication(arguments.count, arguments.values, std::move(services)), 0);
    QVERIFY(!QImage(folder.filePath("empty.png")).isNull());
}

void TstApplication::aBrokenModelIsAnError()
{
    const QTemporaryDir folder;
    ApplicationServices services = tinyServices();
    services.model = "nonsense.safetensors";
    services.screenshotPath = folder.filePath("none.png").toStdString();
    Arguments arguments;
    QVERIFY_EXCEPTION_THROWN(runApplication(arguments.count, arguments.values, std::move(services)),
                             Error);
    QVERIFY(!QFile::exists(folder.filePath("none.png")));
}

void TstApplication::aMissingFolderIsAnError()
{
    ApplicationServices services = tinyServices();
    services.screenshotPath = "/no/such/folder/picture.png";
    Arguments arguments;
    QVERIFY_EXCEPTION_THROWN(runApplication(arguments.count, arguments.values, std::move(services)),
                             Error);
}

void TstApplication::noDisplayIsAnError()
{
    const QByteArray platform = qgetenv("QT_QPA_PLATFORM");
    const QByteArray display = qgetenv("DISPLAY");
    const QByteArray wayland = qgetenv("WAYLAND_DISPLAY");
    for (const char* name : {"QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"})
        qunsetenv(name);
    Arguments arguments;
    QVERIFY_EXCEPTION_THROWN(runApplication(arguments.count, arguments.values, tinyServices()),
                             Error);
    qputenv("QT_QPA_PLATFORM", platform);
    qputenv("DISPLAY", display);
    qputenv("WAYLAND_DISPLAY", wayland);
}

void TstApplication::theBenchmarkMeasuresEveryKey()
{
    KeystrokeBenchmarkOptions options;
    options.tokens = 6;
    options.rounds = 2;
    Arguments arguments;
    const KeystrokeBenchmark result =
        runKeystrokeBenchmark(arguments.count, arguments.values, tinyServices(), options);
    QVERIFY(result.tokens >= 6);
    QVERIFY(result.keys > 0 && result.keys % 2 == 0);
    QCOMPARE(result.keyMs.size(), static_cast<std::size_t>(result.keys));
    QVERIFY(result.medianMs > 0.0);
    QVERIFY(result.medianMs <= result.p95Ms && result.p95Ms <= result.maximumMs);
    QVERIFY(result.startToFirstHeatmapMs > 0.0);
    QCOMPARE(result.model, std::string("builtin:tiny"));
    QVERIFY(!result.device.empty());
}

HEADSCOPE_TEST_WITHOUT_APPLICATION(TstApplication)
#include "tst_application.moc"
