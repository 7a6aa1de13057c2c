import { type Static, Type } from 'typebox'
import { Attachment } from './attachments.ts'
import { ChannelPlace } from './channels.ts'
import { Embed } from './embeds.ts'
import { MAX_PAGE, MAX_REPORT_CHARACTERS, MAX_REPORT_CONTEXT } from './limits.ts'
import { Nullable, Text, Timestamp, Uuid } from './schema.ts'
import { Space } from './spaces.ts'
import { SpaceSticker } from './stickers.ts'
import { User } from './users.ts'

export const reportReasons = [
  'spam',
  'fraud',
  'harassment',
  'hate',
  'violence',
  'sexual',
  'minors',
  'self_harm',
  'impersonation',
  'illegal',
  'other',
] as const
export type ReportReason = (typeof reportReasons)[number]

export const reportTargets = ['message', 'user', 'space'] as const
export type ReportTarget = (typeof reportTargets)[number]

/** open: not taken yet. taken: a moderator or operator is working on it. closed: decided. */
export const reportStates = ['open', 'taken', 'closed'] as const
export type ReportState = (typeof reportStates)[number]

/** acted: action was taken. no_violation: no rule was broken. */
export const reportResults = ['acted', 'no_violation'] as const
export type ReportResult = (typeof reportResults)[number]

const oneOf = <Name extends string>(names: readonly Name[], description?: string) =>
  Type.Unsafe<Name>({ type: 'string', enum: names, ...(description !== undefined && { description }) })

const words = (description: string) =>
  Type.Optional(Type.String({ trim: true, maxLength: MAX_REPORT_CHARACTERS, description }))

/**
 * Reports a message, a user or a space: exactly one of `message_id`, `user_id` and `space_id`. A message is named together
 * with its room or conversation.
 */
export const CreateReportBody = Type.Object({
  message_id: Type.Optional(Uuid()),
  room_id: Type.Optional(Uuid('of the message')),
  conversation_id: Type.Optional(Uuid('of the message')),
  context_ids: Type.Optional(
    Type.Array(Uuid(), {
      maxItems: MAX_REPORT_CONTEXT,
      uniqueItems: true,
      description: 'other messages of the conversation that the report shows; only in conversations',
    }),
  ),
  user_id: Type.Optional(Uuid()),
  space_id: Type.Optional(Uuid()),
  invite: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'code of an invite to the space, for users who are not members',
    }),
  ),
  reason: oneOf(reportReasons),
  text: words('what the reporter says about it'),
})
export type CreateReportBody = Static<typeof CreateReportBody>

const targetFields = {
  id: Uuid(),
  target_type: oneOf(reportTargets),
  target_id: Uuid('of the message, the user or the space'),
  reason: oneOf(reportReasons),
  text: Type.String(),
  state: oneOf(reportStates),
  result: Nullable(oneOf(reportResults)),
  answer: Nullable(Type.String({ description: 'text for the reporter; null for none' })),
  created_at: Timestamp(),
  closed_at: Nullable(Timestamp()),
}

/** A report as its reporter sees it. */
export const OwnReport = Type.Object(
  {
    ...targetFields,
    about: Type.String({
      description:
        'what was reported, as it was then: the first 100 characters of the message, the username, or the name of the space',
    }),
  },
  { title: 'OwnReport' },
)
export type OwnReport = Static<typeof OwnReport>

/** A copy of a message from the time of the report. */
export const ReportedMessage = Type.Object(
  {
    id: Uuid(),
    author: User,
    content: Type.String(),
    created_at: Timestamp(),
    edited_at: Nullable(Timestamp()),
    embeds: Type.Array(Embed),
    stickers: Type.Array(SpaceSticker),
    file_count: Type.Integer({ description: 'files that the message had, copied or not' }),
    attachments: Type.Array(Attachment, {
      description: 'copies that belong to the report; of other messages than the reported one, none',
    }),
  },
  { title: 'ReportedMessage' },
)
export type ReportedMessage = Static<typeof ReportedMessage>

/** A copy of a space from the time of the report. */
export const ReportedSpace = Type.Object(
  { id: Uuid(), name: Type.String(), description: Nullable(Type.String()), owner: User },
  { title: 'ReportedSpace' },
)
export type ReportedSpace = Static<typeof ReportedSpace>

/** A copy from the time of the report. Edits and deletions do not change it. */
export const ReportCopy = Type.Object(
  {
    messages: Type.Array(ReportedMessage, { description: 'the reported one and its context, oldest first' }),
    user: Nullable(User),
    space: Nullable(ReportedSpace),
  },
  { title: 'ReportCopy' },
)
export type ReportCopy = Static<typeof ReportCopy>

