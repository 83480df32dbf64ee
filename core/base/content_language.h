#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace headscope {

/// Language of the lessons, labs, tasks and experiments that this process shows. The default is
/// English; only the window chooses another.
struct ContentLanguage
{
    std::string locale; ///< "zh_CN"; empty for English.
    /// Returns the translated texts of a resource such as "labs/alibi.json" (see withOverlay), which
    /// must stay in memory, or an empty view; for "messages/labs.json" and the other rooms of
    /// messages the translations of texts that core computes. May be empty itself.
    std::function<std::string_view(const std::string& resource)> overlay;
};

/// Applies to what is read from now on; catalogues already handed out stay as they are. Can be
/// called on any thread, as the other functions here. Throws FormatError for messages that do not
/// fit (see MessageCatalogue).
void setContentLanguage(ContentLanguage language);
std::string contentLocale();

/// `text`, the JSON of `resource`, in the language of this process. Throws FormatError for an
/// overlay that does not fit.
std::string contentText(const std::string& resource, std::string_view text);

/// `english`, a text that core computed or the constant it was made of, in the language of this
/// process; `english` itself where no message is translated. For what a window shows: files, JSON
/// and the command line keep the English.
std::string message(std::string_view english);

} // namespace headscope
