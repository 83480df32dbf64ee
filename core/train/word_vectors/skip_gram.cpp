#include "core/train/word_vectors/skip_gram.h"

#include "core/base/error.h"
#include "core/base/random.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace headscope {

namespace {

constexpr double kLastRate = 1e-4; ///< Final learning rate relative to the first.
constexpr double kNoisePower = 0.75;
constexpr std::size_t kWordsBetweenStops = 1000;

double logistic(double x)
{
    return 1.0 / (1.0 + std::exp(-x));
}

/// -ln of the logistic function, without overflow.
double softLoss(double x)
{
    return x > 0.0 ? std::log1p(std::exp(-x)) : -x + std::log1p(std::exp(x));
}

double dotOf(const float* a, const float* b, std::size_t size)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < size; ++i)
        sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    return sum;
}

struct CountedWords
{
    std::vector<std::string> words; ///< Most frequent first; of equal ones by spelling.
    std::vector<std::int64_t> counts;
    std::vector<std::size_t> text; ///< Indices into words, without the rare ones.
};

CountedWords countWords(std::string_view text, std::int64_t minimumCount)
{
    const std::vector<std::string> all = wordsOf(text);
    std::map<std::string, std::int64_t> counts;
    for (const std::string& word : all)
        ++counts[word];
    std::erase_if(counts, [&](const auto& entry) { return entry.second < minimumCount; });
    std::vector<std::pair<std::string, std::int64_t>> sorted(counts.begin(), counts.end());
    std::ranges::stable_sort(sorted, std::greater<>(),
                             [](const auto& entry) { return entry.second; });
    CountedWords result;
    std::map<std::string, std::size_t> indices;
    for (auto& [word, count] : sorted) {
        indices[word] = result.words.size();
        result.words.push_back(word);
        result.counts.push_back(count);
    }
    for (const std::string& word : all) {
        if (const auto found = indices.find(word); found != indices.end())
            result.text.push_back(found->second);
    }
    return result;
}

class SkipGram
{
public:
    SkipGram(CountedWords words, const SkipGramSettings& settings)
        : m_words(std::move(words))
        , m_settings(settings)
        , m_random(settings.seed)
        , m_dimensions(static_cast<std::size_t>(settings.dimensions))
        , m_inputs(Shape{std::ssize(m_words.words), settings.dimensions})
        , m_outputs(Shape{std::ssize(m_words.words), settings.dimensions})
        , m_batch(Shape{settings.negatives + 1, settings.dimensions})
        , m_batchGradient(Shape{settings.negatives + 1, settings.dimensions})
        , m_gradient(m_dimensions)
    {
        for (float& value : m_inputs.values()) // as word2vec: (-0.5 to 0.5) / dimensions
            value =
                static_cast<float>((m_random.uniform() - 0.5) / static_cast<double>(m_dimensions));
        makeNoise();
    }

    void train(const std::stop_token& stop)
    {
        const std::size_t all = m_words.text.size() * static_cast<std::size_t>(m_settings.epochs);
        std::size_t done = 0;
        for (std::int64_t epoch = 0; epoch < m_settings.epochs; ++epoch) {
            const std::vector<std::size_t> text = subsampled();
            for (std::size_t i = 0; i < text.size(); ++i) {
                if (i % kWordsBetweenStops == 0 && stop.stop_requested())
                    throw Cancelled();
                const double fraction = static_cast<double>(done) / static_cast<double>(all) +
                                        static_cast<double>(i) / static_cast<double>(text.size()) /
                                            static_cast<double>(m_settings.epochs);
                trainAround(text, i, m_settings.learningRate * std::max(kLastRate, 1.0 - fraction));
            }
            done += m_words.text.size();
        }
    }

    WordVectors result()
    {
        return {std::move(m_words.words), std::move(m_words.counts), std::move(m_inputs)};
    }

private:
    void makeNoise()
    {
        double sum = 0.0;
        for (const std::int64_t count : m_words.counts)
            m_noise.push_back(sum += std::pow(static_cast<double>(count), kNoisePower));
    }

    std::size_t noiseWord()
    {
        const double place = m_random.uniform() * m_noise.back();
        return static_cast<std::size_t>(std::ranges::upper_bound(m_noise, place) - m_noise.begin());
    }

    /// The text without some occurrences of frequent words: each is kept with the probability
    /// sqrt(t / f) + t / f of word2vec, f being its frequency and t the threshold.
    std::vector<std::size_t> subsampled()
    {
        const auto all = static_cast<double>(m_words.text.size());
        std::vector<std::size_t> kept;
        for (const std::size_t word : m_words.text) {
            const double ratio =
                m_settings.subsample * all / static_cast<double>(m_words.counts[word]);
            if (m_random.uniform() < std::sqrt(ratio) + ratio)
                kept.push_back(word);
        }
        return kept;
    }

    void trainAround(const std::vector<std::size_t>& text, std::size_t place, double rate)
    {
        const std::size_t reach = 1 + m_random.below(static_cast<std::uint64_t>(m_settings.window));
        const std::size_t first = place > reach ? place - reach : 0;
        const std::size_t last = std::min(text.size() - 1, place + reach);
        for (std::size_t context = first; context <= last; ++context) {
            if (context != place)
                trainPair(text[place], text[context], rate);
        }
    }

