// Prints the changelog's section of a version, for the release notes: node tools/releaseNotes.mjs 0.1.0
import { readFileSync } from "node:fs";

const [version = ""] = process.argv.slice(2);
const changelog = readFileSync(new URL("../CHANGELOG.md", import.meta.url), "utf8");
const section = changelog
  .split(/^## /m)
  .find((text) => text.startsWith(`${version} - `) && /^\S+ - \d{4}-\d\d-\d\d$/m.test(text));
if (version === "" || section === undefined) {
  console.error(`CHANGELOG.md has no section for version ${version}, with a date.`);
  process.exitCode = 1;
} else {
  console.log(section.slice(section.indexOf("\n")).trim());
}
