import { AutomodHit } from '@foyer/protocol/automod'
import { MessageFlag } from '@foyer/protocol/messages'
import { type Static, Type } from 'typebox'
import { Parse } from 'typebox/value'
import type { JobTable } from '#src/kernel/jobs.ts'
import { authorOfWebhook } from '#src/messages/authors.ts'
import { postUnlessGone } from '#src/messages/posting.ts'
import type { MessageRow } from '#src/messages/rows.ts'
import type { SendDeps } from '#src/messages/writing.ts'
import { POST_AUTOMOD_ALERT } from '#src/moderation/screening/actions/consequences.ts'

const Payload = Type.Object({
  room_id: Type.String(),
  rule_name: Type.String(),
  is_held: Type.Boolean(),
  hit: AutomodHit,
  writer_id: Type.String(),
})
type Payload = Static<typeof Payload>

const AUTHOR_NAME = 'AutoMod'
const NONCE_PREFIX = 'alert:'

/** Returns whether the message is an alert about a hit. No rule checks alerts. */
export function isAlert({ webhook_id, author_name, nonce }: MessageRow): boolean {
  const isOfRule = webhook_id !== null && author_name === AUTHOR_NAME
  return isOfRule && (nonce ?? '').startsWith(NONCE_PREFIX)
}

/** Posts an alert about each hit to the rule's alert room. */
export function automodJobs(deps: SendDeps): JobTable {
  return {
    handlers: { [POST_AUTOMOD_ALERT]: (payload) => postAlert(deps, Parse(Payload, payload)) },
    schedule: [],
  }
}

async function postAlert(deps: SendDeps, alert: Payload): Promise<void> {
  const place = { tenantId: alert.hit.space_id, channelId: alert.room_id }
  // The rule is shown as the author, like a webhook. The alert mentions no one.
  const author = authorOfWebhook({ id: alert.hit.rule_id, name: AUTHOR_NAME, avatar: null })
  // A preview would show the content that the rule stopped.
  const flags = MessageFlag.SuppressEmbeds
  const post = { content: contentOf(alert), flags, nonce: `${NONCE_PREFIX}${alert.hit.id}` }
  await postUnlessGone(deps, { place, author }, post)
}

const nouns = {
  message: 'a message',
  edit: 'an edit',
  webhook: 'a message',
  bot_answer: 'an answer',
  nickname: 'a nickname',
  display_name: 'a name',
  status: 'a status',
  room_name: 'the name of a room',
} as const satisfies Record<AutomodHit['source'], string>

function contentOf({ rule_name, is_held, hit, writer_id }: Payload): string {
  const { user_id, room_id, source, text } = hit
  const who = user_id === null ? 'a webhook' : `<@${writer_id}>`
  const where = room_id === null ? '' : ` in <#${room_id}>`
  const what = is_held ? 'Held' : 'Refused'
  const quoted = text.split('\n').map((line) => `> ${line}`)
  return [`${what} ${nouns[source]} by ${who}${where}. Rule: ${rule_name}`, ...quoted].join('\n')
}
