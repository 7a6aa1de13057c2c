#pragma once
#include <stdint.h>

/* Counts of times in nanoseconds: 64 buckets for each power of two, so a value is known to 1.6 %. */
enum { SUB_BITS = 6, BUCKETS = (64 - SUB_BITS) << SUB_BITS };

struct histogram {
  uint64_t counts[BUCKETS];
  uint64_t total;
};

void histogram_add(struct histogram *histogram, int64_t nanoseconds);

/* The value in milliseconds that `share` of the values do not exceed; 0 without values. */
double histogram_percentile(const struct histogram *histogram, double share);
