#include "ui/pages/positions/positions_number.h"

#include "ui/pages/positions/positions_figure.h"

#include <utility>

namespace headscope::ui {

MaybeNumber positionNumber(const PositionsContent& content, const LoadedModel& model,
                           HeatmapCell entry)
{
    if (isRelative(content.scheme) || content.scheme == Positions::None)
        return std::nullopt;
    if (content.scheme == Positions::Learned) {
        NumberRef row = cellNumber({}, {entry.column, entry.row});
        row.kind = NumberRef::Kind::Parameter;
        row.name = learnedTableName(model);
        return ShownNumber{std::move(row), Variant::A};
    }
    NumberRef wave = cellNumber({}, {entry.column, entry.row, content.table.dimensions});
    wave.kind = NumberRef::Kind::Sinusoid;
    wave.scale = content.base;
    return ShownNumber{std::move(wave), Variant::A};
}

} // namespace headscope::ui
