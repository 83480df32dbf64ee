#include "ui/workers/training/lens_trainer.h"

#include "core/analysis/lens/tuned_lens_texts.h"
#include "core/base/error.h"
#include "ui/workers/error_sentence.h"

#include <QStandardPaths>

#include <chrono>
#include <numeric>

namespace headscope::ui {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kBetweenReports{50};

/// Copy of the LoadedModel with a name of its own, so that threads share no string.
LoadedModel copyOf(const LoadedModel& model)
{
    return {std::string(model.name.c_str()), model.model, model.tokenizer};
}

double meanOf(const std::vector<double>& values)
{
    return values.empty() ? 0.0
                          : std::accumulate(values.begin(), values.end(), 0.0) /
                                static_cast<double>(values.size());
}

} // namespace

std::filesystem::path ownLensFolder()
{
    const QString data = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    return std::filesystem::path(data.toStdString()) / "lenses";
}

LensTrainer::~LensTrainer()
{
    m_stop.request_stop();
}

void LensTrainer::find(const LoadedModel& model)
{
    ++m_waiting;
    m_thread.run([this, model = copyOf(model), folder = ownLensFolder()] {
        std::string why;
        std::string path;
        TunedLensPtr lens;
        try {
            if (const auto file = findTunedLens(tunedLensFolders(model, folder))) {
                path = file->string();
                lens = std::make_shared<const TunedLens>(loadTunedLens(*file, *model.model));
            }
        } catch (const std::exception& error) {
            why = errorSentence(error).toStdString();
        }
        m_home.send([this, model = model.model, lens, path, why] {
            finish(false);
            if (lens)
                emit found(model, lens, QString::fromStdString(path), false);
            else
                emit missing(model, QString::fromStdString(why));
        });
    });
}

void LensTrainer::train(const LoadedModel& model, const std::vector<SourceAndTarget>& texts,
                        const TunedLensSettings& settings)
{
    m_stop.request_stop();
    m_stop = std::stop_source();
    m_isTraining = true;
    ++m_waiting;
    m_progress = {LensProgress::Phase::Writing, 0, settings.tokens, 0.0};
    m_thread.run([this, model = copyOf(model), texts, settings, folder = ownLensFolder(),
                  stop = m_stop.get_token()] {
        Clock::time_point reported;
        const auto report = [&](const LensProgress& progress) {
            if (progress.done < progress.all && Clock::now() - reported < kBetweenReports)
                return;
            reported = Clock::now();
            m_home.send([this, progress] { tell(progress); });
        };
        try {
            const auto all = lensTexts(
                model, texts, settings,
                [&](std::int64_t done, std::int64_t of) {
                    report({LensProgress::Phase::Writing, done, of, 0.0});
                },
                stop);
            report({LensProgress::Phase::Reading, 0, 0, 0.0});
            const auto lens = std::make_shared<const TunedLens>(trainTunedLens(
                model, all, settings,
                [&](const TunedLensReport& step) {
                    report({LensProgress::Phase::Steps, step.step, step.steps,
                            meanOf(step.divergence)});
                },
                stop));
            const std::string path =
                keepTunedLens(tunedLensFolders(model, folder), *lens, *model.model).string();
            m_home.send([this, model = model.model, lens, path] {
                finish(true);
                emit found(model, lens, QString::fromStdString(path), true);
            });
        } catch (const Cancelled&) {
            m_home.send([this] {
                finish(true);
                emit failed({});
            });
        } catch (const std::exception& error) {
            m_home.send([this, why = errorSentence(error).toStdString()] {
                finish(true);
                emit failed(QString::fromStdString(why));
            });
        }
    });
}

void LensTrainer::cancel()
{
    m_stop.request_stop();
}

void LensTrainer::tell(const LensProgress& progress)
{
    m_progress = progress;
    emit advanced();
}

void LensTrainer::finish(bool training)
{
    --m_waiting;
    if (!training)
        return;
    m_isTraining = false;
    m_progress = {};
}

} // namespace headscope::ui
