/*
 * Compiled with the rest: a line that compiles although it should not, or the other way around,
 * fails the build. Nothing here runs.
 */
import * as pulumi from "@pulumi/pulumi";
import {
  databaseUrl,
  getDatabaseOutput,
  getEnvironment,
  getEnvironmentOutput,
  getProject,
  getProjectOutput,
  getProjects,
  getProjectsOutput,
  pipelineOutputs,
  ProjectSnapshot,
  ProjectsSnapshot,
  type ConnectionSettings,
  type GetProjectsDetailsArgs,
  type ProjectFieldKey,
  type ProjectFilterKey,
  type ProjectsSnapshotArgs,
  type ProjectCredentials,
} from "../../sdk/index.js";
import { sandboxProject } from "../../sandbox/index.js";

declare const flag: boolean;
declare const filterKey: ProjectFilterKey;
declare function takes<T>(value: T): void;

export async function promises(): Promise<void> {
  const project = await getProject({ name: "shop" });
  takes<pulumi.Output<string> | undefined>(project.environments[0]?.databases[0]?.password);
  takes<string>(project.codeRepository.sshRepoUrl);

  const bare = await getProject({ projectId: "p-1", includeCredentials: false });
  // @ts-expect-error there is no password without credentials
  takes(bare.environments[0]?.databases[0]?.password);
  // @ts-expect-error nor the import
  takes(bare.codeRepository.importRepository);

  const list = await getProjects();
  // @ts-expect-error the list form has no environments
  takes(list.projects[0]?.environments);
  const full = await getProjects({ details: true, onInaccessible: "skip" });
  takes<pulumi.Output<string> | undefined>(
    full.projects[0]?.environments[0]?.databases[0]?.password,
  );
  takes<"FORBIDDEN" | "NOT_FOUND" | "RESPONSE_INVALID" | undefined>(full.inaccessible[0]?.code);
  const fullBare = await getProjects({ details: true, includeCredentials: false });
  // @ts-expect-error there is no password without credentials
  takes(fullBare.projects[0]?.environments[0]?.databases[0]?.password);
  // @ts-expect-error a literal decides the type
  await getProjects({ details: flag });
  // @ts-expect-error only with details
  await getProjects({ onInaccessible: "skip" });
  // @ts-expect-error only with details
  await getProjects({ includeCredentials: false });
  await getProjects({ filters: [{ key: "name", values: ["a"], matchBy: "substring" }] });
  // @ts-expect-error there are no regular expressions
  await getProjects({ filters: [{ key: "name", values: ["a"], matchBy: "re" }] });
  // @ts-expect-error a fact of the full form needs details
  await getProjects({ filters: [{ key: "codeRepository.group", values: ["a"] }] });
  takes<ProjectFilterKey>("environments.order");
  // @ts-expect-error credentials are no keys
  takes<ProjectFilterKey>("environments.databases.password");
  // @ts-expect-error nor is JSON of unknown shape
  takes<ProjectFilterKey>("environments.importBranchOrTag");

  const live = await getEnvironment({ name: "shop", environmentId: "live" });
  takes<string>(live.projectName);

  // @ts-expect-error exactly one of projectId and name
  await getProject({});
  // @ts-expect-error a literal decides the type
  await getProject({ projectId: "p-1", includeCredentials: flag });
  // @ts-expect-error dependsOn is for the Output form
  await getProject({ projectId: "p-1" }, { dependsOn: [] });
  // @ts-expect-error an environment needs its id
  await getEnvironment({ name: "shop" });

  sandboxProject({ name: "shop", projectEnvironments: [{ order: 1 }] });
  // @ts-expect-error a project needs a name
  sandboxProject({ status: "DEPLOYED" });
  // @ts-expect-error an environment has no such field
  sandboxProject({ name: "shop", projectEnvironments: [{ webroot: "/srv" }] });
}

export function optionsOfPulumi(
  opts: pulumi.ComponentResourceOptions,
  parent: pulumi.ComponentResource,
  optional: pulumi.Output<undefined>,
  connection: ConnectionSettings,
): void {
  const live = { name: "shop", environmentId: "live" };
  void getProject({ name: "shop" }, pulumi.invokeOptionsFromResourceOptions(opts));
  getEnvironmentOutput(live, pulumi.invokeOutputOptionsFromResourceOptions(opts));
  getEnvironmentOutput(live, { parent, provider: undefined, dependsOn: parent });
  const database = getDatabaseOutput({ ...live, databaseName: optional }, { parent });
  databaseUrl(database, { protocol: "mysql", host: "db", port: optional, query: optional });
  getEnvironmentOutput(live, { connection: { ...connection, scope: optional, headers: optional } });
}

