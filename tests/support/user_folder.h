#pragma once

#include <QByteArray>

#include <filesystem>

namespace headscope::test {

/// Moves one of the user's folders, such as "XDG_DATA_HOME", while this lives.
class UserFolder
{
public:
    UserFolder(const char* variable, const std::filesystem::path& folder)
        : m_variable(variable)
        , m_before(qgetenv(variable))
    {
        qputenv(variable, QByteArray::fromStdString(folder.string()));
    }

    ~UserFolder()
    {
        if (m_before.isNull())
            qunsetenv(m_variable);
        else
            qputenv(m_variable, m_before);
    }

    UserFolder(const UserFolder&) = delete;
    UserFolder& operator=(const UserFolder&) = delete;

private:
    const char* m_variable;
    QByteArray m_before;
};

} // namespace headscope::test
