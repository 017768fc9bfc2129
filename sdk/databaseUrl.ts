import * as pulumi from "@pulumi/pulumi";
import { argumentInvalid } from "../provider/errors/projectServiceError.js";
import { isHost, urlOfDatabase } from "../provider/model/urlOfDatabase.js";
import { checkShape, isPending } from "./reading/checkArguments.js";
import { waitForOutput } from "./reading/inlineProgram.js";
import { callOf, checkCall } from "./reading/programErrors.js";
import { runRead } from "./reading/runRead.js";
import { withoutText } from "./reading/secretCredentials.js";

/** The fields of a database that a URL contains. */
export type DatabaseUrlCredentials = {
  [K in "name" | "username" | "password"]: pulumi.Input<string>;
};

/** The parts of a URL that the Project Service does not know. */
export interface DatabaseUrlOptions {
  /** Scheme of the URL, such as `mysql` or `postgresql`, without a colon. */
  protocol: pulumi.Input<string>;
  /** Host name or IP address of the database server. */
  host: pulumi.Input<string>;
  /** Port of the database server, from 1 to 65535. Default: the URL contains no port. */
  port?: pulumi.Input<number | undefined>;
  /** Parameters after the name, such as `{ charset: "utf8mb4" }`. Default: the URL contains none. */
  query?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;
}

/**
 * Makes the URL of a database, `protocol://username:password@host:port/name?query`, with each part encoded.
 *
 * @param database the result of `getDatabase`, a database of another result, or an Output of one.
 * @param options `protocol`, `host` and, if needed, `port` and `query`.
 * @returns the URL, always secret.
 * @throws ProjectServiceError `ARGUMENT_INVALID`. For values that arrive later, the Output rejects.
 *
 * @example
 * const database = getDatabaseOutput({ name: "shop", environmentId: "live" });
 * export const url = databaseUrl(database, { protocol: "mysql", host: "db.example.com" });
 */
export function databaseUrl(
  database: pulumi.Input<DatabaseUrlCredentials>,
  options: DatabaseUrlOptions,
): pulumi.Output<string> {
  const call = callOf(databaseUrl);
  checkCall(call, () => check(database, options, true));
  const url = pulumi.all([database, options]).apply(([known, parts]) =>
    runRead(() => {
      check(known, parts, false);
      return urlOfDatabase(known, parts);
    }, call),
  );
  waitForOutput(url);
  return withoutText("url", pulumi.secret(url));
}

function check(database: unknown, options: DatabaseUrlOptions, takesOutputs: boolean): void {
  const caller = { name: "databaseUrl", takesOutputs };
  if (!isPending(database)) checkShape(caller, "isDatabase", database, "The database");
  checkShape(caller, "isDatabaseUrlOptions", options, "The options");
  const { host } = options;
  if (typeof host !== "string" || isHost(host)) return;
  throw argumentInvalid(
    'host of databaseUrl must be an IP address without brackets, or a host name such as "db.example.com". Pass a port as port.',
  );
}
