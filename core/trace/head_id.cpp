#include "core/trace/head_id.h"

#include <charconv>
#include <fmt/format.h>

namespace headscope {

namespace {

/// Reads `letter` and the digits that follow it from the front of `text`.
std::optional<int> takeNumber(std::string_view& text, char letter)
{
    if (!text.starts_with(letter))
        return std::nullopt;
    text.remove_prefix(1);
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || number < 0)
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

} // namespace

std::string toString(HeadId head)
{
    const std::string kind = toString(head.attention);
    return fmt::format("{}{}L{}H{}", kind, kind.empty() ? "" : " ", head.layer, head.head);
}

std::optional<HeadId> parseHeadId(std::string_view text)
{
    AttentionKind attention = AttentionKind::Self;
    for (const AttentionKind kind : kAttentionKinds) {
        const std::string prefix = toString(kind) + ' ';
        if (kind != AttentionKind::Self && text.starts_with(prefix)) {
            attention = kind;
            text.remove_prefix(prefix.size());
            break;
        }
    }
    const std::optional<int> layer = takeNumber(text, 'L');
    const std::optional<int> head = layer ? takeNumber(text, 'H') : std::nullopt;
    if (!head || !text.empty())
        return std::nullopt;
    return HeadId(attention, *layer, *head);
}

} // namespace headscope
