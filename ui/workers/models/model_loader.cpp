#include "ui/workers/models/model_loader.h"

#include "core/base/error.h"
#include "ui/workers/error_sentence.h"

#include <chrono>

namespace headscope::ui {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kSayEvery = std::chrono::milliseconds(50);

} // namespace

ModelLoader::ModelLoader(Open open, QObject* parent) : QObject(parent), m_open(std::move(open)) {}

ModelLoader::~ModelLoader()
{
    m_stop.request_stop();
}

void ModelLoader::load(const QString& name)
{
    cancel();
    const quint64 wish = m_wish;
    m_thread.run([this, wish, path = name.toStdString(), stop = m_stop.get_token()] {
        loadOnThread(wish, path, stop);
    });
}

void ModelLoader::cancel()
{
    ++m_wish;
    m_stop.request_stop();
    m_stop = std::stop_source();
}

void ModelLoader::loadOnThread(quint64 wish, const std::string& name, const std::stop_token& stop)
{
    if (wish != m_wish)
        return;
    try {
        Progress progress(stop, listener(wish, name));
        OpenedModel opened = m_open(name, progress);
        if (!opened.model.model || !opened.model.tokenizer)
            throw Error("the model is incomplete", name, "Choose another file.");
        deliver(wish, [this, opened = std::move(opened)] { emit loaded(opened); });
    } catch (const Cancelled&) {
        // nobody waits for it
    } catch (const std::exception& error) {
        deliver(wish, [this, name, sentence = errorSentence(error)] {
            emit failed(QString::fromStdString(name), sentence);
        });
    }
}

Progress::Listener ModelLoader::listener(quint64 wish, const std::string& name)
{
    return [this, wish, name, said = Clock::time_point()](std::uint64_t done,
                                                          std::uint64_t total) mutable {
        if (Clock::now() - said < kSayEvery && done < total)
            return;
        said = Clock::now();
        deliver(wish, [this, name, done, total] {
            emit advanced(QString::fromStdString(name), done, total);
        });
    };
}

void ModelLoader::deliver(quint64 wish, std::function<void()> answer)
{
    m_home.send([this, wish, answer = std::move(answer)] {
        if (wish == m_wish)
            answer();
    });
}

} // namespace headscope::ui
