#include "ui/session/second_text.h"

#include "core/model/pass/input_tokens.h"
#include "ui/session/open_models.h"
#include "ui/session/session_document.h"

namespace headscope::ui {

SecondTextRole secondTextRole(const OpenModels& models)
{
    if (models.readsTarget())
        return SecondTextRole::Target;
    return readsPairs(models) ? SecondTextRole::Pair : SecondTextRole::None;
}

bool readsPairs(const OpenModels& models)
{
    return !models.isCaptured() && headscope::readsPairs(models.model());
}

bool readsSecondText(const OpenModels& models)
{
    return secondTextRole(models) != SecondTextRole::None;
}

void replaceBytes(SessionDocument& document, ByteRange bytes, const QString& with)
{
    std::string first = document.text().toStdString();
    std::string second = document.target().toStdString();
    const std::size_t whole = document.tokens().text.size();
    const std::size_t secondBegin = first.size() + 1; // after the line break of a pair
    const bool inSecond = whole > first.size() && bytes.begin >= secondBegin;
    if (bytes.begin > bytes.end || bytes.end > whole)
        return;
    const auto replaced = [&](std::string& text, std::size_t from) {
        text.replace(bytes.begin - from, bytes.end - bytes.begin, with.toStdString());
        return QString::fromStdString(text);
    };
    if (inSecond)
        document.setTarget(replaced(second, secondBegin));
    else
        document.replaceText(replaced(first, 0));
}

} // namespace headscope::ui
