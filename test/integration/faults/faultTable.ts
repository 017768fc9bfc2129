import type { Outcome } from "./fault.js";
import { allFaults } from "./allFaults.js";

/** Returns the fault matrix as a page of the documentation. */
export function faultTable(): string {
  const rows = allFaults.map(
    ({ name, outcome }) =>
      `| ${name} | ${cell(outcome.token)} | ${cell(outcome.list)} | ${cell(outcome.read)} |`,
  );
  return `# Faults and their outcomes

Each row is a fault, and each column is a request that meets it. A cell shows how many requests reach the server, and the outcome: 3: \`TIMEOUT\` means that the call fails with the error code \`TIMEOUT\` after three requests. [errors.md](errors.md) says what to do about each code.

- A read is repeated after a fault that may pass, at most twice.
- A sign-in is repeated only if the identity provider cannot have checked the password.

| fault | sign-in | list | single read |
| --- | --- | --- | --- |
${rows.join("\n")}

The test suite causes each of these faults on a real server. \`npm run docs\` writes this page from the table of the tests.
`;
}

function cell(outcome: Outcome): string {
  const [requests, code] = outcome.split(": ");
  return `${requests}: ${code === undefined ? "succeeds" : `\`${code}\``}`;
}
