#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace headscope {

/// A process's place in a group that computes together. All members call the same functions in the
/// same order, with spans of equal sizes; each call waits for those it exchanges with. Use it on
/// one thread. Throws Error when the connection fails.
class Communicator
{
public:
    virtual ~Communicator() = default;

    virtual std::int64_t rank() const = 0; ///< 0 .. size() - 1
    virtual std::int64_t size() const = 0;

    /// What rank 0 has, to all.
    virtual void broadcast(std::span<std::byte> bytes) = 0;

    /// Element by element, over all ranks, into rank 0; what the others hold then is unspecified.
    virtual void sumToFirst(std::span<float> values) = 0;
    virtual void sumToFirst(std::span<double> values) = 0;

    /// `block` goes to the next rank and is replaced by that of the previous one, in a ring.
    virtual void passRound(std::span<float> block) = 0;

    /// Ends all processes of the group, this one too, when it cannot go on.
    [[noreturn]] virtual void abort(const std::string& why) = 0;
};

} // namespace headscope
