"""`gramprobe`: the group of commands, the options that they share, and the exit code of each kind of error."""

from __future__ import annotations

import atexit
import contextlib
import gc
import os
import re
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from io import BufferedRandom, BufferedWriter, TextIOWrapper
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gramprobe import __version__
from gramprobe.registry import PackageWarning, Registry, culprits, trace

if TYPE_CHECKING:
    from gramprobe.interpret.read import Reader
    from gramprobe.project import Project
    from gramprobe.source.diagnostic import AuthoringError

_SHIPPED = {
    "analyze": "Analyse scores: the tables and figures of the papers, or a mixed model.",
    "audit": "Derive the labels of a published set of pairs, and print those that differ.",
    "build": "Build datasets: sentences, derived labels, certificates, card.",
    "check": "Find every error of every file, with the labels, draws and counts of every paradigm.",
    "decide": "Label a pair of formulas in a theory.",
    "diff": "Compare two datasets: rows gone, new, labels moved.",
    "diff-theory": "Compare two theories: the labels that move.",
    "explain": "Explain a paradigm, an item, a name of a grammar, or an error code.",
    "export": "Write a dataset, or a grammar, in the form of another program.",
    "exposure": "Count verbs and labels in a training corpus of entailment.",
    "finetune": "Train a model on the training rows of a dataset.",
    "frame": "Write answers as one long table, for R, Python and mixed models: a row an answer.",
    "judgments": "Read people's answers back: exclusions, agreement, means, times; a folder beside scores.",
    "label": "Label a pair of sentences: one label where all readings agree, else none.",
    "list": "List paradigms with the exact sizes of their spaces; or theories, constructors, words, features.",
    "lists": "Write the lists of an experiment with people, and a page that presents them.",
    "new": "Write a new paradigm, grammar, theory, lexicon or project that builds, with comments.",
    "parse": "Print the readings of a sentence with their logical forms.",
    "power": "Say what a planned study could show, from a mixed model of a pilot.",
    "report": "Write a report of scores: one HTML file with tables, figures, and items with their proofs.",
    "sample": "Print a few items at once.",
    "say": "Print the sentence and the readings of a term.",
    "score": "Score a dataset with a language model: probabilities, labels, choices.",
    "schema": "Print the JSON Schema of a --json answer or of a file of a dataset.",
    "verify": "Check a dataset: certificates, rows, hashes, and what follows from its sources.",
    "where": "Print where the shipped files and yours are, and what installed packages add.",
}
"""Command -> the help line of the overview; the command itself is `gramprobe.cli.<command>.command`."""
COMMANDS: Registry[click.Command] = Registry(
    "command", {name: f"gramprobe.cli.{name.replace('-', '_')}:command" for name in _SHIPPED}, "click:Command"
)
"""The commands; packages add others."""


class _Commands(click.Group):
    """Commands are imported on use, so that `gramprobe list` starts fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        return COMMANDS.get(name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, _help_line(name)) for name in COMMANDS])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        from gramprobe.source.nearest import did_you_mean

        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            raise click.UsageError(f"no command named `{args[0]}`{did_you_mean(args[0], COMMANDS)}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; give an AuthoringError the files that the command loaded, so that their lines can be shown.

        Where the reader of its output has had enough (`gramprobe verify DATASET | head -1`), a command ends there
        without a word, with the exit code of a program that SIGPIPE has ended: not 0, since nobody knows what would
        have been found.
        """
        from gramprobe.source.diagnostic import AuthoringError

        try:
            return super().invoke(ctx)
        except AuthoringError as error:
            error.library = error.library or ctx.obj
            raise
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 128 + signal.SIGPIPE


def _help_line(name: str) -> str:
    """The line of a command in the overview; a package is not imported for it."""
    entry = COMMANDS.entry(name)
    return _SHIPPED[name] if entry is None else f"Of the package {entry.origin}."


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="gramprobe")
def cli() -> None:
    """A grammar-driven compiler of linguistic stimuli: every label is derived, none is typed in."""


Command = TypeVar("Command", bound=Callable[..., Any])


def path_option(function: Command) -> Command:
    """``--path DIR``, repeatable, on every command that reads an author's files."""
    option = click.option(
        "--path", "path", multiple=True, metavar="DIR", type=click.Path(path_type=Path),
        help="A folder with grammars/, lexicon/ or logic/ of your own; repeatable. Default: $GRAMPROBE_PATH, else `.`.",
    )  # fmt: skip
    return option(function)


def sentences_option(function: Command) -> Command:
    """``--sentences FILE.tsv`` on the commands that build a dataset or check one."""
    return click.option(
        "--sentences", type=click.Path(path_type=Path), metavar="FILE.tsv",
        help="Sentences, or pairs of which the first entails the second, in the place of lexicon/sentences.tsv.",
    )(function)  # fmt: skip


