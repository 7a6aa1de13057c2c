import { type Static, Type } from 'typebox'
import {
  limits,
  MAX_AUTOMOD_EXEMPTIONS,
  MAX_AUTOMOD_HASHES,
  MAX_AUTOMOD_PATTERN_CHARACTERS,
  MAX_AUTOMOD_SENTENCE_CHARACTERS,
  MAX_AUTOMOD_WORDS,
  MAX_PAGE,
  MAX_TIMEOUT_DAYS,
} from './limits.ts'
import { Message } from './messages.ts'
import { Nullable, Text, Timestamp, Uuid } from './schema.ts'
import { User } from './users.ts'

/** off: inactive. test: records hits without acting. on: acts. */
export const automodModes = ['off', 'test', 'on'] as const
export type AutomodMode = (typeof automodModes)[number]

/** Actions on a hit. `hold` keeps a message for review; any other text is refused instead. */
export const automodActions = ['refuse', 'hold'] as const
export type AutomodAction = (typeof automodActions)[number]

export const automodTriggers = [
  'words',
  'links',
  'invites',
  'mentions',
  'repeats',
  'capitals',
  'new_accounts',
  'attachments',
] as const
export type AutomodTriggerType = (typeof automodTriggers)[number]

/** Kinds of texts that a rule can catch. */
export const automodSources = [
  'message',
  'edit',
  'webhook',
  'bot_answer',
  'nickname',
  'display_name',
  'status',
  'room_name',
] as const
export type AutomodSource = (typeof automodSources)[number]

const oneOf = <Name extends string>(names: readonly Name[], description?: string) =>
  Type.Unsafe<Name>({ type: 'string', enum: names, ...(description !== undefined && { description }) })

const patterns = (description: string) =>
  Type.Optional(
    Type.Array(Text(1, MAX_AUTOMOD_PATTERN_CHARACTERS), { maxItems: MAX_AUTOMOD_WORDS, description }),
  )

/**
 * The trigger of a rule. Each type allows only its own fields. words: `words`, `allowed`. links: `list`, `hosts`.
 * invites: none. mentions: `max`. repeats: `count`, `seconds`. capitals: `percent`, `min_letters`. new_accounts:
 * `hours`. attachments: `content_types`, `sha256`.
 */
export const AutomodTrigger = Type.Object(
  {
    type: oneOf(automodTriggers),
    words: patterns('words and phrases; * at the beginning or the end stands for more letters'),
    allowed: patterns('words and phrases that are not caught, although a part of them is'),
    list: Type.Optional(oneOf(['allow', 'deny'], 'whether links only to, or not to the hosts are allowed')),
    hosts: patterns('hosts; a host includes its subdomains'),
    max: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'mentions that are allowed' })),
    count: Type.Optional(
      Type.Integer({ minimum: 2, maximum: 20, description: 'the same text so many times is caught' }),
    ),
    seconds: Type.Optional(
      Type.Integer({ minimum: 5, maximum: 3600, description: 'time in which repeats count' }),
    ),
    percent: Type.Optional(
      Type.Integer({ minimum: 50, maximum: 100, description: 'capitals among the letters that are caught' }),
    ),
    min_letters: Type.Optional(
      Type.Integer({ minimum: 5, maximum: 1000, description: 'shorter texts are not caught' }),
    ),
    hours: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 8760, description: 'younger accounts are caught' }),
    ),
    content_types: Type.Optional(
      Type.Array(Type.String({ minLength: 3, maxLength: 127, pattern: '^[\\w.+-]+/(\\*|[\\w.+-]+)$' }), {
        maxItems: 100,
        description: 'types of files, such as image/png or image/*',
      }),
    ),
    sha256: Type.Optional(
      Type.Array(Type.String({ pattern: '^[0-9a-fA-F]{64}$' }), {
        maxItems: MAX_AUTOMOD_HASHES,
        description: 'SHA-256 of files as they are downloaded, in hexadecimal digits',
      }),
    ),
  },
  { title: 'AutomodTrigger', additionalProperties: false },
)
export type AutomodTrigger = Static<typeof AutomodTrigger>

const ruleFields = {
  name: Text(1, limits.nameMax),
  mode: oneOf(automodModes),
  trigger: AutomodTrigger,
  action: oneOf(automodActions),
  message: Nullable(Text(1, MAX_AUTOMOD_SENTENCE_CHARACTERS)),
  alert_room_id: Nullable(Uuid('the text room in which moderators are told; null for none')),
  timeout_minutes: Nullable(
    Type.Integer({ minimum: 1, maximum: MAX_TIMEOUT_DAYS * 1440, description: 'null for no timeout' }),
  ),
  exempt_role_ids: Type.Array(Uuid(), { maxItems: MAX_AUTOMOD_EXEMPTIONS }),
  exempt_room_ids: Type.Array(Uuid(), { maxItems: MAX_AUTOMOD_EXEMPTIONS }),
}

