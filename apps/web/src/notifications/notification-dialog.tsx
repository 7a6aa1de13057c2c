import { lazyPopup } from '#src/ui/lazy-popup.tsx'

/** What one is told of a space, a room or a conversation. */
export const NotificationDialog = lazyPopup(() =>
  import('./notification-choices.tsx').then((module) => module.NotificationChoices),
)