def json_option(function: Command) -> Command:
    """``--json`` on every command that reports."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON (see docs/json.md).")(function)


def allow_bounded_option(function: Command) -> Command:
    """``--allow-bounded`` on every command that refuses unverified labels."""
    return click.option(
        "--allow-bounded", is_flag=True, help="Let labels pass that rest on a bounded search or an outside prover."
    )(function)


def design_option(function: Command) -> Command:
    """``--design NAME`` on every command that makes sentences."""
    from gramprobe.resolve.paradigm.data import BUILDS, WHOLE

    return click.option(
        "--design", default=WHOLE, show_default=True, type=click.Choice(BUILDS),
        help="paper: without the pairs that `balance` adds to a paradigm.",
    )(function)  # fmt: skip


def reading_options(function: Command) -> Command:
    """``--uses``, ``--theory``, ``--guess`` and ``--lexicon`` on the commands that read sentences."""
    function = click.option(
        "--lexicon", type=click.Path(path_type=Path), metavar="FILE.tsv",
        help="Further words: a table with tabs, with the columns category and forms or features of these categories.",
    )(function)  # fmt: skip
    function = click.option(
        "--guess",
        is_flag=True,
        help="Guess what unknown words are by their inflection; what hangs on a guess is marked.",
    )(function)
    theory = click.option(
        "--theory",
        metavar="NAME",
        help="The logic file to reason in. Default: reading, or texts for the grammar texts.",
    )(function)
    return click.option(
        "--uses",
        metavar="NAME[,NAME]",
        help="The grammar to read with. Default: english, and texts for what that cannot read.",
    )(theory)


def oracle_option(function: Command) -> Command:
    """``--oracle NAME`` on every command that may ask an outside prover."""
    from gramprobe.decide.prove.outside import NAMES

    return click.option(
        "--oracle", metavar="NAME", type=click.Choice(NAMES),
        help=f"An outside prover for what the engines leave open: {' or '.join(NAMES)}.",
    )(function)  # fmt: skip


def engine_option(function: Command) -> Command:
    """``--engine NAME`` on the commands that share their work among processes."""
    return click.option(
        "--engine", default="processes", show_default=True, type=click.Choice(["processes", "ray"]),
        help="Where the work is done: by processes of this machine, or on the machines of a Ray cluster.",
    )(function)  # fmt: skip


def address_option(function: Command) -> Command:
    """``--address HOST:PORT`` beside ``--engine ray``."""
    return click.option(
        "--address", default="", metavar="HOST:PORT",
        help="The Ray cluster. Default: one that is started on this machine, and ends with the command.",
    )(function)  # fmt: skip


INTERRUPTED = "interrupted: what was not finished was not put in place"


class Terminated(BaseException):
    """The process got SIGTERM, as when a batch job or a container is stopped: a build cleans up as on Ctrl-C."""


@contextlib.contextmanager
def _terminated_by_sigterm() -> Iterator[None]:
    """Raise Terminated on SIGTERM, unless the calling program ignores the signal or handles it by itself."""

    def end(number: int, frame: object) -> None:
        raise Terminated

    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


@contextlib.contextmanager
def _package_warnings() -> Iterator[None]:
    """Print warnings about packages like our other messages, without the line of code that Python adds."""
    shown: Any = warnings.showwarning

    def show(message: Warning | str, category: type[Warning], *place: Any, **options: Any) -> None:
        if category is PackageWarning:
            click.echo(str(message), err=True)
        else:
            shown(message, category, *place, **options)

    with warnings.catch_warnings():
        warnings.simplefilter("always", PackageWarning)
        warnings.showwarning = show
        yield


def main(arguments: list[str] | None = None) -> int:
    """Run and return the exit code; the console script exits with it."""
    # A command builds many small immutable trees and ends: a search for cycles among them only costs time.
    gc.set_threshold(10_000_000, 50, 100)
    atexit.unregister(_keep_everything)  # once, however many commands a process runs
    atexit.register(_keep_everything)
    try:
        with _terminated_by_sigterm(), _package_warnings():
            code = _run(arguments)
        _say_what_is_not_kept()
        return code
    except Terminated:
        click.echo(INTERRUPTED, err=True)
        return 143


def _keep_everything() -> None:
    """Let the system take all memory back at once when Python ends, which would search for cycles (2 of 14 seconds of a
    build) and free what was derived object by object (.2 of 34).

    What our modules hold is held in a list that is part of itself, and what is frozen is not searched for such. All
    else ends as ever: exit functions, threads, the exit code. A file that a module of a package keeps open is written
    out here, as it may be part of what is frozen.
    """
    modules = {name: module for name, module in [*sys.modules.items()] if isinstance(module, ModuleType)}
    for module in modules.values():
        for each in [*vars(module).values()]:
            if type(each) in (TextIOWrapper, BufferedWriter, BufferedRandom):
                with contextlib.suppress(OSError, ValueError):  # it is closed, or nobody reads it
                    each.flush()
    held: list[Any] = [dict(vars(module)) for name, module in modules.items() if f"{name}.".startswith("gramprobe.")]
    held.append(held)
    gc.freeze()


def _run(arguments: list[str] | None) -> int:
    """Run the command, print its error if it raises one, and return the exit code."""
    from gramprobe.source.diagnostic import AuthoringError, UsageError

    try:
        result = cli.main(arguments, prog_name="gramprobe", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return 2
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        said = error.format_message()
        for of_click, number in (("integer", "whole number"), ("float", "number")):  # it calls them by their types
            said = re.sub(rf"is not a valid {of_click}( range)?", f"is no {number}", said)
        asked = [each for each in (sys.argv[1:] if arguments is None else arguments)[:1] if each in COMMANDS]
        # where an option lacks its value, click names no command
        command = context.command_path if context and context.parent else " ".join(["gramprobe", *asked])
        _print_error("E29", said, f"see `{command} --help`")
        return 2
    except UsageError as error:
        _print_error(error.code, error.message, error.help)
        return 2
    except AuthoringError as error:
        _print_diagnostics(error)
        return 1
    except (KeyboardInterrupt, click.Abort):
        click.echo(INTERRUPTED, err=True)
        return 130
    except Exception as error:
        return _fault(error)


def _say_what_is_not_kept() -> None:
    """Say once that the cache is off since there is no place for its secret."""
    from gramprobe.cache import without_place

    folder = without_place()
    if folder is not None:
        click.echo(f"warning: nothing is kept for the next run: `{folder}` can be neither read nor written", err=True)
        click.echo("  help: name another place by XDG_STATE_HOME, or set GRAMPROBE_CACHE=off", err=True)


def _print_error(code: str, message: str, help: str) -> None:
    click.echo(f"error[{code}]: {message}", err=True)
    if help:
        click.echo(f"  help: {help}", err=True)


def _print_diagnostics(error: AuthoringError) -> None:
    from gramprobe.source.render import render

    click.echo(render(error.diagnostics, error.library), err=True)


def project_of(path: tuple[Path, ...], sentences: Path | None = None, names: tuple[str, ...] = ()) -> Project:
    """Load the project that a command works on; a later error is shown with the lines of its files.

    ``names``: all paradigms and phenomena that the command will ask for (empty: every paradigm).
    """
    from gramprobe.project import load

    project = load(path, sentences, names)
    click.get_current_context().find_root().obj = project.library
    return project


def own_project_of(path: tuple[Path, ...]) -> tuple[Project, list[str]]:
    """The project of an author's folders, and the paradigms that depend on a file in them (`project.load_own`)."""
    from gramprobe.project import load_own

    project, names = load_own(path)
    click.get_current_context().find_root().obj = project.library
    return project, names


