#include "ui/session/runs/run_field_group.h"

namespace headscope::ui {

RunFieldGroup::RunFieldGroup(std::vector<RunField>& fields, RunField::Group group)
    : m_fields(fields)
    , m_group(group)
{
}

RunField& RunFieldGroup::whole(const QString& key, const QString& label, const QString& help,
                               const QString& absent)
{
    return m_fields.emplace_back(
        RunField{key, label, help, m_group, RunField::Kind::Whole, {}, absent});
}

RunField& RunFieldGroup::number(const QString& key, const QString& label, const QString& help,
                                const QString& absent)
{
    return m_fields.emplace_back(
        RunField{key, label, help, m_group, RunField::Kind::Number, {}, absent});
}

RunField& RunFieldGroup::flag(const QString& key, const QString& label, const QString& help,
                              const QString& absent)
{
    return m_fields.emplace_back(
        RunField{key, label, help, m_group, RunField::Kind::Switch, {}, absent});
}

RunField& RunFieldGroup::file(const QString& key, const QString& label, const QString& help)
{
    return m_fields.emplace_back(RunField{key, label, help, m_group, RunField::Kind::File});
}

RunField& RunFieldGroup::choice(const QString& key, const QString& label, const QString& help,
                                const QStringList& choices, const QString& absent)
{
    return m_fields.emplace_back(
        RunField{key, label, help, m_group, RunField::Kind::Choice, choices, absent});
}

} // namespace headscope::ui
