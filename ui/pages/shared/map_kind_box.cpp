#include "ui/pages/shared/map_kind_box.h"

#include <QSignalBlocker>

#include <algorithm>

namespace headscope::ui {

MapKindBox::MapKindBox(const std::vector<MapKind>& kinds, QWidget* parent) : ChoiceBox(parent)
{
    for (const MapKind kind : kinds) {
        addItem(titleOf(kind), static_cast<int>(kind));
        setItemData(count() - 1, meaningOf(kind), Qt::ToolTipRole);
    }
    setPurpose(tr("Quantity shown in place of attention"));
    setToolTip(tr("Attention itself, or an attribution on the same scale"));
}

MapKind MapKindBox::kind() const
{
    return static_cast<MapKind>(currentData().toInt());
}

void MapKindBox::setKind(MapKind kind)
{
    const QSignalBlocker blocker(this);
    setCurrentIndex(std::max(findData(static_cast<int>(kind)), 0));
}

} // namespace headscope::ui
