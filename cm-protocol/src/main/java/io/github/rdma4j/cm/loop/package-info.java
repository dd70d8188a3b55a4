// SPDX-License-Identifier: Apache-2.0
/**
 * Futures and callbacks for the connection manager: one thread retrieves the events of many connections and completes
 * futures. Optional: uses only the public API of {@link io.github.rdma4j.cm}.
 */
@NullMarked
package io.github.rdma4j.cm.loop;

import org.jspecify.annotations.NullMarked;
