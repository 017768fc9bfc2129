#!/bin/sh
# Deploys one environment with the data that the stack recorded: ./deploy.sh live
# Needs Pulumi, Node and the packages of this folder. PULUMI_STACK names the stack. SHIP names your own
# deploy command, for instance a script around rsync, ssh or Deployer. The script calls it with the
# folder of the release.
set -eu

environment=${1:?"Usage: deploy.sh <environment>"}
release=${RELEASE_DIRECTORY:-release}

# Sets PROJECT_DOMAIN, PROJECT_CURRENT_TAG and so on. Without --show-secrets, every secret output reads
# "[secret]".
variables=$(pulumi stack output --json | npx --no pulumi-project-service env "$environment" --format shell)
eval "$variables"

# A pipe brings the credentials into a file that only its owner may read. `sh -x` or `ps` would show
# them in a variable or in an argument.
# The script deletes the file when it ends, because a CI runner may keep its folders for years.
trap 'rm -f "$release/.env"' EXIT
trap 'exit 1' HUP INT TERM
mkdir -p "$release"
pulumi stack output --json --show-secrets |
  npx --no pulumi-project-service env "$environment" --format dotenv --credentials --output "$release/.env"

echo "$PROJECT_DOMAIN, environment $environment"
echo "  deployed tag:  $PROJECT_CURRENT_TAG"
echo "  branch:        $PROJECT_BRANCH_NAME of $PROJECT_CODE_REPOSITORY_SSH_REPO_URL"
echo "  webroot:       $PROJECT_WEBROOT"
echo "  credentials:   $release/.env, until this script ends"
if [ -n "${SHIP:-}" ]; then "$SHIP" "$release"; fi
