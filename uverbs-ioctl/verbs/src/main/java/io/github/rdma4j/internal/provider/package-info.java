// SPDX-License-Identifier: Apache-2.0
/**
 * The interfaces that a driver's data path implements, and the interfaces that it gets. Programs that use RDMA do not
 * need this package.
 *
 * <p>A {@link io.github.rdma4j.internal.provider.Provider} makes a
 * {@link io.github.rdma4j.internal.provider.DriverContext} for each open device, and the context makes queues: each by
 * a {@link io.github.rdma4j.internal.provider.Creation}, which is prepared before the command and finished after it.
 * The verbs call a ring under the lock of its queue, and hand it the views of this package: a ring reads work requests
 * through {@link io.github.rdma4j.internal.provider.SendView} and
 * {@link io.github.rdma4j.internal.provider.ReceiveRing.ReceiveView}, and writes completions through
 * {@link io.github.rdma4j.internal.provider.CompletionRing.CompletionSink}. The views belong to objects of the program
 * and are valid during the call only.
 *
 * <p>What most drivers write alike is here too: {@link io.github.rdma4j.internal.provider.CountedSendRing}, {@link
 * io.github.rdma4j.internal.provider.OrderedReceiveRing} and {@link io.github.rdma4j.internal.provider.QueueCreation}.
 *
 * <p>The interfaces of this package change when a driver needs it; they are not part of the API that stays compatible.
 */
@NullMarked
package io.github.rdma4j.internal.provider;

import org.jspecify.annotations.NullMarked;