    void trainPair(std::size_t centre, std::size_t context, double rate)
    {
        m_rows.assign(1, context);
        for (std::int64_t i = 0; i < m_settings.negatives; ++i) {
            if (const std::size_t word = noiseWord(); word != context)
                m_rows.push_back(word);
        }
        const auto rows = static_cast<std::int64_t>(m_rows.size());
        for (std::int64_t row = 0; row < rows; ++row)
            std::copy_n(&m_outputs.view()(m_rows[static_cast<std::size_t>(row)], 0), m_dimensions,
                        &m_batch.view()(row, 0));
        const Shape shape{rows, m_settings.dimensions};
        MutableTensorView gradients = m_batchGradient.view();
        gradients.shape = shape;
        TensorView outputs = m_batch.view();
        outputs.shape = shape;
        float* const vector = &m_inputs.view()(centre, 0);
        skipGramLoss({vector, m_dimensions}, outputs, m_gradient, gradients);
        for (std::int64_t row = 0; row < rows; ++row)
            step(&m_outputs.view()(m_rows[static_cast<std::size_t>(row)], 0), &gradients(row, 0),
                 rate);
        step(vector, m_gradient.data(), rate);
    }

    void step(float* values, const float* gradient, double rate) const
    {
        for (std::size_t i = 0; i < m_dimensions; ++i)
            values[i] -= static_cast<float>(rate) * gradient[i];
    }

    CountedWords m_words;
    SkipGramSettings m_settings;
    Random m_random;
    std::size_t m_dimensions;
    Tensor m_inputs;
    Tensor m_outputs;
    Tensor m_batch; ///< Output vectors of one pair.
    Tensor m_batchGradient;
    std::vector<float> m_gradient;
    std::vector<double> m_noise; ///< Cumulative weights of the noise words.
    std::vector<std::size_t> m_rows;
};

} // namespace

WordVectors::WordVectors(std::vector<std::string> words, std::vector<std::int64_t> counts,
                         Tensor vectors)
    : m_words(std::move(words))
    , m_counts(std::move(counts))
    , m_vectors(std::move(vectors))
{
}

std::optional<std::size_t> WordVectors::find(std::string_view word) const
{
    const auto found = std::ranges::find(m_words, word);
    return found == m_words.end()
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(found - m_words.begin()));
}

double WordVectors::cosine(std::size_t a, std::size_t b) const
{
    const auto size = static_cast<std::size_t>(m_vectors.shape()[1]);
    return cosineOf({vector(a).data, size}, {vector(b).data, size});
}

std::vector<WordVectors::Neighbour> WordVectors::neighbours(std::size_t word,
                                                            std::size_t count) const
{
    std::vector<Neighbour> all;
    for (std::size_t other = 0; other < m_words.size(); ++other) {
        if (other != word)
            all.push_back({m_words[other], m_counts[other], cosine(word, other)});
    }
    std::ranges::stable_sort(all, std::greater<>(), &Neighbour::cosine);
    all.resize(std::min(count, all.size()));
    return all;
}

std::vector<std::string> wordsOf(std::string_view text)
{
    std::vector<std::string> words(1);
    for (const char byte : text) {
        const char lower = byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
        if ((lower >= 'a' && lower <= 'z') || (lower == '\'' && !words.back().empty()))
            words.back() += lower;
        else if (!words.back().empty())
            words.emplace_back();
    }
    if (words.back().empty())
        words.pop_back();
    return words;
}

double cosineOf(std::span<const float> a, std::span<const float> b)
{
    const double lengths = std::sqrt(dotOf(a.data(), a.data(), a.size())) *
                           std::sqrt(dotOf(b.data(), b.data(), b.size()));
    return lengths > 0.0 ? dotOf(a.data(), b.data(), a.size()) / lengths : 0.0;
}

double skipGramLoss(std::span<const float> centre, TensorView outputs,
                    std::span<float> centreGradient, MutableTensorView outputGradients)
{
    const std::size_t size = centre.size();
    std::ranges::fill(centreGradient, 0.0F);
    double loss = 0.0;
    for (std::int64_t row = 0; row < outputs.shape[0]; ++row) {
        const float* const output = &outputs(row, 0);
        const double score = dotOf(centre.data(), output, size);
        loss += softLoss(row == 0 ? score : -score);
        const auto slope = static_cast<float>(logistic(score) - (row == 0 ? 1.0 : 0.0));
        for (std::size_t i = 0; i < centreGradient.size(); ++i)
            centreGradient[i] += slope * output[i];
        for (std::size_t i = 0; i < size && outputGradients.data != nullptr; ++i)
            (&outputGradients(row, 0))[i] = slope * centre[i];
    }
    return loss;
}

WordVectors trainSkipGram(std::string_view text, const SkipGramSettings& settings,
                          const std::stop_token& stop)
{
    CountedWords words = countWords(text, settings.minimumCount);
    if (words.words.size() < 2)
        throw Error(fmt::format("fewer than two words occur {} times", settings.minimumCount),
                    "word vectors", "Use a longer text");
    SkipGram training(std::move(words), settings);
    training.train(stop);
    return training.result();
}

} // namespace headscope
