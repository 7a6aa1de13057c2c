import type { AuditAction } from '@foyer/protocol/audit-actions'
import type { FakeS3 } from '../object-storage/fake-s3.ts'
import type { TestServer } from '../server.ts'
import type { Person } from './people.ts'
import type { TestSpace } from './spaces.ts'

/** A space with its owner and one member, and a guest who is no member. */
export interface AuditScene {
  server: TestServer
  s3: FakeS3
  owner: Person
  member: Person
  guest: Person
  space: TestSpace
}

export type Call = () => Promise<unknown>
/** Creates the data that a call needs, and returns the call. */
export type Prepare = (scene: AuditScene) => Promise<Call>

/** Returns an entry of `auditedChanges` for a call that needs no preparation. */
export function at(
  action: AuditAction,
  call: (scene: AuditScene) => Promise<unknown>,
): [AuditAction, Prepare] {
  return [action, async (scene) => () => call(scene)]
}

/** Returns an entry of `auditedChanges` for a call that changes an object created by `make`. */
export function of<T>(
  action: AuditAction,
  make: (scene: AuditScene) => Promise<T>,
  call: (scene: AuditScene, made: T) => Promise<unknown>,
): [AuditAction, Prepare] {
  const prepare = async (scene: AuditScene) => {
    const made = await make(scene)
    return () => call(scene, made)
  }
  return [action, prepare]
}

/** Has the member write a message, and returns its id. */
export const said = async ({ member, space }: AuditScene) =>
  (await member.client.messages.create(space.general, { content: 'hello' })).id
