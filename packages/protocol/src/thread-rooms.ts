import { type Static, Type } from 'typebox'
import { listedPostFields, PostTags, postFields, postFilters } from './forums.ts'
import {
  DEFAULT_PAGE,
  limits,
  MAX_MOVED_MESSAGES,
  MAX_PAGE,
  MAX_THREAD_TITLE_CHARACTERS,
  MAX_UNREAD_COUNT,
} from './limits.ts'
import { CreateMessageBody } from './messages.ts'
import { Nullable, Text, Timestamp, Uuid } from './schema.ts'

/** The `type` of a thread. No room has this type. */
export const THREAD_TYPE = 4

/** Capability that a connection names in IDENTIFY to receive the events of threads. */
export const THREADS_CAPABILITY = 'threads'

/** Minutes without a message after which a thread sleeps: an hour, a day, three days, a week, or never. */
export const quietMinutes = [60, 1440, 4320, 10_080, 0] as const
export const DEFAULT_QUIET_MINUTES = 4320

/** The messages of a followed thread that its follower is notified of. */
export const followLevels = ['all', 'mentions', 'muted'] as const
export type FollowLevel = (typeof followLevels)[number]

export const threadStates = ['active', 'asleep', 'closed', 'all'] as const
export type ThreadState = (typeof threadStates)[number]

/** Control characters, line breaks, and characters that change the direction of the text around a title. */
const UNFIT_FOR_TITLES = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u

/** Returns whether a title has no control characters, line breaks or changes of the text direction. */
export function isFitTitle(title: string): boolean {
  return !UNFIT_FOR_TITLES.test(title)
}

const Title = () => Text(1, MAX_THREAD_TITLE_CHARACTERS)

const QuietMinutes = () =>
  Type.Integer({
    enum: [...quietMinutes],
    description: 'minutes without a message after which the thread sleeps; 0 for never',
  })

const Level = () => Type.Unsafe<FollowLevel>({ type: 'string', enum: [...followLevels] })

/** A room of its own inside a text room or a forum, whose rights apply in it. */
export const Thread = Type.Object(
  {
    id: Uuid('stands for a room id in the routes of messages'),
    space_id: Uuid(),
    room_id: Uuid('the text room or forum that it belongs to'),
    type: Type.Integer({ description: '4 thread' }),
    title: Type.String(),
    creator_id: Uuid(),
    starter_message_id: Nullable(Uuid('the message of the room that it began from; it may be deleted')),
    quiet_minutes: QuietMinutes(),
    is_asleep: Type.Boolean({
      description: 'no message for `quiet_minutes`, or put to sleep; a new message wakes it',
    }),
    is_closed: Type.Boolean({ description: 'only members with ManageThreads may write' }),
    message_count: Type.Integer(),
    last_message_id: Nullable(Uuid()),
    last_seq: Type.Integer({ description: 'seq of the newest message ever sent here; 0 before the first' }),
    active_at: Timestamp('of the newest message, or of the creation'),
    created_at: Timestamp(),
    updated_at: Timestamp(),
    ...postFields,
  },
  { title: 'Thread' },
)
export type Thread = Static<typeof Thread>

/** The caller's own state of a thread. */
export const ThreadFollow = Type.Object(
  {
    follow: Nullable(
      Type.Unsafe<FollowLevel>({
        type: 'string',
        enum: [...followLevels, null],
        description: 'null for a thread that the caller does not follow',
      }),
    ),
    read_seq: Type.Integer(),
    unread_count: Type.Integer({
      description: `later messages of others; ${MAX_UNREAD_COUNT} means as many or more`,
    }),
    mention_count: Type.Integer({ description: 'how many of them mention the caller' }),
  },
  { title: 'ThreadFollow' },
)
export type ThreadFollow = Static<typeof ThreadFollow>

export const OwnThread = Type.Object({ ...Thread.properties, own: ThreadFollow }, { title: 'OwnThread' })
export type OwnThread = Static<typeof OwnThread>

export const ListedThread = Type.Object(
  { ...OwnThread.properties, ...listedPostFields },
  { title: 'ListedThread' },
)
export type ListedThread = Static<typeof ListedThread>

