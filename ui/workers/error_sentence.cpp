#include "ui/workers/error_sentence.h"

#include "core/base/content_language.h"
#include "core/base/error.h"
#include "ui/widgets/text/message_text.h"
#include "ui/widgets/tr.h"

#include <new>

namespace headscope::ui {

namespace {

/// As Error::what(), from translated parts.
QString sentenceOf(const Error& error)
{
    QString text = messageText(error.problem());
    if (!error.where().empty())
        text = tr("%1 (%2)").arg(text, messageText(error.where()));
    if (!error.advice().empty())
        text = tr("%1. %2").arg(text, messageText(error.advice()));
    return text;
}

} // namespace

QString errorSentence(const std::exception& error)
{
    if (dynamic_cast<const std::bad_alloc*>(&error))
        return tr("Not enough memory. Use a shorter text or a smaller model.");
    const auto* const own = dynamic_cast<const Error*>(&error);
    if (own && !contentLocale().empty())
        return sentenceOf(*own);
    return QString::fromUtf8(error.what());
}

} // namespace headscope::ui
