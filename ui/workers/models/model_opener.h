#pragma once

#include "core/io/open_model.h"

#include <concepts>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>

namespace headscope::ui {

/// Opens a model by name, on any thread. Constructed from a function that audits the model and
/// reports its progress, or from one that only opens it; the audit of the latter has no tensors.
class ModelOpener
{
public:
    ModelOpener() = default;

    template<class Function>

    requires(!std::same_as<std::remove_cvref_t<Function>, ModelOpener> &&
             std::is_invocable_r_v<OpenedModel, Function&, const std::string&, Progress&>)
        ModelOpener(Function open)
        : m_open(std::move(open))
    {
    }

    template<class Function>

    requires(!std::same_as<std::remove_cvref_t<Function>, ModelOpener> &&
             std::is_invocable_r_v<LoadedModel, Function&, const std::string&>)
        ModelOpener(Function open)
        : m_open([open = std::move(open)](const std::string& name, Progress& progress) {
            progress.requireGoingOn();
            return OpenedModel{open(name), {}};
        })
    {
    }

    explicit operator bool() const { return static_cast<bool>(m_open); }

    OpenedModel operator()(const std::string& name, Progress& progress) const
    {
        return m_open(name, progress);
    }

    LoadedModel operator()(const std::string& name) const
    {
        Progress progress;
        return m_open(name, progress).model;
    }

private:
    std::function<OpenedModel(const std::string&, Progress&)> m_open;
};

} // namespace headscope::ui
