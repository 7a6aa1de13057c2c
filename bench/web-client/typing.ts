import type { Reader } from './reader.ts'

export interface Typing {
  /** Milliseconds of the page's work for one key: handlers, layout, paint. */
  readonly workMs: number
  /** Milliseconds from each key until its letter is painted. */
  readonly spansMs: readonly number[]
}

const TEXT = 'the quick brown fox jumps over the lazy dog, and '
const PAUSE_MS = 60

/** Types into the focused composer. Nothing is sent. */
export async function type(reader: Reader, keys: number): Promise<Typing> {
  const { page } = reader
  await page.locator('.composer-input').focus()
  await page.evaluate(noteKeys)
  const text = TEXT.repeat(Math.ceil(keys / TEXT.length)).slice(0, keys)
  const before = await reader.workSeconds()
  await page.keyboard.type(text, { delay: PAUSE_MS })
  const workMs = (((await reader.workSeconds()) - before) * 1000) / keys
  const spans: unknown = await page.evaluate(() => Reflect.get(window, 'keySpansMs'))
  await page.locator('.composer-input').fill('')
  return { workMs, spansMs: Array.isArray(spans) ? spans.map(Number) : [] }
}

/** Runs in the page. Measures the time from each key until its letter is painted. */
function noteKeys(): void {
  const spans: number[] = []
  Reflect.set(window, 'keySpansMs', spans)
  document.addEventListener('input', ({ timeStamp }) => {
    requestAnimationFrame(() => {
      const painted = new MessageChannel()
      painted.port1.onmessage = () => spans.push(performance.now() - timeStamp)
      painted.port2.postMessage(null)
    })
  })
}
