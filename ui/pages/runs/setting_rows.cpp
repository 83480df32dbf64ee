#include "ui/pages/runs/setting_rows.h"

#include "ui/widgets/controls/setting_row.h"
#include "ui/widgets/labels.h"

#include <QVBoxLayout>

#include <algorithm>

namespace headscope::ui {

SettingRows::SettingRows(RunDraft& draft, QWidget* parent)
    : ColumnScroll(new QWidget, parent)
    , m_draft(draft)
{
    widget()->setProperty("role", "page");
    m_column = new QVBoxLayout(widget());
    m_column->setContentsMargins(0, 0, 12, 0);
    m_column->setSpacing(0);
    setProperty("role", "page");
}

void SettingRows::make()
{
    for (int group = 0; group <= static_cast<int>(RunField::Group::Reports); ++group)
        addGroup(static_cast<RunField::Group>(group));
    m_column->addStretch(1);
}

void SettingRows::addGroup(RunField::Group kind)
{
    Group group;
    group.title = heading(groupTitle(kind), widget());
    group.title->setContentsMargins(0, 12, 0, 4);
    m_column->addWidget(group.title);
    for (const RunField& field : runFields()) {
        if (field.group == kind)
            group.rows.push_back(addRow(field));
    }
    m_groups.push_back(std::move(group));
}

SettingRows::FieldRow SettingRows::addRow(const RunField& field)
{
    const QStringList choices =
        field.kind == RunField::Kind::Switch ? QStringList{"true", "false"} : field.choices;
    auto* row = new SettingRow(field.label, field.help, choices, widget());
    row->setToolTip(field.key);
    connect(row, &SettingRow::edited, this,
            [this, &field](const QString& text) { m_draft.set(field.key, text); });
    m_column->addWidget(row);
    return {&field, row};
}

void SettingRows::refresh()
{
    for (const Group& group : m_groups)
        for (const auto& [field, row] : group.rows)
            row->show(m_draft.text(field->key), m_draft.isGiven(field->key),
                      m_draft.errorKey() == field->key ? m_draft.error() : QString());
}

qsizetype SettingRows::showMatching(const QString& words, bool all)
{
    const auto found = fieldsMatching(words);
    qsizetype shown = 0;
    for (const Group& group : m_groups) {
        bool any = false;
        for (const auto& [field, row] : group.rows) {
            const bool matches = std::find(found.begin(), found.end(), field) != found.end();
            const bool wanted = matches && (all || !words.isEmpty() || field->isSimple);
            const bool visible = wanted || m_draft.errorKey() == field->key;
            row->setVisible(visible);
            any = any || visible;
            shown += visible ? 1 : 0;
        }
        group.title->setVisible(any);
    }
    return shown;
}

SettingRow* SettingRows::row(const QString& key) const
{
    for (const Group& group : m_groups)
        for (const auto& [field, row] : group.rows)
            if (field->key == key)
                return row;
    return nullptr;
}

} // namespace headscope::ui
