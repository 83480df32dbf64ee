#pragma once

#include "ui/pages/shared/figures/figure_sheet.h"
#include "ui/pages/train/train_content.h"
#include "ui/workers/tasks/return_path.h"
#include "ui/workers/tasks/task_thread.h"

#include <filesystem>
#include <stop_token>

namespace headscope::ui {

/// Writes a run as a film: one PNG a moment, "frame-0001.png", with the attention that its weights
/// give on the document's text. On its own thread, so that looking and training go on.
class TrainFilm : public QObject
{
    Q_OBJECT

public:
    explicit TrainFilm(QObject* parent = nullptr);
    ~TrainFilm() override; ///< cancels and waits

    /// Nothing happens while one is being written.
    void start(const TrainPicture& picture, const FigureStyle& style,
               const std::filesystem::path& folder);
    void cancel();

    bool isRunning() const { return m_isRunning; }

signals:
    void progressed(int done, int all);
    void finished(const QString& folder, int frames); ///< fewer than all when it was cancelled
    void failed(const QString& sentence);

private:
    void write(const TrainPicture& picture, const FigureStyle& style,
               const std::filesystem::path& folder, const std::stop_token& stop);

    bool m_isRunning = false;
    std::stop_source m_stop;
    ReturnPath m_home;
    TaskThread m_thread;
};

/// The picture of one moment: its weights on the text of `picture`.
TrainPicture pictureAt(const TrainPicture& picture, std::int64_t step, std::stop_token stop = {});

} // namespace headscope::ui
