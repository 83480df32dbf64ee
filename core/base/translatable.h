#pragma once

namespace headscope {

/// Marks a text of core that the window shows in the user's language: translations are looked up
/// under `context`, and resources/translations/update.cmake finds the text by this function's name.
constexpr const char* translatable(const char* /*context*/, const char* text)
{
    return text;
}

} // namespace headscope
