#pragma once

#include "core/base/content_language.h"

#include <map>
#include <mutex>
#include <string>

namespace headscope {

/// Entries with texts, read once for each language in which they are shown. What it returns lives
/// as long as the catalogue, whatever language is chosen later.
template<class Entries>
class ContentCatalogue
{
public:
    /// Entries in the language of this process; `read()` reads them in that language.
    template<class Read>
    const Entries& entries(Read read)
    {
        const std::lock_guard lock(m_mutex);
        const std::string locale = contentLocale();
        const auto found = m_byLocale.find(locale);
        return found != m_byLocale.end() ? found->second
                                         : m_byLocale.emplace(locale, read()).first->second;
    }

private:
    std::mutex m_mutex;
    std::map<std::string, Entries> m_byLocale;
};

} // namespace headscope
