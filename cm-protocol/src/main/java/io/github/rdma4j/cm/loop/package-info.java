// SPDX-License-Identifier: Apache-2.0
/**
 * Futures and callbacks over the connection manager, as a Java program expects them: one thread retrieves the events of
 * many connections and completes futures. Optional: it uses nothing of {@link io.github.rdma4j.cm} that is not public.
 */
@NullMarked
package io.github.rdma4j.cm.loop;

import org.jspecify.annotations.NullMarked;
