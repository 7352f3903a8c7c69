// Integer arithmetic: division of all widths, intrinsics on bits, packed bytes and halfwords, 128 bits.
extern "C" __global__ void divisions(const long long *a, const long long *b, long long *out, int stride) {
  int i = threadIdx.x;
  long long x = a[i], y = b[i];
  out[0 * stride + i] = x / y;
  out[1 * stride + i] = x % y;
  out[2 * stride + i] = (unsigned long long)x / (unsigned long long)y;
  out[3 * stride + i] = (unsigned long long)x % (unsigned long long)y;
  out[4 * stride + i] = (int)x / ((int)y | 1) + (short)x % ((short)y | 1);
  out[5 * stride + i] = (unsigned)x / ((unsigned)y | 1) + (unsigned char)x % ((unsigned char)y | 1);
  out[6 * stride + i] = x / 1000000007 + x % 10;
  out[7 * stride + i] = __mul64hi(x, y);
  out[8 * stride + i] = __umul64hi(x, y);
  __int128 wide = (__int128)x * y + y;
  out[9 * stride + i] = (long long)(wide >> 40);
  out[10 * stride + i] = (long long)(wide / 1234567);
}

extern "C" __global__ void bits(const unsigned *a, const unsigned *b, unsigned *out, int stride) {
  int i = threadIdx.x;
  unsigned x = a[i], y = b[i];
  out[0 * stride + i] = __clz(x) * 1000 + __popc(x) * 10 + __ffs(y);
  out[1 * stride + i] = __brev(x) ^ (unsigned)__brevll((unsigned long long)y << 7);
  out[2 * stride + i] = __byte_perm(x, y, i * 0x111);
  out[3 * stride + i] = __funnelshift_l(x, y, i) ^ __funnelshift_rc(x, y, i + 20);
  out[4 * stride + i] = __mulhi((int)x, (int)y) ^ __umulhi(x, y);
  out[5 * stride + i] = __mul24((int)x, (int)y) + __umul24(x, y);
  out[6 * stride + i] = __sad((int)x, (int)y, x) ^ __usad(x, y, y);
  out[7 * stride + i] = __hadd((int)x, (int)y) ^ __urhadd(x, y);
  out[8 * stride + i] = __dp4a((int)x, (int)y, (int)i) ^ __dp4a(x, y, x);
  out[9 * stride + i] = __dp2a_lo((int)x, (int)y, (int)i) ^ __dp2a_hi(x, y, x);
  out[10 * stride + i] = __clzll((long long)x << 20) + __popcll(((unsigned long long)x << 32) | y) + __ffsll((long long)y << 30);
}

// Four bytes or two halfwords at a time.
extern "C" __global__ void packed(const unsigned *a, const unsigned *b, unsigned *out, int stride) {
  int i = threadIdx.x;
  unsigned x = a[i], y = b[i];
  out[0 * stride + i] = __vadd4(x, y) ^ __vadd2(x, y);
  out[1 * stride + i] = __vsub4(x, y) ^ __vsub2(x, y);
  out[2 * stride + i] = __vaddus4(x, y) ^ __vaddss2(x, y);
  out[3 * stride + i] = __vabsdiffu4(x, y) ^ __vabsdiffs2(x, y);
  out[4 * stride + i] = __vsadu4(x, y) + __vsads2(x, y);
  out[5 * stride + i] = __vavgu4(x, y) ^ __vavgu2(x, y);
  out[6 * stride + i] = __vmaxs4(x, y) ^ __vminu2(x, y);
  out[7 * stride + i] = __vcmpgtu4(x, y) ^ __vsetles2(x, y);
  out[8 * stride + i] = __vabs4(x) ^ __vneg2(y) ^ __vabsss2(x);
  out[9 * stride + i] = __vimax3_s16x2(x, y, x ^ y) ^ __viaddmin_u16x2(x, y, x);
  out[10 * stride + i] = __viaddmax_s32((int)x, (int)y, 5) ^ __vimax_s16x2_relu(x, y);
}
