#include "core/text/chat/expression_parser.h"

#include "core/base/error.h"

#include <array>
#include <charconv>

namespace headscope {

namespace {

using Kind = TemplateToken::Kind;

constexpr int kDeepest = 200;
constexpr int kLongestChain = 200;

} // namespace

class ExpressionParser::Level
{
public:
    explicit Level(ExpressionParser& parser) : m_parser(parser)
    {
        if (++m_parser.m_depth > kDeepest)
            m_parser.m_tokens.refuse("an expression that is nested too deeply");
    }

    ~Level() { --m_parser.m_depth; }

    /// Counts one more operand.
    void link()
    {
        if (++m_links > kLongestChain)
            m_parser.m_tokens.refuse("an expression that is too long");
    }

    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

private:
    ExpressionParser& m_parser;
    int m_links = 0;
};

TemplateExpression ExpressionParser::parse()
{
    Level level(*this);
    TemplateExpression value = parseOr();
    while (m_tokens.skipName("if")) {
        level.link();
        TemplateExpression condition = parseOr();
        TemplateExpression otherwise = m_tokens.skipName("else") ? parse() : nullptr;
        value = choiceExpression(std::move(condition), std::move(value), std::move(otherwise));
    }
    return value;
}

TemplateExpression ExpressionParser::parseTuple()
{
    Level level(*this);
    TemplateExpression first = parse();
    if (!m_tokens.isSign(","))
        return first;
    std::vector<TemplateExpression> items;
    items.push_back(std::move(first));
    while (m_tokens.skipSign(",")) {
        const Kind kind = m_tokens.current().kind;
        if (kind == Kind::TagEnd || kind == Kind::OutputEnd || m_tokens.isSign(")"))
            break;
        items.push_back(parse());
    }
    return listExpression(std::move(items), true);
}

TemplateExpression ExpressionParser::parseOr()
{
    Level level(*this);
    TemplateExpression value = parseAnd();
    for (; m_tokens.skipName("or"); level.link())
        value = logicExpression(false, std::move(value), parseAnd());
    return value;
}

TemplateExpression ExpressionParser::parseAnd()
{
    Level level(*this);
    TemplateExpression value = parseNot();
    for (; m_tokens.skipName("and"); level.link())
        value = logicExpression(true, std::move(value), parseNot());
    return value;
}

TemplateExpression ExpressionParser::parseNot()
{
    Level level(*this);
    return m_tokens.skipName("not") ? notExpression(parseNot()) : parseComparison();
}

std::string ExpressionParser::comparisonSign()
{
    static constexpr std::array<std::string_view, 6> kSigns = {"==", "!=", "<=", ">=", "<", ">"};
    for (const std::string_view sign : kSigns)
        if (m_tokens.skipSign(sign))
            return std::string(sign);
    if (m_tokens.skipName("in"))
        return "in";
    if (m_tokens.isName("not") && m_tokens.next().kind == Kind::Name &&
        m_tokens.next().text == "in") {
        m_tokens.take();
        m_tokens.take();
        return "not in";
    }
    return {};
}

TemplateExpression ExpressionParser::parseComparison()
{
    TemplateExpression first = parseSum();
    std::vector<std::pair<std::string, TemplateExpression>> comparisons;
    for (std::string sign = comparisonSign(); !sign.empty(); sign = comparisonSign())
        comparisons.emplace_back(sign, parseSum());
    return comparisons.empty() ? std::move(first)
                               : comparisonExpression(std::move(first), std::move(comparisons));
}

TemplateExpression ExpressionParser::parseSum()
{
    Level level(*this);
    TemplateExpression value = parseJoin();
    for (; m_tokens.isSign("+") || m_tokens.isSign("-"); level.link()) {
        const std::string sign = m_tokens.take().text;
        value = arithmeticExpression(sign, std::move(value), parseJoin());
    }
    return value;
}

TemplateExpression ExpressionParser::parseJoin()
{
    Level level(*this);
    TemplateExpression value = parseProduct();
    for (; m_tokens.skipSign("~"); level.link())
        value = arithmeticExpression("~", std::move(value), parseProduct());
    return value;
}

TemplateExpression ExpressionParser::parseProduct()
{
    Level level(*this);
    TemplateExpression value = parsePower();
    while (m_tokens.isSign("*") || m_tokens.isSign("/") || m_tokens.isSign("//") ||
           m_tokens.isSign("%")) {
        level.link();
        const std::string sign = m_tokens.take().text;
        value = arithmeticExpression(sign, std::move(value), parsePower());
    }
    return value;
}

TemplateExpression ExpressionParser::parsePower()
{
    Level level(*this);
    TemplateExpression value = parseUnary();
    for (; m_tokens.skipSign("**"); level.link())
        value = arithmeticExpression("**", std::move(value), parseUnary());
    return value;
}

TemplateExpression ExpressionParser::parseUnary(bool withFilters)
{
    Level level(*this);
    TemplateExpression value;
    if (m_tokens.isSign("-") || m_tokens.isSign("+")) {
        const bool isNegative = m_tokens.take().text == "-";
        value = signExpression(parseUnary(false), isNegative);
    } else {
        value = parsePrimary();
    }
    value = parsePostfix(std::move(value));
    return withFilters ? parseFilters(std::move(value)) : std::move(value);
}

TemplateExpression ExpressionParser::parsePrimary()
{
    switch (m_tokens.current().kind) {
    case Kind::Name:
        return parseNamed();
    case Kind::String:
        return parseString();
    case Kind::Integer:
    case Kind::Float:
        return parseNumber();
    default:
        return parseBracketed();
    }
}

TemplateExpression ExpressionParser::parseNumber()
{
    const TemplateToken token = m_tokens.take();
    const char* const end = token.text.data() + token.text.size();
    std::int64_t whole = 0;
    double decimal = 0.0;
    const bool isFloat = token.kind == Kind::Float;
    const auto read = isFloat ? std::from_chars(token.text.data(), end, decimal)
                              : std::from_chars(token.text.data(), end, whole);
    if (read.ec != std::errc())
        m_tokens.refuse("a number that is too large");
    return literalExpression(isFloat ? TemplateValue(decimal) : TemplateValue(whole));
}

TemplateExpression ExpressionParser::parseString()
{
    std::string text;
    while (m_tokens.current().kind == Kind::String) // neighbours are one text
        text += m_tokens.take().text;
    return literalExpression(std::move(text));
}

TemplateExpression ExpressionParser::parseNamed()
{
    std::string name = m_tokens.take().text;
    if (name == "true" || name == "True")
        return literalExpression(true);
    if (name == "false" || name == "False")
        return literalExpression(false);
    if (name == "none" || name == "None")
        return literalExpression({});
    return nameExpression(std::move(name));
}

TemplateExpression ExpressionParser::parseBracketed()
{
    if (m_tokens.skipSign("["))
        return parseList();
    if (m_tokens.skipSign("{"))
        return parseMapping();
    if (!m_tokens.skipSign("("))
        m_tokens.refuseCurrent();
    if (m_tokens.skipSign(")"))
        return listExpression({}, true);
    TemplateExpression value = parseTuple();
    m_tokens.expectSign(")");
    return value;
}

TemplateExpression ExpressionParser::parseList()
{
    std::vector<TemplateExpression> items;
    while (!m_tokens.skipSign("]")) {
        if (!items.empty())
            m_tokens.expectSign(",");
        if (m_tokens.skipSign("]"))
            break;
        items.push_back(parse());
    }
    return listExpression(std::move(items), false);
}

TemplateExpression ExpressionParser::parseMapping()
{
    std::vector<std::pair<TemplateExpression, TemplateExpression>> members;
    while (!m_tokens.skipSign("}")) {
        if (!members.empty())
            m_tokens.expectSign(",");
        if (m_tokens.skipSign("}"))
            break;
        TemplateExpression name = parse();
        m_tokens.expectSign(":");
        members.emplace_back(std::move(name), parse());
    }
    return mappingExpression(std::move(members));
}

TemplateExpression ExpressionParser::parsePostfix(TemplateExpression value)
{
    Level level(*this);
    for (;; level.link()) {
        if (m_tokens.skipSign("."))
            value = parseMember(std::move(value));
        else if (m_tokens.skipSign("["))
            value = parseSubscript(std::move(value));
        else if (m_tokens.isSign("("))
            value = callExpression(std::move(value), parseArguments());
        else
            return value;
    }
}

TemplateExpression ExpressionParser::parseMember(TemplateExpression object)
{
    if (m_tokens.current().kind == Kind::Integer) // list.0
        return itemExpression(std::move(object), parseNumber());
    return memberExpression(std::move(object), m_tokens.expectName());
}

TemplateExpression ExpressionParser::parseSubscript(TemplateExpression object)
{
    std::array<TemplateExpression, 3> parts;
    std::size_t colons = 0;
    while (!m_tokens.skipSign("]")) {
        if (m_tokens.skipSign(":")) {
            if (++colons > 2)
                m_tokens.refuse("a slice of more than three parts");
        } else if (parts[colons]) {
            m_tokens.refuseCurrent();
        } else {
            parts[colons] = parse();
        }
    }
    if (colons > 0)
        return sliceExpression(std::move(object), std::move(parts[0]), std::move(parts[1]),
                               std::move(parts[2]));
    if (!parts[0])
        m_tokens.refuse("empty brackets");
    return itemExpression(std::move(object), std::move(parts[0]));
}

ArgumentExpressions ExpressionParser::parseArguments()
{
    ArgumentExpressions arguments;
    m_tokens.expectSign("(");
    for (bool isFirst = true; !m_tokens.skipSign(")"); isFirst = false) {
        if (!isFirst)
            m_tokens.expectSign(",");
        if (m_tokens.skipSign(")"))
            break;
        const bool isNamed = m_tokens.current().kind == Kind::Name &&
                             m_tokens.next().kind == Kind::Sign && m_tokens.next().text == "=";
        if (!isNamed) {
            arguments.positional.push_back(parse());
            continue;
        }
        std::string name = m_tokens.take().text;
        m_tokens.take();
        arguments.named.emplace_back(std::move(name), parse());
    }
    return arguments;
}

TemplateExpression ExpressionParser::parseFilters(TemplateExpression value)
{
    Level level(*this);
    for (;; level.link()) {
        if (m_tokens.skipSign("|"))
            value = parseFilter(std::move(value));
        else if (m_tokens.skipName("is"))
            value = parseTest(std::move(value));
        else if (m_tokens.isSign("("))
            value = callExpression(std::move(value), parseArguments());
        else
            return value;
    }
}

TemplateExpression ExpressionParser::parseFilter(TemplateExpression value)
{
    const std::string name = m_tokens.expectName();
    ArgumentExpressions arguments = m_tokens.isSign("(") ? parseArguments() : ArgumentExpressions();
    try {
        return filterExpression(std::move(value), name, std::move(arguments));
    } catch (const Error& error) {
        m_tokens.refuse(error.problem());
    }
}

TemplateExpression ExpressionParser::parseTest(TemplateExpression value)
{
    const bool isNegated = m_tokens.skipName("not");
    const std::string name = m_tokens.expectName();
    ArgumentExpressions arguments = testArguments();
    try {
        TemplateExpression test = testExpression(std::move(value), name, std::move(arguments));
        return isNegated ? notExpression(std::move(test)) : std::move(test);
    } catch (const Error& error) {
        m_tokens.refuse(error.problem());
    }
}

ArgumentExpressions ExpressionParser::testArguments()
{
    if (m_tokens.isSign("("))
        return parseArguments();
    ArgumentExpressions arguments;
    if (beginsTestArgument())
        arguments.positional.push_back(parsePostfix(parsePrimary()));
    return arguments;
}

bool ExpressionParser::beginsTestArgument() const
{
    const TemplateToken& token = m_tokens.current();
    if (token.kind == Kind::Name)
        return token.text != "else" && token.text != "or" && token.text != "and" &&
               token.text != "is" && token.text != "if" && token.text != "not" &&
               token.text != "in";
    return token.kind == Kind::String || token.kind == Kind::Integer || token.kind == Kind::Float ||
           m_tokens.isSign("[") || m_tokens.isSign("{");
}

} // namespace headscope
