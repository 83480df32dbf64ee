#pragma once

#include "core/lessons/labs/lab_picture.h"
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

/// A number that a lab computed, for its caption, for a lesson's text and for JSON.
struct LabNumber
{
    std::string name;  ///< "bytes"
    std::string title; ///< "KV cache"
    double value = 0.0;
    std::string unit;        ///< "B", "%", "ms"; may be empty
    bool isMeasured = false; ///< a time or a memory of this machine: differs from run to run
};

struct LabResult
{
    std::vector<LabPanel> panels;
    std::vector<LabNumber> numbers;
    std::string sentence; ///< what one sees, with its numbers: one or two sentences

    const LabNumber& number(std::string_view name) const; ///< throws Error with the nearest name
};

/// What a lab may use besides its settings.
struct LabContext
{
    LoadedModel model; ///< the open one; its pointers may be null
    std::string text;  ///< the person's sentence
    std::function<LoadedModel(const std::string&)> openModel; ///< "builtin:repeat"
    std::function<std::unique_ptr<AttentionBackend>()> makeBackend;
    std::function<void(double)> progress; ///< 0 to 1; may be empty
};

/// What labs are about, in teaching order: each has a folder of that name here.
enum class LabSubject { Text, Order, Attention, Masks, Blocks, Models, Training, Decoding, Heads };

/// Its words are in resources/labs/NAME.json (see lab_file.h), what it computes is a function in a
/// .cpp file of its subject's folder: `LabResult runKvCache(const LabSettings&, const LabContext&,
/// const std::stop_token&)` of "kv-cache". The build finds both.
struct Lab
{
    std::string name; ///< "kv-cache"
    LabSubject subject = LabSubject::Text;
    std::int64_t order = 0; ///< rises within the subject
    std::string title;      ///< "The KV cache"
    std::string rows;       ///< of the curriculum: "A8 A9"
    std::string question;   ///< what to find out, one sentence
    std::string answer;     ///< what one finds, with references {{name}} to numbers of the result
    std::vector<LabControl> controls;
    /// Computes everything shown, on the calling thread. Throws Error, or Cancelled when asked to
    /// stop. Equal settings give equal results, but for numbers that are measured.
    std::function<LabResult(const LabSettings&, const LabContext&, const std::stop_token&)> run;
    bool usesModel = false; ///< runs again when the open model or the sentence changes
    bool isSlow = false;    ///< measures or trains: runs when asked for, with progress
};

/// In teaching order.
std::span<const Lab> labCatalogue();

/// The part of the catalogue that is about this.
std::span<const Lab> labsOf(LabSubject subject);

/// Throws Error with the nearest name.
const Lab& catalogueLab(std::string_view name);

} // namespace headscope
