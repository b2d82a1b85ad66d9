#!/usr/bin/env python3
"""packaging/cli_docs.py GPUTOP [FOLDER]: writes the man page and the completions of bash, zsh and fish from `GPUTOP --dump-cli` into
FOLDER (packaging/cli). tests/house/cli_docs_test.py fails when they are out of date."""
import json
import pathlib
import re
import subprocess
import sys

FILES = {"gputop.1": "man_page", "gputop.bash": "bash", "_gputop": "zsh", "gputop.fish": "fish"}

# What can stand for a value: words that gputop knows (`gputop __complete WHAT`; WHAT= continues, WHAT, is a list), a file, or a fixed list.
BY_ARGUMENT = {"RUN": ["runs"], "JOB": ["runs"], "RECORDING": ["recordings"], "RECORDINGS": ["recordings"]}
FILE_ARGUMENTS = {"RECORDING", "RECORDINGS", "LOG"}
BY_OPTION = {"--theme": "themes", "--change": "knobs=", "--allow": "knobs,", "--only": "checks,", "--model": "models"}
BY_COMMAND = {("estimate", "--gpu"): "cards", ("show", "--gpu"): "cards"}
FIXED = {"--format": "md html json csv", "--source": "auto nvml sim replay:", "--speed": "max 1 10", "--interval": "500ms 1s 5s",
         "--family": "transformer cnn components", "--precision": "fp32 tf32 amp-fp16 amp-bf16 bf16 float8", "--attention": "eager flash",
         "--optimizer": "adamw adam sgd sgd-momentum adafactor adam8bit", "--checkpointing": "none selective full",
         "--logits": "full chunked", "--shard": "none zero1 zero2 zero3", "--offload": "none optimizer all", "--gated": "yes no", "--tied": "yes no",
         "--optimizer-in-backward": "yes no"}


def kind_of(command, option):
    """"file", "" (anything), "words A B" or "ask WHAT" for the value of a command's option."""
    name = option["names"][-1]
    asked = BY_COMMAND.get((command, name)) or BY_OPTION.get(name)
    if asked:
        return "ask " + asked
    if name in FIXED:
        return "words " + FIXED[name]
    return "file" if option["value"] in ("FILE", "FOLDER:DIR", "DIR") else ""


def asked_by(argument):
    """What a positional argument may be: "RECORDING|RUN|LOG" → ["recordings", "runs"]."""
    asked = [what for part in argument["name"].split("|") for what in BY_ARGUMENT.get(part, [])]
    return list(dict.fromkeys(asked))


def may_be_file(argument):
    parts = argument["name"].split("|")
    return any(part in FILE_ARGUMENTS for part in parts) or not (asked_by(argument) or parts == ["N"])


def takes_value(option):
    return option["value"] is not None


def commands_of(cli):
    return [("", cli)] + [(command["name"], command) for command in cli["commands"]]


# --- man ----------------------------------------------------------------------------------------------------------------
def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in text.splitlines())


def man_option(option):
    names = ", ".join(f"\\fB{roff(name)}\\fR" for name in option["names"])
    value = f" \\fI{roff(option['value'] or 'VALUE')}\\fR" if takes_value(option) else ""
    return f".TP\n{names}{value}\n{roff(option['about'])}\n"


def man_page(description):
    cli = description["cli"]
    about = cli["about"].removeprefix("gputop: ")
    out = ['.TH GPUTOP 1 "" "gputop" "User Commands"\n',
           ".SH NAME\ngputop \\- watch, understand and improve a training run from the terminal it runs in\n",
           ".SH SYNOPSIS\n.B gputop\n[\\fIOPTIONS\\fR]\n.br\n.B gputop\n[\\fIOPTIONS\\fR] \\fB\\-\\-\\fR \\fICMD\\fR [\\fIARG\\fR...]\n.br\n"
           ".B gputop\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n",
           f".SH DESCRIPTION\nWith gputop you {roff(about)}\n.PP\nWithout a GPU, \\fBgputop \\-\\-demo\\fR shows everything on a "
           "simulated one.\n",
           ".SH OPTIONS\n", *map(man_option, cli["options"]), ".SH COMMANDS\n"]
    for command in cli["commands"]:
        arguments = "".join(f" \\fI{roff(a['name'])}\\fR" for a in command["arguments"])
        out.append(f".SS \\fBgputop {roff(command['name'])}\\fR{arguments}\n{roff(command['about'])}\n")
        out += [f".TP\n\\fI{roff(a['name'])}\\fR\n{roff(a['about'])}\n" for a in command["arguments"]]
        out += [man_option(option) for option in command["options"] if "--help" not in option["names"]]
        if command["footer"]:
            out.append(f".PP\n{roff(command['footer'])}\n")
    out.append(".SH FILES\n.TP\n.I ~/.config/gputop/config.yaml\nsettings\n.TP\n.I ~/.config/gputop/themes/\nthemes of your own\n"
               ".TP\n.I ~/.local/state/gputop/runs/\nrecordings\n"
               ".SH EXIT STATUS\nThat of \\fICMD\\fR where there is one. Else 0, 1 when it could not be done, 2 for a wrong command line.\n")
    return re.sub(r"\n\n+", "\n", "".join(out))


