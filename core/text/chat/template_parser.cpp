#include "core/text/chat/template_parser.h"

#include "core/base/json_text.h"
#include "core/text/chat/expression_parser.h"
#include "core/text/chat/template_statements.h"

namespace headscope {

namespace {

using Kind = TemplateToken::Kind;

constexpr int kDeepest = 100;

class Parser
{
public:
    Parser(std::string_view source, const std::string& name)
        : m_tokens(tokenizeTemplate(source, name), name)
        , m_expressions(m_tokens)
    {
    }

    TemplateBody run()
    {
        TemplateBody body = parseBody();
        if (m_tokens.current().kind != Kind::End)
            m_tokens.refuse(inQuotes(m_tokens.current().text) + " without its beginning");
        return body;
    }

private:
    /// Statements up to a tag that ends or divides a body, whose name becomes the current token.
    TemplateBody parseBody()
    {
        if (++m_depth > kDeepest)
            m_tokens.refuse("tags that are nested too deeply");
        TemplateBody body;
        while (m_tokens.current().kind != Kind::End) {
            if (m_tokens.current().kind == Kind::TagBegin) {
                m_tokens.take();
                if (isEnd())
                    break;
            }
            body.statements.push_back(parseStatement());
        }
        --m_depth;
        return body;
    }

    bool isEnd() const
    {
        const TemplateToken& token = m_tokens.current();
        return token.kind == Kind::Name &&
               (token.text.starts_with("end") || token.text == "else" || token.text == "elif");
    }

    /// The tag that ends a body.
    void expectEnd(std::string_view name)
    {
        if (!m_tokens.skipName(name))
            m_tokens.refuse("{% " + std::string(name) + " %} is missing");
    }

    void endTag() { m_tokens.expect(Kind::TagEnd, "%}"); }

    TemplateStatement parseStatement()
    {
        if (m_tokens.current().kind == Kind::Text)
            return textStatement(m_tokens.take().text);
        if (m_tokens.current().kind != Kind::OutputBegin)
            return parseTag();
        const int line = m_tokens.take().line;
        TemplateExpression value = m_expressions.parseTuple();
        m_tokens.expect(Kind::OutputEnd, "}}");
        return outputStatement(std::move(value), line);
    }

    TemplateStatement parseTag()
    {
        const int line = m_tokens.current().line;
        if (m_tokens.skipName("if"))
            return parseIf(line);
        if (m_tokens.skipName("for"))
            return parseFor(line);
        if (m_tokens.skipName("set"))
            return parseSet(line);
        if (m_tokens.skipName("macro"))
            return parseMacro();
        if (m_tokens.skipName("generation"))
            return parseGeneration();
        if (m_tokens.isName("break") || m_tokens.isName("continue"))
            return parseFlow();
        m_tokens.refuse("the tag " + inQuotes(m_tokens.current().text) +
                        ", which chat templates do not have");
    }

    TemplateStatement parseIf(int line)
    {
        std::vector<std::pair<TemplateExpression, TemplateBody>> branches;
        TemplateExpression condition = m_expressions.parseTuple();
        for (;;) {
            endTag();
            TemplateBody body = parseBody();
            branches.emplace_back(std::move(condition), std::move(body));
            if (m_tokens.skipName("elif"))
                condition = m_expressions.parseTuple();
            else if (!m_tokens.skipName("else"))
                break;
            else
                condition = nullptr;
        }
        expectEnd("endif");
        endTag();
        return ifStatement(std::move(branches), line);
    }

    TemplateStatement parseFor(int line)
    {
        TargetNames names = parseNames();
        if (!m_tokens.skipName("in"))
            m_tokens.refuse("\"in\" is missing");
        TemplateExpression items = m_expressions.parseLogic();
        TemplateExpression condition = m_tokens.skipName("if") ? m_expressions.parse() : nullptr;
        m_tokens.skipName("recursive");
        endTag();
        ++m_loops;
        TemplateBody body = parseBody();
        --m_loops;
        TemplateBody otherwise;
        if (m_tokens.skipName("else")) {
            endTag();
            otherwise = parseBody();
        }
        expectEnd("endfor");
        endTag();
        return forStatement(std::move(names), std::move(items), std::move(condition),
                            std::move(body), std::move(otherwise), line);
    }

    TargetNames parseNames()
    {
        const bool hasBrackets = m_tokens.skipSign("(");
        TargetNames names{m_tokens.expectName()};
        while (m_tokens.skipSign(","))
            names.push_back(m_tokens.expectName());
        if (hasBrackets)
            m_tokens.expectSign(")");
        return names;
    }

    TemplateStatement parseSet(int line)
    {
        TargetNames names = parseNames();
        if (m_tokens.skipSign(".")) {
            std::string member = m_tokens.expectName();
            m_tokens.expectSign("=");
            TemplateExpression value = m_expressions.parseTuple();
            endTag();
            return setMemberStatement(names.front(), std::move(member), std::move(value), line);
        }
        if (m_tokens.skipSign("=")) {
            TemplateExpression value = m_expressions.parseTuple();
            endTag();
            return setStatement(std::move(names), std::move(value), line);
        }
        endTag();
        TemplateBody body = parseBody();
        expectEnd("endset");
        endTag();
        return setBlockStatement(names.front(), std::move(body), line);
    }

    TemplateStatement parseMacro()
    {
        std::string name = m_tokens.expectName();
        std::vector<MacroParameter> parameters;
        m_tokens.expectSign("(");
        while (!m_tokens.skipSign(")")) {
            if (!parameters.empty())
                m_tokens.expectSign(",");
            std::string parameter = m_tokens.expectName();
            TemplateExpression other = m_tokens.skipSign("=") ? m_expressions.parse() : nullptr;
            parameters.push_back({std::move(parameter), std::move(other)});
        }
        endTag();
        TemplateBody body = parseBody();
        expectEnd("endmacro");
        m_tokens.skipName(name);
        endTag();
        return macroStatement(std::move(name), std::move(parameters), std::move(body));
    }

    /// Marks an answer's tokens for training; renders as its body.
    TemplateStatement parseGeneration()
    {
        endTag();
        TemplateBody body = parseBody();
        expectEnd("endgeneration");
        endTag();
        return blockStatement(std::move(body));
    }

    TemplateStatement parseFlow()
    {
        if (m_loops == 0)
            m_tokens.refuse(m_tokens.current().text + " outside of a loop");
        const Flow flow = m_tokens.take().text == "break" ? Flow::Break : Flow::Continue;
        endTag();
        return flowStatement(flow);
    }

    TokenStream m_tokens;
    ExpressionParser m_expressions;
    int m_depth = 0;
    int m_loops = 0;
};

} // namespace

TemplateBody parseTemplate(std::string_view source, const std::string& name)
{
    return Parser(source, name).run();
}

} // namespace headscope
