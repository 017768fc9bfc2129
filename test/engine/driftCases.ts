/* The cases that drift.test.ts runs. */
import { type Sandbox, sampleProjects, sandboxProject } from "../support/testSandbox.js";

/** A change since the last `pulumi up`, and what `pulumi-project-service drift` says then. */
export interface DriftCase {
  /** What happened, as Markdown. */
  readonly name: string;
  /** The recorded program. */
  readonly recorded: Recording;
  /** Changes the service, which has the first three sample projects. */
  readonly change?: (sandbox: Sandbox) => unknown;
  /** The text of the program, if it is no longer the recorded one. */
  readonly program?: string;
  /** The password in the settings, if it is not that of the service. */
  readonly password?: string;
  /** Whether the settings name another service. */
  readonly namesOtherService?: true;
  /** Options of the command. */
  readonly options?: readonly string[];
  /** The decisive line. With `…` at its end, it is the start of a line. */
  readonly line: string;
  /** Another text that the command prints. The table omits it. */
  readonly alsoPrints?: RegExp;
  /** 0 means no drift, 7 drift, and 2 that the command could not look. */
  readonly exitCode: 0 | 2 | 7;
}

export type Recording = keyof typeof recordings;

const programWith = (
  snapshots: string,
) => `import { ProjectSnapshot, ProjectsSnapshot } from "pulumi-project-service";
import * as pulumi from "@pulumi/pulumi";
import * as projectService from "pulumi-project-service";
${snapshots}
`;
const fleetWith = (args: string) => `new ProjectsSnapshot("fleet", { ${args} });`;
const fleet = fleetWith("includeCredentials: true");
const isDeployed = 'filters: [{ key: "status", values: ["DEPLOYED"] }]';

/** The programs whose snapshots are recorded. Nothing of `unrecorded` is recorded. */
export const recordings = {
  fleet: programWith(fleet),
  filtered: programWith(fleetWith(`${isDeployed}, onInaccessible: "skip"`)),
  both: programWith(
    `${fleet}\nnew ProjectSnapshot("shop", { name: "shop", includeCredentials: true });`,
  ),
  unrecorded: programWith(fleet),
  loop: programWith(
    `projectService.getProjects().then(({ projects }) => {
  for (const { projectId } of projects) {
    new ProjectSnapshot(projectId, { projectId }, { ignoreChanges: ["domain"] });
  }
});`,
  ),
};

/** The credentials of the other projects are no change. */
const oneChange = /^Drift: 1 change in 1 project\./m;

/**
 * The cases, in order. Those of a recorded program run in this order, so the case
 * that stops the service is the last one.
 */
