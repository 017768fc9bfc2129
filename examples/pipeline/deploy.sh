#!/bin/sh
# Deploys one environment with the data that the stack recorded: ./deploy.sh live
# Needs Pulumi and Node. PULUMI_STACK names the stack. SHIP names your own deploy command, for instance
# a script around rsync, ssh or Deployer. The script calls it with the folder of the release.
set -eu

environment=${1:?"Usage: deploy.sh <environment>"}
release=${RELEASE_DIRECTORY:-release}

# pick <key>...: reads JSON from standard input and prints the value at these keys.
pick() {
  node -e '
    const keys = process.argv.slice(1);
    const json = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
    const value = keys.reduce((parent, key) => parent?.[key], json);
    if (value === undefined) {
      console.error(`The stack has no output ${keys.join(".")}.`);
      process.exit(1);
    }
    console.log(typeof value === "string" ? value : JSON.stringify(value));
  ' -- "$@"
}

# Without --show-secrets, every secret output reads "[secret]".
outputs=$(pulumi stack output --json)
output() {
  printf '%s' "$outputs" | pick "$@"
}
domain=$(output domain)
repository=$(output repository)
branch=$(output environments "$environment" branch)
tag=$(output environments "$environment" tag)
webroot=$(output environments "$environment" webroot)

# A pipe writes the credentials into a file that only its owner may read. `sh -x` or `ps` would show
# them in a variable or in an argument.
# The script deletes the file when it ends, because a CI runner may keep its folders for years.
trap 'rm -f "$release/databases.json"' EXIT
trap 'exit 1' HUP INT TERM
rm -f "$release/databases.json"
(
  umask 077
  mkdir -p "$release"
  pulumi stack output credentials --json --show-secrets | pick "$environment" >"$release/databases.json"
)

echo "$domain, environment $environment"
echo "  deployed tag:  $tag"
echo "  branch:        $branch of $repository"
echo "  webroot:       $webroot"
echo "  credentials:   $release/databases.json, until this script ends"
if [ -n "${SHIP:-}" ]; then "$SHIP" "$release"; fi
