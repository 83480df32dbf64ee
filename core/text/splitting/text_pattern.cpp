#include "core/text/splitting/text_pattern.h"

#include "core/base/error.h"
#include "core/base/json_text.h"

#include <unicode/regex.h>
#include <unicode/utext.h>

#include <fmt/format.h>

namespace headscope {

namespace {

constexpr std::size_t kLongestExpression = 16 << 10;
constexpr std::int32_t kStackBytes = 32 << 20;
/// Limit in ICU's units of some 10,000 steps each; a well-behaved expression needs one for many
/// words.
constexpr std::int32_t kStepsPerMatch = 2'000;
/// Limit for a whole text: well-behaved expressions need a tenth of a microsecond per byte.
constexpr double kSeconds = 3.0;
constexpr double kSecondsPerByte = 5e-6;

/// Adds U+000B and U+0085, which ICU's \s lacks and Oniguruma's has.
std::string withUnicodeSpaces(std::string_view expression)
{
    std::string result;
    for (std::size_t at = 0; at < expression.size(); ++at) {
        if (expression[at] != '\\' || at + 1 == expression.size()) {
            result += expression[at];
            continue;
        }
        const char escaped = expression[++at];
        if (escaped == 's')
            result += "\\p{White_Space}";
        else if (escaped == 'S')
            result += "\\P{White_Space}";
        else
            result += {'\\', escaped};
    }
    return result;
}

/// CPU time of this thread, so that a busy machine does not make a text too long.
double secondsOfWork()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// Stops the search in a text when it has taken too long in total.
class Deadline
{
public:
    Deadline(icu::RegexMatcher& matcher, std::size_t bytes, UErrorCode& status)
        : m_end(secondsOfWork() + kSeconds + kSecondsPerByte * static_cast<double>(bytes))
    {
        matcher.setMatchCallback(&Deadline::afterSteps, this, status);
        matcher.setFindProgressCallback(&Deadline::afterMatch, this, status);
    }

    bool isPast() const { return secondsOfWork() > m_end; }

    /// Checks the clock once in a while.
    bool isPastAtLast() { return ++m_calls % 1024 == 0 && isPast(); }

private:
    static UBool U_CALLCONV afterSteps(const void* context, std::int32_t)
    {
        return !static_cast<const Deadline*>(context)->isPast();
    }

    static UBool U_CALLCONV afterMatch(const void* context, std::int64_t)
    {
        return !const_cast<Deadline*>(static_cast<const Deadline*>(context))->isPastAtLast();
    }

    double m_end;
    unsigned m_calls = 0;
};

/// ICU's view of UTF-8, with byte offsets.
class TextView
{
public:
    explicit TextView(std::string_view text)
    {
        UErrorCode status = U_ZERO_ERROR;
        utext_openUTF8(&m_view, text.data(), static_cast<std::int64_t>(text.size()), &status);
    }

    ~TextView() { utext_close(&m_view); }

    TextView(const TextView&) = delete;
    TextView& operator=(const TextView&) = delete;

    UText* get() { return &m_view; }

private:
    UText m_view = UTEXT_INITIALIZER;
};

} // namespace

struct TextPattern::Compiled
{
    std::unique_ptr<const icu::RegexPattern> pattern;
    std::string expression;
    std::string where;

    [[noreturn]] void fail(UErrorCode status) const
    {
        const bool tooLong = status == U_REGEX_TIME_OUT || status == U_REGEX_STACK_OVERFLOW ||
                             status == U_REGEX_STOPPED_BY_CALLER;
        throw FormatError(
            fmt::format("the regular expression {} {}", inQuotes(expression),
                        tooLong ? "takes too many steps for this text" : u_errorName(status)),
            where, std::nullopt,
            tooLong ? "Use a tokenizer whose expression does not backtrack so much" : "");
    }
};

TextPattern TextPattern::regex(const std::string& expression, const std::string& where)
{
    if (expression.size() > kLongestExpression)
        throw FormatError(fmt::format("a regular expression of {} bytes, but at most {} are "
                                      "allowed",
                                      expression.size(), kLongestExpression),
                          where);
    auto compiled = std::make_shared<Compiled>();
    compiled->expression = expression;
    compiled->where = where;
    UErrorCode status = U_ZERO_ERROR;
    UParseError place{};
    compiled->pattern.reset(
        icu::RegexPattern::compile(icu::UnicodeString::fromUTF8(withUnicodeSpaces(expression)),
                                   UREGEX_MULTILINE | UREGEX_UNIX_LINES, place, status));
    if (U_FAILURE(status))
        throw FormatError(fmt::format("the regular expression {} is not valid ({})",
                                      inQuotes(expression), u_errorName(status)),
                          where);
    TextPattern result;
    result.m_compiled = std::move(compiled);
    return result;
}

TextPattern TextPattern::literal(std::string text)
{
    TextPattern result;
    result.m_literal = std::move(text);
    return result;
}

std::vector<TextPattern::Segment> TextPattern::segments(std::string_view text) const
{
    if (m_compiled == nullptr)
        return literalSegments(text);
    std::vector<Segment> result;
    if (text.empty())
        return result;
    TextView view(text);
    UErrorCode status = U_ZERO_ERROR;
    const std::unique_ptr<icu::RegexMatcher> matcher(m_compiled->pattern->matcher(status));
    if (U_FAILURE(status))
        m_compiled->fail(status);
    matcher->setTimeLimit(kStepsPerMatch, status);
    matcher->setStackLimit(kStackBytes, status);
    Deadline deadline(*matcher, text.size(), status);
    matcher->reset(view.get());
    std::size_t reached = 0;
    while (matcher->find(status)) {
        const auto begin = static_cast<std::size_t>(matcher->start64(status));
        const auto end = static_cast<std::size_t>(matcher->end64(status));
        if (begin > reached)
            result.push_back({{reached, begin}, false});
        result.push_back({{begin, end}, true});
        reached = end;
        if (deadline.isPastAtLast())
            status = U_REGEX_STOPPED_BY_CALLER;
    }
    if (U_FAILURE(status))
        m_compiled->fail(status);
    if (reached < text.size())
        result.push_back({{reached, text.size()}, false});
    return result;
}

std::vector<TextPattern::Segment> TextPattern::literalSegments(std::string_view text) const
{
    std::vector<Segment> result;
    std::size_t reached = 0;
    while (!m_literal.empty()) {
        const std::size_t begin = text.find(m_literal, reached);
        if (begin == std::string_view::npos)
            break;
        if (begin > reached)
            result.push_back({{reached, begin}, false});
        reached = begin + m_literal.size();
        result.push_back({{begin, reached}, true});
    }
    if (reached < text.size())
        result.push_back({{reached, text.size()}, false});
    return result;
}

} // namespace headscope
