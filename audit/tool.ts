// eslint-disable-next-line @typescript-eslint/no-require-imports -- read where the package is installed
const { name, version } = require("../../package.json") as { name: string; version: string };

/** What makes the reports. */
export const tool = { name, version } as const;
