#include "core/text/splitting/marking_splitters.h"

#include "core/text/splitting/pretokenizer.h"
#include "core/text/splitting/word_cuts.h"

namespace headscope {

namespace {

/// Rebuilds the text of a list word by word.
class Rebuilding
{
public:
    explicit Rebuilding(const WordList& list) : m_old(list.text) {}

    void append(std::string_view bytes, ByteRange from) { m_new.text.append(bytes, from); }

    void append(ByteRange old) { m_new.text.append(m_old, old); }

    /// Turns what was appended since the last word into a word.
    void endWord()
    {
        const std::size_t size = m_new.text.text.size();
        if (size > m_begin)
            m_new.words.push_back({m_begin, size});
        m_begin = size;
    }

    WordList take() { return std::move(m_new); }

private:
    const NormalizedText& m_old;
    WordList m_new;
    std::size_t m_begin = 0;
};

void addSpaces(WordList& list)
{
    Rebuilding rebuilding(list);
    for (const ByteRange& word : list.words) {
        if (list.text.text[word.begin] != ' ')
            rebuilding.append(" ", list.text.placeOf({word.begin, word.begin}));
        rebuilding.append(word);
        rebuilding.endWord();
    }
    list = rebuilding.take();
}

class MetaspaceSplitter
{
public:
    MetaspaceSplitter(std::string mark, PrefixScheme scheme, bool splits)
        : m_mark(std::move(mark))
        , m_scheme(scheme)
        , m_splits(splits)
    {
    }

    void operator()(WordList& list) const
    {
        Rebuilding rebuilding(list);
        for (const ByteRange& word : list.words)
            rebuild(list, word, rebuilding);
        list = rebuilding.take();
    }

private:
    void rebuild(const WordList& list, ByteRange word, Rebuilding& rebuilding) const
    {
        const std::string_view letters = list.text.part(word);
        const ByteRange place = list.text.placeOf({word.begin, word.begin});
        const bool isMarked = letters.starts_with(' ') || letters.starts_with(m_mark);
        const bool wantsMark = m_scheme == PrefixScheme::Always ||
                               (m_scheme == PrefixScheme::First && place.begin == 0);
        if (wantsMark && !isMarked)
            rebuilding.append(m_mark, place);
        for (std::size_t at = 0; at < letters.size();) {
            const bool isMark = letters.substr(at).starts_with(m_mark);
            const std::size_t length = isMark ? m_mark.size() : 1;
            const ByteRange here{word.begin + at, word.begin + at + length};
            const bool isSpace = letters[at] == ' ';
            if (m_splits && at > 0 && (isMark || isSpace))
                rebuilding.endWord();
            if (isSpace)
                rebuilding.append(m_mark, list.text.sourceOf(here));
            else
                rebuilding.append(here);
            at += length;
        }
        rebuilding.endWord();
    }

    std::string m_mark;
    PrefixScheme m_scheme;
    bool m_splits;
};

} // namespace

WordSplitter byteLevelSplitter(bool addPrefixSpace, bool splitsWords)
{
    return [addPrefixSpace, splitsWords](WordList& list) {
        if (addPrefixSpace)
            addSpaces(list);
        if (splitsWords)
            cutWords(list, splitWords);
    };
}

WordSplitter metaspaceSplitter(std::string mark, PrefixScheme scheme, bool splits)
{
    return MetaspaceSplitter(std::move(mark), scheme, splits);
}

} // namespace headscope
