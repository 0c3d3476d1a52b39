// What Codex gets of the environment that the daemon was started in.

/** How to reach the API. Its credential comes from elsewhere. */
export const passedOn: readonly string[] = [
  'OPENAI_BASE_URL',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'CODEX_CA_CERTIFICATE',
  'SSL_CERT_FILE',
  'LANG',
  'PATH',
  'TZ',
];
