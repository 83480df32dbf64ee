#include "core/base/error.h"

#include <fmt/format.h>

namespace headscope {

namespace {

std::string sentence(const std::string& what, const std::string& where, const std::string& advice)
{
    std::string text = what;
    if (!where.empty())
        text += " (" + where + ")";
    if (!advice.empty())
        text += ". " + advice;
    return text;
}

std::string place(const std::string& path, std::optional<std::uint64_t> offset)
{
    return offset ? fmt::format("{}, byte {}", path, *offset) : path;
}

} // namespace

Error::Error(const std::string& what, const std::string& where, const std::string& advice)
    : std::runtime_error(sentence(what, where, advice))
    , m_problem(what)
    , m_where(where)
    , m_advice(advice)
{
}

FormatError::FormatError(const std::string& problem, const std::string& path,
                         std::optional<std::uint64_t> offset, const std::string& advice)
    : Error(problem, place(path, offset), advice)
{
}

BackendError::BackendError(const std::string& call, int status, const std::string& advice)
    : Error(fmt::format("{} failed with status {}", call, status), {}, advice)
    , m_call(call)
    , m_status(status)
{
}

} // namespace headscope
