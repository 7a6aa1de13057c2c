import type { PermissionSubject } from './permissions.ts'

export interface RankedSubject extends PermissionSubject {
  /** All the roles the member has, @everyone among them. */
  readonly roles: readonly { readonly id: string; readonly permissions: number; readonly position: number }[]
}

/** The position of the member's highest role; 0 for who has @everyone alone. */
export function highestPosition({ roles }: Pick<RankedSubject, 'roles'>): number {
  return roles.reduce((highest, role) => Math.max(highest, role.position), 0)
}

/**
 * Whether a role at the position is below the member's highest role: only then the member may change, move, delete or
 * assign it. To the owner every role is.
 * Source: specification, section 5, "Permission evaluation", rule 5.
 */
export function isBelow(subject: RankedSubject, position: number): boolean {
  return subject.userId === subject.ownerId || position < highestPosition(subject)
}

/**
 * Whether the target's highest role is below the actor's: only then may the actor rename, kick or ban them. Nobody is
 * below themselves, and the owner is below nobody.
 */
export function outranks(actor: RankedSubject, target: Pick<RankedSubject, 'userId' | 'roles'>): boolean {
  if (target.userId === actor.ownerId || target.userId === actor.userId) return false
  return isBelow(actor, highestPosition(target))
}
