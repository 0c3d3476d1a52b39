// Text from elsewhere made harmless for a terminal.

export { plainLine, plainText } from '../../std/plain-text.ts';
