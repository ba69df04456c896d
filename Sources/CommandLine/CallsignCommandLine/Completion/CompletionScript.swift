/// The scripts with which shells ask a program how a line can continue.
package enum CompletionScript: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// The script for a program, which the shell reads at startup.
  package func text(program: String) -> String {
    let function = "_" + program.map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
    let ask = CompletionRequest.command
    switch self {
    case .bash:
      return #"""
        # Completions of \#(program) for bash: put this into ~/.local/share/bash-completion/completions/\#(program),
        # or source it from ~/.bashrc.
        \#(function)() {
          local line="${COMP_LINE:0:COMP_POINT}" typed before="" candidate
          typed="${line##*[[:space:]]}"
          # bash takes words apart at these characters, and wants what is behind the last.
          if [[ "$typed" == *[=:]* && "$COMP_WORDBREAKS" == *[=:]* ]]; then before="${typed%"${typed##*[=:]}"}"; fi
          COMPREPLY=()
          while IFS= read -r candidate; do
            case "$candidate" in
              :files) compopt -o default 2>/dev/null; COMPREPLY=() ;;
              :goes-on) compopt -o nospace 2>/dev/null ;;
              *)
                candidate="${candidate%%$'\t'*}"
                candidate="${candidate#"$before"}"
                # bash puts it into the line as it is, and it may be a document's text.
                case "$candidate" in *[!A-Za-z0-9_.,:/@%+=-]*) printf -v candidate %q "$candidate" ;; esac
                COMPREPLY+=("$candidate") ;;
            esac
          done < <("${COMP_WORDS[0]/#\~/$HOME}" \#(ask) "$line" 2>/dev/null)
        }
        complete -F \#(function) \#(program)

        """#
    case .zsh:
      return #"""
        #compdef \#(program)
        # Completions of \#(program) for zsh: put this as _\#(program) into a folder of $fpath, or source it from ~/.zshrc
        # behind compinit.
        \#(function)() {
          local line word summary files=0
          local -a words_ shown ending
          while IFS= read -r line; do
            case "$line" in
              :files) files=1 ;;
              :goes-on) ending=(-S '') ;;
              *)
                word="${line%%$'\t'*}"
                summary="${line#*$'\t'}"
                [[ "$summary" == "$line" ]] && summary=""
                words_+=("$word")
                line="$word${summary:+  -- $summary}"
                shown+=("${line[1,COLUMNS-1]}") ;;
            esac
          done < <(${(Q)words[1]/#\~/$HOME} \#(ask) "$LBUFFER" 2>/dev/null)
          if (( files )); then _files; return; fi
          (( ${#words_} )) && compadd -l -d shown "${ending[@]}" -- "${words_[@]}"
        }
        if [ "$funcstack[1]" = "\#(function)" ]; then \#(function) "$@"; else compdef \#(function) \#(program); fi

        """#
    case .fish:
      return #"""
        # Completions of \#(program) for fish: put this into ~/.config/fish/completions/\#(program).fish
        function _\#(function)
          for line in (\#(program) \#(ask) (commandline -cp) 2>/dev/null)
            switch $line
              case ':files'
                __fish_complete_path (commandline -ct)
              case ':*'
              case '*'
                echo $line
            end
          end
        end
        complete -c \#(program) -f -a '(_\#(function))'

        """#
    }
  }
}
