#pragma once

#include "ui/pages/shared/figures/figure.h"

#include <filesystem>

namespace headscope::ui {

/// One HTML file for somebody without Headscope: a page as it stands, its patterns to
/// explore, and the session inside, which openSession() takes out again.
struct SharedPage
{
    QString title;           ///< of the program's page: "Overview"
    QString question;        ///< what the page is about, one or two sentences; may be empty
    Figure figure;           ///< left out without a painter
    ViewSnapshot view;       ///< the shown run becomes the map to explore
    QByteArray session = {}; ///< a session file's content; or empty
};

constexpr qsizetype kLargestSharedPage = 10'000'000; ///< bytes of the file

/// The file's content: it asks no network for anything, and all text of the person is escaped.
/// Needs a QApplication, on its thread. Throws Error where there is nothing to share or the page
/// would be larger than `largest`, whose rest the patterns fill.
QByteArray sharedPageHtml(const SharedPage& page, qsizetype largest = kLargestSharedPage);

/// Written atomically. Throws Error.
void saveSharedPage(const SharedPage& page, const std::filesystem::path& path);

} // namespace headscope::ui
