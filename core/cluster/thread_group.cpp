#include "core/cluster/thread_group.h"

#include "core/base/error.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace headscope {

namespace {

/// Thrown when the group has ended because another member failed.
struct GroupEnded
{
};

/// Barrier of a group. Unlike std::barrier it releases all members when one has failed.
class Meeting
{
public:
    explicit Meeting(std::int64_t size) : m_size(size), m_spans(size) {}

    std::int64_t size() const { return m_size; }

    void wait()
    {
        std::unique_lock lock(m_mutex);
        const std::uint64_t round = m_round;
        if (++m_waiting == m_size) {
            m_waiting = 0;
            ++m_round;
            m_changed.notify_all();
        }
        m_changed.wait(lock, [&] { return m_round != round || m_ended; });
        if (m_round == round)
            throw GroupEnded();
    }

    void end()
    {
        const std::lock_guard lock(m_mutex);
        m_ended = true;
        m_changed.notify_all();
    }

    /// Bytes that each rank exposes to the others between two waits.
    std::span<std::byte>& shown(std::int64_t rank) { return m_spans[rank]; }

private:
    std::int64_t m_size;
    std::vector<std::span<std::byte>> m_spans;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::int64_t m_waiting = 0;
    std::uint64_t m_round = 0;
    bool m_ended = false;
};

class ThreadMember final : public Communicator
{
public:
    ThreadMember(Meeting& meeting, std::int64_t rank) : m_meeting(meeting), m_rank(rank) {}

    std::int64_t rank() const override { return m_rank; }

    std::int64_t size() const override { return m_meeting.size(); }

    void broadcast(std::span<std::byte> bytes) override
    {
        show(bytes);
        if (m_rank != 0)
            std::ranges::copy(m_meeting.shown(0), bytes.begin());
        m_meeting.wait();
    }

    void sumToFirst(std::span<float> values) override { sum(values); }

    void sumToFirst(std::span<double> values) override { sum(values); }

    void passRound(std::span<float> block) override
    {
        std::vector<float> own(block.begin(), block.end());
        m_meeting.shown(m_rank) = std::as_writable_bytes(std::span(own));
        m_meeting.wait();
        const std::span<std::byte> previous = m_meeting.shown((m_rank + size() - 1) % size());
        std::memcpy(block.data(), previous.data(), block.size_bytes());
        m_meeting.wait();
    }

    [[noreturn]] void abort(const std::string& why) override { throw Error(why); }

private:
    void show(std::span<std::byte> bytes)
    {
        m_meeting.shown(m_rank) = bytes;
        m_meeting.wait();
    }

    template<class Value>
    void sum(std::span<Value> values)
    {
        show(std::as_writable_bytes(values));
        if (m_rank == 0) {
            for (std::int64_t other = 1; other < size(); ++other) {
                const auto* theirs = reinterpret_cast<const Value*>(m_meeting.shown(other).data());
                for (Value& value : values)
                    value += *theirs++;
            }
        }
        m_meeting.wait();
    }

    Meeting& m_meeting;
    std::int64_t m_rank;
};

} // namespace

void runThreadGroup(std::int64_t size, const std::function<void(Communicator&)>& work)
{
    if (size < 1)
        throw Error("a group needs at least one member");
    Meeting meeting(size);
    std::mutex mutex;
    std::exception_ptr failure;
    const auto run = [&](std::int64_t rank) {
        try {
            ThreadMember member(meeting, rank);
            work(member);
        } catch (const GroupEnded&) { // the failing member reports the reason
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (!failure)
                failure = std::current_exception();
            meeting.end();
        }
    };
    std::vector<std::jthread> threads;
    for (std::int64_t rank = 1; rank < size; ++rank)
        threads.emplace_back(run, rank);
    run(0);
    threads.clear(); // joins
    if (failure)
        std::rethrow_exception(failure);
}

} // namespace headscope
