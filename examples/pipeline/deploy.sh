#!/bin/sh
# Deploys one environment by what the stack recorded: ./deploy.sh live
# Needs Pulumi and Node; PULUMI_STACK names the stack. SHIP names your own way of shipping: a command
# that gets the folder with the release, for instance a script around rsync, ssh or Deployer.
set -eu

environment=${1:?"Usage: deploy.sh <environment>"}
release=${RELEASE_DIRECTORY:-release}

# pick <key>...: what is at that place in the JSON on standard input.
pick() {
  node -e '
    const keys = process.argv.slice(1);
    const json = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
    const value = keys.reduce((place, key) => place?.[key], json);
    if (value === undefined) {
      console.error(`The stack has no ${keys.join(".")}`);
      process.exit(1);
    }
    console.log(typeof value === "string" ? value : JSON.stringify(value));
  ' -- "$@"
}

# Without --show-secrets: facts are in clear, each secret output reads "[secret]".
facts=$(pulumi stack output --json)
fact() {
  printf '%s' "$facts" | pick "$@"
}
domain=$(fact domain)
repository=$(fact repository)
branch=$(fact environments "$environment" branch)
tag=$(fact environments "$environment" tag)
webroot=$(fact environments "$environment" webroot)

# From the pipe into a file that only its owner may read. In a variable or an argument, the
# credentials would show with `sh -x` or in `ps`.
# It goes when this script ends: a runner may keep its folder for years.
trap 'rm -f "$release/databases.json"' EXIT
trap 'exit 1' HUP INT TERM
rm -f "$release/databases.json"
(
  umask 077
  mkdir -p "$release"
  pulumi stack output credentials --json --show-secrets | pick "$environment" >"$release/databases.json"
)

echo "$domain, environment $environment"
echo "  deployed is  $tag"
echo "  to deploy is $branch of $repository"
echo "  webroot is   $webroot"
echo "  credentials  are in $release/databases.json until this ends"
if [ -n "${SHIP:-}" ]; then "$SHIP" "$release"; fi
