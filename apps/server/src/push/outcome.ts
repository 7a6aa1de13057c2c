/**
 * Result of a push. `gone`: the browser has unsubscribed. `later`: the push service asks to try again. `unanswered`: nobody
 * answered. `refused`: final. `skipped`: nothing was sent, because the host has answered nothing for a while.
 */
export type Outcome =
  | { readonly kind: 'sent' | 'gone' | 'unanswered' | 'skipped' }
  /** Without a status, no request may be made to the address. */
  | { readonly kind: 'refused'; readonly status: number | undefined }
  | { readonly kind: 'later'; readonly afterSeconds: number }
