#pragma once

#include "core/base/json_text.h"
#include "ui/session/chat/chat.h"

namespace headscope::ui {

nlohmann::ordered_json toJson(const ChatInput& chat);
nlohmann::ordered_json toJson(const Chat& chat);

/// Strict parsers: throw FormatError with `where`, the key and the expected value.
ChatInput chatInputFromJson(const nlohmann::json& value, const std::string& where);
Chat chatFromJson(const nlohmann::json& value, const std::string& where);

} // namespace headscope::ui
