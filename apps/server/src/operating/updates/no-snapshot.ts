/** The reason why an update cannot be made on a copy here. The original database is updated then. */
export class NoSnapshot extends Error {}
