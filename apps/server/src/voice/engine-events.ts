import type { VoiceEvents } from './engine.ts'

type Listener<Name extends keyof VoiceEvents> = (event: VoiceEvents[Name]) => void

/** The listeners of an engine's events. */
export class EngineEvents {
  readonly #listeners: { readonly [Name in keyof VoiceEvents]: Listener<Name>[] } = {
    joined: [],
    left: [],
    speaking: [],
    slots: [],
    pictures: [],
    codecs: [],
    nodeLost: [],
  }

  on<Name extends keyof VoiceEvents>(name: Name, listener: Listener<Name>): void {
    this.#listeners[name].push(listener)
  }

  emit<Name extends keyof VoiceEvents>(name: Name, event: VoiceEvents[Name]): void {
    for (const listener of this.#listeners[name]) listener(event)
  }
}
