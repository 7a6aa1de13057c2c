/** Shows an error message, if there is one. */
export function ErrorLine({ message }: { message: string | null }) {
  if (message === null) return null
  return (
    <p role="alert" className="form-error">
      {message}
    </p>
  )
}
