// The part of `@fluent/bundle` that pages use.

export type FluentVariable = string | number;

export class FluentResource {
  constructor(source: string);
}

export class FluentBundle {
  constructor(locales: string | string[], options?: { useIsolating?: boolean });
  addResource(resource: FluentResource, options?: { allowOverrides?: boolean }): Error[];
  hasMessage(id: string): boolean;
  getMessage(id: string): { value: unknown } | undefined;
  formatPattern(pattern: unknown, args?: Record<string, FluentVariable> | null, errors?: Error[] | null): string;
}
