/** Bits of a user's `flags` and `badges`. They are in a separate file, because the web client does not load the schemas. */
export const UserFlag = { Staff: 1 << 0 } as const
export const UserBadge = { Silly: 1 << 0 } as const