def reader_of(
    path: tuple[Path, ...], uses: str | None, theory: str | None, guess: bool, lexicon: Path | None
) -> Reader:
    """What reads sentences, by `path_option` and `reading_options`."""
    from gramprobe.project import NO_PARADIGM

    return project_of(path, names=NO_PARADIGM).reader(
        None if uses is None else modules_of(uses), theory, guess, lexicon
    )


def modules_of(uses: str) -> list[str]:
    """The names in the text of an option `--uses`."""
    return [name.strip() for name in uses.split(",")]


def _refused(error: OSError) -> int:
    """Report a failure of the system to read or write: a full disk, no permission; also of a redirected output."""
    where = f" ({error.filename})" if error.filename else ""
    if not error.filename:  # standard output itself: the text in its buffer can no longer be written
        with contextlib.suppress(OSError, ValueError, AttributeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    _print_error("E37", f"reading or writing failed{where}: {error.strerror or error}", "")
    return 1


def _fault(error: Exception) -> int:
    """Report what the system refused, what is nested too deeply, and a fault: of a package, if its code raised it, or
    else of gramprobe."""
    if getattr(error, "code", None) == "E37":  # of a WriteError
        _print_error("E37", error.message, error.help)  # type: ignore[attr-defined]
        return 1
    entries = culprits(error)
    if not entries and isinstance(error, OSError):
        return _refused(error)
    if not entries and isinstance(error, RecursionError):
        _print_error(
            "E35", "a formula or tree in these files is nested too deeply", "look for a very long formula or tree"
        )
        return 1
    import traceback

    from gramprobe.source import messages

    last = traceback.extract_tb(error.__traceback__)[-1]
    why, place = f"{type(error).__name__}: {error}", f"at {Path(last.filename).name}:{last.lineno} ({last.name})"
    if entries:
        fault = messages.packages.fault([each.thing for each in entries], entries[0].origin, f"{why}, {place}")
        _print_error(fault.code, fault.message, fault.help)
    else:
        help = "please report it with the command and the files; GRAMPROBE_DEBUG=1 shows the whole trace"
        _print_error("E99", f"a fault of gramprobe itself: {why}\n  {place}, gramprobe {__version__}", help)
    click.echo(trace(error), err=True, nl=False)
    return 3
