#pragma once

#include "ui/session/settings.h"
#include "ui/widgets/style/theme.h"

namespace headscope::ui {

/// The user's choice of reduced motion, or the system's where none was made.
inline bool wantsReducedMotion(const Settings& settings)
{
    const QString request = settings.text(Setting::Motion);
    return request == QLatin1String("reduced") ||
           (request != QLatin1String("full") && systemWantsReducedMotion());
}

} // namespace headscope::ui
