import { ProjectsSnapshot } from "pulumi-project-service";

// A project that cannot be read keeps its record, and the others are compared.
const fleet = new ProjectsSnapshot("fleet", { onInaccessible: "keep" });

export const recorded = fleet.projects.apply((projects) => Object.keys(projects).length);
