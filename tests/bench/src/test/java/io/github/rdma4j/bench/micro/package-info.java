// SPDX-License-Identifier: Apache-2.0
/** The benchmarks run, and what the data path allocates. */
@NullMarked
package io.github.rdma4j.bench.micro;

import org.jspecify.annotations.NullMarked;
