import type { ServerSetting } from '@foyer/protocol/server-settings'

/** Returns the settings whose name or description has each word of the query. */
export function matchingSettings(settings: readonly ServerSetting[], query: string): ServerSetting[] {
  const words = query.toLowerCase().split(/\s+/)
  return settings.filter(({ variable, description }) => {
    const text = `${variable} ${description}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
