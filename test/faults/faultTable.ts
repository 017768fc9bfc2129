import { faults, type Outcome } from "./faults.js";

/** The fault matrix as a page of the documentation. */
export function faultTable(): string {
  const rows = faults.map(
    ({ name, outcome }) =>
      `| ${name} | ${show(outcome.token)} | ${show(outcome.list)} | ${show(outcome.read)} |`,
  );
  return `# What happens when something goes wrong

Each row is a fault that the test suite causes on a real server, each column a request that meets it, each cell how many requests reach the server and how it ends. Reads are repeated after faults that may pass, twice at most; a sign-in only where the identity provider cannot have looked at the password. This page is generated from the table of the tests by \`npm run docs\`.

| fault | sign-in | list | single read |
| --- | --- | --- | --- |
${rows.join("\n")}
`;
}

function show({ requests, code }: Outcome): string {
  return `${requests}: ${code === undefined ? "succeeds" : `\`${code}\``}`;
}
