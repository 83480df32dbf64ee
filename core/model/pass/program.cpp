#include "core/model/pass/program.h"

#include <algorithm>

namespace headscope {

namespace {

constexpr int kNever = -1;

/// Finds the lowest offset for each interval among those alive at the same time. Wide ones first,
/// so that narrow ones do not break the alignment of rows.
template<class Interval>
std::int64_t place(std::vector<Interval*> intervals)
{
    std::stable_sort(intervals.begin(), intervals.end(),
                     [](const Interval* a, const Interval* b) { return a->width > b->width; });
    std::int64_t end = 0;
    for (std::size_t i = 0; i < intervals.size(); ++i) {
        Interval& current = *intervals[i];
        std::vector<const Interval*> busy;
        for (std::size_t other = 0; other < i; ++other)
            if (intervals[other]->first <= current.last && current.first <= intervals[other]->last)
                busy.push_back(intervals[other]);
        std::sort(busy.begin(), busy.end(),
                  [](const Interval* a, const Interval* b) { return a->offset < b->offset; });
        std::int64_t offset = 0;
        for (const Interval* taken : busy) {
            if (offset + current.width <= taken->offset)
                break;
            offset = std::max(offset, taken->offset + taken->width);
        }
        current.offset = offset;
        end = std::max(end, offset + current.width);
    }
    return end;
}

} // namespace

/// First and last time step in which a value, or the gradient of a group, is needed. Layer i runs
/// forward at step i and backward at step 2 N - 1 - i.
struct ProgramBuilder::Interval
{
    int value = 0;
    bool gradient = false;
    int first = kNever;
    int last = kNever;
    std::int64_t width = 0;
    std::int64_t offset = 0;

    void cover(int moment)
    {
        first = first == kNever ? moment : std::min(first, moment);
        last = std::max(last, moment);
    }
};

std::int64_t Program::arenaSize(const std::int64_t (&tokens)[3], bool training) const
{
    std::int64_t size = 0;
    for (int rows = 0; rows < 3; ++rows)
        size += tokens[rows] * m_widths[training][rows];
    return size;
}

std::int64_t Program::width(Rows rows, bool training) const
{
    return m_widths[training][static_cast<int>(rows)];
}

ValueRef ProgramBuilder::value(Rows rows, std::int64_t width)
{
    Program::Value value;
    value.rows = rows;
    value.width = width;
    m_program.m_values.push_back(value);
    m_gradientOf.push_back(static_cast<int>(m_gradientOf.size()));
    return {static_cast<int>(m_gradientOf.size()) - 1};
}

ValueRef ProgramBuilder::memoryValue(std::int64_t width)
{
    const ValueRef ref = value(Rows::Memory, width);
    m_program.m_values.back().external = true;
    return ref;
}

ValueRef ProgramBuilder::crossValue(std::int64_t width, int layer)
{
    const ValueRef ref = value(Rows::Memory, width);
    m_program.m_values.back().crossLayer = layer;
    return ref;
}

void ProgramBuilder::add(std::unique_ptr<Layer> layer, Uses uses)
{
    const int index = static_cast<int>(m_program.m_layers.size());
    for (const ValueRef ref : uses.reads)
        m_program.m_values[ref.index].lastReader = index;
    m_program.m_layers.push_back(std::move(layer));
    m_uses.push_back(std::move(uses));
}

void ProgramBuilder::shareGradient(ValueRef x, ValueRef y)
{
    m_gradientOf[y.index] = x.index;
}

int ProgramBuilder::gradientGroup(int value) const
{
    while (m_gradientOf[value] != value)
        value = m_gradientOf[value];
    return value;
}

std::vector<ProgramBuilder::Interval> ProgramBuilder::intervals(bool training) const
{
    const int count = static_cast<int>(m_program.m_values.size());
    const int layers = static_cast<int>(m_uses.size());
    std::vector<Interval> all(2 * count);
    for (int i = 0; i < 2 * count; ++i) {
        Interval& interval = all[i];
        interval.value = i % count;
        interval.gradient = i >= count;
        interval.width = m_program.m_values[i % count].width;
    }
    for (int layer = 0; layer < layers; ++layer) {
        const Uses& uses = m_uses[layer];
        const int backward = 2 * layers - 1 - layer;
        for (const auto* list : {&uses.reads, &uses.writes, &uses.temps})
            for (const ValueRef ref : *list)
                all[ref.index].cover(layer);
        if (!training)
            continue;
        for (const ValueRef ref : uses.keeps)
            all[ref.index].cover(backward);
        for (const ValueRef ref : uses.temps)
            all[count + ref.index].cover(backward);
        for (const auto* list : {&uses.reads, &uses.writes})
            for (const ValueRef ref : *list)
                all[count + gradientGroup(ref.index)].cover(backward);
    }
    return all;
}

Program ProgramBuilder::finish()
{
    const std::size_t count = m_program.m_values.size();
    for (const bool training : {false, true}) {
        std::vector<Interval> all = intervals(training);
        for (int rows = 0; rows < 3; ++rows) {
            std::vector<Interval*> used;
            for (Interval& interval : all) {
                const Program::Value& value = m_program.m_values[interval.value];
                if (static_cast<int>(value.rows) == rows && !value.external &&
                    interval.first != kNever)
                    used.push_back(&interval);
            }
            m_program.m_widths[training][rows] = place(std::move(used));
        }
        for (std::size_t i = 0; i < count; ++i) {
            Program::Value& value = m_program.m_values[i];
            (training ? value.trainingOffset : value.forwardOffset) = all[i].offset;
            const std::size_t group = gradientGroup(static_cast<int>(i));
            if (training && all[count + group].first != kNever)
                value.gradientOffset = all[count + group].offset;
        }
    }
    return std::move(m_program);
}

} // namespace headscope
