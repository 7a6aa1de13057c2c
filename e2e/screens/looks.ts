import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setTimeout as delay } from 'node:timers/promises'
import type { AxeResults, RunOptions, Spec } from 'axe-core'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Tags of all rules except the experimental ones and WCAG level AAA. */
const ALL_RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const OPTIONS: RunOptions = {
  resultTypes: ['violations'],
  preload: false,
  // This rule is off by default. Speech control needs it: its users say the label that they see.
  rules: { 'label-content-name-mismatch': { enabled: true } },
}

/** Parts that need no landmark around them: screen readers announce dialogs, menus and hints by themselves. */
const LAYERS_OF_THEIR_OWN =
  'dialog, [role=dialog], [role=alertdialog], [role=menu], [role=listbox], [role=tooltip], svg'

const MAX_TRIES = 3
const REST_MS = 300

/** Injects axe through the debugger, which no Content-Security-Policy restricts. Axe stays until the page is reloaded. */
async function bringAxe(page: Page): Promise<void> {
  const isThere = await page.evaluate(() => 'axe' in window)
  if (isThere) return
  await page.evaluate(source)
  const checks = [{ id: 'region', options: { regionMatcher: LAYERS_OF_THEIR_OWN } }]
  await page.evaluate((spec) => window.axe.configure(spec), { checks })
}

/**
 * Runs axe on a part of the page. Returns a line for each element that it still reports when all motion has ended.
 * @param rules names or tags of rules
 * @param part selector of the part. A whole page with a room takes ten times as long as a dialog over it
 */
export async function axeFindings(page: Page, part: string, rules = ALL_RULES): Promise<string[]> {
  await bringAxe(page)
  let found = await run(page, part, rules)
  for (let tries = 0; tries < MAX_TRIES && found.length > 0; tries += 1) {
    await delay(REST_MS)
    const again = await run(page, part, rules)
    found = found.filter((finding) => again.includes(finding))
  }
  return found
}

async function run(page: Page, part: string, rules: string[]): Promise<string[]> {
  await settled(page)
  const { violations } = await page.evaluate(
    ([context, options]): Promise<AxeResults> => window.axe.run(context, options),
    [part, { ...OPTIONS, runOnly: rules }] as const,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => {
      const [, ...reasons] = failureSummary.split('\n')
      return `${id}: ${target.join(' ')} ${reasons.join(' ')}`
    }),
  )
}

/** Waits for transitions to end. Colors during a change of theme belong to neither theme. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const changes = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
    await Promise.allSettled(changes.map(({ finished }) => finished))
  })
}

/** Returns elements that are wider than their space, and texts that are cut off without an ellipsis. */
export async function overflowingParts(page: Page): Promise<string[]> {
  await settled(page)
  return page.evaluate(() => {
    // `.tile` is an emoji of the picker: text that is treated as a picture.
    const UNSEEN = '.visually-hidden, .skip-link, [inert], [aria-hidden="true"], pre, .tile'
    const root = document.scrollingElement
    const width = root?.scrollWidth ?? 0
    const parts = [...document.body.querySelectorAll<HTMLElement>('*')].filter(
      (element) => element.checkVisibility({ visibilityProperty: true }) && element.closest(UNSEEN) === null,
    )
    const found = parts.map((element) => [element, whatIsWrong(element)] as const)
    return [
      ...(width > window.innerWidth ? [`the page is ${width} wide`] : []),
      ...found.flatMap(([element, wrong]) => (wrong === '' ? [] : [`${wrong}: ${nameOf(element)}`])),
    ]

    function nameOf({ tagName, className, textContent }: HTMLElement): string {
      return `${tagName.toLowerCase()}.${className} “${(textContent ?? '').slice(0, 40)}”`
    }

    function whatIsWrong(element: HTMLElement): string {
      const { overflowX, textOverflow, display } = getComputedStyle(element)
      const { left, right } = element.getBoundingClientRect()
      const hasText = [...element.childNodes].some(
        (child) => child instanceof Text && child.data.trim() !== '',
      )
      const isUsed = hasText || element.matches('button, a, input, textarea, select')
      const isCutNicely =
        element.parentElement !== null && getComputedStyle(element.parentElement).textOverflow === 'ellipsis'
      if (isCutNicely) return ''
      if (isUsed && right > left && (right > window.innerWidth + 1 || left < -1)) return 'beyond the edge'
      if (display === 'inline' || element.scrollWidth <= element.clientWidth + 1) return ''
      // Code may be wider than its box, which then scrolls.
      if (overflowX === 'auto' || overflowX === 'scroll')
        return element.querySelector(':scope > pre') === null ? 'scrolls sideways' : ''
      if (!hasText || textOverflow === 'ellipsis') return ''
      return overflowX === 'visible' ? 'sticks out' : 'cut off'
    }
  })
}

declare global {
  interface Window {
    axe: {
      configure: (spec: Spec) => void
      run: (context: string, options: RunOptions) => Promise<AxeResults>
    }
  }
}
