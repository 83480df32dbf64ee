#include "ui/pages/shared/stages/lab_arrangement.h"

#include <algorithm>
#include <numeric>

namespace headscope::ui {

namespace {

/// Figures side by side or stacked, or nested arrangements.
struct Group
{
    enum class Way { One, Beside, Under };

    Way way = Way::One;
    std::size_t plot = 0; ///< Index of the figure in One.
    std::vector<Group> parts = {};
};

struct Length
{
    double least = 0.0;
    double best = 0.0;
    bool grows = false;
};

double total(const std::vector<Length>& lengths, double Length::*which)
{
    return std::accumulate(lengths.begin(), lengths.end(), 0.0,
                           [which](double sum, const Length& one) { return sum + one.*which; });
}

/// Distributes minimum lengths first, then up to the preferred ones, then the rest to those that
/// grow.
std::vector<double> shared(const std::vector<Length>& lengths, double room)
{
    const double least = total(lengths, &Length::least);
    const double best = total(lengths, &Length::best);
    std::vector<double> given;
    if (room <= least) {
        for (const Length& one : lengths)
            given.push_back(least > 0.0 ? room * one.least / least : 0.0);
        return given;
    }
    const double fraction = best > least ? std::min(1.0, (room - least) / (best - least)) : 1.0;
    for (const Length& one : lengths)
        given.push_back(one.least + fraction * (one.best - one.least));
    const double left = room - std::accumulate(given.begin(), given.end(), 0.0);
    const auto growing = std::ranges::count_if(lengths, &Length::grows);
    for (std::size_t index = 0; index < lengths.size() && left > 0.0 && growing > 0; ++index)
        if (lengths[index].grows)
            given[index] += left / static_cast<double>(growing);
    return given;
}

RoomNeed needOf(const Group& group, const std::vector<RoomNeed>& requests, double gap)
{
    if (group.way == Group::Way::One)
        return requests[group.plot];
    const bool isBeside = group.way == Group::Way::Beside;
    RoomNeed all{{}, {}, false, false};
    const double gaps = gap * static_cast<double>(group.parts.size() - 1);
    const auto add = [isBeside](QSizeF& sum, const QSizeF& one) {
        sum = isBeside ? QSizeF(sum.width() + one.width(), std::max(sum.height(), one.height()))
                       : QSizeF(std::max(sum.width(), one.width()), sum.height() + one.height());
    };
    for (const Group& part : group.parts) {
        const RoomNeed one = needOf(part, requests, gap);
        add(all.least, one.least);
        add(all.best, one.best);
        all.grows = all.grows || one.grows;
        all.growsWide = all.growsWide || one.growsWide;
    }
    const QSizeF between = isBeside ? QSizeF(gaps, 0.0) : QSizeF(0.0, gaps);
    all.least += between;
    all.best += between;
    return all;
}

void place(const Group& group, const QRectF& area, const std::vector<RoomNeed>& requests,
           double gap, std::vector<QRectF>& places)
{
    if (group.way == Group::Way::One) {
        places[group.plot] = area;
        return;
    }
    const bool isBeside = group.way == Group::Way::Beside;
    std::vector<Length> lengths;
    for (const Group& part : group.parts) {
        const RoomNeed request = needOf(part, requests, gap);
        lengths.push_back(
            isBeside ? Length{request.least.width(), request.best.width(), request.growsWide}
                     : Length{request.least.height(), request.best.height(), request.grows});
    }
    const double gaps = gap * static_cast<double>(group.parts.size() - 1);
    const double room = (isBeside ? area.width() : area.height()) - gaps;
    const std::vector<double> given = shared(lengths, std::max(room, 1.0));
    double at = isBeside ? area.x() : area.y();
    for (std::size_t index = 0; index < group.parts.size(); ++index) {
        const QRectF part = isBeside ? QRectF(at, area.y(), given[index], area.height())
                                     : QRectF(area.x(), at, area.width(), given[index]);
        place(group.parts[index], part, requests, gap, places);
        at += given[index] + gap;
    }
}

/// Penalty: missing minimum size counts ten times as much as missing preferred size.
double complaint(const std::vector<QRectF>& places, const std::vector<RoomNeed>& requests)
{
    constexpr double kHardToRead = 10.0;
    double sum = 0.0;
    const auto missing = [](double wanted, double given) {
        return wanted > 0.0 ? std::max(0.0, (wanted - given) / wanted) : 0.0;
    };
    for (std::size_t index = 0; index < requests.size(); ++index) {
        const QRectF& given = places[index];
        const RoomNeed& request = requests[index];
        sum += kHardToRead * (missing(request.least.width(), given.width()) +
                              missing(request.least.height(), given.height()));
        sum += std::max(missing(request.best.width(), given.width()),
                        missing(request.best.height(), given.height()));
    }
    return sum;
}

std::vector<Group> ones(std::size_t begin, std::size_t end)
{
    std::vector<Group> all;
    for (std::size_t index = begin; index < end; ++index)
        all.push_back({Group::Way::One, index, {}});
    return all;
}

std::vector<Group> candidates(std::size_t count)
{
    using Way = Group::Way;
    std::vector<Group> all{{Way::Beside, 0, ones(0, count)}, {Way::Under, 0, ones(0, count)}};
    if (count < 3)
        return all;
    for (const auto& [outer, inner] :
         {std::pair{Way::Beside, Way::Under}, {Way::Under, Way::Beside}}) {
        for (std::size_t cut = 1; cut < count; ++cut) {
            Group split{outer, 0, {}};
            for (auto&& part : {ones(0, cut), ones(cut, count)})
                split.parts.push_back(part.size() == 1 ? part.front() : Group{inner, 0, part});
            all.push_back(std::move(split));
        }
    }
    return all;
}

} // namespace

std::vector<QRectF> arranged(const QRectF& area, const std::vector<RoomNeed>& requests, double gap)
{
    std::vector<QRectF> best(requests.size(), area);
    if (requests.size() < 2)
        return best;
    double least = 1e300;
    for (const Group& group : candidates(requests.size())) {
        std::vector<QRectF> places(requests.size());
        place(group, area, requests, gap, places);
        const double here = complaint(places, requests);
        if (here < least - 1e-9) {
            least = here;
            best = places;
        }
    }
    return best;
}

} // namespace headscope::ui
