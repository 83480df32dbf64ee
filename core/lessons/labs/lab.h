#pragma once

#include "core/lessons/labs/lab_plot.h"
#include "core/lessons/labs/lab_settings.h"
#include "core/model/pass/tracer.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// Number computed by a lab, for captions, lesson texts and JSON.
struct LabNumber
{
    std::string name;  ///< Id in references: "bytes".
    std::string title; ///< Visible name: "KV cache".
    double value = 0.0;
    std::string unit = {};   ///< "B", "%", "ms"; may be empty.
    bool isMeasured = false; ///< Time or memory of this machine; not reproducible.
};

struct LabResult
{
    std::vector<LabPanel> panels;
    std::vector<LabNumber> numbers;
    std::string sentence; ///< Summary with numbers, one or two sentences.

    const LabNumber& number(std::string_view name) const; ///< Throws Error with the nearest name.
};

/// Inputs of a lab besides its settings.
struct LabContext
{
    LoadedModel model; ///< Open model; its pointers may be null.
    std::string text;  ///< Sentence typed by the user.
    std::function<LoadedModel(const std::string&)> openModel; ///< Opens "builtin:repeat".
    std::function<std::unique_ptr<AttentionBackend>()> makeBackend;
    std::function<void(double)> progress; ///< Progress from 0 to 1; may be empty.
};

/// Subjects of labs, in teaching order; each has a folder of that name here.
enum class LabSubject { Text, Order, Attention, Masks, Blocks, Models, Training, Decoding, Heads };

/// Lab: interactive experiment with a few controls. Its texts are in resources/labs/NAME.json (see
/// lab_file.h), its computation is a function in the subject's folder; for "kv-cache" `LabResult
/// runKvCache(const LabSettings&, const LabContext&, const std::stop_token&)`. CMake finds both.
struct Lab
{
    std::string name; ///< Id: "kv-cache".
    LabSubject subject = LabSubject::Text;
    std::int64_t order = 0; ///< Increases within the subject.
    std::string title;      ///< Visible title: "The KV cache".
    std::string rows;       ///< Rows of the curriculum: "A8 A9".
    std::string question;   ///< Question to explore, one sentence.
    std::string answer;     ///< Answer, with references {{name}} to result numbers.
    std::vector<LabControl> controls;
    /// Computes everything shown, on the calling thread. Throws Error, or Cancelled when asked to
    /// stop. Equal settings give equal results, except for measured numbers.
    std::function<LabResult(const LabSettings&, const LabContext&, const std::stop_token&)> run;
    bool usesModel = false; ///< Recomputed when the open model or the sentence changes.
    bool isSlow = false;    ///< Measures or trains: starts on request, with progress.
};

/// All labs in teaching order, in the language of this process (content_language.h).
std::span<const Lab> labCatalogue();

/// Labs of one subject.
std::span<const Lab> labsOf(LabSubject subject);

/// Returns the lab `name`. Throws Error with the nearest name.
const Lab& catalogueLab(std::string_view name);

} // namespace headscope
