# Shared by the scripts that build and test. Source it in the root of the repository.

export PATH=$PWD/Scripts/internal/retrying:$PATH
# A proxy from the environment is for downloads, not for the tests' servers.
export no_proxy="127.0.0.1,localhost,.invalid,${no_proxy:-${NO_PROXY:-}}"

# Reports that something is missing: as an error if CI is set, otherwise as a warning.
missing() { # what, what does not run without it
  [ -z "${CI:-}" ] || { echo "error: $1 is missing, and CI is set" >&2; exit 1; }
  echo "warning: $1 is missing; $2 is left out" >&2
  return 1
}

has() { # program, what does not run without it
  command -v "$1" >/dev/null || missing "$1" "$2"
}

has_documents() { # folder
  [ -d "$1" ] || missing "$1" "a part of the OpenAPI documents"
}

has_openapi_core() {
  "${CALLSIGN_PYTHON:-python3}" -c 'import openapi_core' 2>/dev/null ||
    missing openapi-core "the judgement of generated code's requests"
}

# If libpq is missing, everything that needs it is left out, so that nothing else depends on it.
leave_out_postgres_if_missing() {
  local header
  for header in /usr/include{,/postgresql}/libpq-fe.h {/opt/homebrew,/usr/local}/opt/libpq/include/libpq-fe.h; do
    [ ! -e "$header" ] || return 0
  done
  [ -n "${CALLSIGN_QUICK:-}" ] || missing libpq-dev "CallsignPostgres with its tests" || true
  export CALLSIGN_WITHOUT_POSTGRES=1
}
