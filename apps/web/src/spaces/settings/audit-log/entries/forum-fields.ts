import { t } from '#src/language/texts.ts'
import type { Value } from './field-values.ts'

/** Characters of a long text that an entry shows. */
const SHOWN = 200

/** Labels and formats of what only forums and their posts have. */
export const forumFieldTexts = {
  forum: { label: t('Forum settings'), show: settings },
  tags: {
    label: t('Tags'),
    show: (tags: unknown) => (Array.isArray(tags) ? { text: `${tags.length}` } : null),
  },
  is_pinned: { label: t('Pinned'), show: (value: unknown) => yesOrNo(value === true) },
  solved_message_id: { label: t('Answered'), show: (id: unknown) => yesOrNo(typeof id === 'string') },
}

function yesOrNo(is: boolean): Value {
  return { text: is ? t('Yes') : t('No') }
}

/** The names of the tags, and how the texts begin. */
function settings(value: unknown): Value | null {
  if (typeof value !== 'object' || value === null) return null
  const { tags, guidelines, template } = { tags: [], guidelines: '', template: '', ...value }
  const names = Array.isArray(tags) ? tags.map((tag: unknown) => String(Object(tag).name)) : []
  const texts = [guidelines, template].filter((text) => typeof text === 'string' && text !== '')
  const parts = [names.join(', '), ...texts.map((text) => String(text).slice(0, SHOWN))]
  return { text: parts.filter((part) => part !== '').join(' · ') || t('Not set') }
}
