// Calls: recursion, function pointers, virtual functions, structures by value, results of many sizes.
struct Mixed {
  char a;
  short b;
  int c;
  double d;
  float e[3];
};

__noinline__ __device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__noinline__ __device__ int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

__noinline__ __device__ Mixed change(Mixed m, char by, short more) {
  m.a += by;
  m.b -= more;
  m.c *= 3;
  m.d = m.d / 2 + m.e[2];
  m.e[by & 1] += 1.5f;
  return m;
}

__noinline__ __device__ long long wide(unsigned char a, long long b, bool c) { return c ? a * b : b - a; }
__noinline__ __device__ float4 spread(float x) { return make_float4(x, x * 2, x * 3, x * 4); }
__noinline__ __device__ void nothing(int *to, int value) { *to += value; }

extern "C" __global__ void recursion(int *out) {
  out[threadIdx.x] = fibonacci(threadIdx.x % 12) * 1000 + ackermann(threadIdx.x % 3, threadIdx.x % 4);
}

extern "C" __global__ void structures(double *out) {
  int i = threadIdx.x;
  Mixed m = {(char)i, (short)(i * 2), i * 3, i * 0.5, {1.f * i, 2.f * i, 3.f * i}};
  m = change(m, i & 3, i);
  float4 f = spread((float)i);
  int local = 5;
  nothing(&local, i);
  out[i] = m.a + m.b + m.c + m.d + m.e[0] + m.e[1] + m.e[2] + wide(i, -10LL * i, i & 1) + f.x + f.w + local;
}

typedef int (*Function)(int, int);
__noinline__ __device__ int plus(int a, int b) { return a + b; }
__noinline__ __device__ int minus(int a, int b) { return a - b; }
__noinline__ __device__ int times(int a, int b) { return a * b; }
__device__ Function functions[] = {plus, minus, times, plus};
__device__ Function changeable = minus;

extern "C" __global__ void pointers(const int *which, int *out) {
  int i = threadIdx.x;
  Function f = functions[which[i]];
  int value = f(i, 7);
  if (i % 2) value = changeable(value, 100);
  out[i] = value;
}

struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual int corners() const { return 0; }
  __device__ virtual ~Shape() {}
};
struct Circle : Shape {
  float radius;
  __device__ Circle(float r) : radius(r) {}
  __device__ float area() const override { return 3.0f * radius * radius; }
};
struct Rectangle : Shape {
  float width, height;
  __device__ Rectangle(float w, float h) : width(w), height(h) {}
  __device__ float area() const override { return width * height; }
  __device__ int corners() const override { return 4; }
};
struct Square final : Rectangle {
  __device__ Square(float s) : Rectangle(s, s) {}
  __device__ float area() const override { return width * width + 0.5f; }
};

__noinline__ __device__ Shape *make(int kind, float size) {
  switch (kind) {
    case 0: return new Circle(size);
    case 1: return new Rectangle(size, 2);
    default: return new Square(size);
  }
}

extern "C" __global__ void virtuals(float *out) {
  Shape *shape = make(threadIdx.x % 3, (float)threadIdx.x);
  out[threadIdx.x] = shape->area() + 1000 * shape->corners();
  delete shape;
}

template <typename F>
__noinline__ __device__ int fold(F f, int count) {
  int sum = 0;
  for (int i = 0; i < count; i++) sum = f(sum, i);
  return sum;
}

extern "C" __global__ void lambdas(int *out) {
  int i = threadIdx.x, factor = i % 5;
  out[i] = fold([=](int a, int b) { return a + b * factor; }, i) + fold([](int a, int b) { return a ^ b; }, 20);
}
