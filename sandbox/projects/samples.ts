/** The properties in which the sample projects differ. */
export interface Sample {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly group: string;
  readonly environments: readonly string[];
  readonly databases: readonly string[];
  readonly assets: readonly string[];
  /** Default `DEPLOYED`. */
  readonly status?: string;
  /** URL of the repository that the code was imported from. */
  readonly importedFrom?: string;
}

export const samples: readonly Sample[] = [
  {
    id: "p-1",
    name: "shop",
    type: "MAGENTO",
    group: "retail",
    environments: ["live", "stage", "test"],
    databases: ["shop", "shop_search"],
    assets: ["media", "import"],
    importedFrom: "https://deploy:t0k3n-of-the-old-shop@git.example.net/legacy/shop.git",
  },
  {
    id: "p-2",
    name: "blog",
    type: "WORDPRESS",
    group: "marketing",
    environments: ["live", "stage"],
    databases: ["wordpress"],
    assets: ["uploads"],
  },
  {
    id: "p-3",
    name: "intranet",
    type: "TYPO3",
    group: "internal",
    environments: ["live", "stage", "test", "dev"],
    databases: ["typo3"],
    assets: ["fileadmin", "uploads"],
  },
  {
    id: "p-4",
    name: "careers",
    type: "TYPO3",
    group: "marketing",
    environments: ["live", "stage"],
    databases: ["careers"],
    assets: ["fileadmin"],
  },
  {
    id: "p-5",
    name: "booking",
    type: "SYMFONY",
    group: "travel",
    environments: ["live", "stage", "test"],
    databases: ["booking", "sessions", "reports"],
    assets: ["vouchers"],
  },
  {
    id: "p-6",
    name: "newsletter",
    type: "SYMFONY",
    group: "marketing",
    environments: ["live", "test"],
    databases: ["newsletter"],
    assets: [],
  },
  {
    id: "p-7",
    name: "docs",
    type: "STATIC",
    group: "internal",
    environments: ["live", "stage"],
    databases: [],
    assets: ["downloads"],
  },
  {
    id: "p-8",
    name: "partner-portal",
    type: "LARAVEL",
    group: "retail",
    environments: ["live", "stage", "dev"],
    databases: ["portal"],
    assets: ["contracts"],
    importedFrom: "git@git.example.net:agency/portal.git",
  },
  {
    id: "p-9",
    name: "wiki",
    type: "MEDIAWIKI",
    group: "internal",
    environments: ["live", "stage"],
    databases: ["wiki"],
    assets: ["images"],
  },
  {
    id: "p-10",
    name: "status-page",
    type: "STATIC",
    group: "internal",
    environments: ["live", "stage"],
    databases: [],
    assets: [],
  },
  {
    id: "p-11",
    name: "tickets",
    type: "LARAVEL",
    group: "travel",
    environments: ["live", "stage", "test"],
    databases: ["tickets"],
    assets: ["attachments"],
  },
  {
    id: "p-12",
    name: "relaunch",
    type: "SHOPWARE",
    group: "retail",
    environments: ["live", "stage"],
    databases: ["relaunch"],
    assets: ["media"],
    status: "AWAITING_INITIAL_DEPLOYMENT",
  },
];
