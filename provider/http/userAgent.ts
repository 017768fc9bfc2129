import { packageInfo } from "../packageInfo.js";

/** The value of the User-Agent header. The setting `headers` can replace it. */
export const userAgent = `${packageInfo.name}/${packageInfo.version}`;
