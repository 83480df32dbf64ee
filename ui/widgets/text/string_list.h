#pragma once

#include <QStringList>

#include <string>
#include <vector>

namespace headscope::ui {

QStringList stringList(const std::vector<std::string>& texts);

} // namespace headscope::ui
