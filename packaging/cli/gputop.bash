# bash completion of gputop, written by packaging/cli_docs.py: do not edit.
_gputop_words() {  # SUFFIX WHAT…
  local suffix=$1 what word
  shift
  for what; do
    while IFS= read -r word; do
      [[ $word$suffix == "$cur"* ]] && COMPREPLY+=("$(printf %q "$word")$suffix")
    done < <(gputop __complete "$what" 2>/dev/null)
  done
  [[ -z $suffix ]] || compopt -o nospace 2>/dev/null
}
_gputop_list() {  # WHAT: the next of a list with commas
  local before='' all=$cur i
  [[ $cur != *,* ]] || before=${cur%,*},
  cur=${cur##*,}
  _gputop_words '' "$1"
  for ((i = 0; i < ${#COMPREPLY[@]}; i++)); do COMPREPLY[i]=$before${COMPREPLY[i]}; done
  cur=$all
}
_gputop_fixed() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur"); }
_gputop_files() { compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); }
_gputop_more_files() {
  local file
  while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$cur")
}
_gputop() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command='' options='' word i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ $word == -- ]]; then  # what stands behind is a command of its own
      if declare -F _command_offset >/dev/null; then _command_offset $((i + 1)); else _gputop_files; fi
      return
    fi
    case $word in snapshot|attach|stream|ls|stop|replay|advise|estimate|show|apply|undo|report|compare|export|fleet|doctor|calibrate|example) command=${command:-$word} ;; esac
  done
  case $command:$prev in
    :--price) COMPREPLY=(); return ;;
    :--gpu) COMPREPLY=(); return ;;
    estimate:--gpu) _gputop_words '' cards; return ;;
    estimate:--price) _gputop_files; return ;;
    show:--gpu) _gputop_words '' cards; return ;;
    show:--price) _gputop_files; return ;;
    fleet:--price) COMPREPLY=(); return ;;
    *:--accumulation) COMPREPLY=(); return ;;
    *:--active-experts) COMPREPLY=(); return ;;
    *:--allow) _gputop_list knobs; return ;;
    *:--at) COMPREPLY=(); return ;;
    *:--attention) _gputop_fixed 'eager flash'; return ;;
    *:--base-bits) COMPREPLY=(); return ;;
    *:--batch) COMPREPLY=(); return ;;
    *:--ca-file) _gputop_files; return ;;
    *:--change) _gputop_words '=' knobs; return ;;
    *:--checkpointing) _gputop_fixed 'none selective full'; return ;;
    *:--classes) COMPREPLY=(); return ;;
    *:--columns) COMPREPLY=(); return ;;
    *:--components) COMPREPLY=(); return ;;
    *:--config) _gputop_files; return ;;
    *:--context-parallel) COMPREPLY=(); return ;;
    *:--data) _gputop_files; return ;;
    *:--dataset) COMPREPLY=(); return ;;
    *:--duration) COMPREPLY=(); return ;;
    *:--experts) COMPREPLY=(); return ;;
    *:--family) _gputop_fixed 'transformer cnn components'; return ;;
    *:--feed-forward) COMPREPLY=(); return ;;
    *:--format) _gputop_fixed 'md html json csv'; return ;;
    *:--gated) _gputop_fixed 'yes no'; return ;;
    *:--gpu-memory) COMPREPLY=(); return ;;
    *:--heads) COMPREPLY=(); return ;;
    *:--hidden) COMPREPLY=(); return ;;
    *:--html) _gputop_files; return ;;
    *:--interval) _gputop_fixed '500ms 1s 5s'; return ;;
    *:--kv-heads) COMPREPLY=(); return ;;
    *:--layers) COMPREPLY=(); return ;;
    *:--listen) COMPREPLY=(); return ;;
    *:--logits) _gputop_fixed 'full chunked'; return ;;
    *:--margin) COMPREPLY=(); return ;;
    *:--max-batch) COMPREPLY=(); return ;;
    *:--max-changes) COMPREPLY=(); return ;;
    *:--measured) COMPREPLY=(); return ;;
    *:--model) _gputop_words '' models; return ;;
    *:--name) COMPREPLY=(); return ;;
    *:--neighbours) COMPREPLY=(); return ;;
    *:--offload) _gputop_fixed 'none optimizer all'; return ;;
    *:--on) COMPREPLY=(); return ;;
    *:--only) _gputop_list checks; return ;;
    *:--optimizer) _gputop_fixed 'adamw adam sgd sgd-momentum adafactor adam8bit'; return ;;
    *:--optimizer-in-backward) _gputop_fixed 'yes no'; return ;;
    *:--output) _gputop_files; return ;;
    *:--params) COMPREPLY=(); return ;;
    *:--parts) COMPREPLY=(); return ;;
    *:--password-file) _gputop_files; return ;;
    *:--peak) COMPREPLY=(); return ;;
    *:--per-sample) COMPREPLY=(); return ;;
    *:--precision) _gputop_fixed 'fp32 tf32 amp-fp16 amp-bf16 bf16 float8'; return ;;
    *:--prometheus) COMPREPLY=(); return ;;
    *:--record) _gputop_files; return ;;
    *:--resolution) COMPREPLY=(); return ;;
    *:--seq) COMPREPLY=(); return ;;
    *:--shard) _gputop_fixed 'none zero1 zero2 zero3'; return ;;
    *:--source) _gputop_fixed 'auto nvml sim replay:'; return ;;
    *:--speed) _gputop_fixed 'max 1 10'; return ;;
    *:--steps) COMPREPLY=(); return ;;
    *:--target-effective-batch) COMPREPLY=(); return ;;
    *:--tensor-parallel) COMPREPLY=(); return ;;
    *:--textfile) _gputop_files; return ;;
    *:--theme) _gputop_words '' themes; return ;;
    *:--throughput) COMPREPLY=(); return ;;
    *:--tied) _gputop_fixed 'yes no'; return ;;
    *:--timeout) COMPREPLY=(); return ;;
    *:--token-file) _gputop_files; return ;;
    *:--trainable) COMPREPLY=(); return ;;
    *:--user) COMPREPLY=(); return ;;
    *:--via) COMPREPLY=(); return ;;
    *:--vocab) COMPREPLY=(); return ;;
    *:--world) COMPREPLY=(); return ;;
    *:-o) _gputop_files; return ;;
  esac
  case $command in
    '') options='--version -h --help --source --demo --interval --duration --record --csv --headless --no-lens --readonly --auto --max-changes --allow --peak --price --gpu --theme --name --config' ;;
    snapshot) options='-h --help --json --csv --version --source --demo --interval --duration --record --headless --no-lens --readonly --auto --max-changes --allow --peak --price --gpu --theme --name --config' ;;
    attach) options='-h --help --via --on --version --source --demo --interval --duration --record --csv --headless --no-lens --readonly --auto --max-changes --allow --peak --price --gpu --theme --name --config' ;;
    stream) options='-h --help --version --source --demo --interval --duration --record --csv --headless --no-lens --readonly --auto --max-changes --allow --peak --price --gpu --theme --name --config' ;;
    ls) options='-h --help --all --json --version --source --demo --interval --duration --record --csv --headless --no-lens --readonly --auto --max-changes --allow --peak --price --gpu --theme --name --config' ;;
    stop) options='-h --help --duration --kill --version --source --demo --interval --record --csv --headless --no-lens --readonly --auto --max-changes --allow --peak --price --gpu --theme --name --config' ;;
    replay) options='-h --help --speed --version --source --demo --interval --duration --record --csv --headless --no-lens --readonly --auto --max-changes --allow --peak --price --gpu --theme --name --config' ;;
    advise) options='-h --help --json --columns --version --source --demo --interval --duration --record --csv --headless --no-lens --readonly --auto --max-changes --allow --peak --price --gpu --theme --name --config' ;;
    estimate) options='-h --help --html --config --json --family --model --params --trainable --layers --hidden --heads --kv-heads --feed-forward --gated --tied --experts --active-experts --vocab --seq --resolution --classes --batch --accumulation --world --shard --tensor-parallel --context-parallel --offload --precision --optimizer --optimizer-in-backward --checkpointing --attention --logits --base-bits --components --per-sample --parts --measured --throughput --gpu-memory --gpu --neighbours --margin --max-batch --target-effective-batch --dataset --price --apply --dry-run --yes --outside --steps --timeout --what-if --profile --no-rehearsal --version --source --demo --interval --duration --record --csv --headless --no-lens --readonly --auto --max-changes --allow --peak --theme --name' ;;
    show) options='-h --help --config --json --family --model --params --trainable --layers --hidden --heads --kv-heads --feed-forward --gated --tied --experts --active-experts --vocab --seq --resolution --classes --batch --accumulation --world --shard --tensor-parallel --context-parallel --offload --precision --optimizer --optimizer-in-backward --checkpointing --attention --logits --base-bits --components --per-sample --parts --measured --throughput --gpu-memory --gpu --neighbours --margin --max-batch --target-effective-batch --dataset --price --version --source --demo --interval --duration --record --csv --headless --no-lens --readonly --auto --max-changes --allow --peak --theme --name' ;;
    apply) options='-h --help --config --change --dry-run --yes --scale --at --world --all --shared --remember --follow-links --foreign --outside --version --source --demo --interval --duration --record --csv --headless --no-lens --readonly --auto --max-changes --allow --peak --price --gpu --theme --name' ;;
    undo) options='-h --help --list --dry-run --yes --follow-links --foreign --version --source --demo --interval --duration --record --csv --headless --no-lens --readonly --auto --max-changes --allow --peak --price --gpu --theme --name --config' ;;
    report) options='-h --help --brief --format -o --output --columns --version --source --demo --interval --duration --record --csv --headless --no-lens --readonly --auto --max-changes --allow --peak --price --gpu --theme --name --config' ;;
    compare) options='-h --help --format -o --output --columns --version --source --demo --interval --duration --record --csv --headless --no-lens --readonly --auto --max-changes --allow --peak --price --gpu --theme --name --config' ;;
    export) options='-h --help --textfile --listen --once --version --source --demo --interval --duration --record --csv --headless --no-lens --readonly --auto --max-changes --allow --peak --price --gpu --theme --name --config' ;;
    fleet) options='-h --help --prometheus --price --json --user --password-file --token-file --ca-file --timeout --version --source --demo --interval --duration --record --csv --headless --no-lens --readonly --auto --max-changes --allow --peak --gpu --theme --name --config' ;;
    doctor) options='-h --help --json --only --data --version --source --demo --interval --duration --record --csv --headless --no-lens --readonly --auto --max-changes --allow --peak --price --gpu --theme --name --config' ;;
    calibrate) options='-h --help --show --yes --json --timeout --version --source --demo --interval --duration --record --csv --headless --no-lens --readonly --auto --max-changes --allow --peak --price --gpu --theme --name --config' ;;
    example) options='--version -h --help --source --demo --interval --duration --record --csv --headless --no-lens --readonly --auto --max-changes --allow --peak --price --gpu --theme --name --config' ;;
  esac
  if [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")
    return
  fi
  case $command in
    '') mapfile -t COMPREPLY < <(compgen -W 'snapshot attach stream ls stop replay advise estimate show apply undo report compare export fleet doctor calibrate example' -- "$cur") ;;
    attach) _gputop_words '' runs ;;
    stream) _gputop_words '' runs ;;
    stop) _gputop_words '' runs ;;
    replay) _gputop_words '' recordings runs; _gputop_more_files ;;
    advise) _gputop_words '' recordings runs; _gputop_more_files ;;
    estimate) _gputop_words '' recordings; _gputop_more_files ;;
    apply) _gputop_words '' recordings; _gputop_more_files ;;
    undo) : ;;
    report) _gputop_words '' recordings runs; _gputop_more_files ;;
    compare) _gputop_words '' recordings; _gputop_more_files ;;
    *) _gputop_files ;;
  esac
}
complete -F _gputop gputop