export const driftCases: readonly DriftCase[] = [
  {
    name: "Nothing changed. One snapshot has 3 projects, and another has 1.",
    recorded: "both",
    line: "No drift: 4 projects are as recorded.",
    exitCode: 0,
  },
  {
    name: "The program has a new resource.",
    recorded: "fleet",
    program: programWith(`${fleet}\nnew pulumi.Stash("other", { input: "1" });`),
    line: "Other resources, no drift: 1 to create.",
    alsoPrints: /\.\n\nNo drift: 3 projects are as recorded\.\n$/,
    exitCode: 0,
  },
  {
    name: "The program has a new snapshot.",
    recorded: "fleet",
    program: programWith(`${fleet}\nnew ProjectSnapshot("blog", { name: "blog" });`),
    line: "ProjectSnapshot blog is new in the program",
    alsoPrints: /^Changes to the program, no drift:$/m,
    exitCode: 0,
  },
  {
    name: "The program no longer has a snapshot.",
    recorded: "both",
    program: programWith(fleet),
    line: "Could not look for drift: ProjectSnapshot shop is recorded, but not in this preview. …",
    exitCode: 2,
  },
  {
    name: "The program makes a `ProjectSnapshot` for each project of `getProjects`. A project was deleted.",
    recorded: "loop",
    change: (sandbox) => sandbox.projects.pop(),
    line: "Could not look for drift: ProjectSnapshot p-3 is recorded, but not in this preview. …",
    exitCode: 2,
  },
  {
    name: "A snapshot has a new resource in `dependsOn`.",
    recorded: "fleet",
    change: changeFields,
    program: programWith(
      'new ProjectsSnapshot("fleet", { includeCredentials: true }, { dependsOn: new pulumi.Stash("new", { input: "1" }) });',
    ),
    line: "Could not look for drift: the preview does not know yet what ProjectsSnapshot fleet will read. Run pulumi up first.",
    exitCode: 2,
  },
  {
    name: "The name of a project comes from a new resource.",
    recorded: "both",
    program: programWith(
      `${fleet}\nnew ProjectSnapshot("shop", { name: new pulumi.Stash("new", { input: "1" }).id });`,
    ),
    line: "Could not look for drift: the preview does not know yet what ProjectSnapshot shop will read. Run pulumi up first.",
    exitCode: 2,
  },
  {
    name: "A field changed that the program ignores with `ignoreChanges`.",
    recorded: "loop",
    change: ({ projects }) => (projects[0]!.domain = "ignored.example.com"),
    line: "ProjectSnapshot p-1 ignores changes of domain",
    alsoPrints: /^Not compared:$[^]*^No drift: 3 projects are as recorded\.$/m,
    exitCode: 0,
  },
  {
    name: "The program has other `filters` for a `ProjectsSnapshot`.",
    recorded: "fleet",
    program: programWith(
      fleetWith('includeCredentials: true, filters: [{ key: "type", values: ["TYPO3"] }]'),
    ),
    line: "ProjectsSnapshot fleet: filters added, 2 projects fewer",
    alsoPrints: /^Changes to the program, no drift:$/m,
    exitCode: 0,
  },
  {
    name: "A password changed that is not recorded.",
    recorded: "filtered",
    change: rotatePassword,
    line: "No drift: 3 projects are as recorded.",
    exitCode: 0,
  },
  {
    name: "A password of a `ProjectsSnapshot` with `includeCredentials` changed.",
    recorded: "fleet",
    change: rotatePassword,
    line: "credentials changed",
    exitCode: 7,
  },
  {
    name: "A password of a `ProjectSnapshot` with `includeCredentials` changed.",
    recorded: "both",
    change: rotatePassword,
    line: "shop (p-1)  credentials changed",
    alsoPrints:
      /^ProjectsSnapshot fleet\ncredentials changed\n\nProjectSnapshot shop\n.*\n\nDrift: 2 changes in 1 /m,
    exitCode: 7,
  },
  {
    name: "A field changed.",
    recorded: "fleet",
    change: changeFields,
    line: "shop (p-1)  live  webroot  /var/www/shop/live/current/public → /srv/shop",
    alsoPrints:
      /^shop \(p-1\) {2}live {2}database shop_live {2}allowedIP {2}203\.0\.113\.7 → null$/m,
    exitCode: 7,
  },
  {
    name: "An environment was inserted before the others.",
    recorded: "filtered",
    change: insertEnvironment,
    line: "shop (p-1)  first  added",
    alsoPrints: /^Drift: 1 change in 1 project\./m,
    exitCode: 7,
  },
  {
    name: "A project was added.",
    recorded: "fleet",
    change: (sandbox) => sandbox.projects.unshift(sampleProjects()[3]!),
    line: "careers (p-4)  added",
    alsoPrints: oneChange,
    exitCode: 7,
  },
  {
    name: "A project was deleted.",
    recorded: "fleet",
    change: (sandbox) => sandbox.projects.pop(),
    line: "intranet (p-3)  removed",
    alsoPrints: oneChange,
    exitCode: 7,
  },
  {
    name: "A project no longer matches the `filters`.",
    recorded: "filtered",
    change: ({ projects }) => (projects[1]!.status = "AWAITING_INITIAL_DEPLOYMENT"),
    line: "blog (p-2)  no longer matching",
    exitCode: 7,
  },
  {
    name: 'The service denies access to a project (403), with `onInaccessible: "skip"`.',
    recorded: "filtered",
    change: ({ forbiddenProjectIds }) => forbiddenProjectIds.add("p-2"),
    line: "blog (p-2)  inaccessible (FORBIDDEN)",
    exitCode: 7,
  },
  {
    name: "The service denies access to a project (403).",
    recorded: "fleet",
    change: ({ forbiddenProjectIds }) => forbiddenProjectIds.add("p-2"),
    line: "ProjectServiceError [FORBIDDEN]: ProjectsSnapshot: Reading project p-2 failed: the service denied access (403). …",
    alsoPrints: /: pulumi preview failed, so no snapshot was compared\.$/m,
    exitCode: 2,
  },
  {
    name: "The project of a `ProjectSnapshot` was deleted.",
    recorded: "both",
    change: ({ projects }) => projects.shift(),
    line: 'ProjectServiceError [NOT_FOUND]: ProjectSnapshot: There is no project named "shop". …',
    alsoPrints: /the other snapshots were not compared/,
    exitCode: 2,
  },
  {
    name: "The settings name another service.",
    recorded: "fleet",
    namesOtherService: true,
    line: "Could not look for drift: ProjectsSnapshot fleet has recorded the service at https://projects.example.com/api/project/v5, but the settings name https://other.example.com/api/project/v5. …",
    exitCode: 2,
  },
  {
    name: "The settings have a wrong password.",
    recorded: "fleet",
    password: "wr0ng-p4ssword",
    line: "ProjectServiceError [LOGIN_REJECTED]: Signing in to the Project Service failed: the user name or the password was rejected (401). …",
    exitCode: 2,
  },
  {
    name: "The program does not compile.",
    recorded: "fleet",
    program: "const shop = ;",
    line: "index.ts(1,14): error TS1109: Expression expected.",
    exitCode: 2,
  },
  {
    name: "There is no such stack.",
    recorded: "fleet",
    options: ["--stack", "missing"],
    line: "error: no stack named 'missing' found",
    exitCode: 2,
  },
  {
    name: "No snapshot is recorded yet.",
    recorded: "unrecorded",
    line: "Could not look for drift: no project was compared. Run pulumi up first, …",
    exitCode: 2,
  },
  {
    name: "The service is down.",
    recorded: "fleet",
    change: (sandbox) => sandbox.close(),
    line: "ProjectServiceError [UNREACHABLE]: Signing in to the Project Service failed: no response from projects.example.com (ECONNREFUSED). …",
    exitCode: 2,
  },
];

/** Returns the environment `live` of the project `shop`. */
function liveOf({ projects }: Sandbox) {
  return projects[0]!.projectEnvironments[0]!;
}

function databaseOf(sandbox: Sandbox) {
  return liveOf(sandbox).projectEnvironmentDatabases.databases[0]!;
}

function changeFields(sandbox: Sandbox): void {
  liveOf(sandbox).projectEnvironmentCode.webroot = "/srv/shop";
  databaseOf(sandbox).allowedIP = null;
}

function rotatePassword(sandbox: Sandbox): void {
  databaseOf(sandbox).password = "r0tated-p4ssword-of-the-shop";
}

function insertEnvironment({ projects }: Sandbox): void {
  const projectEnvironments = [{ environmentId: "first" }];
  const { projectEnvironments: inserted } = sandboxProject({ name: "shop", projectEnvironments });
  projects[0]!.projectEnvironments.unshift(...inserted);
}
