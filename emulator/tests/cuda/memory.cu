// State spaces and shapes of data: constants, globals, shared memory of both kinds, arrays of a thread,
// structures by value, vectors.
#include <cstdint>
#include <cstring>

struct Point {
  float x, y;
  short tag;
  double weight;
};
struct __align__(16) Big {
  int values[20];
  Point points[2];
};
struct Empty {};

__constant__ float coefficients[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__constant__ Point origin = {0.5f, -0.25f, 7, 100.0};
__device__ int counter = 40;
__device__ double table[2][3] = {{1.5, 2.5, 3.5}, {4.5, 5.5, 6.5}};
__device__ const char message[] = "a string";
__device__ const char *const words[] = {"zero", "one", "two", "three"};
__device__ int *pointer_to_counter = &counter;
__device__ float untouched[16];

extern "C" __global__ void constants(const int *index, float *out) {
  int i = threadIdx.x;
  out[i] = coefficients[index[i]] * origin.x + origin.y + origin.tag + (float)origin.weight;
}

extern "C" __global__ void globals(int *out) {
  int i = threadIdx.x;
  atomicAdd(&counter, 1);
  __syncthreads();
  out[i] = *pointer_to_counter + (int)(table[i % 2][i % 3] * 10) + message[i % 9] + words[i % 4][i % 3];
  untouched[i % 16] += 1;
}

extern __shared__ int dynamic[];
extern "C" __global__ void dynamic_shared(const int *in, int *out, int count) {
  int *front = dynamic;
  double *back = (double *)(dynamic + count);
  int i = threadIdx.x;
  front[i] = in[i];
  back[i] = in[i] * 0.5;
  __syncthreads();
  out[i] = front[count - 1 - i] + (int)back[(i + 1) % count];
}

extern "C" __global__ void by_value(Big big, Empty, Point point, char letter, bool flag, int *out) {
  int sum = letter + flag * 1000;
  for (int i = 0; i < 20; i++) sum += big.values[(i * threadIdx.x) % 20];
  for (const Point &p : big.points) sum += (int)(p.x + p.y + p.tag + p.weight);
  out[threadIdx.x] = sum + (int)(point.weight * point.tag);
}

extern "C" __global__ void local_arrays(const int *in, int *out) {
  int stack[32];
  uint8_t bytes[16];
  memset(bytes, threadIdx.x, sizeof bytes);
  int top = 0;
#pragma unroll 1
  for (int i = 0; i < 32; i++) {
    int value = in[(i + threadIdx.x) % 32];
    while (top > 0 && stack[top - 1] > value) top--;
    stack[top++] = value;
  }
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < top; i++) sum = sum * 31 + stack[i];
  uint64_t word;
  memcpy(&word, bytes + in[threadIdx.x % 32] % 8, 8);
  out[threadIdx.x] = sum ^ (int)(word >> 3);
}

extern "C" __global__ void vectors(const float4 *in, const short4 *small, const longlong2 *wide, float4 *out) {
  int i = threadIdx.x;
  float4 a = in[i], b = __ldg(&in[63 - i]);
  short4 s = small[i];
  longlong2 w = wide[i];
  char4 c = make_char4(s.x, s.y, s.z, s.w);
  a.x += b.w * s.x;
  a.y += b.z * c.y;
  a.z += b.y + (float)(w.x + w.y);
  a.w = __ldcg(&((const float *)in)[i]) + __ldcs(&((const float *)in)[i + 1]);
  __stwt(&out[i], a);
}

extern "C" __global__ void spaces(const int *in, int *out) {
  __shared__ int here;
  int mine = threadIdx.x;
  const void *addresses[4] = {&here, &mine, in, &coefficients[1]};
  int bits = 0;
  for (int i = 0; i < 4; i++) {
    const void *p = addresses[(i + in[0]) % 4];
    bits = bits << 4 | __isShared(p) | __isLocal(p) << 1 | __isGlobal(p) << 2 | __isConstant(p) << 3;
  }
  out[threadIdx.x] = bits;
}

extern "C" __global__ void heap(int *out) {
  int *list = (int *)malloc(sizeof(int) * (threadIdx.x + 1));
  for (int i = 0; i <= (int)threadIdx.x; i++) list[i] = i * i;
  int *other = new int[4]{1, 2, 3, (int)threadIdx.x};
  int sum = other[3];
  for (int i = 0; i <= (int)threadIdx.x; i++) sum += list[i];
  free(list);
  delete[] other;
  out[threadIdx.x] = sum;
}