# --- shells -------------------------------------------------------------------------------------------------------------
def names_of(options):
    return [name for option in options for name in option["names"]]


def bash_value(kind):
    if kind.startswith("ask "):
        what = kind[4:].rstrip("=,")
        call = {"=": "_gputop_words '='", ",": "_gputop_list"}.get(kind[-1], "_gputop_words ''")
        return f"{call} {what}"
    if kind.startswith("words "):
        return f"_gputop_fixed '{kind[6:]}'"
    return "_gputop_files" if kind == "file" else "COMPREPLY=()"


def bash(description):
    cli = description["cli"]
    cases, arguments, options = [], [], []
    for name, command in commands_of(cli):
        words = names_of(command["options"]) + ([] if name == "" else [n for n in names_of(cli["options"]) if n not in names_of(command["options"])])
        options.append(f"    {name or chr(39) * 2}) options='{' '.join(words)}' ;;")
        for argument in command["arguments"]:
            calls = [f"_gputop_words '' {' '.join(asked_by(argument))}"] if asked_by(argument) else []
            arguments.append(f"    {name}) {'; '.join(calls + ['_gputop_more_files'] * may_be_file(argument)) or ':'} ;;")
        for option in command["options"]:
            if takes_value(option):
                cases += [(option_name, name, bash_value(kind_of(name, option))) for option_name in option["names"]]
    # An option that means the same everywhere needs one line; the others come first, each with its command.
    everywhere = {option: {value for other, _, value in cases if other == option} for option, _, _ in cases}
    values = [f"    {name}:{option}) {value}; return ;;" for option, name, value in cases if len(everywhere[option]) > 1]
    values += sorted({f"    *:{option}) {value}; return ;;" for option, _, value in cases if len(everywhere[option]) == 1})
    nl = "\n"
    return f"""# bash completion of gputop, written by packaging/cli_docs.py: do not edit.
_gputop_words() {{  # SUFFIX WHAT…
  local suffix=$1 what word
  shift
  for what; do
    while IFS= read -r word; do
      [[ $word$suffix == "$cur"* ]] && COMPREPLY+=("$(printf %q "$word")$suffix")
    done < <(gputop __complete "$what" 2>/dev/null)
  done
  [[ -z $suffix ]] || compopt -o nospace 2>/dev/null
}}
_gputop_list() {{  # WHAT: the next of a list with commas
  local before='' all=$cur i
  [[ $cur != *,* ]] || before=${{cur%,*}},
  cur=${{cur##*,}}
  _gputop_words '' "$1"
  for ((i = 0; i < ${{#COMPREPLY[@]}}; i++)); do COMPREPLY[i]=$before${{COMPREPLY[i]}}; done
  cur=$all
}}
_gputop_fixed() {{ mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur"); }}
_gputop_files() {{ compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); }}
_gputop_more_files() {{
  local file
  while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$cur")
}}
_gputop() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} command='' options='' word i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${{COMP_WORDS[i]}}
    if [[ $word == -- ]]; then  # what stands behind is a command of its own
      if declare -F _command_offset >/dev/null; then _command_offset $((i + 1)); else _gputop_files; fi
      return
    fi
    case $word in {'|'.join(c['name'] for c in cli['commands'])}) command=${{command:-$word}} ;; esac
  done
  case $command:$prev in
{nl.join(values)}
  esac
  case $command in
{nl.join(options)}
  esac
  if [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")
    return
  fi
  case $command in
    '') mapfile -t COMPREPLY < <(compgen -W '{' '.join(c['name'] for c in cli['commands'])}' -- "$cur") ;;
{nl.join(arguments)}
    *) _gputop_files ;;
  esac
}}
complete -F _gputop gputop
"""


def zsh_quote(text):
    return text.replace("'", "'\\''").replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")


def zsh_value(kind):
    if kind.startswith("ask "):
        return f"_gputop_ask {kind[4:]}"
    if kind.startswith("words "):
        return f"({kind[6:]})"
    return "_files" if kind == "file" else " "


