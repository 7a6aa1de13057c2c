import { DEFAULT_PAGE } from '@foyer/protocol/limits'
import { ListRepliesQuery, type Message } from '@foyer/protocol/messages'
import { Uuid } from '@foyer/protocol/schema'
import { accessChannel, type ChannelDeps } from '#src/channels/access.ts'
import type { Place } from '#src/channels/place.ts'
import { type ChannelKind, forEachChannel } from '#src/channels/routes.ts'
import type { DownloadSigner } from '#src/files/objects/signatures.ts'
import type { Reads } from '#src/kernel/database/reads.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { App } from '#src/kernel/http/types.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { EncodedMessages, encodeMessages, JSON_TYPE } from '#src/messages/encoding.ts'
import { findRow } from '#src/messages/queries.ts'
import { completeMessages, type MessageReader } from '#src/messages/reading.ts'
import type { MessageRow } from '#src/messages/rows.ts'
import { listReplyRows, listReplyRowsBefore } from './queries.ts'

type Deps = ChannelDeps & { downloads: DownloadSigner; reads: Reads }

export function threadRoutes(app: App, deps: Deps): void {
  forEachChannel((kind) => listRoute(app, deps, kind))
}

function listRoute(app: App, deps: Deps, { base, params }: ChannelKind): void {
  app.get(
    `${base}/messages/:messageId/replies`,
    {
      config: { limits: ['messageKibibytes'], turns: 'pages' },
      schema: {
        tags: ['Messages'],
        summary: 'List Replies',
        params: params({ messageId: Uuid() }),
        querystring: ListRepliesQuery,
        response: { 200: EncodedMessages },
      },
    },
    async (request, reply) => {
      const { place, caller } = await accessChannel(deps, request.caller, request.params)
      const thread = { threadId: request.params.messageId, ...request.query }
      const { downloads } = deps
      const replies = await deps.reads.run((database) =>
        listReplies({ database, downloads }, place, thread, caller.user.id),
      )
      reply.type(JSON_TYPE)
      return encodeMessages(replies)
    },
  )
}

/** @throws ApiError 404 if neither the first message nor a reply exists */
async function listReplies(
  reader: MessageReader,
  place: Place,
  { threadId, ...query }: ListRepliesQuery & { threadId: string },
  callerId: string,
): Promise<Message[]> {
  const { database } = reader
  const rows = await listRows(database, place, threadId, query)
  if (rows.length === 0) await checkThread(database, place, threadId)
  return completeMessages(reader, place, rows, callerId)
}

async function listRows(
  database: Queryable,
  place: Place,
  threadId: string,
  { before, after, limit = DEFAULT_PAGE }: ListRepliesQuery,
): Promise<MessageRow[]> {
  if (before === undefined) return listReplyRows(database, place, { threadId, after, limit })
  if (after !== undefined) throw new ApiError('invalid_request', 'only one of before and after may be given')
  return listReplyRowsBefore(database, place, { threadId, before, limit })
}

async function checkThread(database: Queryable, place: Place, threadId: string): Promise<void> {
  const [first, replies] = await Promise.all([
    findRow(database, place, threadId),
    listReplyRows(database, place, { threadId, after: undefined, limit: 1 }),
  ])
  if (first === undefined && replies.length === 0) throw new ApiError('unknown_message')
}
