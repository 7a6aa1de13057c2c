/** Headers for uploaded files: they cannot run or load anything here, and other sites may embed our pictures. */
export const strangerHeaders = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
}
