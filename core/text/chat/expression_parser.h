#pragma once

#include "core/text/chat/template_expressions.h"
#include "core/text/chat/token_stream.h"

namespace headscope {

/// Parses expressions with Jinja's precedence.
class ExpressionParser
{
public:
    explicit ExpressionParser(TokenStream& tokens) : m_tokens(tokens) {}

    TemplateExpression parse(); ///< Everything, with `a if b else c`.

    /// Several separated by commas are a tuple.
    TemplateExpression parseTuple();

    /// Without the choice: the items of a loop, whose `if` is the loop's own.
    TemplateExpression parseLogic() { return parseOr(); }

    ArgumentExpressions parseArguments(); ///< "(...)", the bracket included.

private:
    TemplateExpression parseOr();
    TemplateExpression parseAnd();
    TemplateExpression parseNot();
    TemplateExpression parseComparison();
    std::string comparisonSign();
    TemplateExpression parseSum();
    TemplateExpression parseJoin();
    TemplateExpression parseProduct();
    TemplateExpression parsePower();
    TemplateExpression parseUnary(bool withFilters = true);
    TemplateExpression parsePrimary();
    TemplateExpression parseNumber();
    TemplateExpression parseString();
    TemplateExpression parseNamed();
    TemplateExpression parseBracketed();
    TemplateExpression parseList();
    TemplateExpression parseMapping();
    TemplateExpression parsePostfix(TemplateExpression value);
    TemplateExpression parseMember(TemplateExpression object);
    TemplateExpression parseSubscript(TemplateExpression object);
    TemplateExpression parseFilters(TemplateExpression value);
    TemplateExpression parseFilter(TemplateExpression value);
    TemplateExpression parseTest(TemplateExpression value);
    ArgumentExpressions testArguments();
    bool beginsTestArgument() const;

    /// One more level or link of a chain: deep templates are refused before they fill the stack.
    class Level;

    TokenStream& m_tokens;
    int m_depth = 0;
};

} // namespace headscope
