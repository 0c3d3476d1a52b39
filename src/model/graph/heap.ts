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

function siftUp<T>(items: T[], from: number, compare: (a: T, b: T) => number): void {
  for (let i = from; i > 0; ) {
    const parent = (i - 1) >> 1;
    if (compare(at(items, i), at(items, parent)) >= 0) return;
    swap(items, i, parent);
    i = parent;
  }
}

function siftDown<T>(items: T[], compare: (a: T, b: T) => number): void {
  for (let i = 0; ; ) {
    let least = i;
    for (const child of [2 * i + 1, 2 * i + 2]) {
      if (child < items.length && compare(at(items, child), at(items, least)) < 0) least = child;
    }
    if (least === i) return;
    swap(items, i, least);
    i = least;
  }
}

function swap<T>(items: T[], a: number, b: number): void {
  const kept = at(items, a);
  items[a] = at(items, b);
  items[b] = kept;
}

function at<T>(items: readonly T[], index: number): T {
  return items[index] as T;
}
