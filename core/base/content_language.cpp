#include "core/base/content_language.h"

#include "core/base/json_overlay.h"
#include "core/base/json_text.h"
#include "core/base/message_catalogue.h"

#include <memory>
#include <mutex>

namespace headscope {

namespace {

using Messages = std::shared_ptr<const MessageCatalogue>;

/// Rooms whose texts have translations: messages/NAME.json.
constexpr const char* kRooms[] = {"analysis", "chat", "errors", "experiments", "labs", "worked"};

class Current
{
public:
    void set(ContentLanguage language, Messages messages)
    {
        const std::lock_guard lock(m_mutex);
        m_language = std::move(language);
        m_messages = std::move(messages);
    }

    ContentLanguage get()
    {
        const std::lock_guard lock(m_mutex);
        return m_language;
    }

    /// Null where nothing is translated.
    Messages messages()
    {
        const std::lock_guard lock(m_mutex);
        return m_messages;
    }

private:
    std::mutex m_mutex;
    ContentLanguage m_language;
    Messages m_messages;
};

Messages messagesOf(const ContentLanguage& language)
{
    auto messages = std::make_shared<MessageCatalogue>();
    for (const char* room : kRooms) {
        const std::string resource = "messages/" + std::string(room) + ".json";
        const std::string_view text =
            language.overlay ? language.overlay(resource) : std::string_view();
        if (!text.empty())
            messages->add(text, language.locale + "/" + resource);
    }
    return messages->size() > 0 ? messages : nullptr;
}

Current& current()
{
    static Current kCurrent;
    return kCurrent;
}

} // namespace

void setContentLanguage(ContentLanguage language)
{
    Messages messages = messagesOf(language);
    current().set(std::move(language), std::move(messages));
}

std::string contentLocale()
{
    return current().get().locale;
}

std::string contentText(const std::string& resource, std::string_view text)
{
    const ContentLanguage language = current().get();
    const std::string_view overlay =
        language.overlay ? language.overlay(resource) : std::string_view();
    if (overlay.empty())
        return std::string(text);
    const std::string where = language.locale + "/" + resource;
    return dumpJson(withOverlay(parseJson(text, resource), parseJson(overlay, where), where));
}

std::string message(std::string_view english)
{
    const Messages messages = current().messages();
    return messages ? messages->translated(english) : std::string(english);
}

} // namespace headscope
