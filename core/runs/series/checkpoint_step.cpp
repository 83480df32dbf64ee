#include "core/runs/series/checkpoint_step.h"

#include "core/base/text_parts.h"

#include <cctype>
#include <charconv>
#include <string>

namespace headscope {

namespace {

/// The first that a name contains counts: "checkpoint-step-1000" is step 1000.
constexpr std::string_view kWords[] = {"step", "iteration", "iter", "checkpoint", "ckpt"};
constexpr std::string_view kSeparators = "-_=. ";
constexpr std::size_t kMostDigits = 18; ///< All such numbers fit 64 bits.

bool isLetter(char c)
{
    return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

bool isDigit(char c)
{
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// The number at the beginning of `text`, after at most one separator; none if letters follow.
std::optional<std::int64_t> leadingNumber(std::string_view text)
{
    if (!text.empty() && kSeparators.find(text.front()) != std::string_view::npos)
        text.remove_prefix(1);
    std::size_t digits = 0;
    while (digits < text.size() && isDigit(text[digits]))
        ++digits;
    const bool isWhole = digits == text.size() || !isLetter(text[digits]);
    if (digits == 0 || digits > kMostDigits || !isWhole)
        return std::nullopt;
    std::int64_t number = 0;
    std::from_chars(text.data(), text.data() + digits, number);
    return number;
}

} // namespace

std::optional<std::int64_t> stepInName(std::string_view name)
{
    const std::string lower = asciiLower(name);
    for (const std::string_view word : kWords) {
        for (std::size_t at = lower.find(word); at != std::string::npos;
             at = lower.find(word, at + 1)) {
            const bool begins = at == 0 || !isLetter(lower[at - 1]);
            const auto number =
                begins ? leadingNumber(std::string_view(lower).substr(at + word.size()))
                       : std::nullopt;
            if (number)
                return number;
        }
    }
    return std::nullopt;
}

} // namespace headscope
