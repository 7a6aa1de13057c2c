import { setTimeout as delay } from 'node:timers/promises'
import type { Locator, Route } from 'playwright-core'
import { eventually } from './eventually.ts'
import type { Person } from './person.ts'

/** The files of the message that is being written. */
export function tray(person: Person): Locator {
  return person.page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')
}

/** How many of them are in the storage. */
export function stored(person: Person): Promise<number> {
  return person.page.locator('.upload-tile[data-state="stored"]').count()
}

/** By the button, and the window that the browser opens. */
export async function choose(person: Person, files: Parameters<Locator['setInputFiles']>[0]): Promise<void> {
  const chooser = person.page.waitForEvent('filechooser')
  await person.button('Attach files').click()
  await (await chooser).setFiles(files)
}

const MIDDLE = { x: 640, y: 300 }

/** Files from the desk over the middle of the page, or another place, by the events that a browser makes of them. */
export async function drag(
  person: Person,
  files: string[],
  types: ('dragEnter' | 'dragOver' | 'drop')[],
  place = MIDDLE,
): Promise<void> {
  const devtools = await person.context.newCDPSession(person.page)
  for (const type of types) {
    const data = { items: [], files, dragOperationsMask: 1 }
    await devtools.send('Input.dispatchDragEvent', { type, ...place, data })
  }
  await devtools.detach()
}

/** Sends what is written and attached. */
export async function send(person: Person, text = ''): Promise<void> {
  if (text !== '') await person.composer('general').fill(text)
  await person.composer('general').press('Enter')
  await eventually(() => person.outgoing(), 0)
}

/** Whether the browser would ask before it leaves the page. */
export function warnsOfLeaving({ page }: Person): Promise<boolean> {
  return page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })))
}

/** A picture in the room's messages. */
export function shown(person: Person, name: string): Locator {
  return person.page.getByRole('log').getByRole('img', { name })
}

export function isDrawn(image: Locator): Promise<boolean> {
  return image.evaluate(
    (element) => element instanceof HTMLImageElement && element.complete && element.naturalWidth > 0,
  )
}

/** Lets no file into the storage until it is told to. */
export function holdUploads(person: Person): Promise<() => Promise<void>> {
  return holdRequests(person, '**/storage/**', 'PUT')
}

/** Lets no message through to the server until it is told to. */
export function holdMessages(person: Person): Promise<() => Promise<void>> {
  return holdRequests(person, '**/messages', 'POST')
}

/** Lets no change of a message through to the server until it is told to. */
export function holdEdits(person: Person): Promise<() => Promise<void>> {
  return holdRequests(person, '**/messages/*', 'PATCH')
}

async function holdRequests({ page }: Person, pattern: string, method: string): Promise<() => Promise<void>> {
  const held: Route[] = []
  await page.route(pattern, (route) => {
    if (route.request().method() !== method) return route.continue()
    held.push(route)
    return undefined
  })
  return async () => {
    await page.unroute(pattern)
    // Those that were cancelled meanwhile, or with their page, are gone.
    for (const route of held) await route.continue().catch(() => undefined)
  }
}

/** The longest time between two pictures that the page draws, until told to stop, in ms. */
export async function watchFrames(person: Person): Promise<() => Promise<number>> {
  const watch = await person.page.evaluateHandle(() => {
    const result = { longest: 0, stopped: false }
    let last = performance.now()
    const look = () => {
      const now = performance.now()
      result.longest = Math.max(result.longest, now - last)
      last = now
      if (!result.stopped) requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
    return result
  })
  await delay(50)
  return () =>
    watch.evaluate((result) => {
      result.stopped = true
      return result.longest
    })
}
