// SPDX-License-Identifier: Apache-2.0

/**
 * The connections that are open in this process, their counts, and the listeners. A JRE may lack the module {@code java.management}: only
 * {@link io.github.rdma4j.internal.rsocket.connections.Connections.Registration} uses its classes, after a check that they are there.
 */
@NullMarked
package io.github.rdma4j.internal.rsocket.connections;

import org.jspecify.annotations.NullMarked;
