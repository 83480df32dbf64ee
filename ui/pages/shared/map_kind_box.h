#pragma once

#include "ui/pages/shared/maps/map_kind.h"
#include "ui/widgets/controls/choice_box.h"

#include <vector>

namespace headscope::ui {

/// Choice of the quantity shown in place of attention.
class MapKindBox : public ChoiceBox
{
    Q_OBJECT

public:
    explicit MapKindBox(const std::vector<MapKind>& kinds, QWidget* parent = nullptr);

    MapKind kind() const;
    void setKind(MapKind kind); ///< Emits no signal.
};

} // namespace headscope::ui
