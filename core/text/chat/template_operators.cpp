#include "core/text/chat/template_operators.h"

#include "core/base/error.h"
#include "core/text/chat/template_scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

[[noreturn]] void refuse(std::string_view sign, const TemplateValue& left,
                         const TemplateValue& right)
{
    throw Error(fmt::format("{} cannot be used on {} and {}", sign, left.kind(), right.kind()));
}

std::int64_t floorDivided(std::int64_t a, std::int64_t b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

TemplateValue wholeNumbers(std::string_view sign, std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    bool overflows = false;
    if (sign == "+")
        overflows = __builtin_add_overflow(a, b, &result);
    else if (sign == "-")
        overflows = __builtin_sub_overflow(a, b, &result);
    else if (sign == "*")
        overflows = __builtin_mul_overflow(a, b, &result);
    else if (b == 0)
        throw Error("a division by zero");
    else if (b == -1)
        overflows = sign == "//" && __builtin_sub_overflow(std::int64_t{0}, a, &result);
    else
        result = sign == "//" ? floorDivided(a, b) : a - floorDivided(a, b) * b;
    if (overflows)
        throw Error("a number beyond 64 bits");
    return result;
}

TemplateValue numbers(std::string_view sign, double a, double b)
{
    if (sign == "+")
        return a + b;
    if (sign == "-")
        return a - b;
    if (sign == "*")
        return a * b;
    if (sign == "**")
        return std::pow(a, b);
    if (b == 0.0)
        throw Error("a division by zero");
    if (sign == "/")
        return a / b;
    return sign == "//" ? std::floor(a / b) : a - std::floor(a / b) * b;
}

TemplateValue power(const TemplateValue& left, const TemplateValue& right)
{
    if (left.isFloat() || right.isFloat() || right.integer() < 0)
        return numbers("**", left.number(), right.number());
    std::int64_t result = 1;
    for (std::int64_t i = 0; i < right.integer(); ++i) {
        if (__builtin_mul_overflow(result, left.integer(), &result))
            throw Error("a number beyond 64 bits");
        if (result == 0 || result == 1 || result == -1)
            return right.integer() % 2 == 0 ? result * result : result;
    }
    return result;
}

TemplateValue repeated(const TurnText& text, std::int64_t count)
{
    count = std::max<std::int64_t>(count, 0);
    if (!text.empty())
        checkTemplateBytes(
            static_cast<std::size_t>(std::min<std::int64_t>(count, std::int64_t{1} << 40)) *
            text.size());
    TurnText result;
    for (std::int64_t i = 0; i < count && !text.empty(); ++i)
        result += text;
    return result;
}

TemplateValue joined(const TemplateValue& left, const TemplateValue& right)
{
    std::vector<TemplateValue> items = left.items();
    items.insert(items.end(), right.items().begin(), right.items().end());
    checkTemplateItems(items.size());
    return TemplateValue::list(std::move(items));
}

TemplateValue texts(const TurnText& left, const TurnText& right)
{
    checkTemplateBytes(left.size() + right.size());
    return left + right;
}

bool contains(const TemplateValue& whole, const TemplateValue& part)
{
    if (whole.isString())
        return whole.string().find(part.string()) != std::string::npos;
    if (whole.isMapping())
        return part.isString() && whole.members().find(part.string());
    if (whole.isList())
        return std::ranges::find(whole.items(), part) != whole.items().end();
    if (whole.isUndefined())
        return false;
    throw Error(fmt::format("{} contains nothing", whole.kind()));
}

} // namespace

TemplateValue computeTemplate(std::string_view sign, const TemplateValue& left,
                              const TemplateValue& right)
{
    if (sign == "~")
        return texts(left.turnText(), right.turnText());
    if (left.isNumber() && right.isNumber()) {
        if (sign == "**")
            return power(left, right);
        return left.isFloat() || right.isFloat() || sign == "/"
                   ? numbers(sign, left.number(), right.number())
                   : wholeNumbers(sign, left.integer(), right.integer());
    }
    if (sign == "+" && left.isString() && right.isString())
        return texts(left.turnString(), right.turnString());
    if (sign == "+" && left.isList() && right.isList())
        return joined(left, right);
    if (sign == "*" && left.isString() && right.isNumber())
        return repeated(left.turnString(), right.integer());
    if (sign == "*" && left.isNumber() && right.isString())
        return repeated(right.turnString(), left.integer());
    refuse(sign, left, right);
}

bool compareTemplate(std::string_view sign, const TemplateValue& left, const TemplateValue& right)
{
    if (sign == "==")
        return left == right;
    if (sign == "!=")
        return !(left == right);
    if (sign == "in")
        return contains(right, left);
    if (sign == "not in")
        return !contains(right, left);
    if (sign == "<")
        return left < right;
    if (sign == ">")
        return right < left;
    return sign == "<=" ? left < right || left == right : right < left || left == right;
}

std::optional<TemplateValue> itemOfTemplate(const TemplateValue& object, const TemplateValue& key)
{
    if (object.isMapping()) {
        const TemplateValue* member =
            key.isString() ? object.members().find(key.string()) : nullptr;
        return member ? std::optional(*member) : std::nullopt;
    }
    if (!key.isNumber() || key.isFloat() || !(object.isList() || object.isString()))
        return std::nullopt;
    const std::vector<TemplateValue> items = object.iterated();
    const auto size = static_cast<std::int64_t>(items.size());
    const std::int64_t index = key.integer() < 0 ? key.integer() + size : key.integer();
    if (index < 0 || index >= size)
        return std::nullopt;
    return items[static_cast<std::size_t>(index)];
}

TemplateValue sliceTemplate(const TemplateValue& object, std::optional<std::int64_t> begin,
                            std::optional<std::int64_t> end, std::int64_t step)
{
    if (step == 0)
        throw Error("a slice with the step 0");
    if (!object.isList() && !object.isString())
        throw Error(fmt::format("{} has no slices", object.kind()));
    const std::vector<TemplateValue> items = object.iterated();
    const auto size = static_cast<std::int64_t>(items.size());
    const std::int64_t lowest = step > 0 ? 0 : -1;
    const std::int64_t highest = step > 0 ? size : size - 1;
    const auto place = [&](std::optional<std::int64_t> index, std::int64_t other) {
        return index ? std::clamp(*index < 0 ? *index + size : *index, lowest, highest) : other;
    };
    const std::int64_t last = place(end, step > 0 ? size : -1);
    std::vector<TemplateValue> slice;
    for (std::int64_t i = place(begin, step > 0 ? 0 : size - 1); step > 0 ? i < last : i > last;) {
        slice.push_back(items[static_cast<std::size_t>(i)]);
        if (__builtin_add_overflow(i, step, &i))
            break;
    }
    if (object.isList())
        return TemplateValue::list(std::move(slice));
    TurnText text;
    for (const TemplateValue& character : slice)
        text += character.turnString();
    return text;
}

} // namespace headscope
