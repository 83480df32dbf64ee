"""A person's first quarter of an hour, by keyboard and clipboard alone: the tour, a sentence in four scripts, the pages,
a change, the figure as a PDF; and the PDF opened by another process shows the same numbers."""

import json
import os
import pathlib
import unicodedata

import desktop
from desktop import Atspi, check, name_of, run, say, wait

TEXT = "The 猫 sat قطة on 😀 the mat"
LAYER, HEAD = 2, 4


def tokens_of(desk, text):
    line = desk.command("tokenize", "--model", "builtin:stories", "--json", text)
    return json.loads(line)["tokens"]


def an_asked_page_stays(desk):
    """The tour of a first start would begin on the overview."""
    window = desk.start("--device", "cpu", "--page", "heads")
    window.wait_for("label", lambda name: name.startswith("live"))
    window.wait_for("panel", lambda name: name == "Heads")
    check(not window.find("frame", "Guided tour"), "the tour took the page away that was asked for")
    window.quit()
    say("the first start showed the page asked for")


def the_tour_goes_by_keys(window):
    window.wait_for("frame", "Guided tour")
    for step in ("2 of 5", "3 of 5"):
        window.keys("Return")
        window.wait_for("label", step)
    window.keys("Left")
    window.wait_for("label", "2 of 5")
    window.keys("Escape")
    wait(lambda: not window.find("frame", "Guided tour"), "the tour to end")
    say("the tour went by keys")


def a_sentence_is_pasted(desk, window):
    desk.copy(TEXT)
    window.keys("ctrl+l")
    wait(lambda: window.has_focus("text", "Sentence"), "the sentence field to take the keyboard")
    window.keys("ctrl+v")
    wait(lambda: window.text_of("text", "Sentence") == TEXT, "the sentence as it was copied")
    count = len(tokens_of(desk, TEXT))
    window.wait_for("label", f"live · {count} tokens")
    chips = [name_of(chip) for chip in desktop.children(window.find("list", "Tokens"))]
    for part in ("猫", "ق", "😀", "sat"):
        check(any(chip.startswith(part + ",") for chip in chips), f"no chip shows {part}: {chips}")
    say(f"pasted: {len(chips)} chips, {count} tokens")


def pages_come_by_their_keys(window):
    pages = desktop.pages_of(window)
    for number in (4, 5, 1, 2):
        window.keys(f"alt+{number}")
        window.wait_for("panel", lambda name: name == pages[number - 1])
    say(f"pages by keys: {pages[3]}, {pages[4]}, {pages[0]}, {pages[1]}")


def a_change_is_made(window):
    """Head 0.0 is switched off; what a later head makes of it is B."""
    window.keys("Escape")  # out of the sentence
    window.keys(*["Prior"] * LAYER, *["shift+Prior"] * HEAD, "Delete")
    window.wait_for("list item", lambda name: "change 1 of 1" in name)
    window.keys(*["Next"] * LAYER, *["shift+Next"] * HEAD)
    window.wait_for("label", f"Layer {LAYER} · Head {HEAD}")
    say("head 0.0 was switched off")


def map_of(window):
    """Names of rows, and the sentences of its cells, as a screen reader has them."""
    table = window.wait_for("table", "Attention pattern of one head")
    size = table.get_n_rows()
    check(size == table.get_n_columns(), "the map is not square")
    rows = [Atspi.Table.get_row_description(table, row) for row in range(size)]
    words = [name_of(Atspi.Table.get_accessible_at(table, row, row)) for row in range(size)]
    return rows, words


def the_view_becomes_a_pdf(window, pdf):
    window.keys("ctrl+e")
    window.wait_for("dialog", "Export view")
    window.wait_for_focus()
    window.tab_to("text", "File")
    window.keys("ctrl+a")
    window.type(str(pdf))
    wait(lambda: window.says("PDF,"), "the dialog to say that it will be a PDF")
    window.keys("Return")
    wait(lambda: not window.find("dialog", "Export view"), "the dialog to close")
    window.wait_for_focus()
    wait(lambda: window.says("Figure saved to"), "the window to say where the figure is")
    check(pdf.read_bytes().startswith(b"%PDF-"), f"{pdf} is no PDF")


def the_pdf_can_be_searched(pdf, rows):
    """Contextual Arabic letters are found as those that were typed. Qt 6.4 gives letters beyond U+FFFF no code point in
    a PDF: emoji are drawn there, but not found."""
    text = unicodedata.normalize("NFKC", run("pdftotext", pdf, "-").decode())
    for label in set(rows):
        if max(map(ord, label)) <= 0xFFFF:
            check(label in text, f"pdftotext does not find {label!r} in\n{text}")
    for words in (f"Layer {LAYER} · Head {HEAD}", "Attention weight, fixed scale 0 to 1", "hidden by the causal mask",
                  "builtin:stories"):
        check(words in text, f"pdftotext does not find {words!r} in\n{text}")
    say(f"found in the PDF: {len(set(rows))} labels, title, legend")


def numbers_of(window, folder, name):
    path = folder / name
    window.answer_file_dialog("ctrl+shift+e", "Export the numbers", path, f"Numbers saved to {path}")
    return path.read_bytes()


def test(desk):
    an_asked_page_stays(desk)
    window = desk.start("--device", "cpu")
    the_tour_goes_by_keys(window)
    a_sentence_is_pasted(desk, window)
    pages_come_by_their_keys(window)
    a_change_is_made(window)
    rows, words = map_of(window)
    folder = pathlib.Path(os.environ["HOME"])
    pdf = folder / "head.pdf"
    the_view_becomes_a_pdf(window, pdf)
    the_pdf_can_be_searched(pdf, rows)
    numbers = {ending: numbers_of(window, folder, f"first.{ending}") for ending in ("csv", "npy", "json")}
    window.quit()

    again = desk.start(pdf)
    again.wait_for("list item", lambda name: "change 1 of 1" in name)
    again.wait_for("label", f"Layer {LAYER} · Head {HEAD}")
    wait(lambda: map_of(again) == (rows, words), "the same words in the other process")
    for ending, expected in numbers.items():
        found = numbers_of(again, folder, f"second.{ending}")
        check(found == expected, f"the numbers differ in the other process ({ending})")
    check(again.text_of("text", "Sentence") == TEXT, "the sentence did not come back")
    again.quit()
    for ending, expected in numbers.items():
        path = folder / f"third.{ending}"
        desk.command("render", "--session", pdf, "--view", "head", "--numbers", path)
        check(path.read_bytes() == expected, f"render of the PDF has other numbers ({ending})")
    say("the PDF brought the same numbers back in two other processes")


desktop.main(test)
