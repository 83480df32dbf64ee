#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

namespace headscope {

/// Base of all exceptions that Headscope throws. what() is one sentence: "WHAT (WHERE). WHAT TO
/// DO".
class Error : public std::runtime_error
{
public:
    explicit Error(const std::string& what, const std::string& where = {},
                   const std::string& advice = {});

    /// Sentence without where() and advice().
    const std::string& problem() const { return m_problem; }

    const std::string& where() const { return m_where; }

    const std::string& advice() const { return m_advice; }

private:
    std::string m_problem;
    std::string m_where;
    std::string m_advice;
};

/// A caller's mistake: operands whose shapes do not match. Names the function and the shapes.
class ShapeError : public Error
{
public:
    using Error::Error;
};

/// An invalid file. Says what was expected and, where known, at which byte offset.
class FormatError : public Error
{
public:
    FormatError(const std::string& problem, const std::string& path,
                std::optional<std::uint64_t> offset = std::nullopt, const std::string& advice = {});
};

/// Calls `action`; an Error that names no file becomes a FormatError about `path`.
template<class Action>
auto namingFile(const std::string& path, const Action& action)
{
    try {
        return action();
    } catch (const FormatError&) {
        throw;
    } catch (const Error& error) {
        throw FormatError(error.problem(), path, std::nullopt, error.advice());
    }
}

/// A failed device call. Carries the call and the status it returned.
class BackendError : public Error
{
public:
    BackendError(const std::string& call, int status, const std::string& advice = {});

    const std::string& call() const { return m_call; }

    int status() const { return m_status; }

private:
    std::string m_call;
    int m_status;
};

/// Work stopped because its stop_token requested it. Never shown to the user.
class Cancelled : public Error
{
public:
    Cancelled() : Error("cancelled") {}
};

} // namespace headscope
