#include "ui/workers/model_loader.h"

#include "core/base/error.h"
#include "ui/workers/error_sentence.h"

namespace headscope::ui {

ModelLoader::ModelLoader(Open open, QObject* parent) : QObject(parent), m_open(std::move(open)) {}

void ModelLoader::load(const QString& name)
{
    const quint64 wish = ++m_wish;
    m_thread.run([this, wish, name] { loadOnThread(wish, name); });
}

void ModelLoader::loadOnThread(quint64 wish, const QString& name)
{
    if (wish != m_wish)
        return;
    try {
        const LoadedModel model = m_open(name.toStdString());
        if (!model.model || !model.tokenizer)
            throw Error("the model is incomplete", name.toStdString(), "Choose another file.");
        deliver(wish, [this, model] { emit loaded(model); });
    } catch (const std::exception& error) {
        const QString sentence = errorSentence(error);
        deliver(wish, [this, name, sentence] { emit failed(name, sentence); });
    }
}

void ModelLoader::deliver(quint64 wish, std::function<void()> answer)
{
    m_home.send([this, wish, answer = std::move(answer)] {
        if (wish == m_wish)
            answer();
    });
}

} // namespace headscope::ui
