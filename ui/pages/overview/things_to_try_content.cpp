#include "ui/pages/overview/things_to_try_content.h"

#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/session/samples.h"
#include "ui/widgets/tr.h"

namespace headscope::ui {

namespace {

QString lastWord(const QString& sentence)
{
    return sentence.section(QLatin1Char(' '), -1);
}

} // namespace

QString referenceText(const PronounReference& reference, const ViewSnapshot& view)
{
    if (!view.a)
        return {};
    const QStringList tokens = labelsOf(view.a->queryTokens(reference.head.attention), view.modelA);
    return tr("Head %1: \u201C%2\u201D attends to \u201C%3\u201D (%4).")
        .arg(headName(reference.head), tokens.value(reference.query).trimmed(),
             tokens.value(reference.key).trimmed(), number(double{reference.weight}, 2));
}

QString thingTitle(ThingToTry thing)
{
    switch (thing) {
    case ThingToTry::ChangeWord:
        return tr("Change \u201C%1\u201D to \u201C%2\u201D")
            .arg(lastWord(sampleSentence({})), lastWord(changedSampleSentence()));
    case ThingToTry::AblateHead:
        return tr("Ablate this head");
    case ThingToTry::TrainModel:
        return tr("Train a model and watch a head form (30 s)");
    }
    return {};
}

QString thingDescription(ThingToTry thing, const HeadId& head)
{
    switch (thing) {
    case ThingToTry::ChangeWord:
        return tr("Change one word and compare the map and the next token. Ctrl+Z undoes it.");
    case ThingToTry::AblateHead:
        return tr("Replace the output of head %1 by zero and show B\u2212A. Ctrl+Z undoes it.")
            .arg(headName(head));
    case ThingToTry::TrainModel:
        return tr("Train a small model on repeated symbols until an induction head forms. Ctrl+Z "
                  "stops the run and returns to this model.");
    }
    return {};
}

} // namespace headscope::ui
