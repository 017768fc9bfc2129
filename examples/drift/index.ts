import { ProjectsSnapshot } from "pulumi-project-service";

const fleet = new ProjectsSnapshot("fleet");

export const recorded = fleet.projects.apply((projects) => Object.keys(projects).length);
