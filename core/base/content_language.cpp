#include "core/base/content_language.h"

#include "core/base/json_overlay.h"
#include "core/base/json_text.h"

#include <mutex>

namespace headscope {

namespace {

class Current
{
public:
    void set(ContentLanguage language)
    {
        const std::lock_guard lock(m_mutex);
        m_language = std::move(language);
    }

    ContentLanguage get()
    {
        const std::lock_guard lock(m_mutex);
        return m_language;
    }

private:
    std::mutex m_mutex;
    ContentLanguage m_language;
};

Current& current()
{
    static Current kCurrent;
    return kCurrent;
}

} // namespace

void setContentLanguage(ContentLanguage language)
{
    current().set(std::move(language));
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

} // namespace headscope
