#include "core/train/data/text_check.h"

#include "core/base/error.h"
#include "core/text/utf8.h"

#include <fmt/format.h>

namespace headscope {

void requireText(std::string_view text, const std::string& where)
{
    const std::string_view blank = " \t\r\n";
    std::string_view only; // the only character so far
    bool isVaried = false;
    for (std::size_t i = 0; i < text.size();) {
        const Utf8Character character = utf8CharacterAt(text, i);
        if (text[i] == 0)
            throw FormatError("this is not a text file: it contains a zero byte", where, i,
                              "Choose a text file in UTF-8");
        if (!character.valid)
            throw FormatError("this text is not valid UTF-8", where, i,
                              "Choose a text file, or save it as UTF-8");
        const std::string_view here = text.substr(i, character.length);
        if (blank.find(here) == std::string_view::npos) {
            isVaried = isVaried || (!only.empty() && here != only);
            only = only.empty() ? here : only;
        }
        i += character.length;
    }
    if (only.empty())
        throw Error("the text is empty", where, "Choose a file with some words in it");
    if (!isVaried)
        throw Error(
            fmt::format("the text consists only of \"{}\", so there is nothing to learn", only),
            where, "Choose a file with different words in it");
}

void requireBatch(std::int64_t tokens, std::int64_t rows, std::int64_t length,
                  const std::string& where)
{
    if (tokens < rows * length + 1)
        throw Error(fmt::format("the text is too short for a batch: {} tokens to train on, one "
                                "batch takes {} rows of {}",
                                tokens, rows, length),
                    where, "Choose a longer text, a smaller batch_size or a smaller max_len");
}

} // namespace headscope
