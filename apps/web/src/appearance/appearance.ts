const KEY = 'foyer.appearance'
const CHANGED = 'foyer:appearance'

/** What can be chosen, the usual first. */
export const choices = {
  theme: ['system', 'light', 'dark'],
  contrast: ['system', 'more'],
  /** Of what is read most, in pixels where the browser's own size is the usual one. */
  textSize: ['15', '14', '16', '18'],
  density: ['comfortable', 'compact'],
  motion: ['system', 'less'],
} as const

/** How this browser shows Foyer. */
export type Appearance = { readonly [Name in keyof typeof choices]: (typeof choices)[Name][number] }

const usual: Appearance = {
  theme: 'system',
  contrast: 'system',
  textSize: '15',
  density: 'comfortable',
  motion: 'system',
}

const MORE_CONTRAST = '(prefers-contrast: more)'
const LESS_MOTION = '(prefers-reduced-motion: reduce)'

/** What was chosen, if another page of this browser may have chosen meanwhile. */
export function readAppearance(): Appearance {
  const kept = readKept()
  return {
    theme: chosen(choices.theme, kept.theme) ?? usual.theme,
    contrast: chosen(choices.contrast, kept.contrast) ?? usual.contrast,
    textSize: chosen(choices.textSize, kept.textSize) ?? usual.textSize,
    density: chosen(choices.density, kept.density) ?? usual.density,
    motion: chosen(choices.motion, kept.motion) ?? usual.motion,
  }
}

/** In this tab at once, and in the others when their browser tells them. */
export function changeAppearance(change: Partial<Appearance>): void {
  const appearance = { ...readAppearance(), ...change }
  try {
    localStorage.setItem(KEY, JSON.stringify(appearance))
  } catch {
    // Full, or withheld: then it holds as long as the page.
  }
  apply(appearance)
  window.dispatchEvent(new Event(CHANGED))
}

/** Tells of every change, wherever it was made. Returns how to stop listening. */
export function onAppearance(listener: () => void): () => void {
  // The key is null when everything was cleared.
  const heard = ({ key }: StorageEvent) => {
    if (key === KEY || key === null) listener()
  }
  window.addEventListener('storage', heard)
  window.addEventListener(CHANGED, listener)
  return () => {
    window.removeEventListener('storage', heard)
    window.removeEventListener(CHANGED, listener)
  }
}

/** Shows the page as it was chosen, from now on. */
export function beginAppearance(): void {
  const applyNow = () => apply(readAppearance())
  applyNow()
  window.addEventListener('storage', applyNow)
  for (const query of [MORE_CONTRAST, LESS_MOTION]) matchMedia(query).addEventListener('change', applyNow)
}

/** The stylesheets know it by attributes of the page. */
function apply({ theme, contrast, textSize, density, motion }: Appearance): void {
  const { dataset } = document.documentElement
  const isDark = theme === 'dark'
  if (theme === 'system') delete dataset.theme
  else dataset.theme = theme
  dataset.contrast = contrast === 'more' || matchMedia(MORE_CONTRAST).matches ? 'more' : 'usual'
  dataset.textSize = textSize
  dataset.density = density
  dataset.motion = motion === 'less' || matchMedia(LESS_MOTION).matches ? 'less' : 'usual'
  const colors = document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')
  const [light, dark] = colors
  light?.setAttribute(
    'media',
    theme === 'system' ? '(prefers-color-scheme: light)' : isDark ? 'not all' : 'all',
  )
  dark?.setAttribute(
    'media',
    theme === 'system' ? '(prefers-color-scheme: dark)' : isDark ? 'all' : 'not all',
  )
}

/** Another version of this client may have written it. */
function chosen<T>(known: readonly T[], value: unknown): T | undefined {
  return known.find((choice) => choice === value)
}

function readKept(): Partial<Record<keyof Appearance, unknown>> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    return typeof kept === 'object' && kept !== null ? kept : {}
  } catch {
    return {}
  }
}
