#pragma once

#include <QString>

namespace headscope::ui {

/// What Shift+F1 says about a page, a dock or a control of the frame, by its object name. Empty for
/// a name that is not known.
QString whatsThisText(const QString& name);

} // namespace headscope::ui
