const KEY = 'foyer.appearance'
const CHANGED = 'foyer:appearance'

/** The options of each setting, default first. */
export const choices = {
  theme: ['system', 'light', 'dark'],
  contrast: ['system', 'more'],
  /** Size of messages, in pixels at the browser's default font size. */
  textSize: ['15', '14', '16', '18'],
  density: ['comfortable', 'compact'],
  motion: ['system', 'less'],
} as const

/** Appearance settings of this browser. */
export type Appearance = { readonly [Name in keyof typeof choices]: (typeof choices)[Name][number] }

const defaults: Appearance = {
  theme: 'system',
  contrast: 'system',
  textSize: '15',
  density: 'comfortable',
  motion: 'system',
}

const MORE_CONTRAST = '(prefers-contrast: more)'
const LESS_MOTION = '(prefers-reduced-motion: reduce)'

/** Reads the settings from storage, since another tab may have changed them. */
export function readAppearance(): Appearance {
  const stored = readStored()
  return {
    theme: chosen(choices.theme, stored.theme) ?? defaults.theme,
    contrast: chosen(choices.contrast, stored.contrast) ?? defaults.contrast,
    textSize: chosen(choices.textSize, stored.textSize) ?? defaults.textSize,
    density: chosen(choices.density, stored.density) ?? defaults.density,
    motion: chosen(choices.motion, stored.motion) ?? defaults.motion,
  }
}

/** Saves a change and applies it in this tab. Other tabs follow with the storage event. */
export function changeAppearance(change: Partial<Appearance>): void {
  const appearance = { ...readAppearance(), ...change }
  try {
    localStorage.setItem(KEY, JSON.stringify(appearance))
  } catch {
    // Storage is full or blocked. The change lasts until the page closes.
  }
  apply(appearance)
  window.dispatchEvent(new Event(CHANGED))
}

/** Subscribes to changes in this and other tabs. Returns a function that unsubscribes. */
export function onAppearance(listener: () => void): () => void {
  // The key is null after the storage was cleared.
  const onStorage = ({ key }: StorageEvent) => {
    if (key === KEY || key === null) listener()
  }
  window.addEventListener('storage', onStorage)
  window.addEventListener(CHANGED, listener)
  return () => {
    window.removeEventListener('storage', onStorage)
    window.removeEventListener(CHANGED, listener)
  }
}

/** Applies the settings now and after every change. */
export function beginAppearance(): void {
  const applyNow = () => apply(readAppearance())
  applyNow()
  window.addEventListener('storage', applyNow)
  for (const query of [MORE_CONTRAST, LESS_MOTION]) matchMedia(query).addEventListener('change', applyNow)
}

/** Sets the attributes of the page that the stylesheets select by. */
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

/** Returns the value if this version of the client knows it. */
function chosen<T>(known: readonly T[], value: unknown): T | undefined {
  return known.find((choice) => choice === value)
}

function readStored(): Partial<Record<keyof Appearance, unknown>> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    return typeof stored === 'object' && stored !== null ? stored : {}
  } catch {
    return {}
  }
}
