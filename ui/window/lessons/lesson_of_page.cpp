#include "ui/window/lessons/lesson_of_page.h"

#include "core/lessons/lesson_library.h"

#include <QHash>
#include <QStringList>

namespace headscope::ui {

namespace {

/// What a page or a part of the frame is about, the nearest word first.
QStringList termsOf(const QString& page)
{
    static const QHash<QString, QStringList> kTerms{
        {"overview", {"attention head", "head", "attention"}},
        {"head", {"attention weight", "attention pattern", "attention"}},
        {"heads", {"induction head", "previous-token head", "head"}},
        {"arcs", {"attention weight", "attention"}},
        {"qk", {"query", "key", "score", "scores"}},
        {"distance", {"window", "sliding window", "position"}},
        {"cross", {"cross-attention", "cross attention", "encoder-decoder"}},
        {"flow", {"attention rollout", "residual stream"}},
        {"lens", {"logit lens", "residual stream", "logits"}},
        {"attribution", {"residual stream", "logits"}},
        {"causal", {"ablation", "activation patching", "induction head"}},
        {"what-if", {"ablation", "mask"}},
        {"compare", {"ablation"}},
        {"origin", {"residual stream", "weighted sum"}},
        {"next-token", {"temperature", "sampling", "decoding", "logits"}},
        {"positions", {"position", "positional encoding", "rope"}},
        {"mask", {"causal mask", "mask"}},
        {"architecture", {"residual stream", "block", "layer"}},
        {"train", {"loss", "training", "cross-entropy"}},
        {"new-run", {"learning rate", "schedule", "adamw"}},
        {"runs", {"loss", "learning rate"}},
        {"experiments", {"pitfall", "experiment", "warm-up"}},
        {"tokens", {"token", "tokens", "tokenizer"}},
        {"inspector", {"attention weight", "attention", "softmax"}},
        {"model", {"parameters", "parameter"}},
    };
    return QStringList{QString(page).replace('-', ' ')} + kTerms.value(page);
}

} // namespace

const Lesson* lessonOfPage(const LessonLibrary& library, const QString& page)
{
    const std::string name = page.toStdString();
    for (const QString& term : termsOf(page)) {
        if (const Lesson* lesson = library.lessonOfTerm(term.toStdString()))
            return lesson;
    }
    for (const Lesson& lesson : library.lessons()) {
        for (const LessonStep& step : lesson.steps) {
            if (step.state.kind == LessonState::Kind::Page && step.state.name == name)
                return &lesson;
        }
    }
    return nullptr;
}

} // namespace headscope::ui
