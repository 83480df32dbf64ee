#include "app/commands/token_output.h"

#include "app/console.h"
#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/text/display_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>

namespace headscope::app {

namespace {

/// What the output needs of a token, in 12 bytes.
struct SmallToken
{
    TokenId id;
    std::uint32_t begin;
    std::uint32_t end;
};

using SmallTokens = std::deque<SmallToken>; // grows without copying

/// Prints [a,b,...], item by item.
template<class Item>
void printArray(const SmallTokens& tokens, const Item& item)
{
    const char* before = "[";
    for (const SmallToken& token : tokens) {
        print(before);
        print(item(token));
        before = ",";
    }
    print(tokens.empty() ? "[]" : "]");
}

/// Prints a text as a JSON string, some kilobytes at a time.
void printJsonText(std::string_view text)
{
    constexpr std::size_t kAtOnce = std::size_t{64} << 10;
    print("\"");
    while (!text.empty()) {
        std::size_t end = std::min(text.size(), kAtOnce);
        while (end > 1 && end < text.size() && (text[end] & 0xC0) == 0x80)
            --end; // between two characters
        const std::string quoted = dumpJson(std::string(text.substr(0, end)));
        print(std::string_view(quoted).substr(1, quoted.size() - 2));
        text.remove_prefix(end);
    }
    print("\"");
}

} // namespace

std::string tokenLine(const Token& token, const Tokenizer& tokenizer)
{
    return fmt::format("{:>7}  {:>5}..{:<5}  {}\n", token.id, token.bytes.begin, token.bytes.end,
                       displayText(tokenizer.tokenBytes(token.id)));
}

void printTokenTable(const Tokenizer& tokenizer, std::string_view text, bool addSpecial)
{
    tokenizer.encodeInto(text, addSpecial,
                         [&](const Token& token) { print(tokenLine(token, tokenizer)); });
    print("\n");
}

void printTokenJson(const Tokenizer& tokenizer, std::string_view text, bool addSpecial)
{
    if (text.size() >= std::numeric_limits<std::uint32_t>::max())
        throw Error(fmt::format("a text of {} bytes", text.size()), "tokenize",
                    "Give less than 4 GiB at a time, or leave out --json");
    SmallTokens tokens;
    tokenizer.encodeInto(text, addSpecial, [&](const Token& token) {
        tokens.push_back({token.id, static_cast<std::uint32_t>(token.bytes.begin),
                          static_cast<std::uint32_t>(token.bytes.end)});
    });
    print("{\"ids\":");
    printArray(tokens, [](const SmallToken& token) { return fmt::format("{}", token.id); });
    print(",\"offsets\":");
    printArray(tokens, [](const SmallToken& token) {
        return fmt::format("[{},{}]", token.begin, token.end);
    });
    print(",\"text\":");
    printJsonText(text);
    print(",\"tokens\":");
    printArray(tokens,
               [&](const SmallToken& token) { return dumpJson(tokenizer.tokenText(token.id)); });
    print("}");
    printLineEnd();
}

} // namespace headscope::app
