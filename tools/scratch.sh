# shellcheck shell=bash
# Sourced by scripts: a temporary folder, and what a user has, a service and a Pulumi CLI. Both end with the script.
set -euo pipefail
repository=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
jobs=
trap 'kill $jobs 2>/dev/null || true; rm -rf "$work"' EXIT
title() { printf '\n=== %s\n' "$1"; }

# Starts the sandbox, sets its settings as variables, and puts a Pulumi CLI on PATH. The package must be built.
use_service_and_cli() { # <passphrase>
  (cd "$repository" && exec node -e '
    require("./dist/sandbox").startSandbox().then(({ envVars }) => {
      for (const [name, value] of Object.entries(envVars)) console.log(`export ${name}=${value}`);
    });
    setInterval(() => {}, 60_000); // keeps the process alive') > "$work/settings" &
  jobs="$jobs $!"
  local cli
  cli=$(cd "$repository" && node -e '
    require("./dist/tools/pulumi/pulumiCli.js").findPulumi(console.error).then(({ command }) => console.log(command))')
  until [ -s "$work/settings" ]; do sleep 0.1; done
  # shellcheck source=/dev/null
  source "$work/settings"
  export PATH="$(dirname "$cli"):$PATH" PULUMI_HOME=$work/home PULUMI_SKIP_UPDATE_CHECK=true
  export PULUMI_CONFIG_PASSPHRASE=$1 PULUMI_STACK=dev
}
