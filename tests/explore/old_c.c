// C as it once was: types and declarations left out.
main() {
  unsigned char x = __VERIFIER_nondet_uchar();
  if (x * 3 == 255)
    reach_error(); //~ BUG(reach-error)
  return 0;
}
