#include "core/lessons/lesson_text.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/base/text_parts.h"

namespace headscope {

namespace {

constexpr std::size_t kLongestText = 20'000; ///< Maximum bytes of a step.

/// Parses the spans of one block.
class SpanReader
{
public:
    explicit SpanReader(std::string_view text) : m_text(text) {}

    std::vector<TextSpan> read()
    {
        while (m_at < m_text.size())
            readNext();
        flush();
        return std::move(m_spans);
    }

private:
    void readNext()
    {
        if (m_text[m_at] == '\\' && m_at + 1 < m_text.size()) {
            m_plain += m_text[m_at + 1];
            m_at += 2;
        } else if (m_text.substr(m_at).starts_with("**")) {
            add(TextSpan::Kind::Strong, "**");
        } else if (m_text[m_at] == '*') {
            add(TextSpan::Kind::Emphasis, "*");
        } else if (m_text[m_at] == '`') {
            add(TextSpan::Kind::Code, "`");
        } else if (m_text[m_at] == '$') {
            add(TextSpan::Kind::Formula, "$");
        } else if (m_text[m_at] == '[') {
            addLink();
        } else {
            m_plain += m_text[m_at++];
        }
    }

    void flush()
    {
        if (!m_plain.empty())
            m_spans.push_back({TextSpan::Kind::Plain, std::move(m_plain), {}});
        m_plain.clear();
    }

    std::string_view upTo(std::string_view mark, std::size_t from) const
    {
        const std::size_t end = m_text.find(mark, from);
        if (end == std::string_view::npos || end == from)
            throw Error("the mark " + inQuotes(m_text.substr(m_at, 12)) + " is not closed", {},
                        "Close it, or write \\ before the mark");
        return m_text.substr(from, end - from);
    }

    void add(TextSpan::Kind kind, std::string_view mark)
    {
        const std::string_view inner = upTo(mark, m_at + mark.size());
        flush();
        m_spans.push_back({kind, std::string(inner), {}});
        m_at += 2 * mark.size() + inner.size();
    }

    void addLink()
    {
        const std::string_view words = upTo("](", m_at + 1);
        const std::size_t from = m_at + words.size() + 3;
        const std::string_view target = upTo(")", from);
        flush();
        m_spans.push_back({TextSpan::Kind::Link, std::string(words), std::string(target)});
        m_at = from + target.size() + 1;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::string m_plain;
    std::vector<TextSpan> m_spans;
};

bool isFormulaLine(std::string_view line)
{
    return line.size() > 4 && line.starts_with("$$") && line.ends_with("$$");
}

/// Groups the lines of a text into blocks.
class BlockReader
{
public:
    std::vector<TextBlock> read(std::string_view text)
    {
        for (const std::string_view line : linesIn(text))
            addLine(trimmedText(line));
        close();
        return std::move(m_blocks);
    }

private:
    void addLine(std::string_view line)
    {
        if (line.empty()) {
            close();
        } else if (isFormulaLine(line)) {
            close();
            const std::string_view inner = trimmedText(line.substr(2, line.size() - 4));
            m_blocks.push_back(
                {TextBlock::Kind::Formula, {{TextSpan::Kind::Formula, std::string(inner), {}}}});
        } else if (line.starts_with("- ")) {
            close();
            m_isItem = true;
            m_lines = trimmedText(line.substr(2));
        } else {
            m_lines += (m_lines.empty() ? "" : " ");
            m_lines += line;
        }
    }

    void close()
    {
        if (!m_lines.empty())
            m_blocks.push_back({m_isItem ? TextBlock::Kind::Item : TextBlock::Kind::Paragraph,
                                SpanReader(m_lines).read()});
        m_lines.clear();
        m_isItem = false;
    }

    std::vector<TextBlock> m_blocks;
    std::string m_lines;
    bool m_isItem = false;
};

} // namespace

std::vector<TextBlock> parseLessonText(std::string_view text)
{
    if (text.size() > kLongestText)
        throw Error("the text is longer than 20 000 bytes", {}, "Split it into two steps");
    return BlockReader().read(text);
}

std::string plainText(const std::vector<TextBlock>& blocks)
{
    std::string text;
    for (const TextBlock& block : blocks) {
        text += text.empty() ? "" : "\n\n";
        text += block.kind == TextBlock::Kind::Item ? "- " : "";
        for (const TextSpan& span : block.spans)
            text += span.text;
    }
    return text;
}

} // namespace headscope
