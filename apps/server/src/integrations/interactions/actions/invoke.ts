import type { ChannelParams } from '@foyer/protocol/channels'
import type { CreateInteractionBody, Interaction } from '@foyer/protocol/interactions'
import { INTERACTION_ANSWER_SECONDS, INTERACTION_WAIT_SECONDS } from '@foyer/protocol/limits'
import { Permission } from '@foyer/protocol/permissions'
import { accessChannel, type ChannelAccess, type ChannelDeps } from '#src/channels/access.ts'
import { checkTakesMessages } from '#src/channels/message-rooms.ts'
import { channelOf } from '#src/channels/place.ts'
import { lockApplication } from '#src/integrations/applications/queries.ts'
import { encodeEvent, event } from '#src/kernel/database/events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import type { Deadlines } from '../deadlines.ts'
import { type InvocationDeps, type Invoked, readInvoked } from '../invocation.ts'
import { isThere } from '../presence.ts'
import { claimNonce, findIdByNonce, insertInteraction } from '../queries.ts'
import type { InteractionTokens } from '../tokens.ts'

export interface InvokeDeps extends InvocationDeps, ChannelDeps {
  interactionTokens: InteractionTokens
  interactionDeadlines: Deadlines
  /** Looks up users with a gateway connection. A connected bot receives the interaction immediately. */
  presences: { isConnected(userId: string): Promise<boolean | undefined> }
}

/**
 * Sends an interaction to a bot, unless the user has sent one with the same nonce within 24 hours.
 * @returns the interaction's id, or the id of the first one with the nonce
 */
export async function invoke(deps: InvokeDeps, caller: Caller, body: CreateInteractionBody): Promise<string> {
  const nonce = body.nonce ?? null
  const first = nonce === null ? undefined : await findIdByNonce(deps.database, caller.user.id, nonce)
  if (first !== undefined) return first
  const access = await enter(deps, caller, body)
  const invoked = await readInvoked[body.type]?.(deps, access, body)
  if (invoked === undefined) throw new Error(`nobody reads interactions of type ${body.type}`)
  return handOver(deps, access, { body, invoked, nonce })
}

/**
 * @throws ApiError 400 unless the body names exactly one channel, 403 and 404 where the user may not send or the bot is
 *   not a member
 */
async function enter(deps: InvokeDeps, caller: Caller, body: CreateInteractionBody): Promise<ChannelAccess> {
  const access = await accessChannel(deps, caller, paramsOf(body), Permission.SendMessages)
  checkTakesMessages(access)
  const isHere = await isThere(deps.snapshots, access, body.application_id)
  if (!isHere) throw new ApiError('unknown_application')
  return access
}

function paramsOf({ room_id, conversation_id }: CreateInteractionBody): ChannelParams {
  const [roomId, conversationId] = [room_id ?? undefined, conversation_id ?? undefined]
  if (roomId !== undefined && conversationId === undefined) return { roomId }
  if (conversationId !== undefined && roomId === undefined) return { conversationId }
  throw new ApiError('invalid_request', 'either room_id or conversation_id is required')
}

interface Given {
  body: CreateInteractionBody
  invoked: Invoked
  nonce: string | null
}

async function handOver(
  deps: InvokeDeps,
  access: ChannelAccess,
  { body, invoked, nonce }: Given,
): Promise<string> {
  const { application_id: applicationId } = body
  const userId = access.caller.user.id
  const { sourceMessageId, ...rest } = invoked
  const interaction: Interaction = { ...framed(access, body), ...rest }
  const isHeard = (await deps.presences.isConnected(applicationId)) === true
  const id = await deps.database.transaction(async (transaction) => {
    const { id } = interaction
    const claimed = nonce === null ? id : await claimNonce(transaction, { id, userId, nonce })
    if (claimed !== id) return claimed
    // Locked against deletion of the application. Users who are not bots have no application.
    if (!(await lockApplication(transaction, applicationId))) throw new ApiError('unknown_application')
    const stored = { id, applicationId, userId, nonce, sourceMessageId, isHeard }
    await insertInteraction(transaction, {
      ...stored,
      interaction: encodeEvent('INTERACTION_CREATE', interaction),
    })
    const token = deps.interactionTokens.tokenOf(id)
    transaction.publish(event(topicOf.user(applicationId), 'INTERACTION_CREATE', { ...interaction, token }))
    return id
  })
  const seconds = isHeard ? INTERACTION_ANSWER_SECONDS : INTERACTION_WAIT_SECONDS
  deps.interactionDeadlines.watch(Date.now() + seconds * 1000)
  return id
}

function framed({ caller, place, member, permissions }: ChannelAccess, body: CreateInteractionBody) {
  return {
    id: newId(),
    token: '',
    application_id: body.application_id,
    type: body.type,
    ...channelOf(place),
    user: caller.user,
    member,
    permissions,
    created_at: new Date().toISOString(),
  }
}
