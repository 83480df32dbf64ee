#include "core/text/chat/template_scope.h"

#include "core/base/error.h"

namespace headscope {

void TemplateRendering::step()
{
    const bool asksTheClock = ++m_steps % 256 == 0;
    if (m_steps > kMostSteps ||
        (asksTheClock && std::chrono::steady_clock::now() - m_begin > kLongest))
        throw Error("the template does not come to an end");
}

void TemplateRendering::write(const TurnText& text)
{
    checkTemplateBytes(m_output.size() + text.size());
    m_output += text;
}

TurnText TemplateRendering::takeFrom(std::size_t begin)
{
    TurnText taken = m_output.part(begin);
    m_output.truncate(begin);
    return taken;
}

void TemplateRendering::enter()
{
    if (++m_depth > kDeepest) {
        --m_depth;
        throw Error("the template is nested too deeply");
    }
}

void checkTemplateBytes(std::size_t bytes)
{
    if (bytes > TemplateRendering::kMostBytes)
        throw Error("the template writes more than 16 MiB");
}

void checkTemplateItems(std::size_t items)
{
    if (items > TemplateRendering::kMostItems)
        throw Error("the template makes a list of more than 262,144 items");
}

const TemplateValue* TemplateScope::find(std::string_view name) const
{
    const TemplateValue* own = m_names.find(name);
    return own || !m_outer ? own : m_outer->find(name);
}

} // namespace headscope
