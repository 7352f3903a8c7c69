extern "C" __global__ void horspool(int text_length, int word_length, int length,
                                    const unsigned char* __restrict__ text,
                                    const unsigned char* __restrict__ word, const int* __restrict__ shift,
                                    int* __restrict__ count) {
  __shared__ int shifts[256];
  __shared__ int letters[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  for (int k = t; k < 256; k += blockDim.x) shifts[k] = shift[k];
  if (t < word_length) letters[t] = word[t];
  __syncthreads();
  int place = i * length;
  if (place >= text_length) return;
  int end = min(place + length, text_length - word_length + 1);
  int found = 0;
  while (place < end) {
    int k = word_length - 1;
    while (k >= 0 && text[place + k] == letters[k]) k--;
    if (k < 0) found++;
    place += shifts[text[place + word_length - 1]];
  }
  count[i] = found;
}
