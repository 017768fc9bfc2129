// eslint-disable-next-line @typescript-eslint/no-require-imports -- read where the package is installed
const { name, version } = require("../../package.json") as { name: string; version: string };

/** Names the package to the service's operators, as `name/version`. */
export const userAgent = `${name}/${version}`;
