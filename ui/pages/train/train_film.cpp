#include "ui/pages/train/train_film.h"

#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "ui/pages/shared/figures/figure_file.h"
#include "ui/pages/train/train_figure.h"
#include "ui/workers/error_sentence.h"
#include "ui/workers/forward/thumbnails.h"

#include <QImage>

#include <exception>
#include <utility>

namespace headscope::ui {

/// Frames to render, and their destination.
struct TrainFilm::Order
{
    TrainContent trainContent;
    FigureStyle style;
    std::filesystem::path folder;
    std::stop_token stop;

    std::size_t frames() const { return trainContent.record.snapshots.size(); }
};

TrainFilm::TrainFilm(QObject* parent) : QObject(parent) {}

TrainFilm::~TrainFilm()
{
    m_stop.request_stop();
}

void TrainFilm::start(const TrainContent& trainContent, const FigureStyle& style,
                      const std::filesystem::path& folder)
{
    if (m_isRunning)
        return;
    m_isRunning = true;
    m_stop = {};
    emit progressed(0, static_cast<int>(trainContent.record.snapshots.size()));
    const auto order =
        std::make_shared<const Order>(Order{trainContent, style, folder, m_stop.get_token()});
    onThread([this, order] {
        std::filesystem::create_directories(order->folder);
        prepare(order, 0);
    });
}

void TrainFilm::cancel()
{
    m_stop.request_stop();
}

void TrainFilm::onThread(std::function<void()> work)
{
    m_thread.run([this, work = std::move(work)] {
        try {
            work();
        } catch (const std::exception& error) {
            fail(error);
        }
    });
}

/// Callable from any thread.
void TrainFilm::fail(const std::exception& error)
{
    m_home.send([this, sentence = errorSentence(error)] {
        m_isRunning = false;
        emit failed(sentence);
    });
}

/// Runs on the film's thread: loads a snapshot's weights, then returns it for painting.
void TrainFilm::prepare(const OrderPtr& order, std::size_t frame)
{
    if (frame == order->frames() || order->stop.stop_requested())
        return finish(order, frame);
    try {
        const std::int64_t step = order->trainContent.record.snapshots[frame].step;
        const auto figure = std::make_shared<const Figure>(
            trainFigure(imageAt(order->trainContent, step, order->stop)));
        m_home.send([this, order, frame, figure] { paint(order, frame, figure); });
    } catch (const Cancelled&) {
        finish(order, frame); // Keeps existing files.
    }
}

void TrainFilm::paint(const OrderPtr& order, std::size_t frame, const FigurePtr& figure)
{
    try {
        onThread([this, order, frame, figure, image = figureImage(*figure, order->style)] {
            save(order, frame, *figure, image);
            prepare(order, frame + 1);
        });
    } catch (const std::exception& error) {
        fail(error);
    }
}

/// Runs on the film's thread.
void TrainFilm::save(const OrderPtr& order, std::size_t frame, const Figure& figure,
                     const QImage& image)
{
    const int done = static_cast<int>(frame) + 1;
    const QString name = QStringLiteral("frame-%1.png").arg(done, 4, 10, QLatin1Char('0'));
    saveFigureImage(image, figure, order->style, order->folder / name.toStdString());
    const int all = static_cast<int>(order->frames());
    m_home.send([this, done, all] { emit progressed(done, all); });
}

/// Called from the film's thread.
void TrainFilm::finish(const OrderPtr& order, std::size_t frames)
{
    m_home.send([this, folder = order->folder.string(), frames] {
        m_isRunning = false;
        emit finished(QString::fromStdString(folder), static_cast<int>(frames));
    });
}

TrainContent imageAt(const TrainContent& trainContent, std::int64_t step, std::stop_token stop)
{
    TrainContent snapshot = trainContent;
    snapshot.shown = step;
    snapshot.running = false;
    if (!trainContent.view.a || !trainContent.record.tokenizer)
        return snapshot;
    const LoadedModel model{trainContent.record.snapshotPath(step).string(),
                            trainContent.record.source().load(step, stop),
                            trainContent.record.tokenizer};
    Tracer tracer(model, std::make_unique<CpuAttention>());
    const TraceRequest request = TraceRequest::forViews();
    const Trace& before = *trainContent.view.a;
    const bool isTwoStacks = model.model->config().isEncoderDecoder();
    snapshot.view.modelA = snapshot.view.modelB = model;
    snapshot.view.a =
        isTwoStacks ? tracer.trace({before.sourceTokens(), before.tokens()}, request, {}, stop)
                    : tracer.trace(before.tokens(), request, {}, stop);
    snapshot.view.b = nullptr;
    snapshot.view.changes = {};
    snapshot.view.shown = Variant::A;
    snapshot.view.thumbnailsA = thumbnailsOf(*snapshot.view.a);
    return snapshot;
}

} // namespace headscope::ui