export function outputs(name: pulumi.Output<string>, resource: pulumi.CustomResource): void {
  const project = getProjectOutput({ name }, { dependsOn: [resource] });
  getProjectOutput({ name }, { dependsOn: undefined, connection: undefined });
  // @ts-expect-error a connection is complete in itself
  void getProject({ name: "shop" }, { connection: { baseUrl: "https://projects.example.com" } });
  const args: GetProjectsDetailsArgs<false> = { details: true, includeCredentials: false };
  void getProjects(args);
  takes<pulumi.Input<string> | undefined>(project.environments[0]?.webroot);
  takes<pulumi.Output<string> | undefined>(project.environments[0]?.databases[0]?.password);

  const live = getEnvironmentOutput({ projectId: name, environmentId: "live" });

  const full = getProjectsOutput({
    details: true,
    filters: [{ key: "codeRepository.group", values: [name] }],
  });
  takes<pulumi.Input<string> | undefined>(full.projects[0]?.environments[0]?.webroot);

  const bare = getProjectOutput({ name, includeCredentials: false });

  const snapshot = new ProjectSnapshot("shop", { projectId: name, includeCredentials: true });
  takes<pulumi.Input<string> | undefined>(snapshot.environments[0]?.webroot);
  takes<pulumi.Output<string> | undefined>(snapshot.credentials.databases["live"]?.[0]?.password);
  // @ts-expect-error the credentials of a snapshot stand apart
  takes(snapshot.environments[0]?.databases[0]?.password);
  const plain = new ProjectSnapshot("shop", { projectId: name });
  // @ts-expect-error there are no credentials
  takes(plain.credentials.databases);
  // @ts-expect-error a refresh finds its settings in the stack's config
  new ProjectSnapshot("shop", { name, connection: { realm: "hosting" } });

  const fleet = new ProjectsSnapshot("fleet", { filters: [{ key: "name", values: [name] }] });
  takes<pulumi.Input<string> | undefined>(fleet.projects["p-1"]?.environments[0]?.webroot);
  // @ts-expect-error there are no credentials by default
  takes(fleet.credentials["p-1"]);
  const secrets = new ProjectsSnapshot("fleet", { includeCredentials: true });
  takes<pulumi.Output<string> | undefined>(
    secrets.credentials["p-1"]?.databases["live"]?.[0]?.password,
  );

  takes<ProjectFieldKey>(filterKey);
  const partial = new ProjectsSnapshot("fleet", { fields: ["environments.branch.name"] });
  const recorded = partial.projects["p-1"];
  takes<pulumi.Output<string> | undefined>(recorded?.projectId);
  takes<pulumi.Output<string | undefined> | undefined>(recorded?.status);
  takes<pulumi.Output<string | undefined> | undefined>(
    recorded?.environments?.apply((all) => all?.[0]?.branch?.name),
  );
  recorded?.environments?.apply((all = []) => {
    for (const { environmentId, databases = [] } of all) {
      takes<string[]>([environmentId, ...databases.map((each) => each.name)]);
    }
  });
  // @ts-expect-error the field may not be recorded
  takes<pulumi.Output<string> | undefined>(recorded?.domain);
  // @ts-expect-error a typing error
  new ProjectsSnapshot("fleet", { fields: ["environments.webrot"] });
  // @ts-expect-error credentials are no keys
  new ProjectsSnapshot("fleet", { fields: ["environments.databases.password"] });
  const fleetArgs: ProjectsSnapshotArgs = { onInaccessible: "keep" };
  const whole: ProjectsSnapshot<boolean> = new ProjectsSnapshot("fleet", fleetArgs);
  takes<pulumi.Output<string> | undefined>(whole.projects["p-1"]?.domain);
  // @ts-expect-error nor is it one where that type is expected
  takes<ProjectsSnapshot>(new ProjectsSnapshot("fleet", { fields: ["status"] }));
  const partOfShop = new ProjectSnapshot("shop", { name, fields: ["status"] });
  takes<pulumi.Output<string | undefined>>(partOfShop.domain);
  // @ts-expect-error the field may not be recorded
  takes<pulumi.Output<string>>(partOfShop.domain);
  // @ts-expect-error another stack gets the whole project
  pipelineOutputs(partOfShop);

  takes<pulumi.Output<ProjectCredentials>>(pipelineOutputs(snapshot).credentials);
  takes<pulumi.Output<ProjectCredentials>>(pipelineOutputs(project).credentials);
  takes<pulumi.Output<string>>(pipelineOutputs(plain).project.domain);
  // @ts-expect-error there are no credentials
  takes<pulumi.Output<ProjectCredentials>>(pipelineOutputs(bare).credentials);
  // @ts-expect-error an environment is no project
  pipelineOutputs(live);
}
