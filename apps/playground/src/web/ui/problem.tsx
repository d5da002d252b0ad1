/** What went wrong, if anything did. */
export function Problem({ children }: { readonly children: string | undefined }) {
  if (children === undefined) return null;
  return (
    <p className="problem" role="alert">
      {children}
    </p>
  );
}
