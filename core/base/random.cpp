#include "core/base/random.h"

#include <bit>
#include <cmath>
#include <numbers>

namespace headscope {

void Random::reseed(std::uint64_t seed)
{
    for (std::uint64_t& word : m_state)
        word = mixBits(seed++);
}

std::uint64_t Random::bits()
{
    const std::uint64_t result = std::rotl(m_state[1] * 5, 7) * 9;
    const std::uint64_t shifted = m_state[1] << 17;
    m_state[2] ^= m_state[0];
    m_state[3] ^= m_state[1];
    m_state[1] ^= m_state[2];
    m_state[0] ^= m_state[3];
    m_state[2] ^= shifted;
    m_state[3] = std::rotl(m_state[3], 45);
    return result;
}

double Random::uniform()
{
    return static_cast<double>(bits() >> 11) * 0x1.0p-53;
}

double Random::normal()
{
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

std::uint64_t Random::below(std::uint64_t bound)
{
    const std::uint64_t threshold = (0 - bound) % bound;
    for (;;) {
        const std::uint64_t value = bits();
        if (value >= threshold)
            return value % bound;
    }
}

} // namespace headscope
