#!/usr/bin/env bash
# Rehearses a release with a registry on loopback: publishes the package and a second version, installs them in empty
# folders by name and by npx, and uses a stack of the first version with the second one.
# shellcheck source=tools/scratch.sh
source "$(dirname "$0")/scratch.sh"
folder() { mkdir "$work/$1" && cd "$work/$1"; }

title "A registry, which has this package and passes on the others"
cd "$repository"
npm run --silent build
tarball=$work/$(npm pack --silent --ignore-scripts --pack-destination "$work")
first=$(node -p 'require("./package.json").version')
second=${first%.*}.$((${first##*.} + 1))
port=$(node -e 'require("./dist/tools/freePort.js").freePort().then(console.log)')
folder registry
cat > config.yaml <<YAML
storage: ./storage
uplinks: { others: { url: "$(npm config get registry)" } }
packages:
  pulumi-project-service: { access: \$all, publish: \$all }
  "**": { access: \$all, proxy: others }
YAML
# Verdaccio names this dependency by a tag, which a mirror may not have.
echo '{ "overrides": { "node-fetch": "2.7.0" } }' > package.json
npm install --no-audit --no-fund --loglevel=error verdaccio@6.10.4 node@22
node_modules/.bin/node node_modules/verdaccio/bin/verdaccio --config config.yaml --listen "127.0.0.1:$port" > log 2>&1 &
registry=$!
jobs="$jobs $registry"
export npm_config_registry=http://127.0.0.1:$port/ npm_config_cache=$work/cache
export npm_config_audit=false npm_config_fund=false npm_config_loglevel=error
printf '//127.0.0.1:%s/:_authToken=rehearsal\n' "$port" > "$work/npmrc"
export npm_config_userconfig=$work/npmrc
until npm ping > /dev/null 2>&1; do kill -0 "$registry" || exit 1; sleep 0.2; done

title "Versions $first and $second are published"
npm publish "$tarball"
folder second
tar xzf "$tarball"
cd package
npm version --no-git-tag-version "$second"
npm publish --ignore-scripts --tag rehearsal

title "The command by npx, in an empty folder"
folder npx
test "$(npx --yes -- pulumi-project-service --version)" = "$first"

title "The package by name, in an empty folder, with a stack"
use_service_and_cli rehearsal
folder stack
mkdir state
export PULUMI_BACKEND_URL=file://$PWD/state
printf 'name: hosting\nruntime: nodejs\n' > Pulumi.yaml
echo '{ "private": true }' > package.json
cat > index.ts <<'PROGRAM'
import { getEnvironmentOutput, ProjectSnapshot, ProjectsSnapshot } from "pulumi-project-service";
new ProjectSnapshot("shop", { name: "shop", includeCredentials: true });
new ProjectsSnapshot("fleet");
export const webroot = getEnvironmentOutput({ name: "shop", environmentId: "live" }).webroot;
PROGRAM
npm install pulumi-project-service @pulumi/pulumi@3 typescript@6 @types/node@20
test "$(npx --no -- pulumi-project-service --version)" = "$first"
pulumi stack init dev
pulumi up --yes --skip-preview --non-interactive
npx --no pulumi-project-service drift

title "The same stack with version $second, and then with $first again"
for version in "$second" "$first"; do
  npm install "pulumi-project-service@$version"
  test "$(npx --no -- pulumi-project-service --version)" = "$version"
  pulumi preview --expect-no-changes --non-interactive
  pulumi refresh --yes --skip-preview --expect-no-changes --non-interactive
  npx --no pulumi-project-service drift
done
pulumi destroy --yes --skip-preview --non-interactive
title "All passed"
