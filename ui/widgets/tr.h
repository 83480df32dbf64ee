#pragma once

#include <QString>

namespace headscope::ui {

/// `text` in the user's language, for functions outside classes: a class has a tr of its own.
/// `count` stands in the place of %n, and chooses between singular and plural.
QString tr(const char* text, int count = -1);

} // namespace headscope::ui
