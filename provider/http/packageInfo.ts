// eslint-disable-next-line @typescript-eslint/no-require-imports -- read from the installed package
const { name, version } = require("../../../package.json") as { name: string; version: string };

export const packageInfo = { name, version } as const;

export const userAgent = `${name}/${version}`;
