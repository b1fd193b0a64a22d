// The sum of n floats on all cores with as many independent vector accumulators as the adders need.

#include <stddef.h>

typedef float vector __attribute__((vector_size(64), aligned(4)));

enum { LANES = 16, CHAINS = 8, BLOCK = LANES * CHAINS };

static float sum_part(const float *values, size_t count) {
    vector acc[CHAINS] = {{0}};
    size_t i = 0;
    for (; i + BLOCK <= count; i += BLOCK)
        for (int chain = 0; chain < CHAINS; ++chain)
            acc[chain] += *(const vector *)(values + i + chain * LANES);
    float total = 0;
    for (int chain = 0; chain < CHAINS; ++chain)
        for (int lane = 0; lane < LANES; ++lane)
            total += acc[chain][lane];
    for (; i < count; ++i)
        total += values[i];
    return total;
}

float simd_sum(const float *values, size_t count) {
    const size_t part = 1 << 16;
    const size_t parts = (count + part - 1) / part;
    float total = 0;
#pragma omp parallel for schedule(static) reduction(+ : total)
    for (size_t p = 0; p < parts; ++p) {
        const size_t start = p * part;
        total += sum_part(values + start, count - start < part ? count - start : part);
    }
    return total;
}
