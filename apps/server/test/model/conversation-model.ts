/** Expected state of a group and a direct conversation. */
export interface ConversationModel {
  groupId: string
  /** Ids of the members of the group. */
  members: Set<string>
  ownerId: string
  name: string | null
  directId: string
  pair: readonly string[]
  /** Ids of the users who have closed the direct conversation. */
  closed: Set<string>
}

/** Random numbers that determine a change. */
export interface ConversationDice {
  kind: number
  actor: number
  other: number
}

/** A request, its expected status, and its effect on the model. */
export interface ConversationChange {
  actorId: string
  method: string
  path: string
  body?: object
  status: number
  apply(): void
}

type Maker = (model: ConversationModel, actorId: string, otherId: string) => ConversationChange

const makers: readonly Maker[] = [addition, removal, renaming, leaving, closing, addition, removal]

/** Plans the change that the dice determine, allowed or not. */
export function planConversationChange(
  model: ConversationModel,
  userIds: readonly string[],
  { kind, actor, other }: ConversationDice,
): ConversationChange {
  const pick = (number: number) => userIds[number % userIds.length] ?? ''
  const make = makers[kind % makers.length] ?? addition
  return make(model, pick(actor), pick(other))
}

/** Returns the ids of the conversations that the user lists. */
export function listedFor({ groupId, members, directId, pair, closed }: ConversationModel, userId: string) {
  const listed = [
    ...(members.has(userId) ? [groupId] : []),
    ...(pair.includes(userId) && !closed.has(userId) ? [directId] : []),
  ]
  return listed.toSorted()
}

function addition(model: ConversationModel, actorId: string, otherId: string): ConversationChange {
  const isIn = model.members.has(actorId)
  const apply = () => (isIn ? model.members.add(otherId) : undefined)
  return { actorId, ...memberPath(model, 'PUT', otherId), status: isIn ? 204 : 404, apply }
}

function removal(model: ConversationModel, actorId: string, otherId: string): ConversationChange {
  // The last member stays. Without members, the group would end.
  if (model.members.size === 1 && otherId === actorId) return renaming(model, actorId, otherId)
  const status = removalStatus(model, actorId, otherId)
  const apply = () => (status === 204 ? model.members.delete(otherId) : undefined)
  return { actorId, ...memberPath(model, 'DELETE', otherId), status, apply }
}

function removalStatus({ members, ownerId }: ConversationModel, actorId: string, otherId: string): number {
  if (!members.has(actorId)) return 404
  if (actorId !== otherId && actorId !== ownerId) return 403
  return members.has(otherId) ? 204 : 404
}

function leaving(model: ConversationModel, actorId: string): ConversationChange {
  return removal(model, actorId, actorId)
}

function renaming(model: ConversationModel, actorId: string, otherId: string): ConversationChange {
  const isIn = model.members.has(actorId)
  const name = model.name === otherId ? null : otherId
  const apply = () => {
    if (isIn) model.name = name
  }
  const path = `/api/conversations/${model.groupId}`
  return { actorId, method: 'PATCH', path, body: { name }, status: isIn ? 200 : 404, apply }
}

function closing(model: ConversationModel, actorId: string): ConversationChange {
  const isIn = model.pair.includes(actorId)
  const apply = () => (isIn ? model.closed.add(actorId) : undefined)
  const path = `/api/conversations/${model.directId}`
  return { actorId, method: 'DELETE', path, status: isIn ? 204 : 404, apply }
}

function memberPath({ groupId }: ConversationModel, method: string, userId: string) {
  return { method, path: `/api/conversations/${groupId}/members/${userId}` }
}
