/*
 * Programs that use each function of the package, and neither await nor export the result. They make
 * resources from it. A program of the command line and an inline program can run them.
 */
import type * as Pulumi from "@pulumi/pulumi";
import type * as ProjectService from "../../sdk/index.js";

/** Makes a resource from a result. */
type Make = (result: unknown) => void;

function readingPrograms(
  { output }: typeof Pulumi,
  service: typeof ProjectService,
): Record<string, (make: Make) => void> {
  const shop = { name: "shop" };
  const live = { ...shop, environmentId: "live" };
  const database = { ...live, databaseName: "shop_live" };
  const address = { protocol: "mysql", host: "db.example.com" };
  return {
    getProject: (make) => void service.getProject(shop).then(make),
    getProjects: (make) => void service.getProjects().then(make),
    getProjectsWithDetails: (make) => void service.getProjects({ details: true }).then(make),
    getEnvironment: (make) => void service.getEnvironment(live).then(make),
    getDatabase: (make) => void service.getDatabase(database).then(make),
    getProjectOutput: (make) => service.getProjectOutput(shop).apply(make),
    getProjectsOutput: (make) => service.getProjectsOutput().apply(make),
    getEnvironmentOutput: (make) => service.getEnvironmentOutput(live).apply(make),
    getDatabaseOutput: (make) => service.getDatabaseOutput(database).apply(make),
    databaseUrl: (make) => service.databaseUrl(service.getDatabase(database), address).apply(make),
    pipelineOutputs: (make) =>
      service.pipelineOutputs(service.getProject(shop)).project.apply(make),
    insideApply: (make) =>
      output(shop)
        .apply((key) => service.getProject(key))
        .apply(make),
    lateArgument: (make) => {
      const name = new Promise<string>((resolve) => setTimeout(() => resolve("shop"), 200));
      service.getProjectOutput({ name }).apply(make);
    },
    oneAfterAnother: (make) =>
      service
        .getProjectsOutput()
        .apply(({ projects }) =>
          service.getProject({ projectId: projects[0]?.projectId as string }),
        )
        .apply(make),
  };
}

function failingPrograms(
  { output }: typeof Pulumi,
  service: typeof ProjectService,
): Record<string, () => void> {
  const fail = () => {
    throw new Error("The callback fails");
  };
  const later = output("later");
  const wrong = { nme: "shop" } as never;
  return {
    failingCallbackOfPromise: () => void service.getProject({ name: "shop" }).then(fail),
    failingCallbackOfOutput: () => service.getProjectsOutput().apply(fail),
    wrongArguments: () => void service.getProject(wrong),
    wrongArgumentsInside: () => later.apply(() => service.getProjectsOutput(wrong)),
    wrongSnapshotInside: () => later.apply(() => void new service.ProjectSnapshot("wrong", wrong)),
    wrongUrlInside: () => later.apply(() => service.databaseUrl(wrong, wrong)),
    wrongOutputsInside: () => later.apply(() => service.pipelineOutputs(wrong).project),
  };
}

/**
 * Returns programs by name. Each ends at once: its function waits for nothing.
 *
 * @param service the copy of the package that the host has installed, as of the SDK.
 * @param otherCopy loads another one.
 */
export function programsOf(
  pulumi: typeof Pulumi,
  service: typeof ProjectService,
  otherCopy: () => typeof ProjectService = () => service,
) {
  class Made extends pulumi.ComponentResource {
    constructor(name: string, opts?: Pulumi.ComponentResourceOptions) {
      super("test:Made", name, {}, opts);
      this.registerOutputs({});
    }
  }
  const reading = Object.entries(readingPrograms(pulumi, service));
  return {
    /** Programs that make the resource `made` from the result of one function. */
    reading: Object.fromEntries(
      reading.map(([name, program]) => [name, () => program(() => void new Made("made"))]),
    ),
    /** Programs in which something else fails than a read. They make nothing. */
    failing: failingPrograms(pulumi, service),
    /** Makes a resource from the result of each function, named after it. */
    everything() {
      for (const [name, program] of reading) program(() => void new Made(name));
    },
    /** Makes a resource that fails, and reads with an argument that it would give. */
    failedResource() {
      class Failing extends pulumi.dynamic.Resource {
        declare readonly made: Pulumi.Output<string>;
        constructor(name: string) {
          const create = () => Promise.reject(new Error("The resource fails"));
          super({ create }, name, { made: undefined });
        }
      }
      const { made } = new Failing("failing");
      service.getProjectOutput({ name: made }).apply(() => new Made("made"));
    },
    /** Throws, before a read with a late argument starts. */
    throwBeforeRead() {
      const name = new Promise<string>((resolve) => setTimeout(() => resolve("missing"), 1_000));
      service.getProjectOutput({ name }).apply(() => new Made("made"));
      throw new Error("The program throws");
    },
    /** Reads with the package and with its other copy. Both reads fail, one after the other. */
    twoCopies() {
      const late = new Promise<string>((resolve) =>
        setTimeout(() => resolve("missing-late"), 1_500),
      );
      void service.getProject({ name: "missing" }).then(() => new Made("made"));
      otherCopy()
        .getProjectOutput({ name: late })
        .apply(() => new Made("other"));
    },
    /** Reads the outputs of the stack organization/source/test, and makes a resource. */
    readPipelineOutputs() {
      const source = new pulumi.StackReference("organization/source/test");
      service.readPipelineOutputs(source).project.apply(() => new Made("made"));
    },
    /** Records a project and all projects, and makes resources that depend on them. */
    snapshots() {
      const shop = new service.ProjectSnapshot("shop", { name: "shop" });
      const fleet = new service.ProjectsSnapshot("fleet");
      new Made("afterShop", { dependsOn: shop });
      fleet.projects.apply((projects) => {
        for (const projectId of Object.keys(projects)) new Made(projectId);
      });
      service.getProjectOutput({ projectId: shop.projectId }).apply(({ name }) => new Made(name));
    },
  };
}
