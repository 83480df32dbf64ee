#pragma once

#include "core/text/chat/template_expressions.h"
#include "core/text/chat/token_stream.h"

namespace headscope {

/// Parses expressions with Jinja's precedence.
class ExpressionParser
{
public:
    explicit ExpressionParser(TokenStream& tokens) : m_tokens(tokens) {}

    ExpressionPtr parse(); ///< Everything, with `a if b else c`.

    /// Several separated by commas are a tuple.
    ExpressionPtr parseTuple();

    /// Without the choice: the items of a loop, whose `if` is the loop's own.
    ExpressionPtr parseLogic() { return parseOr(); }

    ArgumentExpressions parseArguments(); ///< "(...)", the bracket included.

private:
    ExpressionPtr parseOr();
    ExpressionPtr parseAnd();
    ExpressionPtr parseNot();
    ExpressionPtr parseComparison();
    std::string comparisonSign();
    ExpressionPtr parseSum();
    ExpressionPtr parseJoin();
    ExpressionPtr parseProduct();
    ExpressionPtr parsePower();
    ExpressionPtr parseUnary(bool withFilters = true);
    ExpressionPtr parsePrimary();
    ExpressionPtr parseNumber();
    ExpressionPtr parseString();
    ExpressionPtr parseNamed();
    ExpressionPtr parseBracketed();
    ExpressionPtr parseList();
    ExpressionPtr parseMapping();
    ExpressionPtr parsePostfix(ExpressionPtr value);
    ExpressionPtr parseMember(ExpressionPtr object);
    ExpressionPtr parseSubscript(ExpressionPtr object);
    ExpressionPtr parseFilters(ExpressionPtr value);
    ExpressionPtr parseFilter(ExpressionPtr value);
    ExpressionPtr parseTest(ExpressionPtr value);
    ArgumentExpressions testArguments();
    bool beginsTestArgument() const;

    /// One more level or link of a chain: deep templates are refused before they fill the stack.
    class Level;

    TokenStream& m_tokens;
    int m_depth = 0;
};

} // namespace headscope
