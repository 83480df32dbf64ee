#pragma once

#include "core/lessons/labs/lab_picture.h"
#include "core/model/pass/tracer.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// Something to turn. Two or three of them make a lab.
struct LabControl
{
    enum class Kind { Number, Choice, Switch, Text };

    std::string name;  ///< "heads": for files and --set
    std::string title; ///< "KV heads"
    Kind kind = Kind::Number;
    std::string initial;              ///< as set() takes it: "8", "on", "alibi", "unhappiness"
    double low = 0.0;                 ///< of a number
    double high = 1.0;                ///< of a number
    double step = 1.0;                ///< of a number; 0: any
    bool isLogarithmic = false;       ///< the slider's way from low to high
    std::vector<std::string> choices; ///< names, of a choice
    std::vector<std::string> titles;  ///< as choices: for people

    const std::string& titleOf(std::string_view choice) const; ///< throws Error: no such choice
};

/// What the controls of a lab are set to. Always valid.
class LabSettings
{
public:
    explicit LabSettings(std::vector<LabControl> controls); ///< all as initial

    /// Throws Error, one sentence: no such control (nearest name), no number, out of its range, no
    /// such choice, a text beyond 100 000 bytes or that is no UTF-8.
    void set(std::string_view name, std::string_view value);

    double number(std::string_view name) const;
    std::int64_t integer(std::string_view name) const;
    bool isOn(std::string_view name) const;
    const std::string& text(std::string_view name) const; ///< of a choice or text; or as written

    /// Throws Error with the nearest name, as all of the above.
    const LabControl& control(std::string_view name) const;

    const std::vector<LabControl>& controls() const { return m_controls; }

    const std::map<std::string, std::string, std::less<>>& values() const { return m_values; }

private:
    std::vector<LabControl> m_controls;
    std::map<std::string, std::string, std::less<>> m_values;
};

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
