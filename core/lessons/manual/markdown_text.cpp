#include "core/lessons/manual/markdown_text.h"

#include "core/base/text_parts.h"

#include <algorithm>
#include <vector>

namespace headscope {

namespace {

using Row = std::vector<std::string>;

constexpr std::string_view kImage = "<picture>";
constexpr std::size_t kGap = 2; ///< between the columns of a table
const std::string kIndent(4, ' ');

/// Characters of UTF-8.
std::size_t lengthOf(std::string_view text)
{
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }));
}

std::string padded(std::string text, std::size_t length)
{
    text.append(length - std::min(length, lengthOf(text)), ' ');
    return text;
}

/// Words in lines of at most `columns`, the first after `first`, the others after `rest`.
std::string wrapped(std::string_view text, std::size_t columns, const std::string& first,
                    const std::string& rest)
{
    std::string result;
    std::string line = first;
    bool isEmpty = true;
    for (const std::string_view word : spacedWords(text)) {
        if (!isEmpty && lengthOf(line) + 1 + lengthOf(word) > columns) {
            result += line + "\n";
            line = rest;
            isEmpty = true;
        }
        line += isEmpty ? "" : " ";
        line += word;
        isEmpty = false;
    }
    return result + line + "\n";
}

/// "[words](target)", unlike the brackets of "A[i, j]".
bool beginsLink(std::string_view text)
{
    const std::size_t end = text.find(']');
    return text.starts_with("[") && end != std::string_view::npos &&
           text.substr(end).starts_with("](");
}

Row cellsOf(std::string_view line)
{
    Row cells;
    std::string cell;
    for (std::size_t at = 1; at < line.size(); ++at) { // after the first "|"
        if (line.substr(at).starts_with("\\|")) {
            cell += '|';
            ++at;
        } else if (line[at] == '|') {
            cells.push_back(plainMarkdown(trimmedText(cell, " ")));
            cell.clear();
        } else {
            cell += line[at];
        }
    }
    return cells;
}

bool isRule(std::string_view line)
{
    return line.find_first_not_of("|-: ") == std::string_view::npos;
}

class TerminalWriter
{
public:
    explicit TerminalWriter(std::size_t columns) : m_columns(columns) {}

    std::string write(std::string_view markdown)
    {
        for (const std::string_view line : linesIn(markdown))
            add(line);
        close();
        return std::move(m_text);
    }

private:
    void add(std::string_view line)
    {
        if (line.starts_with("```")) {
            close();
            m_isCode = !m_isCode;
            if (m_isCode)
                beginBlock();
        } else if (m_isCode) {
            m_text += kIndent + std::string(line) + "\n";
        } else if (line.empty() || line.starts_with(kImage)) {
            close();
        } else if (line.starts_with("#")) {
            addHeading(line);
        } else if (line.starts_with("|")) {
            if (!isRule(line))
                m_rows.push_back(cellsOf(line));
        } else if (line.starts_with("- ")) {
            closeParagraph();
            m_isItem = true;
            m_paragraph = line.substr(2);
        } else {
            m_paragraph += m_paragraph.empty() ? "" : " ";
            m_paragraph += trimmedText(line, " ");
        }
    }

    void addHeading(std::string_view line)
    {
        close();
        beginBlock();
        const std::size_t level = line.find_first_not_of('#');
        const std::string text = plainMarkdown(trimmedText(line.substr(level), " "));
        m_text += text + "\n" + std::string(lengthOf(text), level == 1 ? '=' : '-') + "\n";
    }

    /// One empty line between blocks.
    void beginBlock()
    {
        if (!m_text.empty() && !m_text.ends_with("\n\n"))
            m_text += "\n";
    }

    void close()
    {
        closeParagraph();
        closeTable();
        m_wasItem = false;
    }

    void closeParagraph()
    {
        if (m_paragraph.empty())
            return;
        if (!m_isItem || !m_wasItem)
            beginBlock();
        m_text += wrapped(plainMarkdown(m_paragraph), m_columns, m_isItem ? "- " : "",
                          m_isItem ? "  " : "");
        m_wasItem = m_isItem;
        m_paragraph.clear();
        m_isItem = false;
    }

    void closeTable()
    {
        if (m_rows.empty())
            return;
        beginBlock();
        std::vector<std::size_t> widths;
        for (const Row& row : m_rows) {
            widths.resize(std::max(widths.size(), row.size()));
            for (std::size_t column = 0; column < row.size(); ++column)
                widths[column] = std::max(widths[column], lengthOf(row[column]));
        }
        std::size_t sum = 0;
        for (const std::size_t width : widths)
            sum += width + kGap;
        for (const Row& row : m_rows)
            m_text += sum <= m_columns + kGap ? alignedRow(row, widths) : stackedRow(row);
        m_rows.clear();
    }

    static std::string alignedRow(const Row& row, const std::vector<std::size_t>& widths)
    {
        std::string line;
        for (std::size_t column = 0; column < row.size(); ++column)
            line += padded(row[column], widths[column] + kGap);
        line.erase(line.find_last_not_of(' ') + 1);
        return line.empty() ? line : line + "\n";
    }

    /// The first cell on a line, the others below it; of many columns with their headings.
    std::string stackedRow(const Row& row) const
    {
        if (&row == &m_rows.front())
            return {};
        std::string text = wrapped(row.front(), m_columns, "", "");
        for (std::size_t column = 1; column < row.size(); ++column) {
            if (row[column].empty())
                continue;
            const std::string& label = m_rows.front()[column];
            const bool isLabelled = row.size() > 2 && !label.empty();
            text += wrapped((isLabelled ? label + ": " : std::string()) + row[column], m_columns,
                            kIndent, kIndent);
        }
        return text;
    }

    std::size_t m_columns;
    std::string m_text;
    std::string m_paragraph;
    std::vector<Row> m_rows;
    bool m_isItem = false;
    bool m_wasItem = false;
    bool m_isCode = false;
};

} // namespace

std::string plainMarkdown(std::string_view text)
{
    std::string plain;
    bool isCode = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const std::string_view rest = text.substr(at);
        if (text[at] == '`') {
            isCode = !isCode;
        } else if (isCode) {
            plain += text[at];
        } else if (rest.starts_with("](")) {
            const std::size_t end = std::min(rest.find(')'), rest.size());
            const std::string_view target = rest.substr(2, end - 2);
            if (target.starts_with("http"))
                plain += " (" + std::string(target) + ")";
            at += end;
        } else if (text[at] != '*' && !beginsLink(rest)) {
            plain += text[at];
        }
    }
    return plain;
}

std::string terminalText(std::string_view markdown, std::size_t columns)
{
    return TerminalWriter(columns).write(markdown);
}

std::string withoutImages(std::string_view markdown)
{
    std::string text;
    for (const std::string_view line : linesIn(markdown))
        if (!line.starts_with(kImage))
            text += std::string(line) + "\n";
    return text;
}

} // namespace headscope
