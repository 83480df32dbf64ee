#include "ui/pages/train/train_settings.h"

#include "ui/pages/shared/boxes.h"
#include "ui/widgets/labels.h"

#include <QHBoxLayout>
#include <QLineEdit>

namespace headscope::ui {

TrainSettings::TrainSettings(QWidget* parent) : QWidget(parent)
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(12);
    m_rate = addField(tr("Learning rate"), tr("The peak of the schedule, from the next step on"));
    m_batch = addField(tr("Batch size"), tr("Rows in a batch, from the next step on"));
    m_dropout = addField(tr("Dropout"), tr("Fraction of activations set to 0 in training"));
    m_log = addField(tr("Log every"), tr("Steps between two log entries"));
}

QLineEdit* TrainSettings::addField(const QString& name, const QString& toolTip)
{
    auto* field = new QLineEdit(this);
    field->setAccessibleName(name);
    field->setToolTip(toolTip);
    auto* column = columnOf(4, {caption(name, this), field});
    static_cast<QHBoxLayout*>(layout())->addLayout(column, 1);
    connect(field, &QLineEdit::editingFinished, this, &TrainSettings::apply);
    return field;
}

void TrainSettings::setSettings(const LiveSettings& settings, bool canChange)
{
    for (QLineEdit* field : {m_rate, m_batch, m_dropout, m_log})
        field->setEnabled(canChange);
    if (settings == m_settings && !m_rate->text().isEmpty())
        return; // Keeps the text being typed.
    m_settings = settings;
    showSettings();
}

void TrainSettings::showSettings()
{
    m_rate->setText(QString::number(m_settings.learningRate, 'g', 6));
    m_batch->setText(QString::number(m_settings.batchSize));
    m_dropout->setText(QString::number(m_settings.dropout, 'g', 4));
    m_log->setText(QString::number(m_settings.logEvery));
}

void TrainSettings::apply()
{
    LiveSettings wanted = m_settings;
    bool isNumber[4] = {true, true, true, true};
    if (m_rate->isModified()) // An unedited value keeps all its digits.
        wanted.learningRate = m_rate->text().toDouble(&isNumber[0]);
    if (m_batch->isModified())
        wanted.batchSize = m_batch->text().toLongLong(&isNumber[1]);
    if (m_dropout->isModified())
        wanted.dropout = m_dropout->text().toDouble(&isNumber[2]);
    if (m_log->isModified())
        wanted.logEvery = m_log->text().toLongLong(&isNumber[3]);
    for (const bool known : isNumber) {
        if (!known) {
            showSettings();
            emit messageWanted(tr("Not a number. The settings are unchanged."));
            return;
        }
    }
    if (wanted != m_settings)
        emit changeWanted(wanted);
}

} // namespace headscope::ui
