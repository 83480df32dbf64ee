#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace headscope::ui {

/// One setting of a training configuration, as shown in a form.
struct RunField
{
    enum class Kind { Whole, Number, Text, File, Choice, Switch };
    enum class Group {
        Length,
        Model,
        Positions,
        Attention,
        Layers,
        Dropout,
        Data,
        Optimizer,
        Schedule,
        Loss,
        Reports
    };

    QString key; ///< Key in the file, with a dot per nested object: "optimizer.lr".
    QString label;
    QString help; ///< Short explanation of the setting.
    Group group = Group::Length;
    Kind kind = Kind::Whole;
    QStringList choices = {}; ///< Values of a Choice, as in the file.
    /// Value used where the file omits the key and the core does not report one.
    QString absent = {};
    bool isSimple = false; ///< Shown without "all settings".
};

/// All settings, by group. Created once for each language.
const std::vector<RunField>& runFields();
const RunField* runField(const QString& key); ///< Field of a key; null for an unknown key.
QString groupTitle(RunField::Group group);

/// Fields whose label, key or help match every word; all fields for an empty filter.
std::vector<const RunField*> fieldsMatching(const QString& words);

} // namespace headscope::ui
