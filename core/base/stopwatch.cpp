#include "core/base/stopwatch.h"

#include "core/base/median.h"

#include <algorithm>
#include <vector>

namespace headscope {

double medianMilliseconds(int rounds, const std::function<void(int round)>& work)
{
    std::vector<double> times;
    for (int round = 0; round < std::max(rounds, 1); ++round) {
        const Stopwatch watch;
        work(round);
        times.push_back(watch.milliseconds());
    }
    return median(std::move(times));
}

} // namespace headscope
