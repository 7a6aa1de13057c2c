/**
 * Result of a push. `gone`: the browser has unsubscribed. `later`: the push service asks to retry. `unanswered`: no
 * answer. `refused`: final. `skipped`: not sent, because the host is paused.
 */
export type Outcome =
  | { readonly kind: 'sent' | 'gone' | 'unanswered' | 'skipped' }
  /** `status` is undefined if no request may be made to the address. */
  | { readonly kind: 'refused'; readonly status: number | undefined }
  | { readonly kind: 'later'; readonly afterSeconds: number }