export const ThreadPage = Type.Object(
  {
    threads: Type.Array(ListedThread, {
      description: 'the newest activity first, unless sorted otherwise; pinned posts before all others',
    }),
    next: Nullable(Type.String({ description: '`before` of the next page; null when there is none' })),
  },
  { title: 'ThreadPage' },
)
export type ThreadPage = Static<typeof ThreadPage>

export const SimilarThreads = Type.Object(
  { threads: Type.Array(Thread, { description: 'the most similar title first' }) },
  { title: 'SimilarThreads' },
)
export type SimilarThreads = Static<typeof SimilarThreads>

export const CreateThreadBody = Type.Object({
  title: Title(),
  message_id: Type.Optional(Nullable(Uuid('a message of the room, from which the thread begins'))),
  moves_replies: Type.Optional(
    Type.Boolean({
      description: 'true moves all replies to `message_id` into the thread; needs ManageThreads',
    }),
  ),
  quiet_minutes: Type.Optional(QuietMinutes()),
  content: Type.Optional(
    Nullable({
      ...Text(0, limits.messageMax),
      description: 'of a first message; a post needs one, or files',
    }),
  ),
  attachment_ids: CreateMessageBody.properties.attachment_ids,
  attachments: CreateMessageBody.properties.attachments,
  tags: Type.Optional(PostTags()),
})
export type CreateThreadBody = Static<typeof CreateThreadBody>

/** A multipart body. Files of the first message may be in fields of any name, and come before the uploads of `attachment_ids`. */
export const CreateThreadForm = Type.Object({
  payload_json: Type.String({ description: 'the body as JSON' }),
})

export const UpdateThreadBody = Type.Object({
  title: Type.Optional(Title()),
  quiet_minutes: Type.Optional(QuietMinutes()),
  is_closed: Type.Optional(Type.Boolean()),
  is_asleep: Type.Optional(Type.Boolean({ description: 'false wakes it' })),
  tags: Type.Optional(PostTags()),
  is_pinned: Type.Optional(Type.Boolean({ description: 'in forums, with ManageThreads' })),
})
export type UpdateThreadBody = Static<typeof UpdateThreadBody>

export const FollowThreadBody = Type.Object({ level: Level() })
export type FollowThreadBody = Static<typeof FollowThreadBody>

const page = {
  before: Type.Optional(Type.String({ maxLength: 80, description: '`next` of the previous page' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: DEFAULT_PAGE })),
}

export const ListThreadsQuery = Type.Object({
  state: Type.Optional(Type.Unsafe<ThreadState>({ type: 'string', enum: [...threadStates], default: 'all' })),
  ...postFilters,
  starter_id: Type.Optional(
    Type.Array(Uuid(), {
      maxItems: MAX_PAGE,
      description: 'only the threads that began from these messages, all on one page, in any state',
    }),
  ),
  ...page,
})
export type ListThreadsQuery = Static<typeof ListThreadsQuery>

export const ListFollowedThreadsQuery = Type.Object({
  unread: Type.Optional(
    Type.Boolean({ description: 'true for those with messages the caller has not read' }),
  ),
  forums: Type.Optional(Type.Boolean({ description: 'true lists posts of forums, too' })),
  ...page,
})
export type ListFollowedThreadsQuery = Static<typeof ListFollowedThreadsQuery>

export const MoveMessagesBody = Type.Object({
  message_ids: Type.Array(Uuid(), { minItems: 1, maxItems: MAX_MOVED_MESSAGES, uniqueItems: true }),
})
export type MoveMessagesBody = Static<typeof MoveMessagesBody>

export const MergeThreadBody = Type.Object({ into: Uuid('another thread of the same room') })
export type MergeThreadBody = Static<typeof MergeThreadBody>

export const ThreadParams = Type.Object({ threadId: Uuid() })

/** Sent to the user's own connections. */
export const ThreadFollowUpdate = Type.Object({
  thread_id: Uuid(),
  in_forum: Type.Optional(Type.Boolean({ description: 'true for a post; otherwise omitted' })),
  ...ThreadFollow.properties,
})
export type ThreadFollowUpdate = Static<typeof ThreadFollowUpdate>
