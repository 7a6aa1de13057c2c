import { Capability } from '@foyer/protocol/capabilities'
import type { OwnReport } from '@foyer/protocol/reports'
import { Reports } from '@foyer/sdk/api/reports'
import type { TestServer } from '../server.ts'
import { createPerson, type Person } from './people.ts'
import { makeSpace, type TestSpace } from './spaces.ts'

/** A space with a moderator who may handle reports, an author, and a user who reports the author's messages. */
export interface ReportScene {
  owner: Person
  moderator: Person
  author: Person
  reporter: Person
  space: TestSpace
}

/** @param mark suffix of the usernames */
export async function makeReportScene(server: TestServer, mark: string): Promise<ReportScene> {
  const names = ['owner', 'moderator', 'author', 'reporter'] as const
  const made: Record<string, Person> = {}
  for (const name of names) made[name] = await createPerson(server, `${name}${mark}`)
  const { owner, moderator, author, reporter } = made
  if (!owner || !moderator || !author || !reporter) throw new Error('somebody is missing')
  const space = await makeSpace(owner, [moderator, author, reporter])
  const role = await owner.client.roles.create(space.id, {
    name: 'Moderators',
    permissions: 0,
    capabilities: Capability.ManageReports,
  })
  await owner.client.roles.assign(space.id, moderator.id, role.id)
  return { owner, moderator, author, reporter, space }
}

/** Reports a message of a room. */
export function reportMessage(
  person: Person,
  roomId: string,
  messageId: string,
  text = 'please look',
): Promise<OwnReport> {
  return person.client.api(Reports).create({ message_id: messageId, room_id: roomId, reason: 'spam', text })
}
