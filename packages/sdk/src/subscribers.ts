import type { EventName, Events } from '@foyer/protocol/events'
import type { Dispatch } from './frames.ts'

export interface EventMeta {
  /** The event's position in the journal; undefined for transient events. */
  s?: string
}

export type Listener<N extends EventName> = (data: Events[N], meta: EventMeta) => void
export type AnyListener = <N extends EventName>(name: N, data: Events[N], meta: EventMeta) => void

type Listeners = { [N in EventName]?: Set<Listener<N>> }

/** The subscribers of each event. */
export class Subscribers {
  readonly #byName: Listeners = {}
  readonly #any = new Set<AnyListener>()

  on<N extends EventName>(name: N, listener: Listener<N>): () => void {
    const byName: { [K in N]?: Set<Listener<K>> } = this.#byName
    const listeners: Set<Listener<N>> = byName[name] ?? new Set()
    byName[name] = listeners
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  onAny(listener: AnyListener): () => void {
    this.#any.add(listener)
    return () => this.#any.delete(listener)
  }

  emit<N extends EventName>({ t: name, d: data, s }: Dispatch<N>): void {
    const meta = s === undefined ? {} : { s }
    for (const listener of this.#any) isolate(() => listener(name, data, meta))
    for (const listener of this.#byName[name] ?? []) isolate(() => listener(data, meta))
  }
}

/** Reports an exception as an uncaught error, so that it affects neither other listeners nor the connection. */
export function isolate(call: () => void): void {
  try {
    call()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
