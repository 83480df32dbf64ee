#include "ui/pages/train/train_facts.h"

#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/reading_width.h"
#include "ui/pages/train/train_settings.h"
#include "ui/pages/train/train_texts.h"
#include "ui/widgets/labels.h"

namespace headscope::ui {

TrainFacts::TrainFacts(QWidget* parent)
    : QWidget(parent)
    , m_task(heading({}, this))
    , m_lookFor(paragraph({}, TextRole::Lesson, TextLabel::Tone::Text2, this))
    , m_facts(paragraph({}, TextRole::Body, TextLabel::Tone::Text3, this))
    , m_settings(new TrainSettings(this))
{
    columnOf(8, {m_task, readableRow(m_lookFor), readableRow(m_facts), m_settings}, this);
}

void TrainFacts::refresh(const TrainContent& trainContent)
{
    const bool isSeries = trainContent.record.isSeries();
    m_task->setText(isSeries                       ? tr("Checkpoints: %1").arg(trainContent.title)
                    : trainContent.title.isEmpty() ? tr("Task")
                                                   : tr("Task: %1").arg(trainContent.title));
    m_settings->setVisible(!isSeries);
    m_lookFor->setText(taskText(trainContent));
    m_facts->setText(factsOf(trainContent.record));
}

} // namespace headscope::ui
