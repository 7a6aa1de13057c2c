import { type EventName, type Events, eventSchemas, ownEventSchemas } from '@foyer/protocol/events'
import type { CurrentUser } from '@foyer/protocol/users'
import fastJson from 'fast-json-stringify'
import type { TSchema } from 'typebox'
import { type Topic, topicOf } from './bus.ts'
import type { NewEvent } from './database.ts'

const encoders = new Map<TSchema, (data: unknown) => string>()

/** Encodes by the schema, which drops fields it does not declare. */
function encodeBy(schema: TSchema, data: unknown): string {
  const encode = encoders.get(schema) ?? fastJson(schema)
  encoders.set(schema, encode)
  return encode(data)
}

export function encodeEvent<N extends EventName>(name: N, data: Events[N]): string {
  return encodeBy(eventSchemas[name], data)
}

/** Makes an event for all subscribers of the topic. */
export function event<N extends EventName>(topic: Topic, name: N, data: Events[N]): NewEvent {
  return { topic, name, data: encodeEvent(name, data) }
}

/** Makes an event for members of the space with the permission. */
export function eventFor<N extends EventName>(
  permission: number,
  topic: Topic,
  name: N,
  data: Events[N],
): NewEvent {
  return { ...event(topic, name, data), audience: permission }
}

/** Makes the USER_UPDATE for the user's own connections, with private fields. */
export function ownUserUpdate(user: CurrentUser): NewEvent {
  return {
    topic: topicOf.user(user.id),
    name: 'USER_UPDATE',
    data: encodeBy(ownEventSchemas.USER_UPDATE, user),
  }
}
