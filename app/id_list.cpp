#include "app/id_list.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/base/text_parts.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace headscope::app {

namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::size_t kMostDigits = 18; ///< Of a number that fits into 64 bits.

/// Parts between the commas.
std::vector<std::string_view> partsOf(std::string_view list)
{
    std::vector<std::string_view> parts;
    for (std::size_t comma = list.find(','); comma != std::string_view::npos;
         comma = list.find(',')) {
        parts.push_back(trimmedText(list.substr(0, comma), " "));
        list.remove_prefix(comma + 1);
    }
    parts.push_back(trimmedText(list, " "));
    return parts;
}

/// What is wrong with a list, or "".
std::string whyNoList(const std::string& list)
{
    const bool isList = std::ranges::all_of(partsOf(list), [](std::string_view part) {
        if (part.starts_with('-')) // an integer; that there is no such token is said later
            part.remove_prefix(1);
        return !part.empty() && part.find_first_not_of(kDigits) == std::string_view::npos;
    });
    return isList ? std::string()
                  : inQuotes(list) + " is not a list of token ids. Write it as 1,2,3";
}

} // namespace

CLI::Option* addIdsOption(CLI::App& command, const std::string& name,
                          std::vector<std::string>& words, const std::string& help)
{
    return command.add_option(name, words, help)->check(whyNoList);
}

std::vector<TokenId> parseIds(const std::vector<std::string>& words, const char* option,
                              std::int64_t vocabularySize)
{
    std::vector<TokenId> ids;
    for (const std::string& word : words) {
        for (const std::string_view part : partsOf(word)) {
            const bool fits = part.size() <= kMostDigits && !part.starts_with('-') &&
                              std::stoll(std::string(part)) < vocabularySize;
            if (!fits)
                throw Error(fmt::format("there is no token {}", part), option,
                            fmt::format("Use ids from 0 to {}", vocabularySize - 1));
            ids.push_back(static_cast<TokenId>(std::stoll(std::string(part))));
        }
    }
    return ids;
}

} // namespace headscope::app
