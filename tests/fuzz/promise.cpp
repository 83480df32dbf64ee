#include "tests/fuzz/promise.h"

#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include <sys/mman.h>
#include <unistd.h>

namespace headscope::fuzz {

namespace {

constexpr std::size_t kLongestSentence = 2000;

bool isControl(char letter)
{
    return static_cast<unsigned char>(letter) < 0x20 || letter == 0x7F;
}

} // namespace

void require(bool claim, const char* what)
{
    if (!claim)
        throw std::logic_error(what);
}

void requireOneSentence(const Error& error, std::string_view file)
{
    const std::string_view sentence = error.what();
    const auto fault = [&](const char* what) {
        throw std::logic_error(std::string("an error ") + what + ": " + std::string(sentence));
    };
    if (error.problem().empty())
        fault("that says nothing");
    if (sentence.size() > kLongestSentence)
        fault("that nobody reads to its end");
    for (const char letter : sentence)
        if (isControl(letter))
            fault("of several lines, or with control characters");
    if (sentence.find(file) == std::string_view::npos)
        fault("that does not name the file");
}

std::span<const std::byte> bytesOf(std::string_view file)
{
    return std::as_bytes(std::span(file));
}

std::string_view part(std::string_view file, int index, int count)
{
    constexpr std::string_view kDivision = "\n---\n";
    for (int i = 0; i < index; ++i) {
        const std::size_t end = file.find(kDivision);
        if (end == std::string_view::npos)
            return {};
        file.remove_prefix(end + kDivision.size());
    }
    return index + 1 == count ? file : file.substr(0, file.find(kDivision));
}

MemoryFile::MemoryFile(std::string_view content) : m_descriptor(::memfd_create("fuzz", MFD_CLOEXEC))
{
    require(m_descriptor >= 0, "no file in memory");
    while (!content.empty()) {
        const ssize_t written = ::write(m_descriptor, content.data(), content.size());
        require(written > 0, "no more memory for a file");
        content.remove_prefix(static_cast<std::size_t>(written));
    }
}

MemoryFile::~MemoryFile()
{
    ::close(m_descriptor);
}

std::filesystem::path MemoryFile::path() const
{
    return "/proc/self/fd/" + std::to_string(m_descriptor);
}

ScratchFolder::ScratchFolder()
{
    const std::filesystem::path memory = "/dev/shm";
    std::error_code error;
    const bool hasMemory = ::access(memory.c_str(), W_OK) == 0;
    std::string name =
        ((hasMemory ? memory : std::filesystem::temp_directory_path(error)) / "fuzz-XXXXXX")
            .string();
    require(::mkdtemp(name.data()) != nullptr, "no folder for the files of a model");
    m_path = name;
}

ScratchFolder::~ScratchFolder()
{
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
}

void ScratchFolder::put(const char* name, std::string_view content) const
{
    std::error_code ignored;
    std::filesystem::remove(m_path / name, ignored);
    if (content.empty())
        return;
    std::ofstream file(m_path / name, std::ios::binary);
    file.write(content.data(), static_cast<std::streamsize>(content.size()));
    require(file.good(), "a file of a model could not be written");
}

} // namespace headscope::fuzz
