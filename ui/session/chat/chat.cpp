#include "ui/session/chat/chat.h"

#include "core/model/pass/input_tokens.h"
#include "ui/session/open_models.h"
#include "ui/widgets/tr.h"
#include "ui/workers/error_sentence.h"

namespace headscope::ui {

QString whyNoChat(const OpenModels& models)
{
    if (models.isCaptured())
        return tr("A captured trace is read-only.");
    if (!models.model().model)
        return tr("No model is open.");
    const LoadedModel& model = models.model();
    if (model.model->config().architecture != Architecture::Decoder)
        return tr("Chats are for decoders, which this model is not.");
    if (!model.chatTemplate && !model.chatError)
        return tr("This model has no chat template. Open the instruct version of the model.");
    const std::optional<Error> problem = headscope::whyNoChat(model);
    return problem ? errorSentence(*problem) : QString();
}

QString roleName(const std::string& role)
{
    if (role == "system")
        return tr("System");
    if (role == "user")
        return tr("User");
    return role == "assistant" ? tr("Assistant") : QString::fromStdString(role);
}

} // namespace headscope::ui
