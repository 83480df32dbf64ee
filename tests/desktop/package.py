"""Headscope as a package puts it on a machine: the window opens, a sentence is typed, a figure is exported, a model file
is opened. HEADSCOPE_PACKAGE_MODEL names the model."""

import os
import pathlib

from desktop import Atspi, check, main, name_of, run, say, wait

TEXT = "The cat sat on the mat"


def a_sentence_is_typed(window):
    window.dismiss_tour()
    window.keys("ctrl+l")
    wait(lambda: window.has_focus("text", "Sentence"), "the sentence field to take the keyboard")
    window.keys("ctrl+a")
    window.type(TEXT)
    wait(lambda: window.text_of("text", "Sentence") == TEXT, "the sentence as it was typed")
    window.keys("Escape")
    say("typed a sentence")


def the_view_is_exported(window, pdf):
    window.keys("ctrl+e")
    window.wait_for("dialog", "Export view")
    window.wait_for_focus()
    window.tab_to("text", "File")
    window.keys("ctrl+a")
    window.type(str(pdf))
    wait(lambda: window.text_of("text", "File") == str(pdf), "the path in the dialog")
    window.keys("Return")
    wait(lambda: not window.find("dialog", "Export view"), "the dialog to close")
    wait(lambda: pdf.exists() and pdf.read_bytes().startswith(b"%PDF-"), "the PDF")
    text = run("pdftotext", pdf, "-").decode()
    for word in TEXT.split():
        check(word in text, f"pdftotext does not find {word!r} in\n{text}")
    say(f"exported a PDF of {pdf.stat().st_size} bytes")


def a_model_is_opened(desk, model):
    window = desk.start("--device", "cpu", model)
    wait(lambda: any(model.stem in name_of(it) for it in window.showing()), f"the window to name {model.stem}")
    wait(lambda: any(Atspi.Table.get_n_rows(it) > 0 for it in window.showing("table")), "attention of the model")
    say(f"opened {model.name}")
    window.quit()


def test(desk):
    say(desk.command("--version").decode().strip())
    window = desk.start("--device", "cpu")
    a_sentence_is_typed(window)
    folder = pathlib.Path(os.environ["HOME"])
    the_view_is_exported(window, folder / "view.pdf")
    window.quit()
    svg = folder / "head.svg"
    desk.command("render", "--model", "builtin:stories", "--text", TEXT, "--view", "head", "--out", svg)
    check(b"<svg" in svg.read_bytes(), f"{svg} is no SVG")
    a_model_is_opened(desk, MODEL)


MODEL = pathlib.Path(os.environ["HEADSCOPE_PACKAGE_MODEL"])  # before the desktop empties the environment
main(test)
