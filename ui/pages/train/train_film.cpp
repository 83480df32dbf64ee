#include "ui/pages/train/train_film.h"

#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "ui/pages/shared/figures/figure_file.h"
#include "ui/pages/train/train_figure.h"
#include "ui/workers/error_sentence.h"
#include "ui/workers/forward/thumbnails.h"

namespace headscope::ui {

TrainFilm::TrainFilm(QObject* parent) : QObject(parent) {}

TrainFilm::~TrainFilm()
{
    m_stop.request_stop();
}

void TrainFilm::start(const TrainPicture& picture, const FigureStyle& style,
                      const std::filesystem::path& folder)
{
    if (m_isRunning)
        return;
    m_isRunning = true;
    m_stop = {};
    emit progressed(0, static_cast<int>(picture.record.moments.size()));
    m_thread.run([this, picture, style, folder, stop = m_stop.get_token()] {
        try {
            write(picture, style, folder, stop);
        } catch (const std::exception& error) {
            m_home.send([this, sentence = errorSentence(error)] {
                m_isRunning = false;
                emit failed(sentence);
            });
        }
    });
}

void TrainFilm::cancel()
{
    m_stop.request_stop();
}

void TrainFilm::write(const TrainPicture& picture, const FigureStyle& style,
                      const std::filesystem::path& folder, const std::stop_token& stop)
{
    std::filesystem::create_directories(folder);
    const int all = static_cast<int>(picture.record.moments.size());
    int done = 0;
    try {
        for (const Moment& moment : picture.record.moments) {
            if (stop.stop_requested())
                break;
            const Figure figure = trainFigure(pictureAt(picture, moment.step, stop));
            const QString name =
                QStringLiteral("frame-%1.png").arg(done + 1, 4, 10, QLatin1Char('0'));
            saveFigure(figure, style, folder / name.toStdString());
            ++done;
            m_home.send([this, done, all] { emit progressed(done, all); });
        }
    } catch (const Cancelled&) {
        // what is there stays
    }
    m_home.send([this, folder, done] {
        m_isRunning = false;
        emit finished(QString::fromStdString(folder.string()), done);
    });
}

TrainPicture pictureAt(const TrainPicture& picture, std::int64_t step, std::stop_token stop)
{
    TrainPicture moment = picture;
    moment.shown = step;
    moment.running = false;
    if (!picture.looking.a || !picture.record.tokenizer)
        return moment;
    const LoadedModel model{picture.record.snapshotPath(step).string(),
                            Timeline(picture.record.folder).load(step), picture.record.tokenizer};
    Tracer tracer(model, std::make_unique<CpuAttention>());
    const TraceRequest request = TraceRequest::forViews();
    const Trace& before = *picture.looking.a;
    const bool isTwoStacks = model.model->config().architecture == Architecture::EncoderDecoder;
    moment.looking.modelA = moment.looking.modelB = model;
    moment.looking.a =
        isTwoStacks ? tracer.trace({before.sourceTokens(), before.tokens()}, request, {}, stop)
                    : tracer.trace(before.tokens(), request, {}, stop);
    moment.looking.b = nullptr;
    moment.looking.changes = {};
    moment.looking.shown = Run::A;
    moment.looking.thumbnailsA = thumbnailsOf(*moment.looking.a);
    return moment;
}

} // namespace headscope::ui
