import type { PermissionSubject } from './permissions.ts'

export interface RankedSubject extends PermissionSubject {
  /** All the roles of the member, including @everyone. */
  readonly roles: readonly { readonly id: string; readonly permissions: number; readonly position: number }[]
}

/** Returns the position of the member's highest role; 0 with only @everyone. */
export function highestPosition({ roles }: Pick<RankedSubject, 'roles'>): number {
  return roles.reduce((highest, role) => Math.max(highest, role.position), 0)
}

/**
 * Returns whether a role at the position is below the member's highest role. Only then may the member change, move,
 * delete or assign it. All roles are below the owner.
 * Source: specification, section 5, "Permission evaluation", rule 5.
 */
export function isBelow(subject: RankedSubject, position: number): boolean {
  return subject.userId === subject.ownerId || position < highestPosition(subject)
}

/**
 * Returns whether the target's highest role is below the actor's. Only then may the actor rename, kick or ban them.
 * No member is below themselves, and the owner is below no one.
 */
export function outranks(actor: RankedSubject, target: Pick<RankedSubject, 'userId' | 'roles'>): boolean {
  if (target.userId === actor.ownerId || target.userId === actor.userId) return false
  return isBelow(actor, highestPosition(target))
}
