import { expect, it } from 'vitest';
import { imageTypeOf } from './image-type.ts';

it.each([
  ['\x89PNG\r\n\x1a\n rest', 'image/png'],
  ['\xff\xd8\xff\xe0 rest', 'image/jpeg'],
  ['GIF89a rest', 'image/gif'],
  ['RIFF1234WEBPVP8 ', 'image/webp'],
  ['RIFF1234WAVE', null],
  ['<svg xmlns="http://www.w3.org/2000/svg"/>', null],
  ['%PDF-1.7', null],
  ['', null],
])('content %j is %j, whatever its name [IMG-2]', (text, type) => {
  expect(imageTypeOf(Buffer.from(text, 'latin1'))).toBe(type);
});
