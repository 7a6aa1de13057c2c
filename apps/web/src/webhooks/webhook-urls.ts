import { t } from '#src/language/texts.ts'

/** Services whose messages a webhook understands, with the suffix of its URL for each. */
export const webhookFormats = [
  { id: 'plain', label: t('Discord or your own app'), suffix: '' },
  { id: 'github', label: 'GitHub', suffix: '/github' },
  { id: 'slack', label: 'Slack', suffix: '/slack' },
] as const

/** Returns the URL that a service posts to. The server may send `url` as a path. */
export function webhookUrl(url: string, suffix: string, origin: string): string {
  return new URL(url, origin).href + suffix
}
