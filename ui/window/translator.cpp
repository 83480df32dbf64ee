#include "ui/window/translator.h"

namespace headscope::ui {

bool Translator::use(std::string_view compiled)
{
    return !compiled.empty() &&
           load(reinterpret_cast<const uchar*>(compiled.data()), static_cast<int>(compiled.size()));
}

QString Translator::translate(const char* context, const char* text, const char* disambiguation,
                              int number) const
{
    const QString found = QTranslator::translate(context, text, disambiguation, number);
    return found.isNull() ? QTranslator::translate("headscope::ui", text, disambiguation, number)
                          : found;
}

} // namespace headscope::ui
