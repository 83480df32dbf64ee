#include "ui/workers/models/model_loader.h"

#include "core/base/error.h"

#include <chrono>

namespace headscope::ui {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kSayEvery = std::chrono::milliseconds(50);

} // namespace

ModelLoader::ModelLoader(Open open) : m_open(std::move(open)) {}

void ModelLoader::load(const QString& name)
{
    m_task.start([this, path = name.toStdString()](
                     const LatestTask::Control& control) { return open(path, control); },
                 [this](const OpenedModel& opened) { emit loaded(opened); },
                 [this, path = name.toStdString()](const QString& sentence) {
                     emit failed(QString::fromStdString(path), sentence);
                 });
}

void ModelLoader::cancel()
{
    m_task.cancel();
}

/// Runs on the loader's thread.
OpenedModel ModelLoader::open(const std::string& name, const LatestTask::Control& control)
{
    const auto tell = [this, &control, &name, reported = Clock::time_point()](
                          std::uint64_t done, std::uint64_t total) mutable {
        if (Clock::now() - reported < kSayEvery && done < total)
            return;
        reported = Clock::now();
        control.tell([this, name, done, total] {
            emit advanced(QString::fromStdString(name), done, total);
        });
    };
    Progress progress(control.stop(), tell);
    OpenedModel opened = m_open(name, progress);
    if (!opened.model.model || !opened.model.tokenizer)
        throw Error("the model is incomplete", name, "Choose another file.");
    return opened;
}

} // namespace headscope::ui
