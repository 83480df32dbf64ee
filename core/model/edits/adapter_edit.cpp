#include "core/model/edits/adapter_edit.h"

#include <utility>

namespace headscope {

WeightEdit adapterEdit(std::string path)
{
    WeightEdit edit;
    edit.kind = WeightEdit::Kind::Take;
    edit.matrix = kAdapterName;
    edit.checkpoint = std::move(path);
    return edit;
}

bool isAdapter(const WeightEdit& edit)
{
    return edit.kind == WeightEdit::Kind::Take && edit.matrix == kAdapterName && !edit.row &&
           !edit.column && !edit.head;
}

} // namespace headscope
