#include "core/lessons/manual/manual.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/base/text_parts.h"
#include "core/lessons/manual/markdown_text.h"

#include <algorithm>
#include <utility>

namespace headscope {

namespace {

constexpr std::string_view kContents = "manual/README.md";

/// "What if" as "what-if".
std::string nameOf(std::string_view topic)
{
    std::string name = asciiLower(topic);
    std::ranges::replace(name, ' ', '-');
    return name;
}

std::string titleOf(const ManualPage& page)
{
    const std::string_view line = std::string_view(page.text).substr(0, page.text.find('\n'));
    if (!line.starts_with("# "))
        throw FormatError("a page begins with \"# \" and its title", "manual/" + page.name + ".md");
    return plainMarkdown(line.substr(2));
}

std::size_t countOf(std::string_view word, std::string_view text)
{
    std::size_t count = 0;
    for (std::size_t at = text.find(word); at != std::string_view::npos;
         at = text.find(word, at + word.size()))
        ++count;
    return count;
}

/// 0 unless every word is there; a word of the title outweighs any number of matches.
std::size_t relevance(const ManualPage& page, const std::vector<std::string_view>& words)
{
    constexpr std::size_t kTitle = 1'000'000;
    const std::string title = asciiLower(page.title);
    const std::string text = asciiLower(page.text);
    std::size_t sum = 0;
    for (const std::string_view word : words) {
        const std::size_t count = countOf(word, text) + kTitle * countOf(word, title);
        if (count == 0)
            return 0;
        sum += count;
    }
    return sum;
}

} // namespace

Manual::Manual(std::string_view contents, std::vector<ManualPage> pages)
{
    for (ManualPage& page : pages)
        page.title = titleOf(page);
    constexpr std::string_view kHeading = "\n## ";
    std::size_t from = contents.find(kHeading);
    while (from != std::string_view::npos) {
        from += kHeading.size();
        const std::size_t line = std::min(contents.find('\n', from), contents.size());
        const std::size_t next = contents.find(kHeading, line);
        addChapter(contents.substr(from, line - from), contents.substr(line, next - line), pages);
        from = next;
    }
    if (!pages.empty())
        throw FormatError("the contents do not list " + inQuotes(pages.front().name),
                          std::string(kContents));
}

void Manual::addChapter(std::string_view chapter, std::string_view listing,
                        std::vector<ManualPage>& pages)
{
    for (const std::string& link : markdownLinks(listing)) {
        const auto isMeant = [&link](const ManualPage& page) { return page.name + ".md" == link; };
        const auto page = std::ranges::find_if(pages, isMeant);
        if (page == pages.end())
            throw FormatError("the contents list " + inQuotes(link) +
                                  ", which is missing or listed twice",
                              std::string(kContents));
        if (listing.find("- [" + page->title + "](" + link + ")") == std::string_view::npos)
            throw FormatError(inQuotes(link) + " is not listed under its title, " +
                                  inQuotes(page->title),
                              std::string(kContents));
        page->chapter = chapter;
        m_pages.push_back(std::move(*page));
        pages.erase(page);
    }
}

const ManualPage* Manual::find(std::string_view topic) const
{
    const std::string name = nameOf(topic);
    const auto isMeant = [&name](const ManualPage& page) {
        return page.name == name || nameOf(page.title) == name;
    };
    const auto page = std::ranges::find_if(m_pages, isMeant);
    return page == m_pages.end() ? nullptr : &*page;
}

const ManualPage& Manual::page(std::string_view topic) const
{
    if (const ManualPage* page = find(topic))
        return *page;
    std::vector<std::string> known;
    for (const ManualPage& page : m_pages)
        known.push_back(page.name);
    const std::string nearest = nearestName(nameOf(topic), known);
    throw Error("no such topic: " + inQuotes(topic), {},
                nearest.empty() ? "headscope help lists the topics"
                                : "Did you mean " + inQuotes(nearest) + "?");
}

std::vector<const ManualPage*> Manual::search(std::string_view query) const
{
    const std::string wanted = asciiLower(query);
    const std::vector<std::string_view> words = spacedWords(wanted);
    std::vector<std::pair<std::size_t, const ManualPage*>> found;
    for (const ManualPage& page : m_pages)
        if (const std::size_t sum = relevance(page, words); sum > 0 || words.empty())
            found.emplace_back(sum, &page);
    std::ranges::stable_sort(found, std::ranges::greater(),
                             [](const auto& entry) { return entry.first; });
    std::vector<const ManualPage*> pages;
    for (const auto& entry : found)
        pages.push_back(entry.second);
    return pages;
}

std::vector<std::string> markdownLinks(std::string_view markdown)
{
    std::vector<std::string> links;
    bool isFenced = false;
    bool isCode = false;
    for (std::size_t at = 0; at < markdown.size(); ++at) {
        if (markdown.substr(at).starts_with("```")) {
            isFenced = !isFenced;
            at += 2;
        } else if (!isFenced && markdown[at] == '`') {
            isCode = !isCode;
        } else if (!isFenced && !isCode && markdown.substr(at).starts_with("](")) {
            const std::size_t end = markdown.find(')', at);
            links.emplace_back(markdown.substr(at + 2, end - at - 2));
        }
    }
    return links;
}

std::string firstSentence(const ManualPage& page)
{
    const std::size_t from = page.text.find("\n\n");
    if (from == std::string::npos)
        return {};
    const std::string_view rest = std::string_view(page.text).substr(from + 2);
    std::string paragraph = plainMarkdown(rest.substr(0, rest.find("\n\n")));
    std::ranges::replace(paragraph, '\n', ' ');
    const std::size_t end = paragraph.find(". ");
    return end == std::string::npos ? paragraph : paragraph.substr(0, end + 1);
}

} // namespace headscope
