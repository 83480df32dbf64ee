#include "ui/pages/runs/settings_search.h"

#include "core/base/json_text.h"
#include "ui/pages/shared/boxes.h"
#include "ui/session/runs/run_fields.h"
#include "ui/widgets/labels.h"

#include <QLineEdit>
#include <QPushButton>

namespace headscope::ui {

namespace {

/// Key of the setting most similar to the typed text; empty without one.
QString nearestKey(const QString& words)
{
    std::vector<std::string> keys;
    for (const RunField& field : runFields())
        keys.push_back(field.key.section(QLatin1Char('.'), -1).toStdString());
    return QString::fromStdString(nearestName(words.toStdString(), keys));
}

} // namespace

SettingsSearch::SettingsSearch(QWidget* parent)
    : QWidget(parent)
    , m_field(new QLineEdit(this))
    , m_found(new TextLabel({}, TextRole::Body, TextLabel::Tone::Text3, this))
    , m_all(new QPushButton(this))
{
    m_field->setPlaceholderText(tr("Search settings"));
    m_field->setAccessibleName(tr("Search settings"));
    m_field->setClearButtonEnabled(true);
    m_all->setCheckable(true);
    rowOf(12, {{m_field, 1}, m_found, m_all}, this);
    connect(m_field, &QLineEdit::textChanged, this, &SettingsSearch::changed);
    connect(m_all, &QPushButton::clicked, this, [this] {
        m_showsAll = !m_showsAll;
        emit changed();
    });
}

QString SettingsSearch::text() const
{
    return m_field->text().trimmed();
}

void SettingsSearch::setShown(qsizetype shown)
{
    m_all->setText(m_showsAll ? tr("Fewer settings")
                              : tr("All %1 settings").arg(runFields().size()));
    m_found->setText(text().isEmpty() ? QString() : foundText(shown));
}

QString SettingsSearch::foundText(qsizetype shown) const
{
    if (shown > 0)
        return tr("%1 of %2").arg(shown).arg(runFields().size());
    const QString near = nearestKey(text());
    return near.isEmpty() ? tr("No matching setting")
                          : tr("No matching setting. Did you mean \u201C%1\u201D?").arg(near);
}

bool SettingsSearch::clear()
{
    if (m_field->text().isEmpty())
        return false;
    m_field->clear();
    return true;
}

} // namespace headscope::ui
