#pragma once

#include <array>
#include <cstdint>

namespace headscope {

/// splitmix64 (Steele, Lea, Flood 2014): one well-mixed 64-bit value from a counter. Used directly
/// wherever a number must depend on (seed, position) alone and not on the order of calls.
constexpr std::uint64_t mixBits(std::uint64_t x)
{
    x += 0x9E3779B97F4A7C15ULL;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    return x ^ (x >> 31);
}

/// xoshiro256** (Blackman, Vigna 2018). The same seed gives the same numbers on every platform.
class Random
{
public:
    explicit Random(std::uint64_t seed = 0) { reseed(seed); }

    /// A generator whose numbers depend on (seed, stream) alone: for work that may be resumed.
    Random(std::uint64_t seed, std::uint64_t stream) { reseed(mixBits(seed) ^ mixBits(~stream)); }

    std::uint64_t bits();
    double uniform();                         ///< Uniform in [0, 1), 53 random bits.
    double normal();                          ///< Sample of N(0, 1), Box-Muller.
    std::uint64_t below(std::uint64_t bound); ///< Uniform in [0, bound), unbiased; bound > 0.

    template<class Sequence>
    const auto& pick(const Sequence& choices)
    {
        return choices[below(choices.size())];
    }

private:
    void reseed(std::uint64_t seed);

    std::array<std::uint64_t, 4> m_state{};
};

} // namespace headscope
