/** Browsers and programs, by User-Agent pattern. The first match counts, because browsers also name other browsers. */
const PROGRAMS = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/HeadlessChrome\//, 'Headless Chrome'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/curl\//, 'curl'],
  [/^node$|undici/, 'Node.js'],
] as const

const SYSTEMS = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux/, 'Linux'],
] as const

export interface Device {
  program: string | undefined
  system: string | undefined
}

/** Returns the browser or program and the system that a User-Agent names. */
export function deviceOf(userAgent: string): Device {
  return { program: nameIn(PROGRAMS, userAgent), system: nameIn(SYSTEMS, userAgent) }
}

function nameIn(names: readonly (readonly [RegExp, string])[], userAgent: string): string | undefined {
  return names.find(([pattern]) => pattern.test(userAgent))?.[1]
}
