import {
  eventDelivery,
  type JournaledName,
  type TopicKindOf,
  type TransientName,
} from '@foyer/protocol/event-delivery'
import { type EventName, type Events, eventSchemas, ownEventSchemas } from '@foyer/protocol/events'
import type { CurrentUser } from '@foyer/protocol/users'
import fastJson from 'fast-json-stringify'
import type { TSchema } from 'typebox'
import { type Event, type Topic, topicOf } from '../journal/bus.ts'
import type { NewEvent } from './database.ts'

const encoders = new Map<TSchema, (data: unknown) => string>()

/** Encodes data by its schema. Fields that the schema does not declare are dropped. */
function encodeBy(schema: TSchema, data: unknown): string {
  const encode = encoders.get(schema) ?? fastJson(schema)
  encoders.set(schema, encode)
  return encode(data)
}

export function encodeEvent<N extends EventName>(name: N, data: Events[N]): string {
  return encodeBy(eventSchemas[name], data)
}

/** Makes an event for those subscribers of the topic that eventDelivery names. */
export function event<N extends JournaledName>(
  topic: Topic<TopicKindOf<N>>,
  name: N,
  data: Events[N],
): NewEvent {
  return { topic, name, data: encodeEvent(name, data), audience: eventDelivery[name].audience }
}

/** Makes an event that is not journaled, for those subscribers of the topic that eventDelivery names. */
export function transientEvent<N extends TransientName>(
  topic: Topic<TopicKindOf<N>>,
  name: N,
  data: Events[N],
): Event {
  return {
    id: undefined,
    topic,
    name,
    data: encodeEvent(name, data),
    audience: eventDelivery[name].audience,
  }
}

/** Makes the USER_UPDATE for the user's own connections, with private fields. */
export function ownUserUpdate(user: CurrentUser): NewEvent {
  return {
    topic: topicOf.user(user.id),
    name: 'USER_UPDATE',
    data: encodeBy(ownEventSchemas.USER_UPDATE, user),
  }
}
