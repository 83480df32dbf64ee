#include "ui/widgets/text/message_text.h"

#include "core/base/content_language.h"

namespace headscope::ui {

QString messageText(std::string_view english)
{
    return QString::fromStdString(message(english));
}

} // namespace headscope::ui