def zsh_option(command, option):
    names, about = option["names"], zsh_quote(option["about"])
    value = f":{zsh_quote(option['value'] or 'VALUE')}:{zsh_value(kind_of(command, option))}" if takes_value(option) else ""
    return [f"'*{name}[{about}]{value}'" for name in names]


def zsh(description):
    cli = description["cli"]
    lines = []
    for name, command in commands_of(cli):
        words = [spec for option in command["options"] for spec in zsh_option(name, option)]
        for argument in command["arguments"]:
            asked = asked_by(argument) + ["files"] * may_be_file(argument)
            words.append(f"'*:{zsh_quote(argument['name'])}:{'_gputop_ask ' + ' '.join(asked) if asked else ' '}'")
        if name:
            lines.append(f"    {name}) _arguments " + " \\\n      ".join(words) + " ;;")
        else:
            top = " \\\n    ".join(words)
    commands = "\n".join(f"    '{c['name']}:{zsh_quote(c['about'])}'" for c in cli["commands"])
    nl = "\n"
    return f"""#compdef gputop
# zsh completion of gputop, written by packaging/cli_docs.py: do not edit.
_gputop_ask() {{
  local what suffix
  for what; do
    if [[ $what == files ]]; then _files; continue; fi
    suffix=()
    if [[ $what == *= ]]; then suffix=(-S '='); fi
    if [[ $what == *, ]]; then compset -P '*,'; suffix=(-S ',' -q); fi
    compadd $suffix -- ${{(f)"$(gputop __complete ${{what%[=,]}} 2>/dev/null)"}}
  done
}}
_gputop() {{
  local curcontext=$curcontext state line
  local -a commands
  commands=(
{commands}
  )
  if (( ${{words[(I)--]}} > 0 && ${{words[(I)--]}} < CURRENT )); then
    shift ${{words[(I)--]}} words
    (( CURRENT = $#words ))
    _normal
    return
  fi
  _arguments -C \\
    {top} \\
    '1: :->command' '*:: :->rest'
  case $state in
    command) _describe -t commands 'gputop command' commands ;;
    rest) case $words[1] in
{nl.join(lines)}
    esac ;;
  esac
}}
_gputop "$@"
"""


def fish_quote(text):
    return text.replace("\\", "\\\\").replace("'", "\\'")


def fish_value(kind):
    if kind.startswith("ask "):
        call = f"gputop __complete {kind[4:].rstrip('=,')} 2>/dev/null"
        if kind.endswith(","):
            return f" -x -a '(__fish_complete_list , \"{call}\")'"
        tail = " | string replace -r '$' '='" if kind.endswith("=") else ""
        return f" -x -a '({call}{fish_quote(tail)})'"
    if kind.startswith("words "):
        return f" -x -a '{kind[6:]}'"
    return " -r -F" if kind == "file" else " -x"


def fish(description):
    cli = description["cli"]
    names = " ".join(c["name"] for c in cli["commands"])
    out = ["# fish completion of gputop, written by packaging/cli_docs.py: do not edit.", "complete -c gputop -f"]
    for name, command in commands_of(cli):
        seen = f" -n '__fish_seen_subcommand_from {name}'" if name else ""
        for option in command["options"]:
            words = "".join(f" -l {n[2:]}" if n.startswith("--") else f" -s {n[1:]}" for n in option["names"])
            value = fish_value(kind_of(name, option)) if takes_value(option) else ""
            out.append(f"complete -c gputop{seen}{words}{value} -d '{fish_quote(option['about'])}'")
        for argument in command["arguments"]:
            for what in asked_by(argument):
                out.append(f"complete -c gputop{seen} -a '(gputop __complete {what} 2>/dev/null)' -d '{fish_quote(what.rstrip('s'))}'")
            if may_be_file(argument):
                out.append(f"complete -c gputop{seen} -F")
    for command in cli["commands"]:
        out.append(f"complete -c gputop -n 'not __fish_seen_subcommand_from {names}' -a {command['name']} -d '{fish_quote(command['about'])}'")
    return "\n".join(out) + "\n"


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) == 3 else pathlib.Path(__file__).parent / "cli")
    folder.mkdir(parents=True, exist_ok=True)
    description = json.loads(subprocess.run([sys.argv[1], "--dump-cli"], check=True, capture_output=True, text=True).stdout)
    for name, render in FILES.items():
        (folder / name).write_text(globals()[render](description), encoding="utf-8")


if __name__ == "__main__":
    main()
