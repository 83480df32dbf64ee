#include "core/experiments/task_catalogue.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/experiments/builtin_configs.h"

#include <vector>

namespace headscope {

namespace {

TrainingConfig builtinConfig(const std::string& name)
{
    const auto text = builtinConfigText(name);
    if (!text)
        throw Error("no training configuration of this name is built in", name);
    return parseTrainingConfig(*text, "builtin:" + name);
}

CatalogueTask named(const char* name, const char* title, const char* description)
{
    CatalogueTask task;
    task.name = name;
    task.title = title;
    task.description = description;
    task.config = builtinConfig(name);
    return task;
}

CatalogueTask stories()
{
    CatalogueTask task =
        named("stories", "Stories", "A language model of small stories that a grammar writes.");
    task.lookFor = "Agreement of subject and verb comes early, with a head that looks from the "
                   "verb to its subject; names are copied late.";
    task.probe = "The keys near the table are";
    task.accuracy = "agreement";
    task.headScore = "subject_verb";
    task.curve = "previous_token";
    return task;
}

CatalogueTask agreement()
{
    CatalogueTask task = named("agreement", "Subject and verb",
                               "Sentences in which the verb agrees with a subject further back, "
                               "never with the noun just before it.");
    task.lookFor = "A head of \"are\" looks past the near noun to the subject; the share of right "
                   "verbs jumps from one half to all.";
    task.probe = "The keys near the table are";
    task.accuracy = "agreement";
    task.headScore = "subject_verb";
    task.curve = "entropy";
    return task;
}

CatalogueTask repeat()
{
    CatalogueTask task = named("repeat", "Repeats (induction)",
                               "Random symbols that come again: only looking back tells which one "
                               "is next.");
    task.lookFor = "Induction jumps in the second layer just when the loss falls, and a head of "
                   "the first layer sharpens on the previous symbol.";
    task.probe = "a k 7 q z a k 7 q";
    task.accuracy = "copy_accuracy";
    task.headScore = "induction";
    task.curve = "induction";
    return task;
}

CatalogueTask repeatOneLayer()
{
    CatalogueTask task = named("repeat-one-layer", "Repeats, one layer",
                               "The same repeats with one layer: the control that shows no "
                               "induction.");
    task.lookFor = "Induction stays near zero and the loss stays high: an induction head needs "
                   "what a head of the layer before has written.";
    task.probe = "a k 7 q z a k 7 q";
    task.accuracy = "copy_accuracy";
    task.headScore = "induction";
    task.curve = "induction";
    task.controlOf = "repeat";
    return task;
}

CatalogueTask copy()
{
    CatalogueTask task = named("copy", "Copy", "An encoder-decoder writes its source once more.");
    task.lookFor = "Cross-attention draws the diagonal.";
    task.probe = "k7qm2x";
    task.probeTarget = "k7q";
    task.accuracy = "sequence_accuracy";
    task.headScore = "cross_diagonal";
    task.curve = "diagonal";
    return task;
}

CatalogueTask reverse()
{
    CatalogueTask task =
        named("reverse", "Reverse", "An encoder-decoder writes its source from the end on.");
    task.lookFor = "Cross-attention draws the diagonal from the upper right to the lower left.";
    task.probe = "k7qm2x";
    task.probeTarget = "x2m";
    task.accuracy = "sequence_accuracy";
    task.headScore = "cross_antidiagonal";
    task.curve = "antidiagonal";
    return task;
}

CatalogueTask sort()
{
    CatalogueTask task = named("sort", "Sort",
                               "An encoder-decoder writes the symbols of its source in order, "
                               "digits before letters.");
    task.lookFor = "Cross-attention goes to the symbol that comes next in the order, wherever it "
                   "stands.";
    task.probe = "k7qm2x";
    task.probeTarget = "27k";
    task.accuracy = "sequence_accuracy";
    task.headScore = "cross_next_symbol";
    task.curve = "entropy";
    return task;
}

CatalogueTask addition()
{
    CatalogueTask task = named("addition", "Addition with carries",
                               "An encoder-decoder adds two numbers and writes the sum from the "
                               "last digit on, the way carries go.");
    task.lookFor = "Cross-attention goes to the two digits of one decimal place; digits are right "
                   "early, whole sums only when the carries are.";
    task.probe = "385+47";
    task.probeTarget = "23";
    task.accuracy = "sequence_accuracy";
    task.headScore = "cross_same_place";
    task.curve = "entropy";
    return task;
}

CatalogueTask brackets()
{
    CatalogueTask task = named("brackets", "Balanced brackets",
                               "Brackets and \"=\": is every one closed? The model answers y or "
                               "n.");
    task.lookFor = "Brackets that close too early are noticed first, one that is left over last; "
                   "in the first layer \"=\" comes to look evenly at all of them.";
    task.probe = "(()(()))=";
    task.accuracy = "answer_accuracy";
    task.headScore = "bracket_match";
    task.curve = "entropy";
    return task;
}

CatalogueTask masked()
{
    CatalogueTask task = named("masked", "Masked words",
                               "An encoder guesses words of the stories that were hidden, from "
                               "both sides.");
    task.lookFor = "Heads for the word before and for the word after appear together with the "
                   "fall of the loss.";
    task.probe = "The keys near the [MASK] are rusty.";
    task.accuracy = "token_accuracy";
    task.headScore = "previous_token";
    task.curve = "previous_token";
    return task;
}

CatalogueTask ownText()
{
    CatalogueTask task = named("text", "Your own text",
                               "A language model of a text file of yours, with a vocabulary that "
                               "is learned from it first.");
    task.lookFor = "The loss falls below that of statistics of three tokens when the model uses "
                   "more than the last two.";
    task.accuracy = "token_accuracy";
    task.headScore = "previous_token";
    task.curve = "previous_token";
    task.needsText = true;
    return task;
}

std::vector<CatalogueTask> allTasks()
{
    return {stories(), agreement(), repeat(),   repeatOneLayer(), copy(),   reverse(),
            sort(),    addition(),  brackets(), masked(),         ownText()};
}

} // namespace

std::span<const CatalogueTask> taskCatalogue()
{
    static const std::vector<CatalogueTask> tasks = allTasks();
    return tasks;
}

const CatalogueTask& catalogueTask(std::string_view name)
{
    std::vector<std::string> names;
    for (const CatalogueTask& task : taskCatalogue()) {
        if (task.name == name)
            return task;
        names.push_back(task.name);
    }
    throw Error("there is no task of this name", inQuotes(name), nearestNameAdvice(name, names));
}

const CatalogueTask* taskOf(const TrainingConfig& config)
{
    const auto tasks = taskCatalogue();
    const auto fits = [&](const CatalogueTask& task) {
        if (task.config.objective != config.objective || !config.data.batches.empty())
            return false;
        if (task.needsText || !config.data.text.empty())
            return task.needsText && !config.data.text.empty();
        return task.config.data.task == config.data.task &&
               (task.controlOf.empty() || task.config.model.layers == config.model.layers);
    };
    // the control comes last: its data are those of the task that it controls
    const CatalogueTask* found = nullptr;
    for (const CatalogueTask& task : tasks) {
        if (fits(task))
            found = &task;
    }
    return found;
}

} // namespace headscope
