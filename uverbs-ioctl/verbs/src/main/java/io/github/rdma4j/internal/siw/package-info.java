// SPDX-License-Identifier: Apache-2.0
/** Soft-iWARP: its ABI and its rings, for the {@code siw} kernel driver. */
@NullMarked
package io.github.rdma4j.internal.siw;

import org.jspecify.annotations.NullMarked;
