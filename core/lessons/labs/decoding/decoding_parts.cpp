#include "core/lessons/labs/decoding/decoding_parts.h"

#include "core/lessons/lesson_references.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope {

std::vector<TokenId> promptOf(const LabContext& context, const LoadedModel& model,
                              const LabSettings& settings, std::int64_t wanted)
{
    const std::int64_t room = std::max<std::int64_t>(1, model.model->config().maxLen - wanted);
    std::vector<TokenId> ids = model.tokenizer->encode(context.text).ids();
    const auto leftOut = static_cast<std::size_t>(settings.integer("leave_out"));
    if (!ids.empty())
        ids.resize(ids.size() > leftOut ? ids.size() - leftOut : 1);
    const auto count = std::min(ids.size(), static_cast<std::size_t>(room));
    ids.erase(ids.begin(), ids.end() - static_cast<std::ptrdiff_t>(count));
    return startOfText(model, ids);
}

std::string decimals(double value, int count)
{
    return fillIn(fmt::format("{{{{x|{}}}}}", count), [value](std::string_view) {
        return ReferencedNumber{value, {}};
    });
}

} // namespace headscope
