#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace headscope::ui {

/// One setting of a training configuration as a form shows it.
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

    QString key; ///< as in the file, with a dot for each object: "optimizer.lr"
    QString label;
    QString help; ///< what it does, a few words
    Group group = Group::Length;
    Kind kind = Kind::Whole;
    QStringList choices = {}; ///< of Choice, as in the file
    QString absent = {};      ///< what it is where the file leaves it out and does not say so
    bool isSimple = false;    ///< shown before "all settings"
};

/// Every setting, by group. Made once.
const std::vector<RunField>& runFields();
const RunField* runField(const QString& key); ///< null for an unknown key
QString groupTitle(RunField::Group group);

/// Fields in whose label, key or help every word is found; all of them for an empty filter.
std::vector<const RunField*> fieldsMatching(const QString& words);

} // namespace headscope::ui
