import { lazyPopup } from '#src/ui/loading/lazy-popup.tsx'

/** The dialog for the notifications of a space, room or conversation. */
export const NotificationDialog = lazyPopup(() =>
  import('./notification-choices.tsx').then((module) => module.NotificationChoices),
)
