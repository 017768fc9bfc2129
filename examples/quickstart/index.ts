import * as hosting from "pulumi-project-service";

const live = { name: "shop", environmentId: "live" };
const database = hosting.getDatabaseOutput({ ...live, databaseName: "shop_live" });

export const webroot = hosting.getEnvironmentOutput(live).webroot;
export const url = hosting.databaseUrl(database, { protocol: "mysql", host: "db.example.com" });

new hosting.ProjectsSnapshot("fleet"); // records all projects in the state, for `drift`
