#include "resources/listings/listing.h"

#include <map>
#include <string>
#include <utility>

using Word = std::vector<int>; // byte ids, and ids of merged pairs from 256 on
using Pair = std::pair<int, int>;

Word merged(const Word& word, Pair pair, int id)
{
    Word result;
    for (const int token : word) {
        if (!result.empty() && Pair(result.back(), token) == pair)
            result.back() = id;
        else
            result.push_back(token);
    }
    return result;
}

/// The most frequent pair; of equally frequent ones that with the smallest ids.
Pair mostFrequent(const std::vector<Word>& words)
{
    std::map<Pair, int> pairs;
    for (const Word& word : words)
        for (std::size_t i = 0; i + 1 < word.size(); ++i)
            ++pairs[{word[i], word[i + 1]}]; // [P] pairs
    return std::ranges::max_element(pairs, {}, &std::pair<const Pair, int>::second)->first;
}

std::vector<Word> train(const std::vector<std::string>& texts, int merges)
{
    std::vector<Word> words;
    for (const std::string& text : texts)
        words.emplace_back(text.begin(), text.end()); // [w] words
    for (int merge = 0; merge < merges; ++merge) {
        const Pair best = mostFrequent(words); // [2] best
        for (Word& word : words)
            word = merged(word, best, 256 + merge); // [w] words
    }
    return words;
}
