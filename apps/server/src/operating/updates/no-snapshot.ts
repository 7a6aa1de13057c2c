/** The reason why an update cannot be made on a copy here. The update is then made as it can be. */
export class NoSnapshot extends Error {}