/** A rule that checks texts in a space. */
export const AutomodRule = Type.Object(
  { id: Uuid(), space_id: Uuid(), ...ruleFields, created_at: Timestamp(), updated_at: Timestamp() },
  { title: 'AutomodRule' },
)
export type AutomodRule = Static<typeof AutomodRule>

/** `message` is shown to the author of a caught text. If it is null, a general sentence is shown. */
export const CreateAutomodRuleBody = Type.Object({
  name: ruleFields.name,
  mode: Type.Optional(ruleFields.mode),
  trigger: ruleFields.trigger,
  action: Type.Optional(ruleFields.action),
  message: Type.Optional(ruleFields.message),
  alert_room_id: Type.Optional(ruleFields.alert_room_id),
  timeout_minutes: Type.Optional(ruleFields.timeout_minutes),
  exempt_role_ids: Type.Optional(ruleFields.exempt_role_ids),
  exempt_room_ids: Type.Optional(ruleFields.exempt_room_ids),
})
export type CreateAutomodRuleBody = Static<typeof CreateAutomodRuleBody>

/** Omitted fields stay unchanged. */
export const UpdateAutomodRuleBody = Type.Partial(CreateAutomodRuleBody)
export type UpdateAutomodRuleBody = Static<typeof UpdateAutomodRuleBody>

/** A rule to try on existing messages. It need not be saved. */
export const TryAutomodRuleBody = Type.Object({
  trigger: AutomodTrigger,
  exempt_role_ids: Type.Optional(ruleFields.exempt_role_ids),
  exempt_room_ids: Type.Optional(ruleFields.exempt_room_ids),
})
export type TryAutomodRuleBody = Static<typeof TryAutomodRuleBody>

/** The result of trying a rule on the newest messages that the caller may read. */
export const AutomodTrial = Type.Object(
  {
    checked: Type.Integer({ description: 'number of messages, at most 1000' }),
    caught: Type.Integer(),
    examples: Type.Array(Message, { description: 'the newest caught messages, at most 10' }),
  },
  { title: 'AutomodTrial' },
)
export type AutomodTrial = Static<typeof AutomodTrial>

/** A hit of a rule in the last seven days. */
export const AutomodHit = Type.Object(
  {
    id: Uuid(),
    space_id: Uuid(),
    rule_id: Uuid(),
    user_id: Nullable(Uuid('null for a webhook')),
    room_id: Nullable(Uuid('null for what is not in a room')),
    source: oneOf(automodSources),
    mode: oneOf(automodModes, 'the mode of the rule at that time'),
    text: Type.String({ description: 'first 1000 characters' }),
    excerpt: Nullable(
      Type.String({ description: 'the part that the rule caught; null if it was not a text' }),
    ),
    created_at: Timestamp(),
  },
  { title: 'AutomodHit' },
)
export type AutomodHit = Static<typeof AutomodHit>

/** Hits, newest first. `users` contains their authors, each once. */
export const AutomodHitPage = Type.Object(
  { hits: Type.Array(AutomodHit), users: Type.Array(User) },
  { title: 'AutomodHitPage' },
)
export type AutomodHitPage = Static<typeof AutomodHitPage>

export const AutomodHitQuery = Type.Object({
  rule_id: Type.Optional(Uuid()),
  before_id: Type.Optional(Uuid('the last hit of the previous page')),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: MAX_PAGE })),
})
export type AutomodHitQuery = Static<typeof AutomodHitQuery>

/** A message that waits for a moderator. No one else sees it until it is approved. */
export const HeldMessage = Type.Object(
  {
    id: Uuid(),
    space_id: Uuid(),
    room_id: Uuid(),
    rule_id: Uuid(),
    rule_name: Type.String(),
    author: User,
    content: Type.String(),
    file_count: Type.Integer(),
    reply_to: Nullable(Uuid('the message that it replies to')),
    created_at: Timestamp(),
  },
  { title: 'HeldMessage' },
)
export type HeldMessage = Static<typeof HeldMessage>

export const AutomodRuleParams = Type.Object({ spaceId: Uuid(), ruleId: Uuid() })
export const HeldMessageParams = Type.Object({ spaceId: Uuid(), heldId: Uuid() })
