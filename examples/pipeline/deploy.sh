#!/bin/sh
# Deploys one environment, with the variables and the credentials that `run` gives it:
#   npx --no pulumi-project-service run live --credentials --database shop_live -- ./deploy.sh
# SHIP is the path of your own deploy script, for instance a script around rsync, ssh or Deployer. It gets the
# same variables.
set -eu

echo "$PROJECT_DOMAIN, environment $PROJECT_ENVIRONMENT_ID"
echo "  deployed tag:  ${PROJECT_CURRENT_TAG:-none}"
echo "  branch:        $PROJECT_BRANCH_NAME of $PROJECT_CODE_REPOSITORY_SSH_REPO_URL"
echo "  webroot:       $PROJECT_WEBROOT"
echo "  database:      $PROJECT_DATABASE_NAME"
if [ -n "${SHIP:-}" ]; then exec "$SHIP"; fi
