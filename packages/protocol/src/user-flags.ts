// The bits of users, apart from their schemas: pages load them first.

export const UserFlag = { Staff: 1 << 0 } as const

export const UserBadge = { Silly: 1 << 0 } as const
