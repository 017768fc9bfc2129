import * as pulumi from "@pulumi/pulumi";
import * as projectService from "pulumi-project-service";

export interface AppSettingsArgs {
  project: string;
  environmentId: string;
  databaseHost: string;
}

/** Records a project, and gives its application the settings of one environment. */
export class AppSettings extends pulumi.ComponentResource {
  /** The folder to serve: the webroot, or a placeholder until the first deployment. */
  readonly folder: pulumi.Output<string>;
  /** Secret. */
  readonly databaseUrl: pulumi.Output<string>;

  constructor(name: string, args: AppSettingsArgs, opts?: pulumi.ComponentResourceOptions) {
    super("example:index:AppSettings", name, {}, opts);
    const { project, environmentId, databaseHost: host } = args;
    const key = { name: project, environmentId };
    const environment = projectService.getEnvironmentOutput(key);
    const database = projectService.getDatabaseOutput(key);

    this.folder = environment.apply(({ initialized, webroot }) =>
      initialized.code === null ? "/var/www/placeholder" : webroot,
    );
    this.databaseUrl = projectService.databaseUrl(database, { protocol: "mysql", host });

    const recorded = { name: project, includeCredentials: true };
    new projectService.ProjectSnapshot(project, recorded, { parent: this });
    const input = { FOLDER: this.folder, DATABASE_URL: this.databaseUrl };
    new pulumi.Stash(`${name}-variables`, { input }, { parent: this });
    this.registerOutputs({ folder: this.folder, databaseUrl: this.databaseUrl });
  }
}
