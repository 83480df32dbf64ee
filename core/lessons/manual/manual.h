#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// A page of the manual: Markdown that begins with "# Title".
struct ManualPage
{
    std::string name;    ///< "head", of resources/manual/head.md
    std::string title;   ///< "Head"
    std::string chapter; ///< heading of the contents under which it is listed
    std::string text;
};

/// The manual that the window shows and `headscope help` prints. Immutable.
class Manual
{
public:
    Manual() = default;

    /// `contents` is Markdown with a "## Chapter" and a list of "- [Title](name.md)" for each
    /// chapter. Throws FormatError unless it lists every page once, under the page's own title.
    Manual(std::string_view contents, std::vector<ManualPage> pages);

    const std::vector<ManualPage>& pages() const
    {
        return m_pages;
    } ///< All pages, in the order of the contents.

    /// The page with this name or title in any case ("What if" is what-if); null if there is none.
    const ManualPage* find(std::string_view topic) const;

    const ManualPage& page(std::string_view topic) const; ///< throws Error with the nearest name

    /// Pages that contain all words in any case: those with a word in the title first, then by the
    /// number of matches. All pages for an empty query.
    std::vector<const ManualPage*> search(std::string_view query) const;

private:
    void addChapter(std::string_view chapter, std::string_view listing,
                    std::vector<ManualPage>& pages);

    std::vector<ManualPage> m_pages;
};

/// Targets of the links of a Markdown text, without those in code: "heads.md", "page:head".
std::vector<std::string> markdownLinks(std::string_view markdown);

/// First sentence below the title, without marks.
std::string firstSentence(const ManualPage& page);

} // namespace headscope
