/** Bits of a user. They have a file of their own, because the web client does not load the schemas. */
export const UserFlag = { Staff: 1 << 0 } as const
export const UserBadge = { Silly: 1 << 0 } as const
