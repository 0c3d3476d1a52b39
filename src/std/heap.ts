// A binary heap: the smallest item by `compare` is on top.

export interface Heap<T> {
  readonly size: number;
  push(item: T): void;
  peek(): T | undefined;
  pop(): T | undefined;
}

export function createHeap<T>(compare: (a: T, b: T) => number): Heap<T> {
  const items: T[] = [];
  return {
    get size() {
      return items.length;
    },
    peek: () => items[0],
    push(item) {
      items.push(item);
      siftUp(items, items.length - 1, compare);
    },
    pop() {
      const top = items[0];
      const last = items.pop();
      if (items.length > 0 && last !== undefined) {
        items[0] = last;
        siftDown(items, compare);
      }
      return top;
    },
  };
}

/** Those on its way move one place, and it is put down where it stays. */
function siftUp<T>(items: T[], from: number, compare: (a: T, b: T) => number): void {
  const item = items[from] as T;
  let i = from;
  while (i > 0) {
    const above = (i - 1) >> 1;
    const parent = items[above] as T;
    if (compare(item, parent) >= 0) break;
    items[i] = parent;
    i = above;
  }
  items[i] = item;
}

function siftDown<T>(items: T[], compare: (a: T, b: T) => number): void {
  const item = items[0] as T;
  const { length } = items;
  let i = 0;
  for (let below = 1; below < length; below = 2 * i + 1) {
    const right = below + 1;
    const child = right < length && compare(items[right] as T, items[below] as T) < 0 ? right : below;
    if (compare(items[child] as T, item) >= 0) break;
    items[i] = items[child] as T;
    i = child;
  }
  items[i] = item;
}
