/* The cases that drift.test.ts runs. */
import { type Sandbox, sampleProjects, sandboxProject } from "../support/testSandbox.js";

/** A change since the last `pulumi up`, and what `pulumi-project-service drift` says then. */
export interface DriftCase {
  /** What happened. */
  readonly name: string;
  /** The recorded program. */
  readonly recorded: Recording;
  /** Changes the service, which has the first three sample projects. */
  readonly change?: (sandbox: Sandbox) => unknown;
  /** The text of the program, if it is no longer the recorded one. */
  readonly program?: string;
  /** Whether the settings name another service. */
  readonly namesOtherService?: true;
  /** Lines that the command prints, with two spaces between columns. `…` stands for the rest of a line. */
  readonly lines: readonly string[];
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

/** The programs whose snapshots are recorded. */
export const recordings = {
  fleet: programWith(fleet),
  filtered: programWith(fleetWith(`${isDeployed}, onInaccessible: "skip"`)),
  both: programWith(
    `${fleet}\nnew ProjectSnapshot("shop", { name: "shop", includeCredentials: true });`,
  ),
  loop: programWith(
    `projectService.getProjects().then(({ projects }) => {
  for (const { projectId } of projects) {
    new ProjectSnapshot(projectId, { projectId }, { ignoreChanges: ["domain"] });
  }
});`,
  ),
};

export const driftCases: readonly DriftCase[] = [
  {
    name: "Nothing changed. One snapshot has 3 projects, and another has one of them.",
    recorded: "both",
    lines: ["No drift: 3 projects are as recorded."],
    exitCode: 0,
  },
  {
    name: "The program has a new resource, a new snapshot, and other `filters` for a `ProjectsSnapshot`.",
    recorded: "fleet",
    program: programWith(`
${fleetWith('includeCredentials: true, filters: [{ key: "type", values: ["TYPO3"] }]')}
new ProjectSnapshot("blog", { name: "blog" });
new pulumi.Stash("other", { input: "1" });`),
    lines: [
      "Changes to the program, no drift:",
      'ProjectsSnapshot fleet: filters (none) → [{"key":"type","values":["TYPO3"]}]',
      "ProjectSnapshot blog is new in the program",
      "Other resources, no drift: 1 to create.",
    ],
    exitCode: 0,
  },
  {
    name: "The program makes a `ProjectSnapshot` for each project of `getProjects`. A project was deleted.",
    recorded: "loop",
    change: (sandbox) => sandbox.projects.pop(),
    lines: [
      "Could not look for drift: ProjectSnapshot p-3 is recorded, but not in this preview. …",
    ],
    exitCode: 2,
  },
  {
    name: "A snapshot has a new resource in `dependsOn`.",
    recorded: "fleet",
    change: changeFields,
    program: programWith(
      'new ProjectsSnapshot("fleet", { includeCredentials: true }, { dependsOn: new pulumi.Stash("new", { input: "1" }) });',
    ),
    lines: [
      "Could not look for drift: the preview does not know yet what ProjectsSnapshot fleet will read. Run pulumi up first.",
    ],
    exitCode: 2,
  },
  {
    name: "The name of a project comes from a new resource.",
    recorded: "both",
    program: programWith(
      `${fleet}\nnew ProjectSnapshot("shop", { name: new pulumi.Stash("new", { input: "1" }).id });`,
    ),
    lines: [
      "Could not look for drift: the preview does not know yet what ProjectSnapshot shop will read. Run pulumi up first.",
    ],
    exitCode: 2,
  },
  {
    name: "A field changed that the program ignores with `ignoreChanges`.",
    recorded: "loop",
    change: ({ projects }) => (projects[0]!.domain = "ignored.example.com"),
    lines: [
      "Not compared:",
      "ProjectSnapshot p-1 ignores changes of domain",
      "No drift: 3 projects are as recorded.",
    ],
    exitCode: 0,
  },
  {
    name: "A password changed that two snapshots record with `includeCredentials`.",
    recorded: "both",
    change: rotatePassword,
    lines: [
      "credentials changed",
      "shop (p-1)  credentials changed",
      "Drift: 2 changes in 1 project. If this is all right, pulumi up records it.",
    ],
    exitCode: 7,
  },
  {
    name: "Fields changed, a project was added, and another was deleted.",
    recorded: "fleet",
    change: (sandbox) => {
      changeFields(sandbox);
      sandbox.projects.splice(2, 1, sampleProjects()[3]!);
    },
    lines: [
      "shop (p-1)  live  webroot  /var/www/shop/live/current/public → /srv/shop",
      "shop (p-1)  live  database shop_live  allowedIP  203.0.113.7 → null",
      "careers (p-4)  added",
      "intranet (p-3)  removed",
      "ProjectsSnapshot fleet: credentials, because other projects are recorded",
      "Drift: 4 changes in 3 projects. …",
    ],
    exitCode: 7,
  },
  {
    name: "An environment was inserted before the others. So were a database, an asset group and a symlink. Other projects no longer match the `filters`, and are inaccessible. A password changed that is not recorded.",
    recorded: "filtered",
    change: (sandbox) => {
      insertElements(liveOf(sandbox));
      insertEnvironment(sandbox);
      rotatePassword(sandbox);
      sandbox.projects[1]!.status = "AWAITING_INITIAL_DEPLOYMENT";
      sandbox.forbiddenProjectIds.add("p-3");
    },
    lines: [
      "shop (p-1)  first  added",
      "shop (p-1)  live  asset group a-first  added",
      "shop (p-1)  live  database a_first  added",
      "shop (p-1)  live  database shop_live  added",
      "shop (p-1)  live  symlink a-first  added",
      "blog (p-2)  no longer matching",
      "intranet (p-3)  inaccessible (FORBIDDEN)",
      "Drift: 7 changes in 3 projects. …",
    ],
    exitCode: 7,
  },
  {
    name: "The service denies access to a project (403).",
    recorded: "fleet",
    change: ({ forbiddenProjectIds }) => forbiddenProjectIds.add("p-2"),
    lines: [
      "ProjectServiceError [FORBIDDEN]: Reading project p-2 failed: the service denied access (403). …",
      "Could not look for drift: pulumi preview failed, so no snapshot was compared.",
    ],
    exitCode: 2,
  },
  {
    name: "The project of a `ProjectSnapshot` was deleted.",
    recorded: "both",
    change: ({ projects }) => projects.shift(),
    lines: ['ProjectServiceError [NOT_FOUND]: There is no project named "shop". …'],
    exitCode: 2,
  },
  {
    name: "The settings name another service.",
    recorded: "fleet",
    namesOtherService: true,
    lines: [
      "Could not look for drift: ProjectsSnapshot fleet has recorded the service at https://projects.example.com/api/project/v5, but the settings name https://other.example.com/api/project/v5. …",
    ],
    exitCode: 2,
  },
  {
    name: "The program does not compile.",
    recorded: "fleet",
    program: "const shop = ;",
    lines: ["index.ts(1,14): error TS1109: Expression expected."],
    exitCode: 2,
  },
];

/** Returns the environment `live` of the project `shop`. */
function liveOf({ projects }: Sandbox) {
  return projects[0]!.projectEnvironments.find(({ environmentId }) => environmentId === "live")!;
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

/** Inserts elements whose names and ids sort before the others. */
function insertElements(environment: ReturnType<typeof liveOf>): void {
  const { projectEnvironmentAssets, projectEnvironmentDatabases, symLinks } = environment;
  const { assetGroups } = projectEnvironmentAssets;
  const { databases } = projectEnvironmentDatabases;
  assetGroups.unshift({ ...assetGroups[0]!, id: "a-first" });
  const [first] = databases;
  databases.unshift({ ...first!, name: "a_first", associationId: 1 });
  databases.unshift({ ...first!, associationId: 1 }); // another one of the same name
  symLinks.unshift({ ...symLinks[0]!, id: "a-first" });
}

function insertEnvironment({ projects }: Sandbox): void {
  const projectEnvironments = [{ environmentId: "first" }];
  const { projectEnvironments: inserted } = sandboxProject({ name: "shop", projectEnvironments });
  projects[0]!.projectEnvironments.unshift(...inserted);
}
