import type { AutomodRule, CreateAutomodRuleBody } from '@foyer/protocol/automod'
import { Automod } from '@foyer/sdk/api/automod'
import type { Answer, Person } from './people.ts'
import type { TestSpace } from './spaces.ts'

/** The word that `wordRule` catches. */
export const CAUGHT = 'wombat'

/** Creates an active rule that refuses the word `CAUGHT`. `changes` override its settings. */
export function wordRule(
  { client }: Person,
  { id }: Pick<TestSpace, 'id'>,
  changes: Partial<CreateAutomodRuleBody> = {},
): Promise<AutomodRule> {
  const trigger = { type: 'words' as const, words: [CAUGHT] }
  return client.api(Automod).createRule(id, { name: 'Animals', mode: 'on', trigger, ...changes })
}

/** Sends a message, and returns the error code or the status. */
export async function trySending(person: Person, roomId: string, content: string, nonce?: string) {
  return outcomeOf(await person.call('POST', `/api/rooms/${roomId}/messages`, { content, nonce }))
}

export function outcomeOf({ status, code }: Pick<Answer, 'status' | 'code'>): string | number {
  return code ?? status
}

/** Returns the texts of the room's messages, oldest first. */
export async function contentsIn({ client }: Person, roomId: string): Promise<string[]> {
  const messages = await client.messages.list(roomId)
  return messages.map(({ content }) => content).toReversed()
}
