// SPDX-License-Identifier: Apache-2.0
/** A kernel that answers at once, so that benchmarks and stress tests measure only the library. */
@NullMarked
package io.github.rdma4j.providers.instant;

import org.jspecify.annotations.NullMarked;
