#include "ui/session/chat/chat_reply.h"

#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/model/pass/input_tokens.h"
#include "core/text/utf8.h"
#include "ui/session/session.h"

#include <chrono>

namespace headscope::ui {

namespace {

/// Bytes up to the first character that is not complete yet.
std::string wholeCharacters(const std::string& bytes)
{
    constexpr std::size_t kLongest = 4;
    std::size_t at = 0;
    while (at < bytes.size()) {
        const Utf8Character character = utf8CharacterAt(bytes, at);
        if (!character.valid && bytes.size() - at < kLongest)
            break; // more bytes may complete it
        at += character.length;
    }
    return bytes.substr(0, at);
}

/// Text of a reply while it is generated.
class ReplyText
{
public:
    explicit ReplyText(const Tokenizer& tokenizer) : m_tokenizer(tokenizer) {}

    /// False for a token that ends the turn.
    bool add(TokenId id)
    {
        if (static_cast<std::size_t>(id) >= m_tokenizer.vocabularySize() ||
            m_tokenizer.isSpecial(id))
            return false;
        m_ids.push_back(id);
        return true;
    }

    std::string text() const { return wholeCharacters(m_tokenizer.decode(m_ids)); }

private:
    const Tokenizer& m_tokenizer;
    std::vector<TokenId> m_ids;
};

/// The reply, of which `tell` receives the beginning now and then.
std::string generateReply(const LoadedModel& model, ChatInput chat,
                          const GenerationSettings& settings, const std::stop_token& stop,
                          const std::function<void(std::string)>& tell)
{
    using Clock = std::chrono::steady_clock;
    constexpr auto kBetween = std::chrono::milliseconds(80);
    chat.addGenerationPrompt = true;
    const std::vector<TokenId> prompt = chatTokens(model, chat).ids();
    ReplyText reply(*model.tokenizer);
    std::stop_source ended;
    const std::stop_callback cancels(stop, [&ended] { ended.request_stop(); });
    Clock::time_point last{};
    CpuAttention backend;
    try {
        generate(
            model, backend, prompt, settings,
            [&](const GenerationStep& step) {
                if (!reply.add(step.id)) {
                    ended.request_stop();
                } else if (Clock::now() - last >= kBetween) {
                    tell(reply.text());
                    last = Clock::now();
                }
            },
            ended.get_token());
    } catch (const Cancelled&) {
        if (stop.stop_requested())
            throw;
    }
    return reply.text();
}

} // namespace

ChatReply::ChatReply(Session& session) : m_session(session)
{
    connect(&session, &Session::textChanged, this, &ChatReply::followSession);
    connect(&session, &Session::modelChanged, this, &ChatReply::cancel);
}

QString ChatReply::obstacle() const
{
    if (const QString why = whyNoChat(m_session.models()); !why.isEmpty())
        return why;
    const Chat& chat = m_session.document().chat();
    if (!chat.isOn || chat.input.turns.empty())
        return tr("There is no chat to reply to.");
    if (chat.input.turns.back().role == "assistant")
        return tr("The last turn is the assistant\u2019s. Add a turn of the user first.");
    return {};
}

void ChatReply::start(const GenerationSettings& settings)
{
    if (isRunning() || !obstacle().isEmpty())
        return;
    m_before = m_written = m_session.document().chat();
    ++m_reply;
    m_task.start(
        [this, model = m_session.model(), chat = m_before.input,
         settings](const LatestTask::Control& control) {
            return generateReply(model, chat, settings, control.stop(),
                                 [this, &control](std::string text) {
                                     control.tell([this, text] { write(text); });
                                 });
        },
        [this](const std::string& text) {
            write(text);
            emit changed();
        },
        [this](const QString& sentence) {
            emit changed();
            emit failed(sentence);
        });
    emit changed();
}

void ChatReply::cancel()
{
    if (!isRunning())
        return;
    m_task.cancel();
    emit changed();
}

void ChatReply::write(const std::string& text)
{
    m_written = m_before;
    m_written.input.turns.push_back({"assistant", text});
    m_session.document().writeReply(m_written, m_reply);
}

/// An edit of the chat, or another text, ends the reply.
void ChatReply::followSession()
{
    if (isRunning() && m_session.document().chat() != m_written)
        cancel();
}

} // namespace headscope::ui
