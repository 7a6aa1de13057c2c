/** A JSON body whose images may also be files. */
export type WithImages<Body, Image extends keyof Body> = Omit<Body, Image> & {
  [Field in Image]?: Body[Field] | Blob
}

type Fields = Record<string, string | number | boolean | null | Blob | undefined>

/** Returns the body as JSON or, if one of its images is a file, as an equivalent form. */
export function withImages(body: Fields, images: readonly string[]): Fields | FormData {
  if (!images.some((field) => body[field] instanceof Blob)) return body
  const form = new FormData()
  for (const [field, value] of Object.entries(body)) {
    if (value instanceof Blob) form.set(field, value)
    // A form removes an image with a separate field: without that field, the image stays unchanged.
    else if (images.includes(field)) form.set(`remove_${field}`, String(value === null || value === ''))
    else if (value !== undefined) form.set(field, String(value ?? ''))
  }
  return form
}
