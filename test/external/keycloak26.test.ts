import { describeKeycloak } from "./describeKeycloak.js";

describeKeycloak("26.4.5");
