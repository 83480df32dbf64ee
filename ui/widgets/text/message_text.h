#pragma once

#include <QString>

#include <string_view>

namespace headscope::ui {

/// A text that core computed, in the user's language (see message()).
QString messageText(std::string_view english);

} // namespace headscope::ui
