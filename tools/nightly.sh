#!/usr/bin/env bash
# `npm run test:nightly`: checks with the newest Node and with the tools of other projects that a user may
# have. They need no run before each change. The script downloads the tools, and stops at the first command
# that fails.
# shellcheck source=tools/scratch.sh
source "$(dirname "$0")/scratch.sh"
skip() { echo "skipped, because $1 cannot be installed"; }

cd "$repository"
title "Unit tests on Node 26"
npx --yes -p node@26 node node_modules/mocha/bin/mocha.js "dist/test/!(clone|engine|external)/**/*.test.js"

# A service, a Pulumi CLI and the packed package, as a user has them.
tarball=$work/$(npm pack --silent --ignore-scripts --pack-destination "$work")
use_service_and_cli nightly

# Writes a program that reads and records projects, and its manifest, into an empty folder.
write_program() { # <folder> <members of package.json> <last line of the program>
  mkdir "$work/$1" "$work/$1/state"
  cd "$work/$1"
  export PULUMI_BACKEND_URL=file://$PWD/state
  printf 'name: hosting\nruntime: nodejs\n' > Pulumi.yaml
  cat > package.json <<JSON
{ "private": true, $2 "dependencies": {
  "pulumi-project-service": "file:$tarball", "@pulumi/pulumi": "^3.216.0",
  "typescript": "^6.0.0", "@types/node": "^20.0.0", "tsx": "4.23.15" } }
JSON
  cat > index.ts <<PROGRAM
import { getDatabaseOutput, getProject, ProjectSnapshot, ProjectsSnapshot } from "pulumi-project-service";
new ProjectSnapshot("shop", { name: "shop" });
new ProjectsSnapshot("fleet");
const shop = getProject({ name: "shop" });
export const webroot = shop.then(({ environments }) => environments[0]?.webroot);
const database = { name: "shop", environmentId: "live", databaseName: "shop_live" };
export const username = getDatabaseOutput(database).username;
$3
PROGRAM
}

# Updates, refreshes, and previews without changes.
check_program() {
  pulumi stack init dev
  pulumi up --yes --skip-preview --non-interactive
  pulumi refresh --yes --skip-preview --non-interactive --expect-no-changes
  pulumi preview --expect-no-changes --non-interactive
}

title "Packages that pnpm installed"
write_program pnpm "" ""
printf 'allowBuilds:\n  protobufjs: false\n  esbuild: false\n' > pnpm-workspace.yaml
npx --yes pnpm@12.21.0 install
check_program

title "Packages that Yarn installed"
write_program yarn "" ""
printf 'nodeLinker: node-modules\nenableImmutableInstalls: false\n' > .yarnrc.yml
npx --yes @yarnpkg/cli-dist@4.18.1 install
check_program

title "An ES module, first in TypeScript and then in JavaScript, with packages that Bun installed"
write_program bun '"type": "module",' 'export const { domain } = await shop;'
npx --yes bun@1.4.5 install
NODE_OPTIONS=--import=tsx check_program
mv index.ts index.js
pulumi preview --expect-no-changes --non-interactive

title "An inline program that runs under Bun"
cat > inline.mts <<'PROGRAM'
import { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import { getDatabaseOutput, ProjectSnapshot, ProjectsSnapshot } from "pulumi-project-service";
const program = async () => {
  const shop = new ProjectSnapshot("shop", { name: "shop" });
  new ProjectsSnapshot("fleet");
  const live = { name: "shop", environmentId: "live", databaseName: "shop_live" };
  return { domain: shop.domain, password: getDatabaseOutput(live).password };
};
const stack = await LocalWorkspace.createStack({ stackName: "bun", projectName: "inline", program });
const { outputs } = await stack.up();
await stack.preview({ expectNoChanges: true });
if (outputs.domain.value !== "shop.example.com" || !outputs.password.secret) throw new Error("wrong outputs");
PROGRAM
env -u PULUMI_STACK npx --yes bun@1.4.5 run inline.mts

title "The tests of examples/unit-test with vitest and jest, as in docs/testing.md"
cp -r "$repository/examples/unit-test" "$work/unit-test"
cd "$work/unit-test"
npm install --no-audit --no-fund --loglevel=error "$tarball"
npm install --no-audit --no-fund --loglevel=error --save-dev vitest@3 jest
npx vitest run --globals --exclude bin
npx tsc
NODE_OPTIONS=--experimental-vm-modules npx jest --rootDir bin

title "Workflows for GitHub, checked by actionlint"
cd "$repository"
go run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12 -shellcheck= -pyflakes= \
  .github/workflows/*.yml examples/*/.github/workflows/*.yml

title "Workflows for GitHub, checked by zizmor"
python3 -m venv "$work/python"
pip=("$work/python/bin/pip" install --quiet --disable-pip-version-check)
if "${pip[@]}" zizmor==1.32.0; then
  "$work/python/bin/zizmor" --offline .github examples/*/.github
else
  skip zizmor
fi

title "The tarball, checked by publint"
if npm install --no-audit --no-fund --loglevel=error --prefix "$work/publint" publint@0.3.25; then
  "$work/publint/node_modules/.bin/publint" --strict "$tarball"
else
  skip publint
fi

title "CI files for GitLab, checked by gitlab-ci-local"
mkdir "$work/gitlab"
git -C "$work/gitlab" init --quiet --initial-branch=main
git -C "$work/gitlab" remote add origin git@gitlab.example.com:group/project.git
for file in examples/*/.gitlab-ci.yml; do
  cp "$file" "$work/gitlab"
  (cd "$work/gitlab" && npx --yes -p node@22 -p gitlab-ci-local@4.75.1 gitlab-ci-local --list)
done

title "A SARIF report, read by sarif-tools"
"${pip[@]}" sarif-tools==3.0.5
cd "$work"
node "$repository/dist/command/cli.js" audit --format sarif --output audit.sarif || [ $? = 1 ]
python/bin/python -m sarif summary audit.sarif

title "Values that env writes, read by other programs"
"$work/python/bin/pip" install --quiet --disable-pip-version-check python-dotenv==1.2.4
readers=("$work/python/bin/python")
if command -v php >/dev/null && command -v composer >/dev/null; then
  composer require --quiet --no-interaction --working-dir "$work" symfony/dotenv vlucas/phpdotenv
  readers+=("$work/vendor/autoload.php")
fi
node "$repository/dist/test/external/envReaders.js" "${readers[@]}"

title "Mutation tests: Stryker changes important files, and the tests must notice"
cd "$repository"
mkdir "$work/mutation"
git ls-files -z | xargs -0 cp --parents -t "$work/mutation"
cp -r node_modules "$work/mutation"
cd "$work/mutation"
# Stryker's runner does not know Mocha 12.
npm install --no-save --no-audit --no-fund --loglevel=error \
  @stryker-mutator/core@10.0.0 @stryker-mutator/mocha-runner@10.0.0 mocha@11
npx --yes -p node@22 node node_modules/@stryker-mutator/core/bin/stryker.js run
title "All passed"
