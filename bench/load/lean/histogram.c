#include "histogram.h"

#include <math.h>

static int bucket_of(uint64_t value);
static double middle_of(int bucket);

void histogram_add(struct histogram *histogram, int64_t nanoseconds) {
  histogram->counts[bucket_of(nanoseconds > 0 ? (uint64_t)nanoseconds : 0)] += 1;
  histogram->total += 1;
}

double histogram_percentile(const struct histogram *histogram, double share) {
  uint64_t wanted = (uint64_t)ceil((double)histogram->total * share);
  uint64_t seen = 0;
  for (int bucket = 0; bucket < BUCKETS; bucket += 1) {
    seen += histogram->counts[bucket];
    if (seen >= wanted && seen > 0) return middle_of(bucket) / 1e6;
  }
  return 0;
}

/* Returns the bucket of a value. Each small value has its own; larger values are grouped by their leading bits. */
static int bucket_of(uint64_t value) {
  if (value < (1u << SUB_BITS)) return (int)value;
  int exponent = 63 - __builtin_clzll(value);
  int below = (int)(value >> (exponent - SUB_BITS)) & ((1 << SUB_BITS) - 1);
  return ((exponent - SUB_BITS + 1) << SUB_BITS) + below;
}

static double middle_of(int bucket) {
  if (bucket < (1 << SUB_BITS)) return bucket;
  int exponent = (bucket >> SUB_BITS) + SUB_BITS - 1;
  double width = ldexp(1, exponent - SUB_BITS);
  return ldexp(1, exponent) + ((bucket & ((1 << SUB_BITS) - 1)) + 0.5) * width;
}
