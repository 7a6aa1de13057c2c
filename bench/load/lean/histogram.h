#pragma once
#include <stdint.h>

/* Counts of times in nanoseconds, in 64 buckets for each power of two: a value is accurate to 1.6 %. */
enum { SUB_BITS = 6, BUCKETS = (64 - SUB_BITS) << SUB_BITS };

struct histogram {
  uint64_t counts[BUCKETS];
  uint64_t total;
};

void histogram_add(struct histogram *histogram, int64_t nanoseconds);

/* Returns a percentile in milliseconds; 0 if there are no values. `share` is from 0 to 1. */
double histogram_percentile(const struct histogram *histogram, double share);
