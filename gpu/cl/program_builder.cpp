#include "gpu/cl/program_builder.h"

#include "core/base/error.h"
#include "gpu/cl/status.h"

#include <algorithm>
#include <optional>
#include <regex>
#include <sstream>

namespace headscope::gpu {

namespace {

constexpr int kLogLines = 6;

std::string firstLines(const std::string& text, int lines)
{
    std::size_t end = 0;
    for (int line = 0; line < lines && end < text.size(); ++line)
        end = std::min(text.find('\n', end), text.size() - 1) + 1;
    return text.substr(0, end);
}

std::string buildLog(cl_program program, cl_device_id device)
{
    std::size_t size = 0;
    if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size) !=
        CL_SUCCESS)
        return {};
    std::string log(size, '\0');
    if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr) !=
        CL_SUCCESS)
        return {};
    log.erase(std::find(log.begin(), log.end(), '\0'), log.end());
    return log;
}

std::optional<Program> programFromBinary(cl_context context, cl_device_id device,
                                         const std::string& binary, const std::string& options)
{
    const std::size_t size = binary.size();
    const auto* bytes = reinterpret_cast<const unsigned char*>(binary.data());
    cl_int binaryStatus = CL_SUCCESS;
    cl_int status = CL_SUCCESS;
    Program program(
        clCreateProgramWithBinary(context, 1, &device, &size, &bytes, &binaryStatus, &status));
    if (status != CL_SUCCESS || binaryStatus != CL_SUCCESS)
        return std::nullopt;
    if (clBuildProgram(program.get(), 1, &device, options.c_str(), nullptr, nullptr) != CL_SUCCESS)
        return std::nullopt;
    return program;
}

Program programFromSource(cl_context context, cl_device_id device, const std::string& source,
                          const std::string& options)
{
    const char* text = source.c_str();
    const std::size_t length = source.size();
    cl_int status = CL_SUCCESS;
    Program program(clCreateProgramWithSource(context, 1, &text, &length, &status));
    check(status, "clCreateProgramWithSource");
    status = clBuildProgram(program.get(), 1, &device, options.c_str(), nullptr, nullptr);
    if (status != CL_SUCCESS) {
        throw BackendError(
            "clBuildProgram (" + statusName(status) + ")", status,
            "The build log begins: " +
                firstLines(namingFiles(buildLog(program.get(), device), source), kLogLines));
    }
    return program;
}

std::string binaryOf(cl_program program)
{
    std::size_t size = 0;
    if (clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr) !=
        CL_SUCCESS)
        return {};
    std::string binary(size, '\0');
    auto* bytes = reinterpret_cast<unsigned char*>(binary.data());
    if (clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, nullptr) != CL_SUCCESS)
        return {};
    return binary;
}

/// Place such as "gpu/kernels/x.cl:12" of a line of the whole source, counted from 1.
std::string placeOf(int line, const std::string& source)
{
    static const std::regex directive("#line ([0-9]+) \"([^\"]*)\"");
    std::istringstream lines(source);
    std::string text;
    std::string file = "<kernel>";
    int inFile = 0;
    for (int i = 0; i < line && std::getline(lines, text); ++i) {
        std::smatch found;
        if (std::regex_match(text, found, directive)) {
            file = found[2];
            inFile = std::stoi(found[1]) - 1;
        } else {
            ++inFile;
        }
    }
    return file + ":" + std::to_string(inFile);
}

} // namespace

std::string namingFiles(const std::string& log, const std::string& source)
{
    static const std::regex place("<kernel>:([0-9]{1,9})");
    std::string named;
    auto rest = log.begin();
    for (std::sregex_iterator it(log.begin(), log.end(), place), end; it != end; ++it) {
        named.append(rest, (*it)[0].first);
        named += placeOf(std::stoi((*it)[1]), source);
        rest = (*it)[0].second;
    }
    return named.append(rest, log.end());
}

BuiltProgram buildProgram(cl_context context, const OpenClDevice& device, std::string source,
                          std::string options, const ProgramCache& cache)
{
    const OpenClFacts& facts = device.facts;
    BuiltProgram built;
    built.key = {facts.common.platform + " " + facts.common.name,
                 facts.driverVersion + " " + facts.common.version, std::move(source),
                 std::move(options)};
    if (const auto binary = cache.load(built.key)) {
        if (auto program = programFromBinary(context, device.id, *binary, built.key.options)) {
            built.program = std::move(*program);
            built.fromCache = true;
            return built;
        }
    }
    built.program = programFromSource(context, device.id, built.key.source, built.key.options);
    return built;
}

bool keepProgram(const BuiltProgram& built, const ProgramCache& cache)
{
    if (built.fromCache || !cache.isEnabled())
        return false;
    const std::string binary = binaryOf(built.program.get());
    return !binary.empty() && cache.store(built.key, binary);
}

} // namespace headscope::gpu
