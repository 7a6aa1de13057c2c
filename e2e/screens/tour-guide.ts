import type { Person } from '../person.ts'
import type { Stage } from '../stage.ts'
import { type Furnished, furnish } from './furnished.ts'

/** A furnished stage with its two visitors, and the requests of their pages to other servers. */
export interface Tour extends Furnished {
  /** A visitor who is not signed in. */
  readonly stranger: Person
  /** Addresses on other servers that a page requested. */
  readonly foreign: string[]
}

export async function beginTour(stage: Stage): Promise<Tour> {
  const furnished = await furnish(stage)
  const stranger = await stage.person('stranger')
  const foreign: string[] = []
  for (const { page } of [furnished.mira, stranger]) {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url())
      if (/^https?:$/.test(protocol) && origin !== stage.program.url) foreign.push(request.url())
    })
  }
  await furnished.mira.page.goto(furnished.paths.general)
  await furnished.mira.composer('general').waitFor()
  return { ...furnished, stranger, foreign }
}

/** Returns requests to other servers, and console messages about violations of the Content-Security-Policy. */
export function policyViolations({ mira, stranger, foreign }: Tour): string[] {
  const complaints = [...mira.complaints, ...stranger.complaints]
  return [...foreign, ...complaints.filter((text) => /Content Security Policy|Refused to/.test(text))]
}
