#include "ui/widgets/tr.h"

#include <QCoreApplication>

namespace headscope::ui {

QString tr(const char* text, int count)
{
    return QCoreApplication::translate("headscope::ui", text, nullptr,
                                       count); // where lupdate lists these texts
}

} // namespace headscope::ui
