// Looks for drift, and tells drift from failure:
//   node drift.mjs [options of pulumi preview]
// Exits with 0 if there is no drift, with 7 if there is drift, and with 1 if it could not look. Sets
// the output `drift` of a step on GitHub to true or false.
import { spawnSync } from "node:child_process";
import { appendFileSync } from "node:fs";

// A refresh would record the drift first, and the preview would find none.
const options = ["--diff", "--expect-no-changes", "--refresh=false", "--non-interactive"];
const { status, error } = spawnSync("pulumi", ["preview", ...options, ...process.argv.slice(2)], {
  stdio: "inherit",
});

const onGitHub = process.env.GITHUB_ACTIONS === "true";

/** Prints the result as the last line, which is an annotation on GitHub. */
function end(exitCode, level, title, message) {
  console.log(onGitHub ? `::${level} title=${title}::${message}` : `${title}: ${message}`);
  process.exitCode = exitCode;
}

/** Returns the version of a CLI before 3.226.1. It exits with 255 for drift and for every failure. */
function olderVersion() {
  const { stdout } = spawnSync("pulumi", ["version"], { encoding: "utf8" });
  const [version] = /\d+\.\d+\.\d+/.exec(stdout ?? "") ?? [];
  return version?.localeCompare("3.226.1", "en", { numeric: true }) < 0 ? version : undefined;
}

const older = status === 255 ? olderVersion() : undefined;
if (status === 0) {
  end(0, "notice", "No drift", "The preview shows no changes.");
} else if (status === 7) {
  end(7, "warning", "Drift", "The preview shows changes. pulumi up records them.");
} else if (older !== undefined) {
  const advice = "Read the output above, and install 3.226.1 or newer.";
  end(1, "error", "Drift or failure", `Pulumi ${older} cannot tell them apart. ${advice}`);
} else {
  const reason = error === undefined ? `ended with ${status}` : `did not start (${error.code})`;
  end(1, "error", "Could not look", `Pulumi ${reason}, so there may be drift or not.`);
}

if (process.env.GITHUB_OUTPUT) {
  appendFileSync(process.env.GITHUB_OUTPUT, `drift=${status === 7}\n`);
}
