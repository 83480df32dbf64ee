#include "ui/widgets/text/string_list.h"

namespace headscope::ui {

QStringList stringList(const std::vector<std::string>& texts)
{
    QStringList list;
    for (const std::string& text : texts)
        list << QString::fromStdString(text);
    return list;
}

} // namespace headscope::ui