/** A report for the people who handle it: moderators of a space, or operators. */
export const Report = Type.Object(
  {
    ...targetFields,
    space_id: Nullable(Uuid('the space whose moderators decide; null where operators do')),
    place: Nullable(Type.Object(ChannelPlace, { description: 'of a reported message' })),
    user_id: Nullable(Uuid('who is reported: the user, the author or the owner; null for a webhook')),
    reporter: User,
    copy: ReportCopy,
    assignee_id: Nullable(Uuid('the moderator or operator who has taken it')),
    closed_by: Nullable(Uuid()),
    similar: Type.Integer({ description: 'other reports of the same target that are not closed' }),
  },
  { title: 'Report' },
)
export type Report = Static<typeof Report>

export const ReportNote = Type.Object(
  { id: Uuid(), report_id: Uuid(), author: User, text: Type.String(), created_at: Timestamp() },
  { title: 'ReportNote' },
)
export type ReportNote = Static<typeof ReportNote>

export const ReportParams = Type.Object({ reportId: Uuid() })

/** Omitted fields match every report. Open and taken ones are listed oldest first, closed ones newest first. */
export const ListReportsQuery = Type.Object({
  closed: Type.Optional(Type.Boolean({ description: 'lists closed reports instead of open and taken ones' })),
  assignee_id: Type.Optional(Uuid()),
  user_id: Type.Optional(Uuid('reports about this user')),
  after: Type.Optional(Uuid('the last report of the previous page')),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: MAX_PAGE })),
})
export type ListReportsQuery = Static<typeof ListReportsQuery>

export const ExpectedReport = Type.Object(
  { state: oneOf(reportStates), assignee_id: Nullable(Uuid()) },
  { description: 'the report as the caller knows it; if it has changed since, nothing is done' },
)
export type ExpectedReport = Static<typeof ExpectedReport>

/** Taking a report makes the caller its assignee. Another moderator or operator may take it over. */
export const UpdateReportBody = Type.Object({
  state: oneOf(reportStates),
  result: Type.Optional(oneOf(reportResults, 'needed to close it')),
  answer: words('what the reporter is told when it is closed'),
  with_similar: Type.Optional(
    Type.Boolean({ description: 'whether the other reports of the same target are closed with it' }),
  ),
  expected: Type.Optional(ExpectedReport),
})
export type UpdateReportBody = Static<typeof UpdateReportBody>

export const CreateReportNoteBody = Type.Object({ text: Text(1, MAX_REPORT_CHARACTERS) })
export type CreateReportNoteBody = Static<typeof CreateReportNoteBody>

export const appealStates = ['open', 'accepted', 'refused'] as const
export type AppealState = (typeof appealStates)[number]

const appealFields = {
  id: Uuid(),
  space_id: Uuid(),
  user: User,
  text: Type.String(),
  state: oneOf(appealStates),
  answer: Nullable(Type.String()),
  created_at: Timestamp(),
  decided_at: Nullable(Timestamp()),
}

/** An appeal as the banned user sees it. */
export const Appeal = Type.Object(appealFields, { title: 'Appeal' })
export type Appeal = Static<typeof Appeal>

/** An appeal in the list of its author. */
export const OwnAppeal = Type.Object(
  { ...Type.Omit(Appeal, ['space_id', 'user']).properties, space: Type.Pick(Space, ['id', 'name', 'icon']) },
  { title: 'OwnAppeal' },
)
export type OwnAppeal = Static<typeof OwnAppeal>

/** An appeal as the moderators who decide see it. */
export const BanAppeal = Type.Object(
  { ...appealFields, ban_reason: Nullable(Type.String({ description: 'why the user is banned' })) },
  { title: 'BanAppeal' },
)
export type BanAppeal = Static<typeof BanAppeal>

export const CreateAppealBody = Type.Object({ text: Text(1, MAX_REPORT_CHARACTERS) })
export type CreateAppealBody = Static<typeof CreateAppealBody>

export const AppealParams = Type.Object({ spaceId: Uuid(), appealId: Uuid() })

export const ListAppealsQuery = Type.Object({
  after: Type.Optional(Uuid('the last appeal of the previous page')),
})
export type ListAppealsQuery = Static<typeof ListAppealsQuery>

/** Accepting an appeal ends the ban. */
export const DecideAppealBody = Type.Object({
  accepted: Type.Boolean(),
  answer: words('what the user is told'),
})
export type DecideAppealBody = Static<typeof DecideAppealBody>
