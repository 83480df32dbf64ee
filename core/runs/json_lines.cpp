#include "core/runs/json_lines.h"

#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/file_fault.h"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace headscope {

namespace {

constexpr std::uint64_t kLimit = 1ULL << 30;

/// Returns 0, or the errno of the failure; the file then has its old size.
int appendTo(int file, std::string_view lines)
{
    if (const int fault = detail::askFileFault("append"))
        return fault;
    const off_t before = ::lseek(file, 0, SEEK_END);
    const ssize_t written = ::write(file, lines.data(), lines.size());
    if (written == static_cast<ssize_t>(lines.size()))
        return 0;
    const int problem = written < 0 ? errno : ENOSPC;
    if (written > 0 && ::ftruncate(file, before) != 0)
        return errno;
    return problem;
}

/// Calls body(line, object) for every complete line that is an object.
template<class Body>
void forLines(std::string_view text, const Body& body)
{
    std::size_t begin = 0;
    for (std::size_t end = text.find('\n'); end != std::string_view::npos;
         begin = end + 1, end = text.find('\n', begin)) {
        const std::string_view line = text.substr(begin, end - begin);
        nlohmann::json object = nlohmann::json::parse(line, nullptr, false);
        if (object.is_object())
            body(line, std::move(object));
    }
}

} // namespace

void appendLines(const std::filesystem::path& path, std::string_view lines)
{
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    int problem = file < 0 ? errno : appendTo(file, lines);
    if (file >= 0 && ::close(file) != 0 && problem == 0)
        problem = errno;
    if (problem != 0)
        throw Error(
            fmt::format("cannot write the log: {}", std::generic_category().message(problem)),
            path.string(), "Free some space, then resume the training run");
}

std::vector<nlohmann::json> readJsonLines(const std::filesystem::path& path)
{
    std::vector<nlohmann::json> objects;
    forLines(readFileOrNothing(path, kLimit), [&](std::string_view, nlohmann::json&& object) {
        objects.push_back(std::move(object));
    });
    return objects;
}

void keepJsonLines(const std::filesystem::path& path,
                   const std::function<bool(const nlohmann::json&)>& keep)
{
    const std::string text = readFileOrNothing(path, kLimit);
    std::string kept;
    forLines(text, [&](std::string_view line, const nlohmann::json& object) {
        if (keep(object))
            kept.append(line).append("\n");
    });
    if (kept != text)
        writeAtomically(path, kept);
}

std::int64_t stepOf(const nlohmann::json& object)
{
    const auto step = object.find("step");
    return step != object.end() && step->is_number_integer() ? step->get<std::int64_t>() : -1;
}

} // namespace headscope
