import { randomInt } from 'node:crypto'
import type { PictureChange, SlotChange, WatchedSource } from '../../engine.ts'
import { type NextStep, nextStep } from '../bandwidth/next-step.ts'
import type { MediaLine } from '../offer-lines.ts'
import { Splice } from '../splice.ts'
import { assignSlots } from './assign-slots.ts'
import { chooseLayers } from './choose-layers.ts'
import type { PictureLayer } from './picture-layer.ts'
import { rankForPicture, rankForSound, type SlotVoice } from './picture-pairs.ts'
import type { PicturePublisher } from './picture-publisher.ts'
import { PictureSlot } from './picture-slot.ts'
import { PictureSplice } from './picture-splice.ts'

/**
 * First values of the lowest five bits of SSRCs, which keep a client's streams distinct. Voices have the values below
 * FIRST_PICTURE. The RTX stream of a picture has the SSRC after the picture's.
 */
const FIRST_PICTURE = 8
const FIRST_SOUND = 28
/** The layer in use counts with this share of its rate, because rates vary and layers must not switch back and forth. */
const IN_USE = 0.9

/** Changes of a viewer's slots. */
export interface PictureChanges {
  readonly slots: readonly PictureChange[]
  readonly sounds: readonly SlotChange[]
}

/** The pictures that one client watches, and the slots in which it receives them. */
export class PictureViewer {
  readonly slots: readonly PictureSlot[]
  readonly soundSplices: readonly Splice[]
  /** For each sound slot, the screen whose audio is in it. */
  heard: readonly (PicturePublisher | undefined)[]
  /** The most important first. */
  watched: readonly WatchedSource[] = []
  /** Bits per second for all pictures together. */
  budgetBps = Number.POSITIVE_INFINITY
  /** The rate now, and the rate needed for one better picture. */
  nextStep: NextStep = { chosenBps: 0, wantedBps: undefined, bestBps: 0 }

  /** @param lines the m-lines that receive pictures, and those that receive the audio of screens */
  constructor(lines: { pictures: readonly MediaLine[]; sounds: readonly MediaLine[] }) {
    this.slots = lines.pictures.map(
      (line, slot) => new PictureSlot(newPictureSplice(line, FIRST_PICTURE + 2 * slot)),
    )
    this.soundSplices = lines.sounds.map(
      ({ payloadType }, slot) =>
        new Splice({ ssrc: newSource(FIRST_SOUND + slot), payloadType, ...newNumbers() }),
    )
    this.heard = this.soundSplices.map(() => undefined)
  }

  /**
   * Assigns the slots to the live pictures that are watched. Where there is room, a camera is beside its user's voice, and a
   * screen beside its audio.
   * @param voices the users in the voice slots
   */
  assign(
    live: ReadonlyMap<string, PicturePublisher>,
    voices: readonly (SlotVoice | undefined)[],
  ): PictureChanges {
    const wanted = this.watched.flatMap((watched) => live.get(keyOf(watched)) ?? [])
    const [before, heard] = [this.slots.map(({ picture }) => picture), this.heard]
    const shown = assignSlots(before, wanted, rankForPicture(voices))
    const screens = shown.filter((picture) => picture?.source === 'screen')
    this.heard = assignSlots(
      heard,
      wanted.filter((picture) => screens.includes(picture)),
      rankForSound(shown),
    )
    const slots = changesOf(before, shown)
    const sounds = changesOf(heard, this.heard)
    for (const [slot, picture] of slots) this.slots[slot]?.show(picture)
    for (const [slot] of sounds) this.soundSplices[slot]?.restart()
    return {
      slots: slots.flatMap(([slot]) => this.slots[slot]?.describe(slot) ?? []),
      sounds: sounds.map(([slot, picture]) => ({ slot, userId: picture?.userId })),
    }
  }

