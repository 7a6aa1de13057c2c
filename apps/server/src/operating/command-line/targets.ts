import type { OperatorSpace, OperatorSpacesQuery, OperatorUser } from '@foyer/protocol/operators'
import type { Registration } from '@foyer/protocol/registration'
import { WRITTEN_UUID } from '#src/kernel/ids.ts'
import { findSpacesOf } from '#src/operating/administration/spaces/queries.ts'
import { findUserOf, findUsersOf } from '#src/operating/administration/users/queries.ts'
import { findRegistration } from '#src/people/registration/queries.ts'
import { findUserByName } from '#src/people/users/queries.ts'
import type { Context } from './context.ts'

/**
 * Finds a user by username, email address or id.
 * @throws Error if there is none
 */
export async function userNamed({ database }: Context, text = ''): Promise<OperatorUser> {
  const isExact = WRITTEN_UUID.test(text) || text.includes('@')
  const byName = isExact ? undefined : await findUserByName(database, text)
  const [user] = isExact ? await findUsersOf(database, { query: text }) : []
  const found = user ?? (byName && (await findUserOf(database, byName.id)))
  if (found === undefined) throw new Error(`there is no user ${text}`)
  return found
}

/**
 * Finds a space by name or id.
 * @throws Error if there is none, or if several have the name
 */
export async function spaceNamed(
  { database }: Context,
  text = '',
  which: Pick<OperatorSpacesQuery, 'deleted' | 'held'> = {},
): Promise<OperatorSpace> {
  const listed = await findSpacesOf(database, { query: text, ...which })
  const id = text.toLowerCase()
  const found = listed.filter(({ space }) => space.id === id || space.name.toLowerCase() === id)
  const [space] = found
  if (space === undefined) throw new Error(`there is no space ${text}`)
  if (found.length > 1) throw new Error(`several spaces are named ${text}: give the id, from find-space`)
  return space
}

/**
 * Finds an application by username or id.
 * @throws Error if there is none
 */
export async function registrationNamed(
  { database }: Context,
  text = '',
): Promise<Pick<Registration, 'id' | 'username'>> {
  const found = await findRegistration(database, text)
  if (found === undefined) throw new Error(`nobody named ${text} waits for an account`)
  return found
}
