import { describeKeycloak } from "./describeKeycloak.js";

describeKeycloak("24.0.5");
