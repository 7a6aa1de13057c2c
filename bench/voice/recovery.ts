import type { Browser, Page } from 'playwright-core'
import { seesPicture } from '../../e2e/moving-pictures.ts'
import { Person } from '../../e2e/person.ts'
import type { Program } from '../../e2e/program.ts'
import { gather, type Settled, settlePerson } from '../../e2e/settled.ts'
import { watchSound } from '../../e2e/sound.ts'
import { percentile } from '../load/latencies.ts'

/** Milliseconds from the end of a process until a page has audio and video again. */
export interface Recovery {
  readonly soundMs: number
  readonly pictureMs: number
}

/** Goals for calls that lose a process. */
export const recoveryLimits = { soundMs: 2000, pictureMs: 3000 }

/** Returns the figures of a report. */
export function figuresOf(recovered: readonly Recovery[]) {
  const sounds = recovered.map(({ soundMs }) => soundMs)
  const pictures = recovered.map(({ pictureMs }) => pictureMs)
  return {
    sound_back_p50_ms: percentile(sounds, 0.5),
    sound_back_max_ms: percentile(sounds, 1),
    pictures_back_p50_ms: percentile(pictures, 0.5),
    pictures_back_max_ms: percentile(pictures, 1),
  }
}

/** Two people in Chromium, in a room with microphones and cameras. */
export class RecoveryScene {
  readonly #people: readonly Settled[]

  static async open({ url }: Pick<Program, 'url'>, browser: Browser): Promise<RecoveryScene> {
    const [first, second] = await Promise.all([arrive(url, browser, 'mira'), arrive(url, browser, 'jonas')])
    const { space } = await gather('Sunday hikers', [first, second])
    for (const { person } of [first, second]) {
      await person.page.goto(`/spaces/${space.id}`)
      await person.room('lounge').click()
      await person.page.getByText('Voice connected').first().waitFor()
      await person.page.getByRole('main').getByRole('button', { name: 'Camera', exact: true }).click()
    }
    const scene = new RecoveryScene([first, second])
    await scene.#settle()
    return scene
  }

  private constructor(people: readonly Settled[]) {
    this.#people = people
  }

  /** Calls `kill`, which ends the media process. Returns how long each of the two users was without audio and video. */
  async interrupt(kill: () => Promise<unknown>): Promise<Recovery[]> {
    const waiting = await Promise.all(this.#people.map(({ person }) => beginWaiting(person.page)))
    const killedAt = Date.now()
    await kill()
    const recovered = await Promise.all(waiting.map((arrived) => arrived()))
    await this.#settle()
    return recovered.map(({ soundAt, pictureAt }) => ({
      soundMs: soundAt - killedAt,
      pictureMs: pictureAt - killedAt,
    }))
  }

  /** Waits until each user sees the other's camera play. */
  async #settle(): Promise<void> {
    const [mira, jonas] = this.#people
    if (mira === undefined || jonas === undefined) return
    await seesPicture(cameraOf(mira, 'jonas'))
    await seesPicture(cameraOf(jonas, 'mira'))
  }
}

async function arrive(url: string, browser: Browser, name: string): Promise<Settled> {
  const person = await Person.arrive({ browser, name, url })
  await watchSound(person.page)
  return settlePerson(person)
}

function cameraOf({ person }: Settled, name: string) {
  const tiles = person.page.getByRole('main').getByRole('list', { name: 'In lounge' }).getByRole('listitem')
  return tiles.filter({ hasText: new RegExp(`^${name}`) }).filter({ hasText: 'camera on' })
}

interface Arrivals {
  readonly soundAt: number
  readonly pictureAt: number
}

/** Lets the page wait for audio and decoded frames in connections that it opens from now on. */
async function beginWaiting(page: Page): Promise<() => Promise<Arrivals>> {
  const arrivals = await page.evaluateHandle(() => {
    const known = window.peers.length
    const count = async (kind: string, figure: string) => {
      const counts = await Promise.all(
        window.peers.slice(known).map(async (peer) => {
          const reports: Record<string, unknown>[] = [...(await peer.getStats()).values()]
          return reports
            .filter(({ type, kind: of }) => type === 'inbound-rtp' && of === kind)
            .reduce((sum, report) => sum + Number(report[figure] ?? 0), 0)
        }),
      )
      return counts.reduce((sum, each) => sum + each, 0)
    }
    const arrival = async (kind: string, figure: string) => {
      while ((await count(kind, figure)) === 0) await new Promise((resolve) => setTimeout(resolve, 20))
      return Date.now()
    }
    const both = Promise.all([arrival('audio', 'packetsReceived'), arrival('video', 'framesDecoded')])
    // Returned in an object: `evaluateHandle` would wait for a promise.
    return { both }
  })
  return async () => {
    const [soundAt, pictureAt] = await arrivals.evaluate(({ both }) => both)
    return { soundAt, pictureAt }
  }
}
