#pragma once

#include "ui/pages/shared/figures/figure_sheet.h"
#include "ui/pages/train/train_content.h"
#include "ui/workers/tasks/return_path.h"
#include "ui/workers/tasks/task_thread.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>

namespace headscope::ui {

/// Writes a run as a film: one PNG a moment, "frame-0001.png", with the attention that its weights
/// give on the document's text. Traces and files on its own thread, so that looking and training go
/// on; only the painting between the two is done here, since charts allow no other thread.
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
    struct Order;
    using OrderPtr = std::shared_ptr<const Order>;
    using FigurePtr = std::shared_ptr<const Figure>;

    void onThread(std::function<void()> work);
    void fail(const std::exception& error);
    void prepare(const OrderPtr& order, std::size_t frame);
    void paint(const OrderPtr& order, std::size_t frame, const FigurePtr& figure);
    void save(const OrderPtr& order, std::size_t frame, const Figure& figure, const QImage& image);
    void finish(const OrderPtr& order, std::size_t frames);

    bool m_isRunning = false;
    std::stop_source m_stop;
    ReturnPath m_home;
    TaskThread m_thread;
};

/// The picture of one moment: its weights on the text of `picture`.
TrainPicture pictureAt(const TrainPicture& picture, std::int64_t step, std::stop_token stop = {});

} // namespace headscope::ui
