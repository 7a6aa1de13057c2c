import { createStore } from 'zustand/vanilla'

const KEY = 'foyer.sound.speed'
export const speeds = [1, 1.5, 2] as const
export type Speed = (typeof speeds)[number]

/** Speed of all recordings, remembered by this browser. */
export const speedStore = createStore<Speed>(() =>
  typeof window === 'undefined' ? 1 : rememberedSpeed(window.localStorage.getItem(KEY)),
)

export function rememberedSpeed(text: string | null): Speed {
  return speeds.find((speed) => String(speed) === text) ?? 1
}

export function nextSpeed(speed: Speed): Speed {
  return speeds[speeds.indexOf(speed) + 1] ?? 1
}

export function rememberSpeed(speed: Speed): void {
  window.localStorage.setItem(KEY, String(speed))
  speedStore.setState(speed, true)
}
