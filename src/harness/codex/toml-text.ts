// A text as TOML writes it.

/** A basic string of TOML: JSON writes the same, but for a character that TOML wants escaped. */
export function tomlText(value: string): string {
  return JSON.stringify(value).replaceAll('\u007f', '\\u007f');
}
