#pragma once

#include "ui/session/runs/run_fields.h"

namespace headscope::ui {

/// Adds the settings of one group to a list, one call per setting, which returns the new setting.
/// `absent` is RunField::absent.
class RunFieldGroup
{
public:
    RunFieldGroup(std::vector<RunField>& fields, RunField::Group group);

    RunField& whole(const QString& key, const QString& label, const QString& help,
                    const QString& absent = {});
    RunField& number(const QString& key, const QString& label, const QString& help,
                     const QString& absent = {});
    RunField& flag(const QString& key, const QString& label, const QString& help,
                   const QString& absent = {});
    RunField& file(const QString& key, const QString& label, const QString& help);
    RunField& choice(const QString& key, const QString& label, const QString& help,
                     const QStringList& choices, const QString& absent = {});

private:
    std::vector<RunField>& m_fields;
    RunField::Group m_group;
};

} // namespace headscope::ui