  /**
   * Chooses the layer of each picture: by the height at which it is shown, and by the budget.
   * @returns whether any slot needs other layers than before
   */
  chooseLayers(nowMs: number): boolean {
    const entries = this.watched.flatMap(({ height, ...watched }) => {
      const slot = this.#slotWith(watched)
      if (slot?.picture === undefined) return []
      const choices = slot.picture.choices(nowMs).filter((layer) => slot.hold.permits(layer.height, nowMs))
      return [{ slot, wantedHeight: height, choices }]
    })
    const pictures = entries.map(({ slot, wantedHeight, choices }) => ({
      wantedHeight,
      layers: choices.map((layer) => ({
        height: layer.height,
        bitrate: layer.rate.perSecond * (layer === slot.wanted ? IN_USE : 1),
      })),
    }))
    const chosen = chooseLayers(pictures, this.budgetBps)
    if (this.budgetBps < Number.POSITIVE_INFINITY) {
      const free = chooseLayers(pictures, Number.POSITIVE_INFINITY)
      const compared = entries.map(({ slot, choices }, at) => ({
        slot,
        chosen: choices[chosen[at] ?? -1],
        free: choices[free[at] ?? -1],
      }))
      // Pictures after a raised one were lowered to make room for it, not because of a slower link, so they are not held back.
      const raisedAt = compared.findIndex(isRaised)
      for (const each of compared.slice(0, raisedAt === -1 ? compared.length : raisedAt))
        holdBack(each, nowMs)
    }
    this.nextStep = nextStep(pictures, chosen)
    const changes = entries.map(({ slot, choices }, at) => slot.choose(choices[chosen[at] ?? -1]))
    return changes.includes(true)
  }

  /** Returns the slots whose layer has changed since the last call, including those that now receive none. */
  takeNewLayers(nowMs: number): PictureChange[] {
    return [...this.slots.entries()].flatMap(([slot, of]) => {
      const changed = of.takeNewLayer(nowMs)
      if (changed === undefined) return []
      return [{ ...of.describe(slot), ...changed }]
    })
  }

  #slotWith({ userId, source }: WatchedSource): PictureSlot | undefined {
    return this.slots.find(({ picture }) => picture?.userId === userId && picture.source === source)
  }

  /** Returns the slot that is sent with this SSRC. */
  slotOf(ssrc: number): PictureSlot | undefined {
    return this.slots.find(({ splice }) => splice.ssrc === ssrc)
  }
}

interface Compared {
  readonly slot: PictureSlot
  readonly chosen: PictureLayer | undefined
  /** The layer that would be chosen without a budget. */
  readonly free: PictureLayer | undefined
}

function isRaised({ slot: { wanted }, chosen }: Compared): boolean {
  return chosen !== undefined && (wanted === undefined || chosen.height > wanted.height)
}

/**
 * Holds a slot back if the budget lowered its layer, but not if it is shown smaller or its sender turned the layer off.
 * A layer that has just begun is not held back either: it was chosen before its rate was known.
 */
function holdBack({ slot: { wanted, hold }, chosen, free }: Compared, nowMs: number): void {
  if (wanted === undefined || wanted.rate.isNew) return
  if (free === undefined || free.height < wanted.height) return
  if (chosen === undefined || chosen.height < wanted.height) hold.begin(wanted.height, nowMs)
}

export function keyOf({ userId, source }: WatchedSource): string {
  return `${source} ${userId}`
}

/**
 * Keeps the most important entry of each picture. With several entries, the picture's layer would alternate between
 * their heights.
 */
export function withoutRepeats(watched: readonly WatchedSource[]): WatchedSource[] {
  const first = new Map(watched.toReversed().map((picture) => [keyOf(picture), picture]))
  return watched.filter((picture) => first.get(keyOf(picture)) === picture)
}

function changesOf<T>(before: readonly T[], now: readonly T[]): [number, T][] {
  return [...now.entries()].filter(([slot, picture]) => picture !== before[slot])
}

function newPictureSplice({ codecs }: MediaLine, lowest: number): PictureSplice {
  const ssrc = newSource(lowest)
  const payloadType = codecs[0]?.repairType
  const repair =
    payloadType === undefined ? undefined : { ssrc: ssrc + 1, payloadType, sequence: randomInt(2 ** 15) }
  return new PictureSplice({ ssrc, codecs, repair, ...newNumbers() })
}

/** Returns a random SSRC. @param lowest its lowest five bits */
function newSource(lowest: number): number {
  return randomInt(1, 2 ** 27) * 32 + lowest
}

/** Returns random first numbers, as RFC 3550 requires. */
function newNumbers(): { sequence: number; timestamp: number } {
  return { sequence: randomInt(2 ** 15), timestamp: randomInt(2 ** 31) }
}
