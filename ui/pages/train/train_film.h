#pragma once

#include "ui/pages/shared/figures/figure_page.h"
#include "ui/pages/train/train_content.h"
#include "ui/workers/tasks/return_path.h"
#include "ui/workers/tasks/task_thread.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>

namespace headscope::ui {

/// Exports a run as a film: one PNG per snapshot, "frame-0001.png", with the attention that its
/// weights give on the document's text. Traces and files are handled on a separate thread, so that
/// viewing and training continue; only painting happens here, because charts require the GUI
/// thread.
class TrainFilm : public QObject
{
    Q_OBJECT

public:
    explicit TrainFilm(QObject* parent = nullptr);
    ~TrainFilm() override; ///< Cancels and waits.

    /// Does nothing while one is being written.
    void start(const TrainContent& trainContent, const FigureStyle& style,
               const std::filesystem::path& folder);
    void cancel();

    bool isRunning() const { return m_isRunning; }

signals:
    void progressed(int done, int all);
    /// Fewer frames than all if it was cancelled.
    void finished(const QString& folder, int frames);
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

/// Image of one snapshot: its weights on the text of `picture`.
TrainContent imageAt(const TrainContent& trainContent, std::int64_t step,
                     std::stop_token stop = {});

} // namespace headscope::ui
