#include "ui/workers/error_sentence.h"

#include "core/base/error.h"

#include <QCoreApplication>

#include <new>

namespace headscope::ui {

QString errorSentence(const std::exception& error)
{
    const auto tr = [](const char* text) { return QCoreApplication::translate("Errors", text); };
    if (dynamic_cast<const std::bad_alloc*>(&error))
        return tr("Not enough memory. Use a shorter text or a smaller model.");
    return QString::fromUtf8(error.what());
}

} // namespace headscope::ui
