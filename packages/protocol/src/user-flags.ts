/** Bits of users. Apart from their schemas, which the web client does not load. */
export const UserFlag = { Staff: 1 << 0 } as const
export const UserBadge = { Silly: 1 << 0 } as const
