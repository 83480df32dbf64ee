#pragma once

#include "core/text/chat/template_value.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

namespace headscope {

/// What one rendering may use, and what it has written. Every limit ends in an Error.
class TemplateRendering
{
public:
    static constexpr std::int64_t kMostSteps = 4'000'000;
    static constexpr std::size_t kMostBytes = 16U << 20;
    static constexpr std::size_t kMostItems = 1U << 18;
    static constexpr std::chrono::seconds kLongest{5};
    static constexpr int kDeepest = 400; ///< Nested expressions, statements and macros.

    void step(); ///< Counts one evaluation.
    void write(const TurnText& text);

    /// Takes what was written since `begin` out again: the value of a block.
    TurnText takeFrom(std::size_t begin);

    std::size_t written() const { return m_output.size(); }

    const TurnText& output() const { return m_output; }

    void enter(); ///< One level deeper.

    void leave() { --m_depth; }

    int line = 1; ///< Of the statement that runs, for messages.

private:
    TurnText m_output;
    std::int64_t m_steps = 0;
    std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
    int m_depth = 0;
};

/// Refuses a text or list that grows beyond the limits.
void checkTemplateBytes(std::size_t bytes);
void checkTemplateItems(std::size_t items);

/// One level of nesting, for as long as it lives.
class TemplateLevel
{
public:
    explicit TemplateLevel(TemplateRendering& rendering) : m_rendering(rendering)
    {
        rendering.enter();
    }

    ~TemplateLevel() { m_rendering.leave(); }

    TemplateLevel(const TemplateLevel&) = delete;
    TemplateLevel& operator=(const TemplateLevel&) = delete;

private:
    TemplateRendering& m_rendering;
};

/// Names of a template, a loop or a macro. Assignments stay in their own scope, as in Jinja.
class TemplateScope
{
public:
    TemplateScope(TemplateRendering& rendering, const TemplateScope* outer)
        : m_rendering(rendering)
        , m_outer(outer)
    {
    }

    const TemplateValue* find(std::string_view name) const;

    void set(const std::string& name, TemplateValue value) { m_names.set(name, std::move(value)); }

    TemplateRendering& rendering() { return m_rendering; }

    /// Expires with the scope: a macro may outlive the one that it was defined in.
    std::weak_ptr<const bool> life() const { return m_life; }

private:
    TemplateRendering& m_rendering;
    const TemplateScope* m_outer;
    TemplateMembers m_names;
    std::shared_ptr<const bool> m_life = std::make_shared<const bool>(true);
};

} // namespace headscope
