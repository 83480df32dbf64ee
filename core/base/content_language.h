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
    /// must stay in memory, or an empty view. May be empty itself.
    std::function<std::string_view(const std::string& resource)> overlay;
};

/// Applies to what is read from now on; catalogues already handed out stay as they are. Can be
/// called on any thread, as the other functions here.
void setContentLanguage(ContentLanguage language);
std::string contentLocale();

/// `text`, the JSON of `resource`, in the language of this process. Throws FormatError for an
/// overlay that does not fit.
std::string contentText(const std::string& resource, std::string_view text);

} // namespace headscope
