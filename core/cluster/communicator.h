#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace headscope {

/// Membership of a process in a group that computes together. All members call the same functions
/// in the same order, with spans of equal sizes; each call waits for the members it exchanges data
/// with. Use it on one thread. Throws Error when the connection fails.
class Communicator
{
public:
    virtual ~Communicator() = default;

    virtual std::int64_t rank() const = 0; ///< Rank of this process: 0 .. size() - 1.
    virtual std::int64_t size() const = 0;

    /// Sends the bytes of rank 0 to all ranks.
    virtual void broadcast(std::span<std::byte> bytes) = 0;

    /// Sums element by element over all ranks into rank 0; the values of the others are then
    /// unspecified.
    virtual void sumToFirst(std::span<float> values) = 0;
    virtual void sumToFirst(std::span<double> values) = 0;

    /// Sends `block` to the next rank of a ring and replaces it by that of the previous one.
    virtual void passRound(std::span<float> block) = 0;

    /// Ends all processes of the group, including this one, when it cannot continue.
    [[noreturn]] virtual void abort(const std::string& why) = 0;
};

} // namespace headscope
