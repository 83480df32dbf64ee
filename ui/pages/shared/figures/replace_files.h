#pragma once

#include <filesystem>
#include <functional>
#include <vector>

class QWidget;

namespace headscope::ui {

/// Calls `write` at once when none of the files exists. Otherwise asks over the parent's window, once
/// and naming the existing ones, and calls it when their replacement is confirmed.
void replaceFiles(QWidget& parent, const std::vector<std::filesystem::path>& files,
                  std::function<void()> write);

} // namespace headscope::ui
