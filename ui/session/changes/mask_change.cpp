#include "ui/session/changes/mask_change.h"

#include "ui/widgets/tr.h"

namespace headscope::ui {

bool MaskChange::isOnCausal() const
{
    int allowed = 0;
    for (int query = 0; query < side; ++query) {
        for (int key = query + 1; key < side; ++key)
            allowed += cells[static_cast<std::size_t>(query * side + key)] != 0 ? 1 : 0;
    }
    return 4 * allowed <= side * (side - 1); // at most half of them
}

int MaskChange::paintedCells() const
{
    const bool causal = isOnCausal();
    int painted = 0;
    for (int query = 0; query < side; ++query) {
        for (int key = 0; key < side; ++key) {
            const bool allowed = cells[static_cast<std::size_t>(query * side + key)] != 0;
            painted += allowed != (key <= query || !causal) ? 1 : 0;
        }
    }
    return painted;
}

QString MaskChange::describe() const
{
    switch (kind) {
    case Kind::AsTrained:
        return tr("as trained");
    case Kind::None:
        return tr("no mask");
    case Kind::Window:
        return window == 1 ? tr("window of 1 token") : tr("window of %1 tokens").arg(window);
    case Kind::Painted:
        return paintedCells() == 1 ? tr("1 cell painted")
                                   : tr("%1 cells painted").arg(paintedCells());
    case Kind::Causal:
        break;
    }
    return tr("causal mask");
}

} // namespace headscope::ui
