import type { StoragePurpose } from '@foyer/protocol/operator-storage'
import { t } from '#src/language/texts.ts'

export const purposeLabels: Record<StoragePurpose, string> = {
  message: t('Message files'),
  held: t('Files in messages held for review'),
  report: t('Copies for reports'),
  emoji: t('Emoji'),
  sticker: t('Stickers'),
  icon: t('Space icons'),
  banner: t('Banners'),
  avatar: t('Profile pictures'),
  preview: t('Link preview images'),
  export: t('Exports'),
  import: t('Space imports'),
  unfinished: t('Uploads in progress'),
}
