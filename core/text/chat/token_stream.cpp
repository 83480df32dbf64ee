#include "core/text/chat/token_stream.h"

#include "core/base/json_text.h"

#include <algorithm>

namespace headscope {

TokenStream::TokenStream(std::vector<TemplateToken> tokens, std::string name)
    : m_tokens(std::move(tokens))
    , m_name(std::move(name))
{
}

const TemplateToken& TokenStream::next() const
{
    return m_tokens[std::min(m_at + 1, m_tokens.size() - 1)];
}

TemplateToken TokenStream::take()
{
    TemplateToken token = current();
    m_at = std::min(m_at + 1, m_tokens.size() - 1);
    return token;
}

bool TokenStream::isSign(std::string_view sign) const
{
    return current().kind == TemplateToken::Kind::Sign && current().text == sign;
}

bool TokenStream::isName(std::string_view name) const
{
    return current().kind == TemplateToken::Kind::Name && current().text == name;
}

bool TokenStream::skipSign(std::string_view sign)
{
    const bool is = isSign(sign);
    if (is)
        take();
    return is;
}

bool TokenStream::skipName(std::string_view name)
{
    const bool is = isName(name);
    if (is)
        take();
    return is;
}

void TokenStream::expectSign(std::string_view sign)
{
    if (!skipSign(sign))
        refuse(std::string(sign) + " is missing");
}

std::string TokenStream::expectName()
{
    if (current().kind != TemplateToken::Kind::Name)
        refuse("a name is missing");
    return take().text;
}

void TokenStream::expect(TemplateToken::Kind kind, const std::string& what)
{
    if (current().kind != kind)
        refuse(what + " is missing");
    take();
}

void TokenStream::refuse(const std::string& problem) const
{
    refuseTemplate(problem, m_name, current().line);
}

void TokenStream::refuseCurrent() const
{
    refuse(current().text.empty() ? "an unexpected end of a tag"
                                  : "an unexpected " + inQuotes(current().text));
}

} // namespace headscope
