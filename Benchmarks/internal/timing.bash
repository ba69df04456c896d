# Shared by the scripts that time builds. They source it after they have set `scratch`, a folder for builds and logs.

# Prints the wall-clock seconds, and the user and system time, of a command and what it starts. A command that fails ends
# the script, with what it printed.
timed() { # command...
  local TIMEFORMAT='%R %U %S'
  { time "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&3; exit 1; }; } 3>&2 2>&1
}

# Runs a command without a word, unless it fails.
quietly() { "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }; }

# Deletes what was built of a module, so that the next build makes it from clean. What only planning writes stays.
forget() { # folder of a build, module
  find "$1/$2.build/" -type f ! -name output-file-map.json ! -name sources -delete
  rm -f "$1/Modules/$2."*
}

# The size of a stripped copy of a program, in bytes.
stripped() { # program
  strip -o "$scratch/stripped" "$1"
  wc -c <"$scratch/stripped"
}
