#include "ui/window/benchmarks/window_benchmark.h"

#include "core/base/error.h"
#include "ui/window/frame/sentence_field.h"
#include "ui/window/frame/window_host.h"

#include <QElapsedTimer>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QWindow>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kTimeoutMs = 60'000;

double elapsedMs(const QElapsedTimer& timer)
{
    return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

/// Nearest-rank percentile of a non-empty sample.
double percentile(std::vector<double> sample, double fraction)
{
    std::sort(sample.begin(), sample.end());
    const auto rank = static_cast<std::size_t>(fraction * static_cast<double>(sample.size()));
    return sample[std::min(rank, sample.size() - 1)];
}

/// Types text and waits for the result of every key to be painted.
class Typist
{
public:
    explicit Typist(WindowHost& host) : m_host(host)
    {
        QObject::connect(&host.window(), &MainWindow::painted, &host.window(),
                         [this](quint64 ticket, double) { m_painted = ticket; });
    }

    void waitForTrace()
    {
        const auto isPainted = [this] {
            return m_painted != 0 && m_painted == m_host.session().computation().postedTicket();
        };
        if (!processEventsUntil([&] { return isPainted() || !m_error.isEmpty(); }, kTimeoutMs))
            throw Error("no result was painted", "keystroke benchmark");
        if (!m_error.isEmpty())
            throw Error(m_error.toStdString());
    }

    void noteErrors()
    {
        QObject::connect(&m_host.session(), &Session::errorRaised, &m_host.window(),
                         [this](const QString& sentence) { m_error = sentence; });
    }

    double type(QChar character)
    {
        SentenceField& field = m_host.window().sentence();
        QElapsedTimer timer;
        timer.start();
        QKeyEvent press(QEvent::KeyPress, 0, Qt::NoModifier, character);
        QCoreApplication::sendEvent(&field, &press);
        waitForTrace();
        const double taken = elapsedMs(timer);
        QKeyEvent release(QEvent::KeyRelease, 0, Qt::NoModifier, character);
        QCoreApplication::sendEvent(&field, &release);
        return taken;
    }

private:
    WindowHost& m_host;
    quint64 m_painted = 0;
    QString m_error;
};

void summarise(KeystrokeBenchmark& result)
{
    result.keys = static_cast<int>(result.keyMs.size());
    result.medianMs = percentile(result.keyMs, 0.5);
    result.p95Ms = percentile(result.keyMs, 0.95);
    result.maximumMs = percentile(result.keyMs, 1.0);
}

void typeRounds(WindowHost& host, Typist& typist, const KeystrokeBenchmarkOptions& options,
                KeystrokeBenchmark& result)
{
    const QString text = sentenceOf(options.tokens, *host.session().model().tokenizer);
    for (int round = 0; round < options.rounds; ++round) {
        host.session().document().replaceText({});
        typist.waitForTrace();
        for (const QChar character : text)
            result.keyMs.push_back(typist.type(character));
    }
    result.tokens = static_cast<int>(host.session().document().tokens().size());
}

} // namespace

QString sentenceOf(int tokens, const Tokenizer& tokenizer)
{
    static const QStringList words =
        QString("The animal didn't cross the street because it was too tired . The bank by the "
                "river flooded and the cat sat on the mat with the dog .")
            .split(' ');
    QString text = words.front();
    for (qsizetype next = 1;
         tokenizer.encode(text.toStdString()).size() < static_cast<std::size_t>(tokens); ++next)
        text += ' ' + words[next % words.size()];
    return text;
}

KeystrokeBenchmark runKeystrokeBenchmark(int& argc, char** argv, ApplicationServices services,
                                         const KeystrokeBenchmarkOptions& options)
{
    if (options.tokens < 1 || options.rounds < 1)
        throw Error("tokens and rounds must be at least 1", "keystroke benchmark");
    QElapsedTimer start;
    start.start();
    ApplicationHost application(argc, argv, services.version);
    auto settings = std::make_unique<Settings>(Settings::Storage::Memory);
    application.useTheme("light");
    if (!options.model.empty())
        services.model = options.model;
    services.size = options.size;
    WindowHost host(services, std::move(settings));
    Typist typist(host);
    typist.noteErrors();
    host.openFirstModel(services);
    host.window().show();
    typist.waitForTrace();

    KeystrokeBenchmark result;
    result.startToFirstHeatmapMs = elapsedMs(start);
    typeRounds(host, typist, options, result);
    summarise(result);
    result.model = host.session().model().name;
    result.device = host.session().traceA()->info().device;
    result.platform = QGuiApplication::platformName().toStdString();
    return result;
}

} // namespace headscope::ui
