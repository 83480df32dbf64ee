#pragma once

#include "core/text/chat/template_tokens.h"

namespace headscope {

/// Tokens of a template while it is parsed.
class TokenStream
{
public:
    TokenStream(std::vector<TemplateToken> tokens, std::string name);

    const TemplateToken& current() const { return m_tokens[m_at]; }

    const TemplateToken& next() const; ///< The token behind the current one.

    TemplateToken take(); ///< The current token; moves on, but not beyond the end.

    bool isSign(std::string_view sign) const;
    bool isName(std::string_view name) const;

    bool skipSign(std::string_view sign); ///< Takes the sign if it is the current token.
    bool skipName(std::string_view name);

    void expectSign(std::string_view sign);
    std::string expectName(); ///< Any name.
    void expect(TemplateToken::Kind kind, const std::string& what);

    [[noreturn]] void refuse(const std::string& problem) const;
    [[noreturn]] void refuseCurrent() const; ///< "an unexpected ..."

private:
    std::vector<TemplateToken> m_tokens;
    std::string m_name;
    std::size_t m_at = 0;
};

} // namespace headscope
