/** A part of the units, from `start` to before `end`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A part of a file and what takes its place; its lines end with "\n". */
export interface Replacement extends Range {
  readonly newString: string;
}

/** Places that fit: as many as are wanted, and how many there are. */
export interface Places {
  readonly ranges: readonly Range[];
  readonly count: number;
}

/** The most places that are listed where there should be one. */
export const MAX_LISTED_PLACES = 10;
