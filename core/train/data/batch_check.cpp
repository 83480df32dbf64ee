#include "core/train/data/batch_check.h"

#include "core/base/error.h"

#include <algorithm>
#include <fmt/format.h>

namespace headscope {

namespace {

class Checker
{
public:
    Checker(const ModelConfig& config, const Batch& batch, const char* caller)
        : m_config(config)
        , m_batch(batch)
        , m_caller(caller)
    {
    }

    void check() const
    {
        checkExtents();
        checkIds("input", m_batch.inputs, m_batch.length);
        checkTargets();
        checkMasks();
        checkSegments();
        checkSource();
    }

private:
    template<class... Values>
    [[noreturn]] void refuse(fmt::format_string<Values...> problem, Values&&... values) const
    {
        throw ShapeError(
            fmt::format("{}: {}", m_caller, fmt::format(problem, std::forward<Values>(values)...)));
    }

    template<class Value>
    void requireSize(const char* what, const std::vector<Value>& values, std::int64_t length,
                     bool optional) const
    {
        if (optional && values.empty())
            return;
        const std::size_t width = length;
        const std::size_t rows = m_batch.rows;
        if (width == 0 || values.size() % width != 0 || values.size() / width != rows)
            refuse("{} {} in a batch of {} x {}", values.size(), what, m_batch.rows, length);
    }

    void checkExtents() const
    {
        if (m_batch.rows < 1 || m_batch.length < 1 || m_batch.length > m_config.maxLen)
            refuse("a batch of {} rows of {} tokens where rows have 1 to {}", m_batch.rows,
                   m_batch.length, m_config.maxLen);
        requireSize("inputs", m_batch.inputs, m_batch.length, false);
        requireSize("targets", m_batch.targets, m_batch.length, false);
    }

    bool isOutside(TokenId id) const { return id < 0 || id >= m_config.vocabularySize; }

    void checkIds(const char* what, const std::vector<TokenId>& ids, std::int64_t length) const
    {
        const std::size_t width = length;
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (isOutside(ids[i]))
                refuse("row {}, position {} has {} {} in a vocabulary of {}", i / width, i % width,
                       what, ids[i], m_config.vocabularySize);
    }

    void checkTargets() const
    {
        const std::size_t width = m_batch.length;
        for (std::size_t i = 0; i < m_batch.targets.size(); ++i)
            if (m_batch.targets[i] != kIgnoredTarget && isOutside(m_batch.targets[i]))
                refuse("row {}, position {} has target {} in a vocabulary of {}", i / width,
                       i % width, m_batch.targets[i], m_config.vocabularySize);
    }

    void checkMasks() const
    {
        requireSize("key mask entries", m_batch.keyMask, m_batch.length, true);
        const std::size_t cells = m_batch.mask.size();
        if (cells != 0 && cells != static_cast<std::size_t>(m_batch.length * m_batch.length))
            refuse("a mask of {} cells for {} tokens", cells, m_batch.length);
    }

    void checkSegments() const
    {
        requireSize("segments", m_batch.segments, m_batch.length, true);
        requireSize("next-sentence labels", m_batch.nextSentence, 1, true);
        const std::int64_t types = std::max<std::int64_t>(m_config.tokenTypes, 1);
        for (const std::int32_t segment : m_batch.segments)
            if (segment < 0 || segment >= types)
                refuse("segment {} in a model of {} token types", segment, types);
        for (const std::int32_t label : m_batch.nextSentence)
            if (label != kIgnoredTarget && label != 0 && label != 1)
                refuse("next-sentence label {}", label);
        if (!m_batch.nextSentence.empty() && !m_config.nextSentence)
            refuse("next-sentence labels for a model without that head");
    }

    void checkSource() const
    {
        if (!m_config.isEncoderDecoder()) {
            if (!m_batch.sources.empty())
                refuse("a source for a model without a separate encoder");
            return;
        }
        if (m_batch.sourceLength < 1 || m_batch.sourceLength > m_config.maxLen)
            refuse("a source of {} tokens where rows have 1 to {}", m_batch.sourceLength,
                   m_config.maxLen);
        requireSize("source tokens", m_batch.sources, m_batch.sourceLength, false);
        requireSize("source key mask entries", m_batch.sourceKeyMask, m_batch.sourceLength, true);
        checkIds("source", m_batch.sources, m_batch.sourceLength);
    }

    const ModelConfig& m_config;
    const Batch& m_batch;
    const char* m_caller;
};

} // namespace

void checkBatch(const ModelConfig& config, const Batch& batch, const char* caller)
{
    Checker(config, batch, caller).check();
}

} // namespace headscope
