import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Locator, Route } from 'playwright-core'
import { eventually } from './eventually.ts'
import type { Person } from './person.ts'

/** Locates the files attached to the draft. */
export function tray(person: Person): Locator {
  return person.page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')
}

/** Creates a sparse file, which takes no space on the disk. */
export async function emptyFile(folder: string, name: string, bytes: number): Promise<string> {
  const path = join(folder, name)
  const file = await open(path, 'w')
  await file.truncate(bytes)
  await file.close()
  return path
}

/** Counts the files attached to the draft that have been uploaded. */
export function stored(person: Person): Promise<number> {
  return person.page.locator('.upload-tile[data-state="stored"]').count()
}

/** Attaches files with the button and the browser's file chooser. */
export async function choose(person: Person, files: Parameters<Locator['setInputFiles']>[0]): Promise<void> {
  const chooser = person.page.waitForEvent('filechooser')
  await person.button('Attach files').click()
  await (await chooser).setFiles(files)
}

const MIDDLE = { x: 640, y: 300 }

/** Drags files from outside the browser over a point of the page, by default its middle. */
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

/** Drops files on a part of the page that has just appeared. The browser fires only `dragenter` there, no `dragover`. */
export async function dropOnNewPart(person: Person, files: string[]): Promise<void> {
  await drag(person, files, ['dragEnter', 'dragOver'])
  await person.page.evaluate(() => {
    const cover = Object.assign(document.createElement('div'), { id: 'cover' })
    cover.style.cssText = 'position: fixed; inset: 0'
    document.body.append(cover)
  })
  await drag(person, files, ['drop'])
  await person.page.evaluate(() => document.getElementById('cover')?.remove())
}

/** Sends the draft with its files, and waits until the server has confirmed it. */
export async function send(person: Person, text = ''): Promise<void> {
  if (text !== '') await person.composer('general').fill(text)
  await person.composer('general').press('Enter')
  await eventually(() => person.outgoing(), 0)
}

/** Returns true if the browser would ask before leaving the page. */
export function warnsOfLeaving({ page }: Person): Promise<boolean> {
  return page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })))
}

/** Locates a picture in the room's messages by its accessible name. */
export function shown(person: Person, name: string): Locator {
  return person.page.getByRole('log').getByRole('img', { name })
}

export function isDrawn(image: Locator): Promise<boolean> {
  return image.evaluate(
    (element) => element instanceof HTMLImageElement && element.complete && element.naturalWidth > 0,
  )
}

/** Holds all uploads until the returned function is called. */
export function holdUploads(person: Person): Promise<() => Promise<void>> {
  return holdRequests(person, '**/storage/**', 'PUT')
}

/** Holds all new messages until the returned function is called. */
export function holdMessages(person: Person): Promise<() => Promise<void>> {
  return holdRequests(person, '**/messages', 'POST')
}

/** Holds all edits of messages until the returned function is called. */
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
    // A request that was cancelled, or that belongs to a closed page, cannot continue.
    for (const route of held) await route.continue().catch(() => undefined)
  }
}

/** Measures the longest time between two frames. The returned function ends the measurement and returns the time in ms. */
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
