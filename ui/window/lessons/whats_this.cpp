#include "ui/window/lessons/whats_this.h"

#include <QCoreApplication>

#include <array>

namespace headscope::ui {

namespace {

struct Entry
{
    const char* name;
    const char* text;
};

constexpr std::array kPages{
    Entry{"overview",
          QT_TRANSLATE_NOOP("WhatsThis",
                            "All heads at once, one row a layer. Choose one to see it large: each "
                            "row of the map is a query token, each column a key token, and dark "
                            "cells are large weights.")},
    Entry{"head", QT_TRANSLATE_NOOP("WhatsThis",
                                    "One head in full: its weights with the sums of rows and "
                                    "columns, on the scale that you choose. Zoom in to read the "
                                    "numbers.")},
    Entry{"heads",
          QT_TRANSLATE_NOOP("WhatsThis", "Heads by what they do: a map and a table that sorts them "
                                         "by any score, and a card about the chosen one.")},
    Entry{"arcs",
          QT_TRANSLATE_NOOP("WhatsThis",
                            "Attention as curves between two columns of tokens, a colour for each "
                            "head. Point at a token to see only its own, click to keep it.")},
    Entry{"qk",
          QT_TRANSLATE_NOOP("WhatsThis", "Where one weight comes from: query times key, number by "
                                         "number, then the scores of the whole row through scale, "
                                         "mask and softmax.")},
    Entry{"distance",
          QT_TRANSLATE_NOOP("WhatsThis", "How far heads look back: attention against the distance "
                                         "between query and key.")},
    Entry{"flow", QT_TRANSLATE_NOOP("WhatsThis",
                                    "How information moves from token to token through the layers, "
                                    "with the residual stream counted in.")},
    Entry{"attribution",
          QT_TRANSLATE_NOOP("WhatsThis",
                            "What makes a token's logit: the embeddings, every head and every MLP, "
                            "which add up to it, and the input tokens that they draw on. Choose "
                            "the place with the query token.")},
    Entry{"cross",
          QT_TRANSLATE_NOOP("WhatsThis", "Which source tokens the answer of an encoder-decoder "
                                         "looks at, token by token.")},
    Entry{"lens",
          QT_TRANSLATE_NOOP("WhatsThis",
                            "What every layer would predict if it were the last one: the residual "
                            "stream through the model's own head, or first through a map that was "
                            "trained for it. Follow any token's rank and probability down the "
                            "layers.")},
    Entry{"causal",
          QT_TRANSLATE_NOOP("WhatsThis",
                            "What really matters for an answer: heads switched off one by one, "
                            "parts of one run put into another, and the path of a fact that "
                            "follows from them.")},
    Entry{"what-if",
          QT_TRANSLATE_NOOP("WhatsThis",
                            "Change the mask, the positions or a head and compare: A is the model "
                            "as trained, B is with your changes, B \xE2\x88\x92 A is the "
                            "difference. Undo takes every change back.")},
    Entry{"compare",
          QT_TRANSLATE_NOOP("WhatsThis", "Two sentences or two models side by side, with their "
                                         "difference where both have as many tokens.")},
    Entry{"origin",
          QT_TRANSLATE_NOOP("WhatsThis", "Where any number comes from: open an operand to see what "
                                         "it was computed from, down to weights and embeddings.")},
    Entry{"train",
          QT_TRANSLATE_NOOP("WhatsThis",
                            "A model in training: start, pause, make one step. Curves and the "
                            "scores of heads grow while it learns, and the timeline brings every "
                            "page back to any snapshot of its weights.")},
    Entry{"positions",
          QT_TRANSLATE_NOOP("WhatsThis", "How the model knows where a token stands: waves, "
                                         "rotations or slopes, with their similarity.")},
    Entry{"mask", QT_TRANSLATE_NOOP("WhatsThis",
                                    "Which tokens may look at which. Paint cells to forbid them "
                                    "in B.")},
    Entry{"architecture",
          QT_TRANSLATE_NOOP("WhatsThis", "The open model as a diagram, with shapes and numbers of "
                                         "parameters. Choose a part to go to the page that shows "
                                         "it.")},
    Entry{"next-token",
          QT_TRANSLATE_NOOP("WhatsThis", "What the model expects next. Change the temperature and "
                                         "what is cut off, draw a token, and go back to any of "
                                         "them.")},
    Entry{"new-run",
          QT_TRANSLATE_NOOP("WhatsThis",
                            "What will be trained: a task or a text of your own, and every "
                            "setting. At the right stands what it will take, measured by trying a "
                            "few steps of it.")},
    Entry{"experiments",
          QT_TRANSLATE_NOOP("WhatsThis",
                            "What happens when one thing is left out, trained beside the same "
                            "model with it. One click trains all variants from one seed; the "
                            "sentence at the end holds what was measured.")},
    Entry{"example",
          QT_TRANSLATE_NOOP("WhatsThis",
                            "A calculation worked one number at a time. Go on and back, change any "
                            "number that was given, or work out the next one yourself. F4 does the "
                            "same with the head that is open.")},
    Entry{"lab",
          QT_TRANSLATE_NOOP("WhatsThis",
                            "One part of the subject to try: turn its controls and watch. At the "
                            "right stand a question, its answer and the numbers. Choose another "
                            "lab at the top right, or type to find one.")},
    Entry{"lessons",
          QT_TRANSLATE_NOOP("WhatsThis",
                            "The course, lesson by lesson, with what you have done. In a lesson "
                            "the picture stands here and its text at the right; every number in "
                            "the text was computed from what you see.")},
    Entry{"your-lesson",
          QT_TRANSLATE_NOOP("WhatsThis",
                            "A lesson of your own: every step is a state of the window that you "
                            "kept with Ctrl+Shift+D, with a text and a question. At the right it "
                            "stands as others will see it, with what is still wrong.")},
    Entry{"runs", QT_TRANSLATE_NOOP(
                      "WhatsThis",
                      "Every training run on disk, also one that \xE2\x80\x9Cheadscope "
                      "train\xE2\x80\x9D writes right now. Choose several to lay their curves over "
                      "each other, two to see which settings differ.")},
};

constexpr std::array kFrame{
    Entry{"sentence",
          QT_TRANSLATE_NOOP("WhatsThis", "The text that the model reads. Every key shows its "
                                         "attention at once. Esc goes to the page.")},
    Entry{"target",
          QT_TRANSLATE_NOOP("WhatsThis", "What an encoder-decoder answers with. Its tokens are the "
                                         "queries of the decoder and of the cross attention.")},
    Entry{"model",
          QT_TRANSLATE_NOOP("WhatsThis", "Which model is open, and how large it is. Choose another "
                                         "one here.")},
    Entry{"loading",
          QT_TRANSLATE_NOOP("WhatsThis", "How much of a model has been read. Cancel, or Esc, keeps "
                                         "what is open.")},
    Entry{"live",
          QT_TRANSLATE_NOOP("WhatsThis", "A full dot says that the picture belongs to the text, a "
                                         "ring that it is still being computed.")},
    Entry{"tokens",
          QT_TRANSLATE_NOOP("WhatsThis",
                            "The pieces in which the model reads the text. Click one to make it "
                            "the query, with Shift to make it the key. Double-click or F2 changes "
                            "its text.")},
    Entry{"tokenMenu",
          QT_TRANSLATE_NOOP("WhatsThis", "Put the pieces of a word together, leave special tokens "
                                         "or the first one out, or show ids and bytes. Nothing "
                                         "here changes what is computed.")},
    Entry{"rail",
          QT_TRANSLATE_NOOP("WhatsThis", "The pages. Ctrl+1 to Ctrl+9 and Ctrl+0 open the first "
                                         "ten.")},
    Entry{"lesson",
          QT_TRANSLATE_NOOP("WhatsThis", "What this step of the lesson says and asks. Next and "
                                         "Back walk through it; underlined words lead to the "
                                         "lessons that explain them.")},
    Entry{"inspector",
          QT_TRANSLATE_NOOP("WhatsThis", "The chosen head and pair of tokens in numbers: the "
                                         "weight, where it comes from, and the next token. F6 "
                                         "shows and hides it.")},
    Entry{"anything",
          QT_TRANSLATE_NOOP("WhatsThis", "Type a few letters to find any command, page, head, "
                                         "token or model.")},
    Entry{"status",
          QT_TRANSLATE_NOOP("WhatsThis", "Where attention was computed, how long it took, how long "
                                         "drawing took, and what the keys do on this page.")},
    Entry{"messages", QT_TRANSLATE_NOOP("WhatsThis", "What went wrong and what to do about it.")},
};

template<std::size_t Count>
QString textIn(const std::array<Entry, Count>& entries, const QString& name)
{
    for (const Entry& entry : entries) {
        if (name == QLatin1String(entry.name))
            return QCoreApplication::translate("WhatsThis", entry.text);
    }
    return {};
}

} // namespace

QString whatsThisText(const QString& name)
{
    const QString text = textIn(kPages, name);
    return text.isEmpty() ? textIn(kFrame, name) : text;
}

} // namespace headscope::ui
