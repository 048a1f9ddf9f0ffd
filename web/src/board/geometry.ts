/** Where hexes are, and which one a point lies in. Labels come from the map; nothing is computed from them. */

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Cell extends Point {
  readonly label: string;
}

export class Geometry<C extends Cell = Cell> {
  readonly byLabel = new Map<string, C>();
  private readonly buckets = new Map<number, C[]>();
  private readonly neighbourCache = new Map<C, C[]>();

  /** `across` is the distance between parallel sides: neighbours' centres are that far apart. */
  constructor(
    readonly cells: readonly C[],
    readonly across: number,
    readonly pointsUp: boolean,
  ) {
    for (const cell of cells) {
      this.byLabel.set(cell.label, cell);
      const key = this.bucket(cell.x, cell.y);
      const there = this.buckets.get(key);
      if (there) there.push(cell);
      else this.buckets.set(key, [cell]);
    }
  }

  /** From the centre to a corner. */
  get radius(): number {
    return this.across / Math.sqrt(3);
  }

  /** The hex under a point: hexes of one size are the cells nearest to their centres. */
  at(x: number, y: number): C | undefined {
    let best: C | undefined;
    let least = this.radius * this.radius;
    for (const cell of this.near(x, y)) {
      const far = (cell.x - x) ** 2 + (cell.y - y) ** 2;
      if (far <= least) {
        least = far;
        best = cell;
      }
    }
    return best;
  }

  neighbours(cell: C): readonly C[] {
    let found = this.neighbourCache.get(cell);
    if (!found) {
      const reach = (this.across * 1.2) ** 2;
      found = this.near(cell.x, cell.y).filter(
        (other) => other !== cell && (other.x - cell.x) ** 2 + (other.y - cell.y) ** 2 < reach,
      );
      this.neighbourCache.set(cell, found);
    }
    return found;
  }

  /** The neighbour in a direction; of two that fit alike the one nearer to `keep`, so that going up stays in a column. */
  towards(cell: C, dx: number, dy: number, keep: Point): C | undefined {
    let best: C | undefined;
    let most = 0.4;
    for (const other of this.neighbours(cell)) {
      const along = ((other.x - cell.x) * dx + (other.y - cell.y) * dy) / this.across;
      const aside = Math.abs((other.x - keep.x) * dy) + Math.abs((other.y - keep.y) * dx);
      const fit = along - (aside / this.across) * 0.01;
      if (fit > most) {
        most = fit;
        best = other;
      }
    }
    return best;
  }

  corners(cell: Point, scale = 1): Point[] {
    const r = this.radius * scale;
    const turn = this.pointsUp ? Math.PI / 6 : 0;
    return Array.from({ length: 6 }, (_, i) => {
      const a = turn + (i * Math.PI) / 3;
      return { x: cell.x + r * Math.cos(a), y: cell.y + r * Math.sin(a) };
    });
  }

  trace(path: Path2D, cell: Point, scale = 1): void {
    this.corners(cell, scale).forEach((p, i) => (i ? path.lineTo(p.x, p.y) : path.moveTo(p.x, p.y)));
    path.closePath();
  }

  /** The sides between hexes of a set and hexes outside it, as pairs of corners. */
  outline(inside: ReadonlySet<C>, onMapOnly = false): [Point, Point][] {
    const lines: [Point, Point][] = [];
    for (const cell of inside) {
      const corners = this.corners(cell);
      corners.forEach((a, i) => {
        const b = corners[(i + 1) % 6] as Point;
        const beyond = this.at(a.x + b.x - cell.x, a.y + b.y - cell.y);
        if (beyond ? !inside.has(beyond) : !onMapOnly) lines.push([a, b]);
      });
    }
    return lines;
  }

  private *cellsNear(x: number, y: number): Generator<C> {
    for (let i = -1; i <= 1; i++)
      for (let j = -1; j <= 1; j++)
        yield* this.buckets.get(this.bucket(x + i * this.across * 1.5, y + j * this.across * 1.5)) ?? [];
  }

  private near(x: number, y: number): C[] {
    return [...this.cellsNear(x, y)];
  }

  private bucket(x: number, y: number): number {
    const size = this.across * 1.5;
    return Math.floor(x / size) * 4096 + Math.floor(y / size);
  }
}
