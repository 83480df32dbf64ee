#include "ui/session/changes.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace headscope::ui {

namespace {

QString tr(const char* text, int number = -1)
{
    return QCoreApplication::translate("Changes", text, nullptr, number);
}

} // namespace

AttentionMask MaskChange::toMask() const
{
    AttentionMask mask;
    mask.causal = kind != Kind::None;
    mask.window = kind == Kind::Window ? window : 0;
    return mask;
}

QString MaskChange::describe() const
{
    switch (kind) {
    case Kind::None:
        return tr("no mask");
    case Kind::Window:
        return window == 1 ? tr("window of 1 token") : tr("window of %1 tokens").arg(window);
    case Kind::Causal:
        break;
    }
    return tr("causal mask");
}

bool Changes::isOff(int layer, int head) const
{
    const Interventions::Head wanted{layer, head};
    return std::find(headsOff.begin(), headsOff.end(), wanted) != headsOff.end();
}

Interventions Changes::toInterventions() const
{
    Interventions interventions;
    if (mask.changesTheModel())
        interventions.mask = mask.toMask();
    interventions.ablatedHeads = headsOff;
    return interventions;
}

QString Changes::describe() const
{
    QStringList parts;
    if (mask.changesTheModel())
        parts << mask.describe();
    for (const Interventions::Head& off : headsOff)
        parts << tr("head %1.%2 off").arg(off.layer).arg(off.head);
    return parts.join(tr(", "));
}

} // namespace headscope::ui
