// SPDX-License-Identifier: Apache-2.0
/**
 * Mappings of device memory, memory lent to the kernel for a call, and the address behind a buffer, which jffi knows.
 */
@NullMarked
package io.github.rdma4j.internal.memory;

import org.jspecify.annotations.NullMarked;
